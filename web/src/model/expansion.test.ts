import { expect, test } from "vitest";
import { keeping, parseExpansion, printExpansion, reach } from "./expansion";
import { partOf } from "./sample";

// raw → clean → root → mart → report, and clean → side; the report also reads raw.
const PART = partOf("root.a", [
  "raw.a > clean.a",
  "clean.a > root.a",
  "root.a > mart.a",
  "mart.a > report.a",
  "raw.a > report.a",
  "clean.a > side.a",
]);

test.each(["<n/x", "<<n/x", ">n/x", ">>n/x"])("%s comes back from the address", (text) => {
  const read = parseExpansion(text);
  expect(read && printExpansion(read)).toBe(text);
});

test("an invalid expansion in an address is ignored", () => {
  expect(["", "n/x", "<", "<<<x"].map(parseExpansion)).toEqual([null, null, null, null]);
});

test("a hidden side removes what is reachable only through it", () => {
  const hidden = [{ dataset: "n/root", side: "upstream" as const, all: false }];
  expect([...reach(PART, [], hidden, []).datasets].sort()).toEqual(["n/mart", "n/report", "n/root"]);
});

test("a pinned dataset stays when its side is hidden", () => {
  const hidden = [{ dataset: "n/root", side: "upstream" as const, all: false }];
  expect(reach(PART, [], hidden, ["n/raw"]).datasets.has("n/raw")).toBe(true);
});

test("an expanded dataset is followed on its side; otherwise that side is not reached", () => {
  const expanded = [{ dataset: "n/clean", side: "downstream" as const, all: false }];
  expect(reach(PART, [], [], []).datasets.has("n/side")).toBe(false);
  expect(reach(PART, expanded, [], []).datasets.has("n/side")).toBe(true);
});

test("steps count from the root", () => {
  const { upstream, downstream } = reach(PART, [], [], []);
  expect([upstream.get("n/raw"), downstream.get("n/report")]).toEqual([2, 2]);
});

test("a part keeps the edges between the remaining datasets, and only their jobs", () => {
  const part = keeping(PART, new Set(["n/root", "n/mart"]));
  expect(part.edges.map((edge) => edge.toDataset)).toEqual(["n/mart"]);
  expect(part.jobs.map((job) => job.id)).toEqual(["n/write mart"]);
});
