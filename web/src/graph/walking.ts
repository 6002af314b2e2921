/** Where the arrow keys lead: up and down within a box and its column of boxes, left and right along the lineage. */

import { ancestors } from "../model/fields";
import { pathOf, ROWS } from "../model/names";
import type { Box } from "./boxes";
import type { Scene } from "./scene";

/** A row of a box, or its head. */
export interface Spot {
  readonly box: string;
  readonly path: string | null;
}

export const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"] as const;
export type Arrow = (typeof ARROWS)[number];

/** The spot that a key leads to; the same spot if there is none. */
export function walked(scene: Scene, spot: Spot, key: Arrow): Spot {
  const standing = scene.byId.get(spot.box);
  if (standing === undefined) return spot;
  const { box } = standing;
  const at = spot.path === null ? -1 : box.rows.findIndex((row) => row.path === spot.path);
  switch (key) {
    case "Home":
      return { box: box.id, path: null };
    case "End":
      return { box: box.id, path: box.rows.at(-1)?.path ?? null };
    case "ArrowDown": {
      const next = box.rows[at + 1];
      return next !== undefined ? { box: box.id, path: next.path } : (beside(scene, spot.box, 1) ?? spot);
    }
    case "ArrowUp":
      if (at < 0) return beside(scene, spot.box, -1) ?? spot;
      return { box: box.id, path: box.rows[at - 1]?.path ?? null };
    case "ArrowLeft":
      return along(scene, box, spot, "to") ?? spot;
    case "ArrowRight":
      return along(scene, box, spot, "from") ?? spot;
  }
}

/** The head of the next box below, or the last row of the one above, in the same column of boxes. */
function beside(scene: Scene, id: string, way: 1 | -1): Spot | null {
  const here = scene.byId.get(id);
  if (here === undefined) return null;
  const column = scene.boxes
    .filter((candidate) => candidate.at.x === here.at.x && (candidate.at.y - here.at.y) * way > 0)
    .sort((first, other) => (first.at.y - other.at.y) * way);
  const next = column[0]?.box;
  return next === undefined ? null : { box: next.id, path: way === 1 ? null : (next.rows.at(-1)?.path ?? null) };
}

/** Along the first line that leaves here, lit lines first. `end` is the end of the line that is here. */
function along(scene: Scene, box: Box, spot: Spot, end: "from" | "to"): Spot | null {
  const other = end === "from" ? "to" : "from";
  const lines = scene.routes
    .filter((route) => route[end] === box.id && route[other] !== box.id)
    .filter((route) => spot.path === null || route.edges.some((edge) => rowOf(box, pathOf(edge[end])) === spot.path))
    .sort((first, two) => Number(two.lit) - Number(first.lit) || yOf(first, other) - yOf(two, other));
  const [line] = lines;
  const there = line && scene.byId.get(line[other])?.box;
  if (line === undefined || there === undefined) return null;
  const edge = line.edges.find((candidate) => spot.path === null || rowOf(box, pathOf(candidate[end])) === spot.path);
  const path = edge === undefined || there.kind === "job" ? null : rowOf(there, pathOf(edge[other]));
  return { box: there.id, path: spot.path === null && box.kind !== "job" ? null : path };
}

function yOf(route: { readonly points: readonly number[] }, end: "from" | "to"): number {
  return (end === "from" ? route.points[1] : route.points.at(-1)) ?? 0;
}

/** The row that shows a column: its own, or that of a struct around it. */
export function rowOf(box: Box, path: string): string | null {
  if (path === ROWS) return null;
  if (box.ports.has(path)) return path;
  return ancestors(path).findLast((around) => box.ports.has(around)) ?? null;
}
