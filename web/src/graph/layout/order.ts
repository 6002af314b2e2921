/** The order of the nodes in a layer, such that few lines cross. */

import type { Arc } from "./layers";

const SWEEPS = 10;

/** Layers in a better order. Arcs only go from one layer to the next. */
export function ordered(layers: readonly (readonly number[])[], arcs: readonly Arc[], count: number): number[][] {
  const into: number[][] = Array.from({ length: count }, () => []);
  const out: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of arcs) {
    out[from]?.push(to);
    into[to]?.push(from);
  }
  const place = new Array<number>(count).fill(0);
  let now = layers.map((layer) => [...layer]);
  const note = (layer: readonly number[]) => {
    // Places as fractions of the layer's length, so that layers of different lengths align in full.
    layer.forEach((node, at) => {
      place[node] = (at + 0.5) / layer.length;
    });
  };
  now.forEach(note);
  let best = now;
  let fewest = crossings(now, out);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const forward = sweep % 2 === 0;
    const sides = forward ? into : out;
    now = now.map((layer) => [...layer]);
    for (let step = 1; step < now.length; step++) {
      const layer = now[forward ? step : now.length - 1 - step];
      if (layer === undefined) continue;
      const target = new Map(layer.map((node) => [node, mean(sides[node] ?? [], place) ?? place[node] ?? 0]));
      layer.sort((node, other) => (target.get(node) ?? 0) - (target.get(other) ?? 0));
      note(layer);
    }
    const count = crossings(now, out);
    if (count < fewest) {
      fewest = count;
      best = now;
    }
  }
  return best.map((layer) => [...layer]);
}

function mean(nodes: readonly number[], place: readonly number[]): number | null {
  if (nodes.length === 0) return null;
  let sum = 0;
  for (const node of nodes) sum += place[node] ?? 0;
  return sum / nodes.length;
}

/** How many lines cross. */
export function crossings(layers: readonly (readonly number[])[], out: readonly (readonly number[])[]): number {
  let count = 0;
  for (const [number, layer] of layers.entries()) {
    const next = layers[number + 1];
    if (next === undefined) break;
    const at = new Map(next.map((node, place) => [node, place]));
    // How many lines so far end at or before a place, in a Fenwick tree.
    const sums = new Array<number>(next.length + 1).fill(0);
    let lines = 0;
    for (const node of layer) {
      const ends = (out[node] ?? []).flatMap((to) => at.get(to) ?? []);
      for (const end of ends) {
        let before = 0;
        for (let place = end + 1; place > 0; place -= place & -place) before += sums[place] ?? 0;
        count += lines - before;
      }
      for (const end of ends) {
        lines++;
        for (let place = end + 1; place <= next.length; place += place & -place) sums[place] = (sums[place] ?? 0) + 1;
      }
    }
  }
  return count;
}
