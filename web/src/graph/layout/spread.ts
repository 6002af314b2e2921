/** Things in a line, as near as possible to where each would like to be, without touching. */

export interface Wish {
  /** Where its upper edge would like to be. */
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
 * The upper edges, in the order given, with gaps between them: what is nearest to the wishes in the sense of least
 * squares. Neighbours that would overlap are pooled to a block, which lies at the mean of what they want.
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
    offsets.slice(first, last + 1).map((one) => Math.round(sum / weight + one)),
  );
}
