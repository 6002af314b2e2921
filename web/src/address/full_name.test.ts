import { expect, test } from "vitest";
import { HOME } from "./address";
import { inFull } from "./full_name";

const FULL = "file//food/warehouse/orders";

test("the end of a name is completed, for the lit column, too", () => {
  const short = { ...HOME, dataset: "warehouse/orders", selected: { dataset: "warehouse/orders", column: "id" } };
  expect(inFull(short, FULL)).toEqual({ dataset: FULL, selected: { dataset: FULL, column: "id" } });
});

test("a column of another dataset stays lit", () => {
  const selected = { dataset: "file//food/landing/orders", column: "id" };
  expect(inFull({ ...HOME, dataset: "orders", selected }, FULL)).toEqual({ dataset: FULL, selected });
});

test("nothing changes for a full name, for another dataset, and for none", () => {
  expect(inFull({ ...HOME, dataset: FULL }, FULL)).toBeNull();
  expect(inFull({ ...HOME, dataset: "file//food/warehouse/menus" }, FULL)).toBeNull();
  expect(inFull(HOME, FULL)).toBeNull();
});
