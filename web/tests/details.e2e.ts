import { expect, type Page, test } from "@playwright/test";
import type { Details } from "../src/address/address";
import { at, expectNothingSerious, expectToFit, pictures } from "./looks";
import { served } from "./served";

const CUSTOMERS = "file//food/warehouse/customers";

async function open(page: Page, details: Details, server = served().food) {
  await page.goto(at(server, { details }));
  return page.getByRole("complementary");
}

test("a dataset: schema, versions, runs, owners, and where its columns come from", async ({ page }) => {
  const drawer = await open(page, { of: "dataset", dataset: "file//food/warehouse/revenue_by_city" });
  await expect(drawer.getByRole("heading", { name: "revenue_by_city" })).toBeVisible();
  await expect(drawer).toContainText("The origin of 3 of 3 columns is known.");
  await expect(drawer).toContainText("team:finance");
  await expect(drawer.getByRole("row")).toHaveCount(4);
  await pictures(page, "details-dataset");
  await expectNothingSerious(page);
  await expectToFit(page);
  await drawer.getByRole("link", { name: "guests" }).click();
  await expect(page).toHaveURL(/details=column/);
  await page.goBack();
  await expect(drawer.getByRole("heading", { name: "revenue_by_city" })).toBeVisible();
});

test("a dataset written by something not understood is marked as opaque", async ({ page }) => {
  const drawer = await open(page, { of: "dataset", dataset: "file//food/opaque" });
  await expect(drawer.getByRole("listitem").filter({ hasText: "cannot be analyzed" })).toContainText("opaque ScalaUDF");
  await expect(drawer.getByRole("link", { name: "address" })).toBeVisible();
  await expect(drawer.getByRole("link", { name: "street" })).toBeHidden();
  await drawer.getByRole("group").locator("summary").click();
  await expect(drawer.getByRole("link", { name: "street" })).toBeVisible();
  await expect(drawer).toContainText("pii");
  await expect(drawer).toContainText("catalog/db.opaque");
  await pictures(page, "details-opaque");
});

test("a column: its type, and what goes in and out with the expression", async ({ page }) => {
  const drawer = await open(page, { of: "column", dataset: CUSTOMERS, column: "email" });
  await expect(drawer).toContainText("Made from (1)");
  await expect(drawer).toContainText("sha2(lower(email), 256)");
  await expect(drawer).toContainText("transformed, masked");
  await expect(drawer.getByRole("link", { name: "guests" })).toBeVisible();
  const roots = drawer.locator("section").filter({ has: page.getByRole("heading", { name: /^Root columns/ }) });
  await expect(roots.getByRole("listitem")).toHaveText([/^email .*landing\/customers.*transformed, masked$/]);
  await pictures(page, "details-column");
  await expectNothingSerious(page);
});

test("a job: runs with state and duration, its SQL, its last error, what it reads and writes", async ({ page }) => {
  const drawer = await open(page, { of: "job", job: "food_delivery/newsletter" });
  await expect(drawer.getByRole("table", { name: "Runs of the job" }).getByRole("row")).toHaveCount(4);
  await expect(drawer.getByText("5 min").first()).toBeVisible();
  await expect(drawer.getByRole("link", { name: "newsletter file//food/warehouse/newsletter" })).toBeVisible();
  await open(page, { of: "job", job: "odd/failing" });
  await expect(drawer).toContainText("No space left on device");
  await expect(drawer).toContainText("SELECT 1");
  await pictures(page, "details-job");
  await expectNothingSerious(page);
});

test("a run: its state, its duration, its error and what it wrote", async ({ page }) => {
  const drawer = await open(page, { of: "job", job: "odd/failing" });
  await drawer.getByRole("link", { name: "The run that failed" }).click();
  await expect(drawer).toContainText("failed");
  await expect(drawer).toContainText("No space left on device");
  await drawer.getByText("Stack trace").click();
  await expect(drawer).toContainText("at Disk.write");
  await pictures(page, "details-run");
  await expectNothingSerious(page);
});

test("Escape closes the drawer, and going back opens it again", async ({ page }) => {
  await page.goto(served().food);
  await page.getByRole("table", { name: "Recent runs" }).getByRole("link").first().click();
  await expect(page.getByRole("complementary")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary")).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole("complementary")).toBeVisible();
});
