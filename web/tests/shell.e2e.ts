import { expect, test } from "@playwright/test";
import { served } from "./served";

test("the page is there, asks no other host, and runs without a fault", async ({ page }) => {
  const hosts = new Set<string>();
  const faults: string[] = [];
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(served().food);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await page.goto(`${served().food}/view/lineage?dataset=file%2F%2Ffood%2Fwarehouse%2Fcustomers`);
  await expect(page).toHaveTitle("customers · Lineage · Headwater");
  await page.waitForLoadState("networkidle");
  expect([...hosts]).toEqual([new URL(served().food).host]);
  expect(faults).toEqual([]);
});

test("a selected column stays selected in the other views, and the past is labelled until the user is back to now", async ({
  page,
}) => {
  const customers = "dataset=file%2F%2Ffood%2Fwarehouse%2Fcustomers";
  await page.goto(`${served().food}/view/lineage?${customers}&as-of=2025-05-13`);
  const views = page.getByRole("navigation", { name: "Views" });
  await expect(views).toContainText("as of 2025-05-13 UTC");
  await views.getByRole("link", { name: "Back to now" }).click();
  await expect(views).not.toContainText("as of");
  await page.locator('article.focused [data-spot="email"]').click();
  await views.getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByText("/warehouse/customers · email goes.")).toBeVisible();
  await views.getByRole("link", { name: "Impact" }).click();
  await expect(page).toHaveURL(/view\/impact.*column=email/);
  await expect(page.getByText(/^Reaches \d+ column/)).toBeVisible();
  await views.getByRole("link", { name: "Overview" }).click();
  await views.getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByText("Where all columns with a personal tag go.")).toBeVisible();
});
