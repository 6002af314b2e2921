import { expect, test } from "vitest";
import { durationText, isoOf, momentText, momentWords, usOf } from "./time";

test.each([
  ["2025-05-12T09:00:00Z", "2025-05-12T09:00:00Z"],
  ["2025-05-12T09:00:00.123456Z", "2025-05-12T09:00:00.123456Z"],
  ["2025-05-12T09:00:00.000001Z", "2025-05-12T09:00:00.000001Z"],
  ["2025-05-12T11:00+02:00", "2025-05-12T09:00:00Z"],
  ["2025-05-12 09:00", "2025-05-12T09:00:00Z"],
  ["2025-05-12", "2025-05-12T23:59:59.999999Z"],
  ["1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z"],
])("%s is %s, to the microsecond", (text, iso) => {
  expect(isoOf(usOf(text) ?? Number.NaN)).toBe(iso);
});

test("an invalid moment is null, and is shown unchanged", () => {
  expect(["yesterday", "2025-13-45", "", "now"].map(usOf)).toEqual([null, null, null, null]);
  expect(["yesterday", "2025-05-12", "2025-05-12T09:00:00Z"].map(momentWords)).toEqual([
    "yesterday",
    "2025-05-12",
    "2025-05-12 09:00",
  ]);
  expect(momentText((usOf("2025-05-12T09:00:00Z") ?? 0) + 1_000_000)).toBe("2025-05-12 09:00:01");
});

test("moments are written in UTC, durations in their two largest units", () => {
  expect(momentText(1747204500000000)).toBe("2025-05-14 06:35");
  expect([250_000, 1_500_000, 42_000_000, 125_000_000, 7_200_000_000, 100_000_000_000].map(durationText)).toEqual([
    "250 ms",
    "1.5 s",
    "42 s",
    "2 min 5 s",
    "2 h",
    "1 d 3 h",
  ]);
});
