import { execFileSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { expectNothingSerious, expectToFit, pictures } from "./looks";
import { served } from "./served";

test("a full store shows recent runs, failures, busiest datasets and coverage", async ({ page }) => {
  await page.goto(served().simulated);
  await expect(page.getByRole("table", { name: "Recent runs" }).getByRole("row")).toHaveCount(11);
  await expect(page.getByRole("table", { name: "Failed runs" }).getByText("failed").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Busiest datasets" })).toBeVisible();
  await expect(page.getByRole("meter")).toHaveCount(2);
  await pictures(page, "overview");
  await expectNothingSerious(page);
  await expectToFit(page);
  await page.getByRole("table", { name: "Failed runs" }).getByRole("link", { name: "failed" }).first().click();
  await expect(page.getByRole("complementary", { name: "Details of a run" })).toContainText("Error");
});

test("an empty store says how to send the first event, by a command that works", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(served().empty);
  await expect(page.getByRole("heading", { name: "No lineage yet" })).toBeVisible();
  await pictures(page, "empty");
  await expectNothingSerious(page);
  await expectToFit(page);
  const button = page.getByRole("button", { name: "Copy: A command that sends one event" });
  await button.click();
  await expect(button).toHaveText("Copied");
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(execFileSync("bash", ["-c", command], { encoding: "utf8" })).toContain("201");
  await page.reload();
  await expect(page.getByRole("table", { name: "Recent runs" })).toContainText("customers");
});
