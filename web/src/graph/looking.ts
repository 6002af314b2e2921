/** Where to look: at first, when the graph has changed, and when something new appears. Pure. */

import { boundsOfAll, boundsOfBox, type Standing } from "./culling";
import type { Scene } from "./scene";
import { centred, filled, fitted, type Size, showing, type View } from "./viewport";

/** A large graph is not shown whole at first, but around its focus, at this zoom. */
const NEAR = 0.8;
/** Below this zoom, new boxes are unreadable. */
export const WHOLE_FROM = 0.55;

/** All of it if that is readable, else the area around the root. */
export function firstView(scene: Scene, root: string | null, size: Size): View {
  const whole = fitted(scene.bounds, size);
  const focus = root === null ? undefined : scene.byId.get(root);
  if (whole.zoom >= WHOLE_FROM || focus === undefined) return whole;
  const { box, at } = focus;
  const near = centred({ x: at.x + box.width / 2, y: at.y + box.height / 2 }, NEAR, size);
  return filled(near, scene.bounds, size);
}

/**
 * Keeps a box where it is on the screen, wherever it is laid out now: the first of these that exists before and after.
 */
export function keepingStill(view: View, before: Scene, after: Scene, boxes: readonly (string | null)[]): View {
  const still = boxes.find((id) => id !== null && before.byId.has(id) && after.byId.has(id));
  const [was, is] = [before, after].map((scene) => (still ? scene.byId.get(still)?.at : undefined));
  if (!was || !is) return view;
  const { left, top, zoom } = view;
  return { zoom, left: left + (was.x - is.x) * zoom, top: top + (was.y - is.y) * zoom };
}

/** Brings these boxes into view: shifted, or else zoomed out as long as they are readable; else unchanged. */
export function revealing(view: View, boxes: readonly Standing[], size: Size): View {
  if (boxes.length === 0) return view;
  const bounds = boundsOfAll(boxes);
  const fit = fitted(bounds, size, view.zoom);
  if (fit.zoom === view.zoom) return showing(view, bounds, size);
  return fit.zoom >= WHOLE_FROM ? fit : view;
}

/** Brings a box into view, near enough to read. */
export function nearTo(view: View, standing: Standing, size: Size): View {
  const { at } = standing;
  const near = view.zoom >= WHOLE_FROM ? view : centred({ x: at.x, y: at.y }, WHOLE_FROM, size);
  return showing(near, boundsOfBox(standing), size);
}
