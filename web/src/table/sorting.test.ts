import { expect, test } from "vitest";
import { nextSort, sorted, sortingOf } from "./sorting";

test("a column is sorted up, down, and then no more", () => {
  expect(["", "name", "-name", "other"].map((now) => nextSort(now, "name"))).toEqual(["name", "-name", "", "name"]);
  expect(sortingOf("-name")).toEqual({ column: "name", down: true });
  expect(sortingOf("")).toBeNull();
});

test("numbers sort as numbers, even in texts, and empty cells are last both ways", () => {
  const cell = (row: string | number | null) => row;
  expect(sorted([10, 9, null, 100], cell, false)).toEqual([9, 10, 100, null]);
  expect(sorted([10, 9, null, 100], cell, true)).toEqual([100, 10, 9, null]);
  expect(sorted(["c10", "c9", ""], cell, false)).toEqual(["c9", "c10", ""]);
});

test("rows that are alike stay in their order", () => {
  const rows = [
    { n: 1, at: "a" },
    { n: 1, at: "b" },
    { n: 0, at: "c" },
  ];
  expect(sorted(rows, (row) => row.n, true).map((row) => row.at)).toEqual(["a", "b", "c"]);
});
