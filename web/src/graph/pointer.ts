/** Mouse, pen and fingers on the stage: drag to move, wheel or two fingers to zoom, click what is painted. */

import type { Point } from "./layout/input";
import type { Stage } from "./stage";

/** A press that moves less than this is a click. */
const STILL = 4;
const WHEEL = 0.0016;
const LINE_OF_A_WHEEL = 16;

export interface PointerDone {
  /** A click on something painted, or on nothing. */
  readonly onClick: (at: Point) => void;
  readonly onHover: (at: Point | null) => void;
}

export function listenTo(host: HTMLElement, stage: Stage, done: PointerDone): () => void {
  const fingers = new Map<number, Point>();
  let moved = 0;
  const stop = new AbortController();
  const { signal } = stop;
  const at = (event: MouseEvent): Point => {
    const box = host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const onControl = (event: Event) => event.target instanceof Element && event.target.closest("input, select, .over");

  const down = (event: PointerEvent) => {
    if (event.button !== 0 || onControl(event)) return;
    if (fingers.size === 0) moved = 0;
    fingers.set(event.pointerId, at(event));
    done.onHover(null);
  };
  const move = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId);
    const now = at(event);
    if (before === undefined) {
      if (event.pointerType === "mouse") done.onHover(onControl(event) ? null : now);
      return;
    }
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    moved += Math.hypot(dx, dy);
    if (moved < STILL) return;
    // Only now: capturing the pointer takes the click away from the button below it.
    if (!host.hasPointerCapture(event.pointerId)) host.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, now);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) stage.pan(dx, dy);
    else {
      const [was, is] = [before, now].map((point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y)));
      stage.zoomBy((is ?? 1) / (was ?? 1), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      stage.pan(dx / 2, dy / 2);
    }
  };
  const up = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
  };
  const click = (event: MouseEvent) => {
    if (moved >= STILL) {
      // The end of a drag is not a click on whatever is there.
      event.stopPropagation();
      event.preventDefault();
      moved = 0;
    } else if (event.target instanceof Element && event.target.closest("article, .over") === null)
      done.onClick(at(event));
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_OF_A_WHEEL : 1;
    if (event.shiftKey) stage.pan(-event.deltaY * lines, 0);
    // A pinch on a touchpad arrives as a wheel event with Ctrl, in smaller steps.
    else stage.zoomBy(Math.exp(-event.deltaY * lines * WHEEL * (event.ctrlKey ? 5 : 1)), at(event));
  };
  host.addEventListener("pointerdown", down, { signal });
  host.addEventListener("pointermove", move, { signal });
  host.addEventListener("pointerup", up, { signal });
  host.addEventListener("pointercancel", up, { signal });
  host.addEventListener("pointerleave", () => done.onHover(null), { signal });
  host.addEventListener("click", click, { signal, capture: true });
  host.addEventListener("wheel", wheel, { signal, passive: false });
  return () => stop.abort();
}
