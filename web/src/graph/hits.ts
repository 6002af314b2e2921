/** What part of a scene is at a point of the picture. Pure. */

import { boundsOfBox, type Standing } from "./culling";
import type { Point } from "./layout/input";
import { linesIn } from "./paint";
import { distanceTo, type Route } from "./routes";
import type { Scene } from "./scene";

/** A point this many pixels beside a line still hits it. */
const NEAR_A_LINE = 7;

export function boxAt(scene: Scene, { x, y }: Point): Standing | null {
  const inside = (standing: Standing) => {
    const { left, top, right, bottom } = boundsOfBox(standing);
    return x >= left && x <= right && y >= top && y <= bottom;
  };
  return scene.boxes.find(inside) ?? null;
}

/** The line at a point; lit lines take precedence over dim ones. */
export function lineAt(scene: Scene, at: Point, zoom: number): Route | null {
  const near = NEAR_A_LINE / zoom;
  const around = { left: at.x - near, right: at.x + near, top: at.y - near, bottom: at.y + near };
  let best: Route | null = null;
  let least = near;
  for (const route of linesIn(scene, around, zoom)) {
    const far = distanceTo(route, at) + (scene.lit !== null && !route.lit ? near / 2 : 0);
    if (far < least) {
      least = far;
      best = route;
    }
  }
  return best;
}
