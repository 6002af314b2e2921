/** How a line looks: its class by pattern and width, masking and differences by colour. */

import type { EdgeClass } from "../model/graph";
import type { Mark } from "./props";

/** The sign before the name of a difference, for those who cannot see its colour. */
export const SIGNS: Readonly<Record<Mark, string>> = { added: "+", removed: "−", changed: "~" };

/** The page's colours, by the names that its variables have. */
export const COLOURS = [
  "ground",
  "raised",
  "line",
  "ink",
  "quiet",
  "dim",
  "accent",
  "accent-ground",
  "copy",
  "transformed",
  "aggregated",
  "indirect",
  "masked",
  "added",
  "removed",
  "changed",
] as const;
export type Colour = (typeof COLOURS)[number];
export type Palette = Readonly<Record<Colour, string>>;

export interface LineStyle {
  readonly colour: Colour;
  readonly width: number;
  readonly dash: readonly number[];
  readonly alpha: number;
}

export interface LineKind {
  readonly kind: EdgeClass;
  readonly masked: boolean;
  readonly mark: Mark | null;
  readonly lit: boolean;
}

const BY_CLASS: Readonly<Record<EdgeClass, Omit<LineStyle, "alpha">>> = {
  IDENTITY: { colour: "copy", width: 1.4, dash: [] },
  TRANSFORMATION: { colour: "transformed", width: 1.4, dash: [9, 4] },
  AGGREGATION: { colour: "aggregated", width: 2.6, dash: [] },
  INDIRECT: { colour: "indirect", width: 1.3, dash: [2, 4] },
};
const ALPHA = 0.75;
const DIM = 0.12;

/** `someLit` means that something is lit: then everything else is dim. */
export function lineStyle(line: LineKind, someLit: boolean): LineStyle {
  const { colour, width, dash } = BY_CLASS[line.kind];
  return {
    colour: line.mark ?? (line.masked ? "masked" : colour),
    width: line.lit && someLit ? width + 0.8 : width,
    dash,
    alpha: !someLit ? ALPHA : line.lit ? 1 : DIM,
  };
}

/** Styles that look the same have the same key, so that their lines are drawn together. */
export function styleKey(style: LineStyle): string {
  return `${style.colour} ${style.width} ${style.dash} ${style.alpha}`;
}

export function readPalette(): Palette {
  const styles = getComputedStyle(document.documentElement);
  const colours = COLOURS.map((name) => [name, styles.getPropertyValue(`--${name}`).trim()]);
  return Object.fromEntries(colours) as Palette;
}
