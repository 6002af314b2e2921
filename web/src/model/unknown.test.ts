import { expect, test } from "vitest";
import { mayReach, reason, type Unknown } from "./unknown";

function entry(why: Unknown["why"]): Unknown {
  return { why, dataset: { namespace: "n", name: "d" }, job: null, reads: [], distance: 1, owners: [] };
}

test("a job without column lineage may reach more than the graph shows; a carried edge is in it", () => {
  expect(mayReach(entry("NO_COLUMNS"))).toBe(true);
  expect(mayReach(entry("TABLE_ONLY"))).toBe(true);
  expect(mayReach(entry("CARRIED"))).toBe(false);
  expect(reason(entry("CARRIED"))).toContain("last run reported no columns");
});
