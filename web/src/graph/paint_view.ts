/** Paints the visible part of a scene on the canvas, and a margin around it. */

import { linesIn, MANY_LINES, paintBoxes, paintLines } from "./paint";
import { CanvasPen } from "./pen";
import type { Route } from "./routes";
import type { Scene } from "./scene";
import type { Palette } from "./styles";
import { grown, type Size, seen, type View } from "./viewport";

/** The margin that is also painted: moving by less only shifts the canvas. */
export const BEYOND = 256;
const ARROWS_FROM = 0.3;

export function sizeCanvas(canvas: HTMLCanvasElement, { width, height }: Size): void {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round((width + 2 * BEYOND) * scale);
  canvas.height = Math.round((height + 2 * BEYOND) * scale);
  canvas.style.inset = `-${BEYOND}px`;
  canvas.style.width = `${width + 2 * BEYOND}px`;
  canvas.style.height = `${height + 2 * BEYOND}px`;
}

interface Looked {
  readonly view: View;
  readonly size: Size;
  readonly palette: Palette;
  readonly hovered: Route | null;
}

/** All boxes are painted, even those below their elements: elements may come and go without another paint. */
export function paintView(canvas: HTMLCanvasElement, scene: Scene, { view, size, palette, hovered }: Looked): void {
  const to = canvas.getContext("2d");
  if (to === null) return;
  const { left, top, zoom } = view;
  const scale = window.devicePixelRatio || 1;
  to.setTransform(1, 0, 0, 1, 0, 0);
  to.clearRect(0, 0, canvas.width, canvas.height);
  to.setTransform(scale * zoom, 0, 0, scale * zoom, scale * (left + BEYOND), scale * (top + BEYOND));
  const around = grown(seen(view, size), BEYOND / zoom);
  const lines = linesIn(scene, around, zoom);
  const plain = lines.length > MANY_LINES || zoom < ARROWS_FROM;
  const pen = new CanvasPen(to, palette);
  paintLines(plain ? new CanvasPen(to, palette, true, 1 / zoom) : pen, lines, scene.lit !== null);
  if (hovered !== null) pen.lines([hovered], { colour: "accent", width: 3.4 / Math.min(1, zoom), dash: [], alpha: 1 });
  paintBoxes(pen, scene, around, zoom);
}
