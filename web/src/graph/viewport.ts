/** The visible part of the picture: shifting and scaling, as plain numbers. */

import type { Point } from "./layout/input";
import type { Bounds } from "./routes";

/** A point of the picture appears at `x * zoom + left`. */
export interface View {
  readonly left: number;
  readonly top: number;
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const LEAST_ZOOM = 0.02;
export const MOST_ZOOM = 2.5;
const MARGIN = 32;

export function clampZoom(zoom: number): number {
  return Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
}

/** Another zoom, where the point at `at` stays in place. */
export function zoomedAt(view: View, zoom: number, at: Point): View {
  const to = clampZoom(zoom);
  const share = to / view.zoom;
  return { zoom: to, left: at.x - (at.x - view.left) * share, top: at.y - (at.y - view.top) * share };
}

export function toPicture(view: View, at: Point): Point {
  return { x: (at.x - view.left) / view.zoom, y: (at.y - view.top) / view.zoom };
}

/** The visible part, in the picture's units. */
export function seen(view: View, size: Size): Bounds {
  const first = toPicture(view, { x: 0, y: 0 });
  return {
    left: first.x,
    top: first.y,
    right: first.x + size.width / view.zoom,
    bottom: first.y + size.height / view.zoom,
  };
}

/** All of it, at most at this zoom. */
export function fitted(bounds: Bounds, size: Size, most = 1): View {
  const [width, height] = [Math.max(1, bounds.right - bounds.left), Math.max(1, bounds.bottom - bounds.top)];
  const room = { width: Math.max(1, size.width - 2 * MARGIN), height: Math.max(1, size.height - 2 * MARGIN) };
  const zoom = clampZoom(Math.min(most, room.width / width, room.height / height));
  return centred({ x: (bounds.left + bounds.right) / 2, y: (bounds.top + bounds.bottom) / 2 }, zoom, size);
}

export function centred(point: Point, zoom: number, size: Size): View {
  return { zoom, left: size.width / 2 - point.x * zoom, top: size.height / 2 - point.y * zoom };
}

/** Shifted as little as needed to see something; unchanged if it is visible already. */
export function showing(view: View, bounds: Bounds, size: Size): View {
  const shift: Shift = (low, high, room) => {
    if (high - low > room - 2 * MARGIN) return MARGIN - low;
    if (low < MARGIN) return MARGIN - low;
    return high > room - MARGIN ? room - MARGIN - high : 0;
  };
  return shifted(view, bounds, size, shift);
}

/** Shifted such that no space stays empty on one side while there is more to see on the other. */
export function filled(view: View, bounds: Bounds, size: Size): View {
  const shift: Shift = (low, high, room) => {
    if (high - low <= room - 2 * MARGIN) return (room - low - high) / 2;
    if (low > MARGIN) return MARGIN - low;
    return high < room - MARGIN ? room - MARGIN - high : 0;
  };
  return shifted(view, bounds, size, shift);
}

type Shift = (low: number, high: number, room: number) => number;

function shifted({ zoom, left, top }: View, bounds: Bounds, size: Size, shift: Shift): View {
  return {
    zoom,
    left: left + shift(bounds.left * zoom + left, bounds.right * zoom + left, size.width),
    top: top + shift(bounds.top * zoom + top, bounds.bottom * zoom + top, size.height),
  };
}

/** Whether all of it is visible. */
export function isWhole(view: View, bounds: Bounds, size: Size): boolean {
  const { left, top, right, bottom } = grown(seen(view, size), 1);
  return bounds.left >= left && bounds.top >= top && bounds.right <= right && bounds.bottom <= bottom;
}

/** Larger by this much on each side. */
export function grown({ left, top, right, bottom }: Bounds, by: number): Bounds {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

export function overlap(bounds: Bounds, other: Bounds): boolean {
  return (
    bounds.left < other.right && bounds.right > other.left && bounds.top < other.bottom && bounds.bottom > other.top
  );
}
