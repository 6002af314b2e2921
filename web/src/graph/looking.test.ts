import { expect, test } from "vitest";
import { partOf } from "../model/sample";
import { boundsOfBox, type Standing } from "./culling";
import { firstView, keepingStill, revealing } from "./looking";
import { sampleScene } from "./sample_scene";
import type { Scene } from "./scene";
import { isWhole, type View } from "./viewport";

const SIZE = { width: 900, height: 500 };

function chain(length: number): Scene {
  return sampleScene(
    partOf(
      "t0.x",
      Array.from({ length }, (_, step) => `t${step}.x > t${step + 1}.x`),
    ),
  );
}

function standing(scene: Scene, id: string): Standing {
  const placed = scene.byId.get(id);
  if (placed === undefined) throw new Error(`${id} is not there`);
  return placed;
}

function screenX(view: View, scene: Scene, id: string): number {
  return standing(scene, id).at.x * view.zoom + view.left;
}

test("a graph that can be read whole is seen whole at first", () => {
  const scene = chain(2);
  expect(isWhole(firstView(scene, "n/t0", SIZE), scene.bounds, SIZE)).toBe(true);
});

test("a larger graph is shown around its root, without empty space beside it", () => {
  const scene = chain(12);
  const first = firstView(scene, "n/t0", SIZE);
  expect(isWhole(first, scene.bounds, SIZE)).toBe(false);
  expect(screenX(first, scene, "n/t0")).toBeLessThan(50);
  const amid = firstView(scene, "n/t6", SIZE);
  expect(screenX(amid, scene, "n/t6")).toBeGreaterThan(250);
});

test("a box stays where it is seen when others come before it", () => {
  const before = sampleScene(partOf("a.x", ["a.x > b.x"]));
  const after = sampleScene(partOf("a.x", ["z.x > a.x", "a.x > b.x"]));
  const view = { left: 10, top: 20, zoom: 0.9 };
  const moved = keepingStill(view, before, after, [null, "n/gone", "n/a"]);
  expect(screenX(moved, after, "n/a")).toBeCloseTo(screenX(view, before, "n/a"));
});

test("new boxes come into view: by a shift, else by zooming out, unless they would be unreadable", () => {
  const scene = chain(12);
  const view = { left: 0, top: 0, zoom: 1 };
  const boxes = (...ids: readonly string[]) => ids.map((id) => standing(scene, id));
  const seen = (view: View, id: string) => isWhole(view, boundsOfBox(standing(scene, id)), SIZE);
  const near = revealing(view, boxes("n/t3", "n/t4"), SIZE);
  expect([near.zoom, seen(near, "n/t3"), seen(near, "n/t4")]).toEqual([1, true, true]);
  const farther = revealing(view, boxes("n/t3", "n/t6"), SIZE);
  expect([farther.zoom < 1, seen(farther, "n/t3"), seen(farther, "n/t6")]).toEqual([true, true, true]);
  expect(revealing(view, boxes("n/t0", "n/t12"), SIZE)).toBe(view);
  expect(revealing(view, [], SIZE)).toBe(view);
});
