import { expect, test } from "vitest";
import { HOME, lineageOf } from "./address";
import { titleOf } from "./title";

test("a title names the subject, and the drawer before the view behind it", () => {
  expect(titleOf(HOME)).toBe("Overview · Headwater");
  expect(titleOf(lineageOf("file//food/customers", "email"))).toBe("email of customers · Lineage · Headwater");
  expect(titleOf({ ...HOME, details: { of: "job", job: "n/a.b" } })).toBe("job b · Overview · Headwater");
  const run = { of: "run", run: "3f5b1c9e-0000-4000-8000-000000000001" } as const;
  expect(titleOf({ ...lineageOf("n/a"), details: run })).toBe("run 3f5b1c9e · Lineage · Headwater");
});
