/** The picture as a file, from the scene: all of it or the visible part, each box in full. */

import { boundsOfBox } from "./culling";
import { edgeWords } from "./hover_card";
import { linesIn, MANY_LINES, paintBox, paintLines } from "./paint";
import { CanvasPen, SvgPen } from "./pen";
import type { Bounds } from "./routes";
import type { Scene } from "./scene";
import type { Palette } from "./styles";
import { grown, overlap } from "./viewport";

const MARGIN = 24;
/** Browsers draw no larger canvas. */
const LONGEST_SIDE = 16_000;
const MOST_PIXELS = 100_000_000;
const MOST_TITLES = 5;
const SHARP = 2;

/** The part of a scene to draw; a null view is all of it. */
function drawn(scene: Scene, view: Bounds | null): { bounds: Bounds; lines: Scene["routes"]; boxes: Scene["boxes"] } {
  const bounds = view ?? grown(scene.bounds, MARGIN);
  return {
    bounds,
    lines: view === null ? scene.routes : linesIn(scene, bounds, 1),
    boxes: scene.boxes.filter((placed) => overlap(boundsOfBox(placed), bounds)),
  };
}

export function svgOf(scene: Scene, palette: Palette, view: Bounds | null): string {
  const { bounds, lines, boxes } = drawn(scene, view);
  const pen = new SvgPen(palette, (route) => route.edges.slice(0, MOST_TITLES).map(edgeWords).join("\n"));
  paintLines(pen, lines, scene.lit !== null);
  for (const box of boxes) paintBox(pen, scene, box);
  return pen.file(bounds.left, bounds.top, bounds.right - bounds.left, bounds.bottom - bounds.top);
}

/** Pixels per unit of the picture: two, or what fits. */
export function pngScale(width: number, height: number): number {
  return Math.min(SHARP, LONGEST_SIDE / width, LONGEST_SIDE / height, Math.sqrt(MOST_PIXELS / (width * height)));
}

export async function pngOf(scene: Scene, palette: Palette, view: Bounds | null): Promise<Blob> {
  const { bounds, lines, boxes } = drawn(scene, view);
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const scale = pngScale(width, height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const to = canvas.getContext("2d");
  if (to === null) throw new Error("This browser cannot draw the picture.");
  to.setTransform(scale, 0, 0, scale, -bounds.left * scale, -bounds.top * scale);
  to.fillStyle = palette.ground;
  to.fillRect(bounds.left, bounds.top, width, height);
  paintLines(new CanvasPen(to, palette, lines.length > MANY_LINES), lines, scene.lit !== null);
  const pen = new CanvasPen(to, palette);
  for (const box of boxes) paintBox(pen, scene, box);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) =>
        blob === null ? reject(new Error("The picture is too large. Export only what is in view.")) : resolve(blob),
      "image/png",
    );
  });
}

/** Offer a file for download. */
export function download(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
