import { beforeAll, expect, test } from "vitest";
import { served } from "../../tests/served";
import { HOME } from "../address/address";
import { ask, setBase } from "../api/client";
import { columnId, pathOf } from "../model/names";
import { NOW } from "../model/time";
import { linesOfChanges, marksOfChanges } from "./difference";
import { loadDifference } from "./load_difference";

const FOCUS = { ...HOME, dataset: "warehouse/couriers" };
const LANDING = "file//food/landing/couriers";
const MONDAY_TO_NOW = { of: "moments", before: "2025-05-12", after: NOW } as const;

beforeAll(() => setBase(served().food));

test("between two moments a column was added, one removed, and one masked", async () => {
  const { part, difference } = await loadDifference(FOCUS, MONDAY_TO_NOW);
  const edges = difference.list.filter((line) => line.from !== null);
  expect(edges.map((line) => [line.mark, pathOf(line.of), line.before, line.after])).toEqual([
    ["changed", "phone", "copied unchanged", "transformed, masked: sha2(phone, 256)"],
    ["added", "vehicle", null, "copied unchanged"],
    ["removed", "zone", "copied unchanged", null],
  ]);
  expect(difference.marks.columns?.get(columnId(LANDING, "vehicle"))).toBe("added");
  expect(difference.marks.columns?.get(columnId(LANDING, "zone"))).toBe("removed");
  const couriers = columnId.bind(null, "file//food/warehouse/couriers");
  expect(["id", "phone", "vehicle", "zone"].map((path) => difference.marks.columns?.get(couriers(path)))).toEqual([
    undefined,
    "changed",
    "added",
    "removed",
  ]);
  // What went is drawn too.
  expect(part.edges.map((edge) => pathOf(edge.to)).sort()).toEqual(["id", "phone", "vehicle", "zone"]);
  expect([...(difference.marks.edges?.values() ?? [])].sort()).toEqual(["added", "changed", "removed"]);
  const marked = part.edges.filter((edge) => difference.marks.edges?.has(edge.id));
  expect(marked).toHaveLength(3);
});

test("two versions are compared by what went into them", async () => {
  const { versions } = await ask("versions", { dataset: FOCUS.dataset });
  const [third, second, first] = versions.map((version) => version.id);
  const compare = (before = "", after = "") => loadDifference(FOCUS, { of: "versions", before, after });
  expect((await compare(first, second)).difference.list).not.toEqual([]);
  expect((await compare(second, third)).difference.list).toEqual([]);
});

test("a change of literals alone is marked as such", async () => {
  const focus = { ...HOME, dataset: "orders_7_days", column: "amount", indirect: true };
  const { difference } = await loadDifference(focus, { of: "moments", before: "2025-05-12", after: "2025-05-13" });
  expect(difference.list.map((line) => [line.mark, line.literals])).toEqual([["changed", true]]);
  expect(difference.list[0]?.before).toContain("2025-05-12");
  expect(difference.list[0]?.after).toContain("2025-05-13");
});

test("the changes of a column's history mark the edges that they made", async () => {
  const { changes } = await ask("history", { dataset: FOCUS.dataset, column: "phone" });
  expect(changes.map((change) => change.happened)).toEqual(["appeared", "changed"]);
  const [, second] = changes;
  expect([...(marksOfChanges(second ? [second] : []).edges?.values() ?? [])]).toEqual(["changed"]);
  expect(linesOfChanges(changes).map((line) => line.mark)).toEqual(["changed", "added"]);
});
