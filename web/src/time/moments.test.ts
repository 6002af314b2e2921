import { expect, test } from "vitest";
import { isoOf, usOf } from "../model/time";
import { type Change, momentsOf, placeOf, stopBeside, stopsOf, turnsOf, type Version } from "./moments";

const NINE = usOf("2025-05-12T09:00:00Z") ?? 0;
const TEN = NINE + 3_600_000_000;

function version(us: number): Version {
  const dataset = { namespace: "n", name: "d" };
  const flags = { lifecycle: null, whole: true, carried: false, in_force: true };
  return { id: String(us), name: null, dataset, us, job: null, run: null, ...flags };
}

function change(us: number): Change {
  const edges = { added: [], removed: [], changed: [] };
  return { us, happened: "changed", job: null, by: null, ...edges, before: null, after: null };
}

test("moments are those of writes and of changes, each once and by time", () => {
  const moments = momentsOf([version(TEN), version(NINE), version(TEN)], [change(TEN)]);
  expect(moments.map((moment) => [moment.us, moment.versions.length, moment.changes.length])).toEqual([
    [NINE, 1, 0],
    [TEN, 2, 1],
  ]);
});

test("the place of a moment is that of the last write up to it, and now is behind all", () => {
  const moments = momentsOf([version(NINE), version(TEN)], []);
  expect(["2025-05-12T08:00Z", isoOf(NINE), "2025-05-12T09:59Z", "2025-05-12", null].map((at) => placeOf(moments, at)))
    // Before the first there is nothing to stand on.
    .toEqual([-1, 0, 0, 1, 2]);
});

test("a play-through stops where the column changed, in both directions, and has an end", () => {
  const moments = momentsOf([version(NINE), version(TEN)], [change(TEN)]);
  expect(stopsOf(moments, true).map((moment) => moment.us)).toEqual([TEN]);
  const all = stopsOf(moments, false);
  expect(stopBeside(all, isoOf(NINE), 1)?.us).toBe(TEN);
  expect(stopBeside(all, isoOf(TEN), 1)).toBeNull();
  expect(stopBeside(all, null, -1)?.us).toBe(TEN);
  expect(stopBeside(all, isoOf(NINE), -1)).toBeNull();
});

test("what became of the column itself is told in words", () => {
  const by = { job: { namespace: "n", name: "alter" }, run: null, lifecycle: null };
  const turns: Change[] = [
    { ...change(NINE), happened: "added", after: "a", by },
    { ...change(NINE), happened: "renamed", before: "a", after: "b" },
    { ...change(TEN), happened: "dropped", before: "b", by },
    change(TEN),
  ];
  expect(turnsOf(turns)).toEqual(["a was added by alter.", "a was renamed to b.", "b was dropped by alter."]);
});
