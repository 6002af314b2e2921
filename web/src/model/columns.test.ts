import { expect, test } from "vitest";
import { columnTree, filtered, type SchemaColumn } from "./columns";

function column(path: string, type = "", description = ""): SchemaColumn {
  return { path, type, description, listed: true };
}

test("nested columns are below their parent, even if the parent is not listed", () => {
  const tree = columnTree([column("id"), column("address", "struct"), column("address.city"), column("x.`y.z`")]);
  expect(tree.map((column) => column.name)).toEqual(["id", "address", "x"]);
  expect(tree[1]?.children.map((column) => column.path)).toEqual(["address.city"]);
  expect(tree[2]?.column).toBeNull();
  expect(tree[2]?.children[0]?.name).toBe("y.z");
});

test("a filter looks for all words in names, types and descriptions", () => {
  const all = [column("total", "double", "Gross"), column("city", "string"), column("TAX", "double")];
  expect(filtered(all, "double gro").map((column) => column.path)).toEqual(["total"]);
  expect(filtered(all, "tax").map((column) => column.path)).toEqual(["TAX"]);
  expect(filtered(all, " ")).toBe(all);
});
