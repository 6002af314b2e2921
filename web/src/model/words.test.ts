import { expect, test } from "vitest";
import { partOf } from "./sample";
import { doubts, inWords } from "./words";

test.each([
  ["IDENTITY", "copied unchanged"],
  ["GROUP_BY", "decides how rows are grouped"],
  ["SOMETHING_NEW", "something new"],
])("%s in words", (subtype, words) => {
  expect(inWords({ type: "DIRECT", subtype, masking: false, description: "" })).toBe(words);
});

test("masking is shown", () => {
  expect(inWords({ type: "DIRECT", subtype: "TRANSFORMATION", masking: true, description: "" })).toBe(
    "transformed, masked",
  );
});

test("an edge that is carried on or assumed says so, and a certain one says nothing", () => {
  const [edge] = partOf("b.x", ["a.x > b.x"]).edges;
  if (edge === undefined) throw new Error("no edge");
  expect(doubts(edge)).toEqual([]);
  expect(doubts({ ...edge, carried: true, assumed: true })).toHaveLength(2);
});
