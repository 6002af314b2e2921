/** The pens of a picture: the same strokes go to a canvas and into a file. */

import { curves, type Route } from "./routes";
import type { Colour, LineStyle, Palette } from "./styles";

export interface TextStyle {
  readonly size: number;
  readonly colour: Colour;
  readonly bold?: boolean;
  readonly mono?: boolean;
  readonly alpha?: number;
  readonly right?: boolean;
}

export interface RectStyle {
  readonly fill: Colour;
  readonly line?: Colour;
  readonly width?: number;
  readonly radius?: number;
  readonly alpha?: number;
}

export interface Pen {
  lines(routes: readonly Route[], style: LineStyle): void;
  rect(x: number, y: number, width: number, height: number, style: RectStyle): void;
  text(words: string, x: number, y: number, style: TextStyle): void;
}

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace';
const BOLD = 600;
const ARROW = 5;
/** With very many lines each is fainter, or they would merge into a blot. */
const FAINT = 0.6;

export function fontOf({ bold = false, mono = false, size }: TextStyle): {
  family: string;
  weight: number;
  size: number;
} {
  return { family: mono ? MONO : SANS, weight: bold ? BOLD : 400, size };
}

/** The tip of the arrow at the end of a line, and its two other corners. */
function arrowOf(route: Route): readonly [number, number, number] {
  const x = route.points.at(-2) ?? 0;
  const y = route.points.at(-1) ?? 0;
  return [x, y, route.loop ? x + ARROW : x - ARROW];
}

/** Draws on a canvas, in the picture's units. Lines of one style form one path, which is far faster. */
export class CanvasPen implements Pen {
  constructor(
    private readonly to: CanvasRenderingContext2D,
    private readonly palette: Palette,
    /** Dashes and arrows take most of the time: very many lines do without. */
    private readonly plain = false,
    /** No line is wider, unless it is lit: a line one pixel wide is drawn several times as fast. */
    private readonly widest = Number.POSITIVE_INFINITY,
  ) {}

  lines(routes: readonly Route[], style: LineStyle): void {
    const { to } = this;
    to.globalAlpha = this.plain && style.alpha < 1 ? style.alpha * FAINT : style.alpha;
    to.strokeStyle = this.palette[style.colour];
    to.lineWidth = style.alpha < 1 ? Math.min(style.width, this.widest) : style.width;
    to.setLineDash(this.plain ? [] : [...style.dash]);
    to.beginPath();
    for (const route of routes) {
      let begun = false;
      for (const { from, to: end, out, into } of curves(route)) {
        if (begun) to.lineTo(from.x, from.y);
        else to.moveTo(from.x, from.y);
        to.bezierCurveTo(out, from.y, into, end.y, end.x, end.y);
        begun = true;
      }
    }
    to.stroke();
    to.setLineDash([]);
    if (!this.plain) {
      to.fillStyle = this.palette[style.colour];
      to.beginPath();
      for (const route of routes) {
        const [x, y, back] = arrowOf(route);
        to.moveTo(x, y);
        to.lineTo(back, y - ARROW * 0.7);
        to.lineTo(back, y + ARROW * 0.7);
      }
      to.fill();
    }
    to.globalAlpha = 1;
  }

  rect(x: number, y: number, width: number, height: number, style: RectStyle): void {
    const { to } = this;
    to.globalAlpha = style.alpha ?? 1;
    to.fillStyle = this.palette[style.fill];
    to.beginPath();
    if (style.radius === undefined) to.rect(x, y, width, height);
    else to.roundRect(x, y, width, height, style.radius);
    to.fill();
    if (style.line !== undefined) {
      to.strokeStyle = this.palette[style.line];
      to.lineWidth = style.width ?? 1;
      to.stroke();
    }
    to.globalAlpha = 1;
  }

  text(words: string, x: number, y: number, style: TextStyle): void {
    const { to } = this;
    const { family, weight, size } = fontOf(style);
    to.globalAlpha = style.alpha ?? 1;
    to.fillStyle = this.palette[style.colour];
    to.font = `${weight} ${size}px ${family}`;
    to.textAlign = style.right ? "right" : "left";
    to.textBaseline = "middle";
    to.fillText(words, x, y);
    to.globalAlpha = 1;
  }
}

/** Writes SVG with all colours inlined: it looks the same everywhere, and loads nothing. */
export class SvgPen implements Pen {
  private readonly parts: string[] = [];

  constructor(
    private readonly palette: Palette,
    private readonly titleOf: (route: Route) => string,
  ) {}

  lines(routes: readonly Route[], style: LineStyle): void {
    const colour = escaped(this.palette[style.colour]);
    const dash = style.dash.length > 0 ? ` stroke-dasharray="${style.dash.join(" ")}"` : "";
    this.parts.push(
      `<g stroke="${colour}" fill="${colour}" opacity="${style.alpha}" stroke-width="${style.width}"${dash}>`,
    );
    for (const route of routes) {
      const path = curves(route).map(({ from, to, out, into }, place) => {
        const begin = `${place === 0 ? "M" : "L"}${at(from.x)} ${at(from.y)}`;
        return `${begin}C${at(out)} ${at(from.y)} ${at(into)} ${at(to.y)} ${at(to.x)} ${at(to.y)}`;
      });
      const [x, y, back] = arrowOf(route);
      const arrow = `M${at(x)} ${at(y)}L${at(back)} ${at(y - ARROW * 0.7)}V${at(y + ARROW * 0.7)}Z`;
      this.parts.push(
        `<g><title>${escaped(this.titleOf(route))}</title><path fill="none" d="${path.join("")}"/>`,
        `<path stroke="none" d="${arrow}"/></g>`,
      );
    }
    this.parts.push("</g>");
  }

  rect(x: number, y: number, width: number, height: number, style: RectStyle): void {
    const line =
      style.line === undefined
        ? ""
        : ` stroke="${escaped(this.palette[style.line])}" stroke-width="${style.width ?? 1}"`;
    const radius = style.radius === undefined ? "" : ` rx="${style.radius}"`;
    const alpha = style.alpha === undefined ? "" : ` opacity="${style.alpha}"`;
    const fill = escaped(this.palette[style.fill]);
    this.parts.push(
      `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" fill="${fill}"${line}${radius}${alpha}/>`,
    );
  }

  text(words: string, x: number, y: number, style: TextStyle): void {
    const { family, weight, size } = fontOf(style);
    const alpha = style.alpha === undefined ? "" : ` opacity="${style.alpha}"`;
    const anchor = style.right ? ' text-anchor="end"' : "";
    this.parts.push(
      `<text x="${at(x)}" y="${at(y)}" dominant-baseline="central" font-family="${escaped(family)}" font-size="${size}"`,
      ` font-weight="${weight}" fill="${escaped(this.palette[style.colour])}"${anchor}${alpha}>${escaped(words)}</text>`,
    );
  }

  /** The whole file, with everything drawn within these bounds. */
  file(left: number, top: number, width: number, height: number): string {
    const box = [left, top, width, height].map(at).join(" ");
    const ground = `<rect x="${at(left)}" y="${at(top)}" width="${at(width)}" height="${at(height)}" fill="${escaped(this.palette.ground)}"/>`;
    const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${at(width)}" height="${at(height)}" viewBox="${box}">`;
    return `${head}${ground}${this.parts.join("")}</svg>\n`;
  }
}

function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const MARKUP: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text for a file; characters that XML cannot hold are left out. */
export function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones that XML cannot hold
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "").replace(/[&<>"]/g, (key) => MARKUP[key] ?? key);
}
