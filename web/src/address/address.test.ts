import { expect, test } from "vitest";
import { type Address, HOME, lineageOf, parseAddress, printAddress, seenIn } from "./address";

function roundTrip(address: Address): Address {
  const url = new URL(printAddress(address), "http://host");
  return parseAddress(url.pathname, url.search);
}

const FULL: Address = {
  view: "time",
  dataset: "s3://b&c=d/ä?#%2F +/x",
  column: "a.`b c`.d",
  selected: { dataset: "file//other", column: "<b>&amp;" },
  direction: "upstream",
  depth: null,
  limit: 5000,
  indirect: true,
  jobs: true,
  asOf: "2026-01-01T00:00:00+02:00",
  version: "00000000-0000-0000-0000-000000000001",
  compare: { of: "moments", before: "2026-01-01", after: "2026-01-02" },
  tag: "pii",
  namespaces: ["a", "b"],
  expanded: ["<n/x", ">>n/y"],
  collapsed: [">n/z"],
  pinned: ["n/p"],
  folded: ["n/z"],
  filter: "total مبلغ",
  group: "owner",
  sort: "-distance",
  details: { of: "column", dataset: "n/x", column: "c" },
};

test.each<[string, Address]>([
  ["home", HOME],
  ["everything", FULL],
  ["versions", { ...FULL, compare: { of: "versions", before: "v1", after: "v2" } }],
  ["a job's details", { ...HOME, details: { of: "job", job: "n/j" } }],
  ["a run's details", { ...FULL, details: { of: "run", run: "r" }, depth: 0 }],
  ["a dataset's details", { ...HOME, details: { of: "dataset", dataset: "n/x" } }],
  ["a column", lineageOf("n/x", "c")],
])("%s comes back from its address", (_, address) => {
  expect(roundTrip(address)).toEqual(address);
});

test("home is the bare path, and defaults are left out of an address", () => {
  expect(printAddress(HOME)).toBe("/");
  expect(printAddress({ ...HOME, view: "lineage", dataset: "n/x" })).toBe("/view/lineage?dataset=n%2Fx");
});

test("invalid parts of an address get their defaults", () => {
  expect(parseAddress("/view/nothing", "?depth=-1&direction=sideways&details=dataset&selected=x&limit=1e9")).toEqual(
    HOME,
  );
});

test("another view keeps the selected column, and drops what only the previous view knew", () => {
  const lineage = { ...lineageOf("n/x"), selected: { dataset: "n/y", column: "c" }, indirect: true };
  expect(seenIn(lineage, "impact")).toEqual({ ...lineage, view: "impact", dataset: "n/y", column: "c" });
  expect(seenIn({ ...lineage, view: "privacy", tag: "pii", sort: "-steps" }, "lineage")).toEqual(lineage);
  expect(seenIn({ ...lineage, view: "time", version: "v", asOf: "2026-01-01" }, "lineage")).toEqual({
    ...lineage,
    asOf: "2026-01-01",
  });
  expect(seenIn(lineage, "lineage")).toBe(lineage);
});
