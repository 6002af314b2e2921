import { expect, test } from "vitest";
import type { DatasetNode } from "../model/graph";
import { columnId, ROWS } from "../model/names";
import { AS_FOUND, BAR, type BoxOptions, type BoxState, datasetBox, HEAD, portOf, ROW, rowsAPage } from "./boxes";
import { withLineage } from "./use_boxes";

function dataset(paths: readonly string[], columnCount = paths.length): DatasetNode {
  const columns = paths.map((path) => ({ id: columnId("n/t", path), path, type: "int" }));
  return {
    id: "n/t",
    namespace: "n",
    name: "t",
    columns,
    columnCount,
    leads: null,
    writtenUs: null,
    owners: [],
    tags: [],
  };
}

const OPTIONS: BoxOptions = { folded: false, rowsAPage: 10, isLit: () => false, selected: null };
const WIDE = dataset(Array.from({ length: 2_000 }, (_, number) => `c${String(number).padStart(4, "0")}`));

function rows(node: DatasetNode, state: Partial<BoxState> = {}, options: Partial<BoxOptions> = {}): string[] {
  return datasetBox(node, { ...AS_FOUND, ...state }, { ...OPTIONS, ...options }).rows.map((row) => row.path);
}

test("only columns with lineage are shown, and the others counted", () => {
  const box = datasetBox(dataset(["a", "b"], 40), AS_FOUND, OPTIONS);
  expect([box.rows.length, box.rest]).toEqual([2, 38]);
});

test("all columns are shown in the schema's order once they are there, with those that only lineage knows", () => {
  const all = ["x", "b"].map((path) => ({ id: columnId("n/t", path), path, type: "int" }));
  expect(rows(dataset(["a", "b"], 2), { all })).toEqual(["x", "b", "a"]);
});

test("a wide box shows a page, whose height stays the same while paging and filtering", () => {
  const first = datasetBox(WIDE, AS_FOUND, OPTIONS);
  const last = datasetBox(WIDE, { ...AS_FOUND, page: 199, filter: "" }, OPTIONS);
  const box = datasetBox(WIDE, { ...AS_FOUND, page: 0, filter: "C0012" }, OPTIONS);
  expect([first.pages, first.rows[0]?.path, last.rows[0]?.path]).toEqual([200, "c0000", "c1990"]);
  expect(box.rows.map((row) => row.path)).toEqual(["c0012"]);
  expect(new Set([first.height, last.height, box.height]).size).toBe(1);
});

test("a page beyond the end is the last one", () => {
  expect(rows(WIDE, { page: 500 })[0]).toBe("c1990");
});

test("the page of the selected column is shown until the user turns pages", () => {
  expect(rows(WIDE, {}, { selected: "c0123" })).toContain("c0123");
  expect(rows(WIDE, { page: 0 }, { selected: "c0123" })).not.toContain("c0123");
});

test("in a wide box, lit columns come first", () => {
  expect(rows(WIDE, {}, { isLit: (path) => path === "c1500" })[0]).toBe("c1500");
  expect(rows(dataset(["a", "b"]), {}, { isLit: (path) => path === "b" })).toEqual(["a", "b"]);
});

test("fields of a struct are shown once it is open, and it opens around the selected field", () => {
  const nested = dataset(["id", "s.x", "s.y"]);
  expect(rows(nested)).toEqual(["id", "s"]);
  expect(rows(nested, { opened: new Set(["s"]) })).toEqual(["id", "s", "s.x", "s.y"]);
  expect(rows(nested, {}, { selected: "s.y" })).toEqual(["id", "s", "s.x", "s.y"]);
});

test("a closed struct is lit when a field in it is", () => {
  const box = datasetBox(dataset(["id", "s.x"]), AS_FOUND, { ...OPTIONS, isLit: (path) => path === "s.x" });
  expect(box.rows.map((row) => row.lit)).toEqual([false, true]);
});

test("lines begin at the row, at the struct around it, at the pager for other pages, at the head for rows", () => {
  const box = datasetBox(dataset(["id", "s.x"]), AS_FOUND, OPTIONS);
  expect(portOf(box, "id")).toBe(HEAD + ROW / 2);
  expect(portOf(box, "s.x")).toBe(HEAD + ROW * 1.5);
  expect(portOf(box, ROWS)).toBe(HEAD / 2);
  expect(portOf(datasetBox(WIDE, AS_FOUND, OPTIONS), "c1999")).toBe(HEAD + BAR / 2);
});

test("a folded box is its head, where all lines begin", () => {
  const box = datasetBox(WIDE, AS_FOUND, { ...OPTIONS, folded: true });
  expect([box.height, box.rows.length, portOf(box, "c0001")]).toEqual([HEAD, 0, HEAD / 2]);
});

test("of very many boxes each shows fewer rows", () => {
  expect(rowsAPage(500)).toBeLessThan(rowsAPage(10));
});

test("columns of the focus without lineage are folded, too", () => {
  const columns = withLineage(dataset(["a", "b", "c"]), new Set([columnId("n/t", "b")]));
  expect(rows(columns)).toEqual(["b"]);
  expect(datasetBox(columns, AS_FOUND, OPTIONS).rest).toBe(2);
});
