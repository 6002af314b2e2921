// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { partOf } from "../model/sample";
import { useBoxes } from "./use_boxes";

test("a box expands with the columns of the selected moment, not of the current schema", () => {
  const fetched = vi.spyOn(globalThis, "fetch");
  const base = partOf("out.gone", ["in.a > out.a"]);
  const part = { ...base, datasets: base.datasets.map((dataset) => ({ ...dataset, columnCount: null })) };
  const { result } = renderHook(() => useBoxes({ part, lit: null, selected: null, folded: [], jobs: false }));
  const rows = () => result.current.boxes.get("n/out")?.rows.map((row) => row.path);
  expect([rows(), result.current.boxes.get("n/out")?.rest]).toEqual([["a"], 1]);
  act(() => result.current.done.unfold("n/out", true));
  expect(rows()).toEqual(["gone", "a"]);
  act(() => result.current.done.unfold("n/out", false));
  expect(rows()).toEqual(["a"]);
  expect(fetched).not.toHaveBeenCalled();
});
