import { expect, test } from "vitest";
import { closest, type GraphPart, isMasked, merged, type Transformation } from "./graph";
import { columnId, datasetOf, pathOf, ROWS, shortName, tailName } from "./names";

function step(subtype: string, masking = false, type = "DIRECT"): Transformation {
  return { type, subtype, masking, description: "" };
}

test("the closest class of several transformations counts, and an unknown one is not a copy", () => {
  expect(closest([step("AGGREGATION"), step("IDENTITY")])).toBe("IDENTITY");
  expect(closest([step("FILTER", false, "INDIRECT")])).toBe("INDIRECT");
  expect(closest([step("SOMETHING NEW")])).toBe("TRANSFORMATION");
  expect(closest([])).toBe("TRANSFORMATION");
});

test("an edge is masked only if every way of the value itself is", () => {
  expect(isMasked([step("TRANSFORMATION", true), step("JOIN", false, "INDIRECT")])).toBe(true);
  expect(isMasked([step("TRANSFORMATION", true), step("IDENTITY")])).toBe(false);
  expect(isMasked([])).toBe(false);
});

test("a column's id gives back its dataset and its path, whatever is in them", () => {
  const id = columnId("s3://b/a/b.c", "`x/y`.z");
  expect([datasetOf(id), pathOf(id)]).toEqual(["s3://b/a/b.c", "`x/y`.z"]);
  expect(pathOf(columnId("a/b", ROWS))).toBe(ROWS);
});

test("a short name is the last part, of whatever form the name has", () => {
  expect(["/food/orders", "db.orders", "orders", "topic:a/", "/"].map(shortName)).toEqual([
    "orders",
    "orders",
    "orders",
    "a",
    "/",
  ]);
});

test("merging keeps each item once, with the columns of both, and what was cut in either", () => {
  const dataset = { namespace: "n", columnCount: 2, leads: null, writtenUs: null, owners: [], tags: [] };
  const part = (path: string, downstream: boolean): GraphPart => ({
    root: path,
    datasets: [{ ...dataset, id: "n/a", name: "a", columns: [{ id: columnId("n/a", path), path, type: "int" }] }],
    jobs: [{ id: "n/j", namespace: "n", name: "j" }],
    edges: [],
    cut: { upstream: false, downstream },
    provisional: false,
    unknown: [],
  });
  const both = merged(part("x", false), part("y", true));
  expect(both.datasets).toHaveLength(1);
  expect(both.datasets[0]?.columns.map((column) => column.path)).toEqual(["x", "y"]);
  expect(both.jobs).toHaveLength(1);
  expect(both.root).toBe("x");
  expect(both.cut).toEqual({ upstream: false, downstream: true });
});

test("the tail of a name is its last two parts, and all of it where there are no more", () => {
  expect(["file//food/landing/orders", "ns/db.orders", "orders", "/"].map(tailName)).toEqual([
    "landing/orders",
    "db.orders",
    "orders",
    "/",
  ]);
});
