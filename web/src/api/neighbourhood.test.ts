import { beforeAll, expect, test } from "vitest";
import { served } from "../../tests/served";
import { HOME, lineageOf } from "../address/address";
import { columnId } from "../model/names";
import { setBase } from "./client";
import { loadNeighbourhood } from "./neighbourhood";

const CUSTOMERS = "file//food/warehouse/customers";

beforeAll(() => setBase(served().food));

test("the neighbourhood of a dataset has its sources and what it reaches, with their columns counted", async () => {
  const part = await loadNeighbourhood({ ...HOME, dataset: "warehouse/customers" });
  expect(part.root).toBe(CUSTOMERS);
  expect(part.datasets.map((dataset) => dataset.id)).toEqual(
    expect.arrayContaining([CUSTOMERS, "file//food/landing/customers", "file//food/warehouse/revenue_by_city"]),
  );
  const customers = part.datasets.find((dataset) => dataset.id === CUSTOMERS);
  expect(customers?.columnCount).toBe(3);
  expect(customers?.columns.map((column) => column.path).sort()).toEqual(["city", "email", "id"]);
  expect(part.cut).toEqual({ upstream: false, downstream: false });
});

test("an edge carries its class, masking, expression and job, and a day before it was not masked", async () => {
  const email = { ...lineageOf("warehouse/customers", "email"), direction: "upstream" as const };
  const [edge] = (await loadNeighbourhood(email)).edges;
  expect(edge).toMatchObject({
    from: columnId("file//food/landing/customers", "email"),
    to: columnId(CUSTOMERS, "email"),
    kind: "TRANSFORMATION",
    masked: true,
    job: "food_delivery/customers",
  });
  expect(edge?.transformations[0]?.description).toBe("sha2(lower(email), 256)");
  const before = await loadNeighbourhood({ ...email, asOf: "2025-05-13" });
  expect(before.edges.map((edge) => edge.masked)).toEqual([false]);
});

test("indirect edges are loaded on request only", async () => {
  const focus = { ...HOME, dataset: "revenue_by_city", direction: "upstream" as const };
  const without = await loadNeighbourhood(focus);
  const indirect = await loadNeighbourhood({ ...focus, indirect: true });
  expect(without.edges.some((edge) => edge.kind === "INDIRECT")).toBe(false);
  expect(indirect.edges.some((edge) => edge.kind === "INDIRECT")).toBe(true);
});

test("an answer cut by a limit says so", async () => {
  const part = await loadNeighbourhood({ ...HOME, dataset: "warehouse/customers", limit: 4 });
  expect(part.cut.downstream).toBe(true);
});

test("a name that nothing has is a problem with the nearest names", async () => {
  await expect(loadNeighbourhood({ ...HOME, dataset: "revenue_by_cty" })).rejects.toMatchObject({
    kind: "unknown",
    status: 404,
    candidates: expect.arrayContaining(["file//food/warehouse/revenue_by_city"]),
  });
});
