/**
 * The layout: layers from left to right, few crossings, short lines. Lines that span layers get places of their own
 * between the boxes; layers with very many boxes take several columns.
 */

import { type Bend, edgeKey, type Layout, type LayoutEdge, type LayoutInput, type Point } from "./input";
import { type Arc, layersOf, withoutCircles } from "./layers";
import { ordered } from "./order";
import { spread } from "./spread";

const GAP = 26;
const BETWEEN_LAYERS = 96;
const BETWEEN_COLUMNS = 36;
const BEND_SIZE = 8;
/** With more bends than this, lines go straight: nobody follows them by eye. */
const MOST_BENDS = 3_000;
const LEAST_HEIGHT = 1_800;
/** The aspect ratio that a very large picture should have. */
const ASPECT = 1.6;
const SWEEPS = 6;

interface Item {
  readonly node: number | null;
  readonly width: number;
  readonly height: number;
}

/** From one item to another in the next layer, with the offsets below their tops where the line begins and ends. */
interface Link extends Arc {
  readonly fromY: number;
  readonly toY: number;
}

interface Chain {
  readonly edge: LayoutEdge;
  readonly turned: boolean;
  readonly bends: readonly number[];
}

export function layered(input: LayoutInput): Layout {
  const { nodes } = input;
  const number = new Map(nodes.map((node, place) => [node.id, place]));
  const arcs = withoutCircles(
    nodes.length,
    input.edges.flatMap((edge) => {
      const [from, to] = [number.get(edge.from), number.get(edge.to)];
      return from === undefined || to === undefined ? [] : [{ from, to, edge }];
    }),
  );
  const layer = layersOf(nodes.length, arcs);
  const items: Item[] = nodes.map((node, place) => ({ node: place, width: node.width, height: node.height }));
  const layers: number[][] = Array.from({ length: Math.max(0, ...layer) + 1 }, () => []);
  layer.forEach((at, node) => {
    layers[at]?.push(node);
  });
  const links: Link[] = [];
  const chains: Chain[] = [];
  const spans = arcs.reduce((sum, { from, to }) => sum + (layer[to] ?? 0) - (layer[from] ?? 0) - 1, 0);
  for (const { arc, from, to } of arcs) {
    const turned = arc.from !== from;
    const [fromY, toY] = turned ? [arc.edge.toY, arc.edge.fromY] : [arc.edge.fromY, arc.edge.toY];
    const bends: number[] = [];
    if (spans <= MOST_BENDS) {
      for (let at = (layer[from] ?? 0) + 1; at < (layer[to] ?? 0); at++) {
        bends.push(items.push({ node: null, width: 0, height: BEND_SIZE }) - 1);
        layers[at]?.push(items.length - 1);
      }
    }
    const stops = [from, ...bends, to];
    for (const [step, stop] of stops.slice(1).entries()) {
      const last = step === stops.length - 2;
      links.push({
        from: stops[step] ?? from,
        to: stop,
        fromY: step === 0 ? fromY : BEND_SIZE / 2,
        toY: last ? toY : BEND_SIZE / 2,
      });
    }
    chains.push({ edge: arc.edge, turned, bends });
  }
  const columns = inColumns(ordered(layers, links, items.length), items);
  const ys = heights(columns, items, links);
  return { ...placed(columns, items, ys, nodes, chains) };
}

interface Column {
  readonly items: readonly number[];
  /** Whether it is the last in its layer. */
  readonly ends: boolean;
}

