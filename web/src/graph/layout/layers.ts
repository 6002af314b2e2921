/** The layer of a node: to the right of all its sources. */

/** An edge by the numbers of its ends. */
export interface Arc {
  readonly from: number;
  readonly to: number;
}

/** The arcs, with those reversed that close a cycle; arcs from a node to itself are left out. */
export function withoutCircles<A extends Arc>(
  count: number,
  arcs: readonly A[],
): { arc: A; from: number; to: number }[] {
  const real = arcs.filter((arc) => arc.from !== arc.to);
  const out: A[][] = Array.from({ length: count }, () => []);
  const into = new Array<number>(count).fill(0);
  for (const arc of real) {
    out[arc.from]?.push(arc);
    into[arc.to] = (into[arc.to] ?? 0) + 1;
  }
  const FRESH = 0;
  const OPEN = 1;
  const DONE = 2;
  const state = new Array<number>(count).fill(FRESH);
  const turned = new Set<A>();
  const numbers = Array.from({ length: count }, (_, number) => number);
  const starts = [...numbers.filter((node) => into[node] === 0), ...numbers];
  for (const start of starts) {
    if (state[start] !== FRESH) continue;
    state[start] = OPEN;
    const path: { node: number; next: number }[] = [{ node: start, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const arc = out[top.node]?.[top.next++];
      if (arc === undefined) {
        state[top.node] = DONE;
        path.pop();
      } else if (state[arc.to] === OPEN) turned.add(arc);
      else if (state[arc.to] === FRESH) {
        state[arc.to] = OPEN;
        path.push({ node: arc.to, next: 0 });
      }
    }
  }
  return real.map((arc) =>
    turned.has(arc) ? { arc, from: arc.to, to: arc.from } : { arc, from: arc.from, to: arc.to },
  );
}

/** The layer of each node, from 0; the arcs must be acyclic. Nodes with more outputs than inputs go far right. */
export function layersOf(count: number, arcs: readonly Arc[]): number[] {
  const out: number[][] = Array.from({ length: count }, () => []);
  const into = new Array<number>(count).fill(0);
  for (const { from, to } of arcs) {
    out[from]?.push(to);
    into[to] = (into[to] ?? 0) + 1;
  }
  const left = [...into];
  const layer = new Array<number>(count).fill(0);
  const order = Array.from({ length: count }, (_, number) => number).filter((node) => left[node] === 0);
  for (const node of order) {
    for (const next of out[node] ?? []) {
      layer[next] = Math.max(layer[next] ?? 0, (layer[node] ?? 0) + 1);
      left[next] = (left[next] ?? 0) - 1;
      if (left[next] === 0) order.push(next);
    }
  }
  for (const node of order.reverse()) {
    const nexts = out[node] ?? [];
    if (nexts.length <= (into[node] ?? 0)) continue;
    layer[node] = Math.min(...nexts.map((next) => layer[next] ?? 0)) - 1;
  }
  return layer;
}
