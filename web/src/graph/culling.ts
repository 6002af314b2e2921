/** Which boxes are made of elements: those in view that are large enough to be read, as many as the page can bear. */

import type { Box } from "./boxes";
import type { Point } from "./layout/input";
import type { Bounds } from "./routes";
import { overlap } from "./viewport";

/** Below this zoom boxes are only painted: nobody could read a row. */
export const READABLE = 0.5;
/** Elements that all boxes together may have; the frame of the page has about a hundred and fifty of its own. */
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

/** About how many elements a box is made of. */
export function elementsOf(box: Box): number {
  return OF_A_BOX + (box.bar ? OF_A_BAR : 0) + box.rows.length * OF_A_ROW;
}

/** The boxes to make of elements: `active` in any case, then those in view, the nearest to the middle first. */
export function culled(boxes: readonly Standing[], view: Bounds, zoom: number, active: string | null): Standing[] {
  const middle = { x: (view.left + view.right) / 2, y: (view.top + view.bottom) / 2 };
  const far = ({ box, at }: Standing) =>
    box.id === active ? -1 : Math.hypot(at.x + box.width / 2 - middle.x, at.y + box.height / 2 - middle.y);
  const wanted = boxes
    .filter((one) => one.box.id === active || (zoom >= READABLE && overlap(boundsOfBox(one), view)))
    .map((one) => ({ one, far: far(one) }))
    .sort((first, second) => first.far - second.far);
  let left = MOST_ELEMENTS;
  return wanted
    .filter(({ one }) => {
      left -= elementsOf(one.box);
      return left >= 0;
    })
    .map(({ one }) => one);
}

/** What all boxes take up together. */
export function boundsOfAll(boxes: readonly Standing[]): Bounds {
  const found = boxes.map(boundsOfBox);
  const most = (pick: (bounds: Bounds) => number, of: (...values: number[]) => number) =>
    found.length === 0 ? 0 : found.map(pick).reduce((one, other) => of(one, other));
  return {
    left: most((one) => one.left, Math.min),
    top: most((one) => one.top, Math.min),
    right: most((one) => one.right, Math.max),
    bottom: most((one) => one.bottom, Math.max),
  };
}
