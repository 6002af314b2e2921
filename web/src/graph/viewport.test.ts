import { expect, test } from "vitest";
import { partOf } from "../model/sample";
import { culled, elementsOf, MOST_ELEMENTS } from "./culling";
import { pngScale } from "./export";
import { sampleScene } from "./sample_scene";
import { fitted, overlap, seen, showing, toPicture, zoomedAt } from "./viewport";

const SIZE = { width: 800, height: 600 };

test("the point under the pointer stays there while zooming", () => {
  const view = { left: 30, top: -20, zoom: 0.7 };
  const at = { x: 200, y: 100 };
  const before = toPicture(view, at);
  const after = toPicture(zoomedAt(view, 1.9, at), at);
  expect(after.x).toBeCloseTo(before.x);
  expect(after.y).toBeCloseTo(before.y);
});

test("zoom has bounds", () => {
  const view = { left: 0, top: 0, zoom: 1 };
  expect(zoomedAt(view, 1_000, { x: 0, y: 0 }).zoom).toBeLessThan(10);
  expect(zoomedAt(view, 0, { x: 0, y: 0 }).zoom).toBeGreaterThan(0);
});

test("a picture that is fitted is seen whole", () => {
  const bounds = { left: -500, top: 200, right: 4_000, bottom: 9_000 };
  const shown = seen(fitted(bounds, SIZE), SIZE);
  expect(shown.left <= bounds.left && shown.right >= bounds.right).toBe(true);
  expect(shown.top <= bounds.top && shown.bottom >= bounds.bottom).toBe(true);
});

test("showing shifts as little as it takes, and not where all is seen", () => {
  const view = { left: 0, top: 0, zoom: 1 };
  expect(showing(view, { left: 100, top: 100, right: 200, bottom: 200 }, SIZE)).toEqual(view);
  const shifted = showing(view, { left: 900, top: 100, right: 1_000, bottom: 200 }, SIZE);
  expect([shifted.top, shifted.left < 0]).toEqual([0, true]);
  expect(overlap(seen(shifted, SIZE), { left: 900, top: 100, right: 1_000, bottom: 200 })).toBe(true);
});

const MANY = sampleScene(
  partOf(
    "hub.x",
    Array.from({ length: 120 }, (_, box) => Array.from({ length: 8 }, (_, row) => `hub.x > t${box}.c${row}`)).flat(),
  ),
);

test("boxes are elements only in view, only if readable, and never too many", () => {
  const all = culled(MANY.boxes, MANY.bounds, 1, null);
  const elements = all.reduce((sum, placed) => sum + elementsOf(placed.box), 0);
  expect(elements).toBeLessThanOrEqual(MOST_ELEMENTS);
  expect(all.length).toBeGreaterThan(5);
  expect(culled(MANY.boxes, MANY.bounds, 0.1, null)).toEqual([]);
  expect(culled(MANY.boxes, { left: -99, right: -98, top: 0, bottom: 1 }, 1, null)).toEqual([]);
});

test("the box with the keyboard is an element wherever it is", () => {
  const boxes = culled(MANY.boxes, { left: -99, right: -98, top: 0, bottom: 1 }, 0.1, "n/t7");
  expect(boxes.map((placed) => placed.box.id)).toEqual(["n/t7"]);
});

test("a picture in dots is sharp where it is small, and never larger than browsers draw", () => {
  expect(pngScale(800, 600)).toBe(2);
  expect(40_000 * pngScale(40_000, 20_000)).toBeLessThanOrEqual(16_000);
});
