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
