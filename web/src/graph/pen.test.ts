import { expect, test } from "vitest";
import { CanvasPen } from "./pen";
import type { LineStyle, Palette } from "./styles";

/** The width with which a pen strokes a line, when no line is to be wider than `widest`. */
function strokedWidth(style: Partial<LineStyle>, widest: number): number {
  const widths: number[] = [];
  const to = {
    lineWidth: 0,
    setLineDash() {},
    beginPath() {},
    stroke() {
      widths.push(this.lineWidth);
    },
  };
  const pen = new CanvasPen(to as unknown as CanvasRenderingContext2D, {} as Palette, true, widest);
  pen.lines([], { colour: "copy", width: 2.6, dash: [], alpha: 0.75, ...style });
  return widths[0] ?? 0;
}

test("among very many lines none is wider than the limit, unless it is lit", () => {
  expect(strokedWidth({}, 1.25)).toBe(1.25);
  expect(strokedWidth({ width: 1 }, 1.25)).toBe(1);
  expect(strokedWidth({ alpha: 1 }, 1.25)).toBe(2.6);
});