/** Each layer as one column or, if it is far too high, as several; neighbours in the order end up side by side. */
function inColumns(layers: readonly (readonly number[])[], items: readonly Item[]): Column[] {
  const high = (layer: readonly number[]) => layer.reduce((sum, item) => sum + (items[item]?.height ?? 0) + GAP, 0);
  const area = layers.reduce((sum, layer) => sum + high(layer) * (widest(layer, items) + BETWEEN_LAYERS), 0);
  const most = Math.max(LEAST_HEIGHT, Math.sqrt(area / ASPECT));
  return layers.flatMap((layer) => {
    const count = Math.max(1, Math.ceil(high(layer) / (most * 1.25)));
    return Array.from({ length: count }, (_, column) => ({
      items: layer.filter((_, place) => place % count === column),
      ends: column === count - 1,
    }));
  });
}

function widest(layer: readonly number[], items: readonly Item[]): number {
  return Math.max(0, ...layer.map((item) => items[item]?.width ?? 0));
}

/** The upper edge of each item: close to its linked items, layer by layer, back and forth. */
function heights(columns: readonly Column[], items: readonly Item[], links: readonly Link[]): number[] {
  const into: Link[][] = items.map(() => []);
  const out: Link[][] = items.map(() => []);
  for (const link of links) {
    out[link.from]?.push(link);
    into[link.to]?.push(link);
  }
  const ys = new Array<number>(items.length).fill(0);
  const settle = (column: Column, sides: readonly (readonly Link[][])[]) => {
    const wishes = column.items.map((item) => {
      const targets = sides.flatMap((side) =>
        (side[item] ?? []).map((link) =>
          link.to === item ? (ys[link.from] ?? 0) + link.fromY - link.toY : (ys[link.to] ?? 0) + link.toY - link.fromY,
        ),
      );
      const size = items[item]?.height ?? 0;
      const at = targets.length === 0 ? (ys[item] ?? 0) : targets.reduce((sum, y) => sum + y, 0) / targets.length;
      return { at, size, weight: targets.length === 0 ? 0.1 : items[item]?.node === null ? 2 : 1 };
    });
    const heights = spread(wishes, GAP);
    column.items.forEach((item, place) => {
      ys[item] = heights[place] ?? 0;
    });
  };
  for (const column of columns) stack(column, items, ys);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const column of columns) settle(column, [into]);
    for (const column of [...columns].reverse()) settle(column, [out]);
  }
  for (const column of columns) settle(column, [into, out]);
  return ys;
}

/** One below the other, around the middle. */
function stack(column: Column, items: readonly Item[], ys: number[]): void {
  const sizes = column.items.map((item) => (items[item]?.height ?? 0) + GAP);
  let y = -sizes.reduce((sum, size) => sum + size, 0) / 2;
  column.items.forEach((item, place) => {
    ys[item] = y;
    y += sizes[place] ?? 0;
  });
}

function placed(
  columns: readonly Column[],
  items: readonly Item[],
  ys: readonly number[],
  nodes: LayoutInput["nodes"],
  chains: readonly Chain[],
): Layout {
  const places = new Map<string, Point>();
  const spans = new Map<number, Bend>();
  let x = 0;
  let start = 0;
  let within: number[] = [];
  for (const column of columns) {
    const width = widest(column.items, items);
    for (const item of column.items) {
      const node = items[item]?.node ?? null;
      const id = node === null ? undefined : nodes[node]?.id;
      if (id !== undefined) places.set(id, { x, y: ys[item] ?? 0 });
      else within.push(item);
    }
    x += width;
    if (column.ends) {
      for (const item of within) spans.set(item, { from: start, to: x, y: (ys[item] ?? 0) + BEND_SIZE / 2 });
      within = [];
      x += BETWEEN_LAYERS;
      start = x;
    } else x += BETWEEN_COLUMNS;
  }
  const bends = new Map<string, readonly Bend[]>();
  for (const { edge, turned, bends: stops } of chains) {
    if (stops.length === 0) continue;
    const segments = stops.flatMap((item) => spans.get(item) ?? []);
    const line = turned ? segments.reverse().map(({ from, to, y }) => ({ from: to, to: from, y })) : segments;
    bends.set(edgeKey(edge.from, edge.to), line);
  }
  return { places, bends };
}
