/** The lines between boxes: column edges with the same ends are one line. */

import { type ColumnEdge, closest, EDGE_CLASSES, type GraphPart } from "../model/graph";
import { grouped, type Lit } from "../model/lighting";
import { pathOf } from "../model/names";
import { type Box, portOf } from "./boxes";
import { edgeKey, type Layout, type LayoutEdge, type Point } from "./layout/input";
import type { Mark, Marks } from "./props";
import type { LineKind } from "./styles";

/**
 * A line by its points: x and y of its start, of the ends of each straight piece, and of its end. Between the pieces it
 * is curved.
 */
export interface Route extends LineKind {
  readonly points: readonly number[];
  /** It returns to the side of the box where it left. */
  readonly loop: boolean;
  readonly from: string;
  readonly to: string;
  readonly edges: readonly ColumnEdge[];
  readonly bounds: Bounds;
}

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Where an edge passes through: from one dataset to another, through its job where jobs are shown. */
interface Leg {
  readonly from: string;
  readonly to: string;
  readonly fromPath: string | null;
  readonly toPath: string | null;
  readonly edge: ColumnEdge;
}

function legs(edge: ColumnEdge, jobs: boolean): Leg[] {
  const [fromPath, toPath] = [pathOf(edge.from), pathOf(edge.to)];
  if (!jobs || edge.job === null) return [{ from: edge.fromDataset, to: edge.toDataset, fromPath, toPath, edge }];
  return [
    { from: edge.fromDataset, to: edge.job, fromPath, toPath: null, edge },
    { from: edge.job, to: edge.toDataset, fromPath: null, toPath, edge },
  ];
}

function port(box: Box, path: string | null): number {
  return path === null ? box.height / 2 : portOf(box, path);
}

/** All edges by the pair of boxes that they connect. */
export type Pairs = ReadonlyMap<string, readonly Leg[]>;

export function pairsOf(part: GraphPart, jobs: boolean): Pairs {
  const all = part.edges.flatMap((edge) => legs(edge, jobs));
  return grouped(all, (leg) => edgeKey(leg.from, leg.to));
}

/** The input of the layout: one edge for each pair of boxes, at the mean of where its lines begin and end. */
export function layoutEdges(pairs: Pairs, boxes: ReadonlyMap<string, Box>): LayoutEdge[] {
  return [...pairs.values()].flatMap((legs) => {
    const [leg] = legs;
    const from = leg && boxes.get(leg.from);
    const to = leg && boxes.get(leg.to);
    if (from === undefined || to === undefined) return [];
    const mean = (pick: (leg: Leg) => number) => legs.reduce((sum, leg) => sum + pick(leg), 0) / legs.length;
    return [
      {
        from: from.id,
        to: to.id,
        fromY: mean((leg) => port(from, leg.fromPath)),
        toY: mean((leg) => port(to, leg.toPath)),
      },
    ];
  });
}

/** All lines of a laid-out graph. */
export function routesOf(
  pairs: Pairs,
  boxes: ReadonlyMap<string, Box>,
  layout: Layout,
  lit: Lit | null,
  marks: Marks,
): Route[] {
  const routes: Route[] = [];
  for (const [key, legs] of pairs) {
    const [leg] = legs;
    if (leg === undefined) continue;
    const ends = [leg.from, leg.to].map((id) => ({ box: boxes.get(id), at: layout.places.get(id) }));
    const [from, to] = ends;
    if (from?.box === undefined || from.at === undefined || to?.box === undefined || to.at === undefined) continue;
    const [fromBox, toBox, fromAt, toAt] = [from.box, to.box, from.at, to.at];
    const lines = grouped(legs, (leg) => {
      const isLit = lit?.edges.has(leg.edge.id) === true;
      return `${port(fromBox, leg.fromPath)} ${port(toBox, leg.toPath)} ${isLit} ${marks.edges?.get(leg.edge.id) ?? ""}`;
    });
    for (const line of lines.values()) {
      const [first] = line;
      if (first === undefined) continue;
      const loop = leg.from === leg.to;
      const start: Point = { x: fromAt.x + fromBox.width, y: fromAt.y + port(fromBox, first.fromPath) };
      const end: Point = { x: loop ? toAt.x + toBox.width : toAt.x, y: toAt.y + port(toBox, first.toPath) };
      const bends = (layout.bends.get(key) ?? []).flatMap((bend) => [bend.from, bend.y, bend.to, bend.y]);
      const points = [start.x, start.y, ...bends, end.x, end.y];
      const edges = line.map((leg) => leg.edge);
      routes.push({
        points,
        loop,
        from: leg.from,
        to: leg.to,
        edges,
        bounds: boundsOf(points),
        ...kindOf(edges, lit, marks),
      });
    }
  }
  return routes;
}

