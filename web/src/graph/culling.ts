/** Which boxes become elements: those in view that are large enough to read, up to the page's limit. */

import type { Box } from "./boxes";
import type { Point } from "./layout/input";
import type { Bounds } from "./routes";
import { overlap } from "./viewport";

/** Below this zoom boxes are only painted: no row is readable. */
export const READABLE = 0.5;
/** The most elements that all boxes may have in total; the frame of the page has about 150 of its own. */
export const MOST_ELEMENTS = 760;
const OF_A_BOX = 9;
const OF_A_BAR = 6;
const OF_A_ROW = 4;

export interface Standing {
  readonly box: Box;
  readonly at: Point;
}

export function boundsOfBox({ box, at }: Standing): Bounds {
  return { left: at.x, top: at.y, right: at.x + box.width, bottom: at.y + box.height };
}

/** Roughly how many elements a box has. */
export function elementsOf(box: Box): number {
  return OF_A_BOX + (box.bar ? OF_A_BAR : 0) + box.rows.length * OF_A_ROW;
}

/** The boxes to render as elements: `active` in any case, then those in view, nearest to the middle first. */
export function culled(boxes: readonly Standing[], view: Bounds, zoom: number, active: string | null): Standing[] {
  const middle = { x: (view.left + view.right) / 2, y: (view.top + view.bottom) / 2 };
  const far = ({ box, at }: Standing) =>
    box.id === active ? -1 : Math.hypot(at.x + box.width / 2 - middle.x, at.y + box.height / 2 - middle.y);
  const candidates = boxes
    .filter((placed) => placed.box.id === active || (zoom >= READABLE && overlap(boundsOfBox(placed), view)))
    .map((placed) => ({ placed, far: far(placed) }))
    .sort((first, second) => first.far - second.far);
  let left = MOST_ELEMENTS;
  return candidates
    .filter(({ placed }) => {
      left -= elementsOf(placed.box);
      return left >= 0;
    })
    .map(({ placed }) => placed);
}

/** The bounds of all boxes. */
export function boundsOfAll(boxes: readonly Standing[]): Bounds {
  const bounds = boxes.map(boundsOfBox);
  const most = (pick: (bounds: Bounds) => number, of: (...values: number[]) => number) =>
    bounds.length === 0 ? 0 : bounds.map(pick).reduce((value, other) => of(value, other));
  return {
    left: most((box) => box.left, Math.min),
    top: most((box) => box.top, Math.min),
    right: most((box) => box.right, Math.max),
    bottom: most((box) => box.bottom, Math.max),
  };
}
