import { beforeAll, expect, test } from "vitest";
import { served } from "../../tests/served";
import { ask, setBase } from "../api/client";
import { shortName } from "../model/names";
import { groups, type Impact, NOBODY, narrowed, type Reached, reachedBy } from "./reached";

const EMAIL = { dataset: "landing/customers", column: "email" };

beforeAll(() => setBase(served().food));

function row(dataset: string, column: string, more: Partial<Reached> = {}): Reached {
  const rest = { type: "", distance: 1, kind: null, masked: false, owners: [], jobs: [], path: [] };
  return { id: `${dataset}.${column}`, dataset, column, ...rest, ...more };
}

test("each column that is reached is a row, nearest first, with the way to it, its jobs and its owners", async () => {
  const rows = reachedBy(await ask("impact", EMAIL));
  expect(rows.map((row) => [shortName(row.dataset), row.column, row.distance, row.masked, row.owners])).toEqual([
    ["customers", "email", 1, true, []],
    ["newsletter", "send_to", 1, false, ["team:marketing"]],
    ["revenue_by_city", "guests", 2, true, ["team:finance"]],
  ]);
  expect(rows[2]?.path).toHaveLength(3);
  expect(rows[2]?.jobs).toEqual(["food_delivery/revenue_by_city"]);
});

test("a dataset with unknown columns is one row, however many jobs write it", async () => {
  const impact: Impact = await ask("impact", EMAIL);
  const dataset = { namespace: "n", name: "silent" };
  const silent = (job: string, owner: string): Impact["unknown"][number] => ({
    why: "NO_COLUMNS",
    dataset,
    job: { namespace: "j", name: job },
    reads: [],
    distance: 4,
    owners: [{ name: owner, type: "" }],
    columns: [],
  });
  const reading = { ...silent("three", "jo"), why: "READS_ONLY" as const, dataset: null };
  const rows = reachedBy({ ...impact, unknown: [silent("one", "jo"), silent("two", "jo"), reading] });
  expect(rows.at(-1)).toMatchObject({ dataset: "n/silent", column: null, owners: ["jo"], jobs: ["j/one", "j/two"] });
});

test("a row is in the group of each of its owners, and rows without an owner come last", () => {
  const rows = [row("n/a", "x"), row("n/b", "y", { owners: ["zoe", "jo"] }), row("n/b", "z", { owners: ["jo"] })];
  expect(groups(rows, "owner").map((group) => [group.name, group.count, [...group.datasets.keys()]])).toEqual([
    ["jo", 2, ["n/b"]],
    ["zoe", 1, ["n/b"]],
    [NOBODY, 1, ["n/a"]],
  ]);
  expect(groups(rows, "dataset").map((group) => [group.name, group.count])).toEqual([
    ["n/a", 1],
    ["n/b", 2],
  ]);
});

test("words narrow the rows, each anywhere in names, owners and jobs", () => {
  const rows = [row("n/orders", "Total"), row("n/users", "total", { jobs: ["j/Nightly"] })];
  expect(narrowed(rows, "  total nightly ")).toEqual([rows[1]]);
  expect(narrowed(rows, "")).toEqual(rows);
  expect(narrowed(rows, "nothing")).toEqual([]);
});
