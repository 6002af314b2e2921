/** Draws a scene with a pen: lines by style, boxes in full or, from afar, as their names. */

import { grouped } from "../model/lighting";
import { columnId } from "../model/names";
import { BAR, type Box, HEAD, ROW, type Row } from "./boxes";
import { boundsOfBox, READABLE, type Standing } from "./culling";
import type { Pen } from "./pen";
import type { Bounds, Route } from "./routes";
import type { Scene } from "./scene";
import { type Colour, lineStyle, SIGNS, styleKey } from "./styles";
import { overlap } from "./viewport";

/** Below this zoom, all lines between two boxes are drawn as one, unless there are few. */
const BUNDLED_BELOW = 0.35;
const FEW_LINES = 1_000;
/** With this many lines, dashes and arrows are left out. */
export const MANY_LINES = 250;
const RADIUS = 6;

/**
 * The lines to draw for a view. If there are very many, those that only pass through are drawn as one between two
 * boxes.
 */
export function linesIn(scene: Scene, view: Bounds, zoom: number): Route[] {
  const inView = (routes: readonly Route[]) => routes.filter((route) => overlap(route.bounds, view));
  if (zoom < BUNDLED_BELOW && scene.routes.length > FEW_LINES) return inView(scene.bundles);
  const visible = inView(scene.routes);
  if (visible.length <= FEW_LINES) return visible;
  const passing = inView(scene.bundles).filter((route) => !route.lit && !endsIn(route, view));
  return [...passing, ...visible.filter((route) => route.lit || endsIn(route, view))];
}

function endsIn({ points }: Route, { left, top, right, bottom }: Bounds): boolean {
  const inside = (x = 0, y = 0) => x > left && x < right && y > top && y < bottom;
  return inside(points[0], points[1]) || inside(points.at(-2), points.at(-1));
}

export function paintLines(pen: Pen, lines: readonly Route[], someLit: boolean): void {
  const styled = grouped(lines, (route) => styleKey(lineStyle(route, someLit)));
  const groups = [...styled.values()].flatMap((routes) => {
    const [first] = routes;
    return first === undefined ? [] : [{ routes, style: lineStyle(first, someLit) }];
  });
  // Lit lines are drawn over dim ones.
  groups.sort((group, other) => group.style.alpha - other.style.alpha);
  for (const { routes, style } of groups) pen.lines(routes, style);
}

export function paintBoxes(pen: Pen, scene: Scene, view: Bounds, zoom: number): void {
  for (const standing of scene.boxes) {
    if (!overlap(boundsOfBox(standing), view)) continue;
    if (zoom >= READABLE) paintBox(pen, scene, standing);
    else paintName(pen, scene, standing, zoom);
  }
}

/** The colour of a text in a box that is not dim. */
function inkOf(scene: Scene, id: string, colour: Colour): Colour {
  return scene.lit === null || scene.litBoxes.has(id) ? colour : "dim";
}

function frame(pen: Pen, scene: Scene, { box, at }: Standing, width: number): void {
  const mark = scene.marks.datasets?.get(box.id);
  const lit = scene.lit !== null && scene.litBoxes.has(box.id);
  pen.rect(at.x, at.y, box.width, box.height, {
    fill: box.kind === "job" ? "raised" : "ground",
    line: mark ?? (lit ? "accent" : "line"),
    width: mark === undefined ? width : width * 2,
    radius: box.kind === "job" ? box.height / 2 : RADIUS,
  });
}

function paintName(pen: Pen, scene: Scene, standing: Standing, zoom: number): void {
  const { box, at } = standing;
  frame(pen, scene, standing, Math.max(1, 0.8 / zoom));
  const size = Math.min(12 / zoom, box.height * 0.6, 64);
  // Below this size on the screen, a name is only a blur.
  if (size * zoom < 5) return;
  const words = cut(box.title, Math.floor((box.width - size * 0.6) / (size * 0.56)));
  pen.text(words, at.x + size * 0.4, at.y + Math.min(box.height / 2, size), {
    size,
    colour: inkOf(scene, box.id, "ink"),
    bold: true,
  });
}

/** A box as its elements would look. */
export function paintBox(pen: Pen, scene: Scene, standing: Standing): void {
  const { box, at } = standing;
  const ink = (colour: Colour) => inkOf(scene, box.id, colour);
  const { x, y } = at;
  frame(pen, scene, standing, 1);
  if (box.kind === "job") {
    pen.text(cutLeft(box.title, 26), x + 14, y + box.height / 2, { size: 12, colour: ink("quiet") });
    return;
  }
  const mark = scene.marks.datasets?.get(box.id);
  const title = mark === undefined ? box.title : `${SIGNS[mark]} ${box.title}`;
  pen.text(cut(title, 27), x + 12, y + 15, { size: 13, colour: ink("ink"), bold: true });
  pen.text(cutLeft(box.subtitle, 36), x + 12, y + 32, { size: 11, colour: ink("quiet") });
  if (box.folded) return;
  pen.rect(x + 1, y + HEAD, box.width - 2, 1, { fill: "line" });
  let top = y + HEAD;
  if (box.bar) {
    pen.text(`${box.matching.toLocaleString("en")} columns`, x + 12, top + BAR / 2, {
      size: 11,
      colour: ink("quiet"),
    });
    if (box.pages > 1) {
      const pages = `‹ ${box.page + 1} / ${box.pages} ›`;
      pen.text(pages, x + box.width - 12, top + BAR / 2, { size: 11, colour: ink("quiet"), right: true });
    }
    top += BAR;
  }
  for (const [place, row] of box.rows.entries()) paintRow(pen, scene, box, row, x, top + place * ROW);
  if (box.rest > 0 && !box.unfolded) {
    pen.text(restWords(box), x + 12, y + box.height - 14, { size: 11, colour: ink("quiet") });
  }
}

function paintRow(pen: Pen, scene: Scene, box: Box, row: Row, x: number, y: number): void {
  const someLit = scene.lit !== null;
  const dim = someLit && !row.lit;
  const mark = scene.marks.columns?.get(columnId(box.id, row.path));
  if (someLit && row.lit) pen.rect(x + 1, y, box.width - 2, ROW, { fill: "accent-ground" });
  const colour: Colour = mark ?? (dim ? "dim" : row.lineage || row.inside > 0 ? "ink" : "quiet");
  const sign = mark === undefined ? "" : `${SIGNS[mark]} `;
  const twisty = row.inside > 0 ? (row.open ? "▾ " : "▸ ") : "";
  const type = cut(row.type, 10);
  const room = Math.floor((box.width - 30 - row.level * 12 - type.length * 6) / 7.3);
  const words = cut(`${sign}${twisty}${row.name}`, room);
  pen.text(words, x + 12 + row.level * 12, y + ROW / 2, { size: 12, colour, mono: true, bold: someLit && row.lit });
  pen.text(type, x + box.width - 10, y + ROW / 2, { size: 10.5, colour: dim ? "dim" : "quiet", right: true });
}

export function restWords(box: Box): string {
  const count = box.rest.toLocaleString("en");
  if (box.rows.length > 0 || box.matching > 0) return `+ ${count} without lineage here`;
  return box.rest === 1 ? "+ 1 column" : `+ ${count} columns`;
}

/** The first letters, with an ellipsis if there are more. */
export function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, Math.max(1, most - 1)).join("")}…`;
}

/** The last letters: the end of a long path tells most. */
export function cutLeft(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `…${letters.slice(letters.length - most + 1).join("")}`;
}
