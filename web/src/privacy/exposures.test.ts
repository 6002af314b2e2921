import { beforeAll, expect, test } from "vitest";
import { served } from "../../tests/served";
import { ask, setBase } from "../api/client";
import { columnId, ROWS } from "../model/names";
import { arrivals, graphOf, litWays, type Pii } from "./exposures";

const COURIERS = "file//food/landing/couriers";
const WAREHOUSE = "file//food/warehouse/couriers";

let pii: Pii;

beforeAll(async () => {
  setBase(served().food);
  pii = await ask("pii", {});
});

test("a tagged column went in the clear, possibly, masked, and as a condition, the most exposed first", () => {
  expect(arrivals(pii).map((arrival) => [arrival.exposure, arrival.column])).toEqual([
    ["CLEAR", columnId("file//food/exports/roster", "phone")],
    ["POSSIBLE", columnId("file//food/exports/crm", "payload")],
    ["MASKED", columnId(WAREHOUSE, "phone")],
    ["INDIRECT", columnId("file//food/exports/roster", "name")],
  ]);
  expect(new Set(arrivals(pii).map((arrival) => arrival.tags.join()))).toEqual(new Set(["PII"]));
});

test("a masked value shows the step, the job and the expression", () => {
  const masked = arrivals(pii).find((arrival) => arrival.exposure === "MASKED");
  expect(masked?.masking).toEqual({
    at: columnId(WAREHOUSE, "phone"),
    job: "food_delivery/couriers",
    expression: "sha2(phone, 256)",
  });
  expect(arrivals(pii)[0]?.masking).toBeNull();
});

test("the ways make a graph with each edge once, and the rows that a condition decides on", () => {
  const part = graphOf(pii);
  expect(part.root).toBe(COURIERS);
  expect(new Set(part.edges.map((edge) => edge.id)).size).toBe(part.edges.length);
  const rows = part.edges.find((edge) => edge.to === columnId("file//food/exports/roster", ROWS));
  expect(rows?.kind).toBe("INDIRECT");
  const source = part.datasets.find((dataset) => dataset.id === COURIERS);
  expect(source?.tags).toEqual([{ key: "PII", value: null, field: "phone" }]);
});

test("a chosen column lights its own ways only", () => {
  const lit = litWays(arrivals(pii), columnId(WAREHOUSE, "phone"));
  expect([...(lit?.columns ?? [])].sort()).toEqual([columnId(COURIERS, "phone"), columnId(WAREHOUSE, "phone")].sort());
  expect(lit?.edges.size).toBe(1);
  expect(litWays(arrivals(pii), null)).toBeNull();
});
