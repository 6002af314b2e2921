import { expect, test } from "vitest";
import { ancestors, fieldTree, joinPath, splitPath } from "./fields";

const column = (path: string) => ({ id: path, path, type: "int" });

test.each([
  ["a", ["a"]],
  ["a.b.c", ["a", "b", "c"]],
  ["`a.b`.c", ["a.b", "c"]],
  ["a.`b``c`", ["a", "b`c"]],
  ["`x``y`.z", ["x`y", "z"]],
])("%s is split into its names, and joined again", (path, names) => {
  expect(splitPath(path)).toEqual(names);
  expect(joinPath(names)).toBe(path);
});

test("a backtick that quotes nothing is an ordinary character", () => {
  expect(splitPath("a`b.c")).toEqual(["a`b", "c"]);
  expect(splitPath("`a`b.c")).toEqual(["`a`b", "c"]);
});

test("the paths around a path are there, the outermost first", () => {
  expect(ancestors("a.`x.y`.c")).toEqual(["a", "a.`x.y`"]);
});

test("fields are below their struct, which is added if it is missing", () => {
  const tree = fieldTree(["id", "address.city", "total", "address.geo.lat", "address.geo.lon"].map(column));
  expect(tree.map(({ name, level, inside, type }) => [name, level, inside, type])).toEqual([
    ["id", 0, 0, "int"],
    ["address", 0, 4, "struct"],
    ["city", 1, 0, "int"],
    ["geo", 1, 2, "struct"],
    ["lat", 2, 0, "int"],
    ["lon", 2, 0, "int"],
    ["total", 0, 0, "int"],
  ]);
});
