import { expect, test } from "vitest";
import { HOME } from "../address/address";
import { withNewest } from "./recent";
import { addressOf, grouped, type Item, itemOf, stepped } from "./results";

function item(kind: Item["kind"], label: string): Item {
  return { kind, label, dataset: "n/a", type: "" };
}

test("hits are grouped by kind, the best of each first, and empty groups are left out", () => {
  const groups = grouped([item("column", "c"), item("dataset", "b"), item("dataset", "a")]);
  expect(groups.map((group) => [group.title, group.items.map((item) => item.label)])).toEqual([
    ["Datasets", ["b", "a"]],
    ["Columns", ["c"]],
  ]);
});

test("a column's item names its path, and its dataset", () => {
  const hit = { kind: "FIELD" as const, namespace: "n", name: "a", field: "x.y", type: "int", score: 1, matches: [] };
  expect(itemOf(hit)).toMatchObject({ kind: "column", label: "x.y", dataset: "n/a", type: "int" });
});

test("items lead to lineage, from another view to that view, and jobs to the drawer", () => {
  expect(addressOf(item("column", "c"), HOME)).toMatchObject({ view: "lineage", dataset: "n/a", column: "c" });
  expect(addressOf(item("dataset", "a"), { ...HOME, view: "impact" })).toMatchObject({ view: "impact", column: null });
  expect(addressOf(item("job", "j"), HOME)).toEqual({ ...HOME, details: { of: "job", job: "n/a" } });
});

test("the arrow keys go round", () => {
  expect([stepped(-1, 1, 3), stepped(2, 1, 3), stepped(0, -1, 3), stepped(-1, -1, 3), stepped(0, 1, 0)]).toEqual([
    0, 0, 2, 2, -1,
  ]);
});

test("the most recent item comes first, once, and the oldest are dropped", () => {
  const many = Array.from({ length: 12 }, (_, place) => item("dataset", `d${place}`));
  const recent = many.reduce<readonly Item[]>(withNewest, []);
  expect(recent).toHaveLength(8);
  expect(
    withNewest(recent, item("dataset", "d7"))
      .map((item) => item.label)
      .slice(0, 3),
  ).toEqual(["d7", "d11", "d10"]);
});
