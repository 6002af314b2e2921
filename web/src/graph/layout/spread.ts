/** Items in a line, each as close as possible to its preferred place, without overlap. */

export interface Wish {
  /** Where its upper edge should preferably be. */
  readonly at: number;
  readonly size: number;
  /** How much it matters. */
  readonly weight: number;
}

interface Block {
  first: number;
  last: number;
  weight: number;
  sum: number;
}

/**
 * The upper edges, in the given order, with gaps between them: the least-squares fit to the preferred places.
 * Neighbours that would overlap are pooled into a block, which lies at the mean of their preferences.
 */
export function spread(wishes: readonly Wish[], gap: number): number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (const wish of wishes) {
    offsets.push(offset);
    offset += wish.size + gap;
  }
  const blocks: Block[] = [];
  wishes.forEach((wish, place) => {
    let block: Block = {
      first: place,
      last: place,
      weight: wish.weight,
      sum: wish.weight * (wish.at - (offsets[place] ?? 0)),
    };
    for (let before = blocks.at(-1); before !== undefined; before = blocks.at(-1)) {
      if (before.sum / before.weight <= block.sum / block.weight) break;
      blocks.pop();
      block = {
        first: before.first,
        last: block.last,
        weight: before.weight + block.weight,
        sum: before.sum + block.sum,
      };
    }
    blocks.push(block);
  });
  return blocks.flatMap(({ first, last, weight, sum }) =>
    offsets.slice(first, last + 1).map((offset) => Math.round(sum / weight + offset)),
  );
}
