import { expect, test } from "vitest";
import { csv, csvCell, fileName } from "./csv";

test.each([
  ["plain", "plain"],
  ['a "b", c', '"a ""b"", c"'],
  ["two\nlines", '"two\nlines"'],
  ["", ""],
  ["مبلغ", "مبلغ"],
])("%j is written as %j", (value, written) => {
  expect(csvCell(value)).toBe(written);
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x","y")'])(
  "%j is text and no formula",
  (value) => {
    expect(csvCell(value).replace(/^"/, "").startsWith("'")).toBe(true);
  },
);

test("numbers, truth and nothing are as they are; rows end as the format says", () => {
  expect(
    csv(
      ["a", "b"],
      [
        [-1, true],
        [null, "x"],
      ],
    ),
  ).toBe("a,b\r\n-1,true\r\n,x\r\n");
});

test("a file name has no path in it", () => {
  expect(fileName("impact of file//../food/x · مبلغ")).toBe("impact_of_file_.._food_x_مبلغ.csv");
  expect(fileName("///")).toBe("headwater.csv");
});
