import { expect, test } from "vitest";
import { columnsInWords, mayReach, reason, type Unknown } from "./unknown";

function entry(why: Unknown["why"], columns: string[] = []): Unknown {
  return { why, dataset: { namespace: "n", name: "d" }, job: null, reads: [], distance: 1, owners: [], columns };
}

test("a job without column lineage may reach more than the graph shows; a carried edge is in it", () => {
  expect(mayReach(entry("NO_COLUMNS"))).toBe(true);
  expect(mayReach(entry("TABLE_ONLY"))).toBe(true);
  expect(mayReach(entry("CARRIED"))).toBe(false);
  expect(reason(entry("CARRIED"))).toContain("last run reported no columns");
});

test("a column that lineage leaves out may reach more, and the first of many are named", () => {
  expect(mayReach(entry("LEFT_OUT", ["city"]))).toBe(true);
  expect(columnsInWords(entry("LEFT_OUT", ["city"]))).toBe("city");
  expect(columnsInWords(entry("LEFT_OUT", ["a", "b", "c", "d", "e", "f", "g"]))).toBe("a, b, c, d, e, and 2 more");
  expect(columnsInWords(entry("NO_COLUMNS"))).toBe("");
});
