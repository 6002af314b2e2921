import { expect, test } from "vitest";
import { captureIn, failureIn, sqlIn } from "./capture";

test("a capture that says nothing of itself is whole", () => {
  expect(captureIn({})).toBeNull();
  expect(captureIn({ headwater_capture: { _producer: "x", opaque: null, lost: {} } })).toBeNull();
});

test("opaque, withheld and lost parts are listed with their counts", () => {
  const facet = { opaque: { ScalaUDF: 2 }, withheld: ["schema"], lost: { droppedMessages: 3 } };
  expect(captureIn({ headwater_capture: facet })).toEqual({
    opaque: [["ScalaUDF", 2]],
    withheld: ["schema"],
    lost: [["droppedMessages", 3]],
  });
});

test("facets of another form than expected are nothing, not a fault", () => {
  const odd = { headwater_capture: ["x"], errorMessage: "broken", sql: { query: 7 } };
  expect([captureIn(odd), failureIn(odd), sqlIn(odd)]).toEqual([null, null, ""]);
});

test("a failure has its message, and its trace where there is one", () => {
  expect(failureIn({ errorMessage: { message: "disk full", stackTrace: "at x" } })).toEqual({
    message: "disk full",
    trace: "at x",
  });
});