function kindOf(edges: readonly ColumnEdge[], lit: Lit | null, marks: Marks): LineKind {
  const kinds = new Set(edges.map((edge) => edge.kind));
  const [first] = edges;
  const mark: Mark | null = (first && marks.edges?.get(first.id)) ?? null;
  return {
    kind: EDGE_CLASSES.find((kind) => kinds.has(kind)) ?? closest([]),
    masked: edges.every((edge) => edge.masked),
    mark,
    lit: first !== undefined && lit?.edges.has(first.id) === true,
  };
}

/** One line for everything between two boxes, for pictures from afar. */
export function bundled(routes: readonly Route[]): Route[] {
  const pairs = grouped(
    routes,
    (route) => `${edgeKey(route.from, route.to)}\u0000${route.lit}\u0000${route.mark ?? ""}`,
  );
  return [...pairs.values()].flatMap((routes) => {
    const middle = routes[Math.floor(routes.length / 2)];
    if (middle === undefined) return [];
    const kinds = new Set(routes.map((route) => route.kind));
    return [
      {
        ...middle,
        kind: EDGE_CLASSES.find((kind) => kinds.has(kind)) ?? middle.kind,
        masked: routes.every((route) => route.masked),
        edges: routes.flatMap((route) => route.edges),
      },
    ];
  });
}

/** How far a backward curve bulges out. */
const BULGE = 44;

function boundsOf(points: readonly number[]): Bounds {
  const xs = points.filter((_, place) => place % 2 === 0);
  const ys = points.filter((_, place) => place % 2 === 1);
  return {
    left: Math.min(...xs) - BULGE,
    right: Math.max(...xs) + BULGE,
    top: Math.min(...ys) - 2,
    bottom: Math.max(...ys) + 2,
  };
}

/** The curved pieces of a line, each with its two control points; straight pieces lie between them. */
export function curves(route: Pick<Route, "points" | "loop">): { from: Point; to: Point; out: number; into: number }[] {
  const { points, loop } = route;
  const pieces = [];
  for (let place = 0; place + 3 < points.length; place += 4) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points.slice(place, place + 4);
    const forward = points.length > 4 ? (points[points.length - 2] ?? 0) >= (points[0] ?? 0) : true;
    const pull = loop ? BULGE : x2 >= x1 === forward ? Math.abs(x2 - x1) / 2 : BULGE * 2;
    const sign = forward ? 1 : -1;
    // Leaves a box to the right and enters one from the left, even if the line goes back.
    const out = place === 0 ? Math.max(pull, 16) : pull * sign;
    const into = place + 4 >= points.length ? Math.max(pull, 16) : pull * sign;
    pieces.push({ from: { x: x1, y: y1 }, to: { x: x2, y: y2 }, out: x1 + out, into: loop ? x2 + into : x2 - into });
  }
  return pieces;
}

const SAMPLES = 14;

/** How far a point is from a line. */
export function distanceTo(route: Route, point: Point): number {
  let least = Number.POSITIVE_INFINITY;
  let last: Point | null = null;
  for (const { from, to, out, into } of curves(route)) {
    if (last !== null) least = Math.min(least, toPiece(point, last, from));
    last = from;
    for (let sample = 1; sample <= SAMPLES; sample++) {
      const t = sample / SAMPLES;
      const u = 1 - t;
      const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      const at = { x: a * from.x + b * out + c * into + d * to.x, y: (a + b) * from.y + (c + d) * to.y };
      least = Math.min(least, toPiece(point, last, at));
      last = at;
    }
  }
  return least;
}

function toPiece(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length;
  const t = Math.max(0, Math.min(1, along));
  return Math.hypot(point.x - from.x - t * dx, point.y - from.y - t * dy);
}
