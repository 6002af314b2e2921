import { expect, test } from "vitest";
import { chosenColumns, endsOf, litBy } from "./lighting";
import { columnId, pathOf } from "./names";
import { partOf } from "./sample";

const PART = partOf("b.x", [
  "a.x > b.x",
  "a.y > b.y",
  "b.x > c.x",
  "b.y > c.x",
  "c.x > d.x",
  "c.x > a.x",
  "a.k > b.*, JOIN",
]);

function lit(...columns: readonly [string, string][]): string[] {
  const start = columns.map(([dataset, path]) => columnId(dataset, path));
  return [...litBy(endsOf(PART), start).columns].map((id) => id.replace("\u0000", ".")).sort();
}

test("a column's path goes up to its sources and down to everything it reaches, once around a cycle", () => {
  expect(lit(["n/d", "x"])).toEqual(["n/a.k", "n/a.x", "n/a.y", "n/b.", "n/b.x", "n/b.y", "n/c.x", "n/d.x"]);
});

test("what is beside the path is not lit", () => {
  const straight = partOf("b.x", ["a.x > b.x", "a.x > b.z", "b.x > c.x", "b.y > c.x"]);
  const lit = litBy(endsOf(straight), [columnId("n/b", "x")]);
  expect([...lit.edges]).toHaveLength(2);
  expect([...lit.columns].map(pathOf)).toEqual(["x", "x", "x"]);
});

test("what decides on rows reaches every column of the dataset", () => {
  const reached = lit(["n/a", "k"]);
  expect(reached).toEqual(expect.arrayContaining(["n/b.x", "n/b.y", "n/d.x"]));
});

test("a struct stands for the fields in it", () => {
  const part = partOf("a.s.x", ["a.s.x > b.x", "a.s.y > b.y", "a.sum > b.z"]);
  expect(chosenColumns(part, "n/a", "s").map(pathOf)).toEqual(["s.x", "s.y"]);
});
