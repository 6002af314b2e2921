import { expect, type Page, test } from "@playwright/test";
import { at, expectNothingSerious, openOverview, picture } from "./looks";
import { served } from "./served";

const box = (page: Page) => page.getByRole("combobox", { name: /^Search/ });

test("/ and Ctrl-K focus the box, and a slash typed elsewhere stays a slash", async ({ page }) => {
  await openOverview(page, served().food);
  await page.keyboard.press("/");
  await expect(box(page)).toBeFocused();
  await page.keyboard.type("a/b");
  await expect(box(page)).toHaveValue("a/b");
  await page.keyboard.press("Escape");
  await expect(box(page)).not.toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(box(page)).toBeFocused();
});

test("a misspelt name is found while typing, in groups, and the keyboard goes there", async ({ page }) => {
  await openOverview(page, served().food);
  await page.keyboard.press("/");
  await page.keyboard.type("custmers");
  await expect(page.getByRole("group", { name: "Datasets" }).getByRole("option").first()).toContainText("customers");
  await expect(page.getByRole("group", { name: "Columns" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Jobs" }).getByRole("option")).toContainText(["customers"]);
  await picture(page, "find");
  await expectNothingSerious(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("option", { selected: true })).toHaveCount(1);
  const chosen = await page.getByRole("option", { selected: true }).locator(".label").textContent();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/view\/lineage\?dataset=/);
  expect(new URL(page.url()).searchParams.get("dataset")).toContain(chosen);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
});

test("visited items are among the recent ones", async ({ page }) => {
  await openOverview(page, served().food);
  await page.keyboard.press("/");
  await page.keyboard.type("guests");
  await page.getByRole("option").filter({ hasText: "guests" }).first().click();
  await expect(page).toHaveURL(/column=guests/);
  await openOverview(page, at(served().food, {}));
  await page.keyboard.press("/");
  await expect(page.getByRole("group", { name: "Recent" }).getByRole("option").first()).toContainText("guests");
});

test("answers for earlier letters are dropped, and never shown as no match", async ({ page }) => {
  await openOverview(page, served().food);
  let requests = 0;
  await page.route("**/questions/batch", async (route) => {
    // The first answer comes last.
    if (requests++ === 0) await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue().catch(() => undefined);
  });
  await page.keyboard.press("/");
  await page.keyboard.type("customers");
  await page.waitForTimeout(300);
  await box(page).fill("zzzzqqqq");
  await expect(page.getByText("Nothing matches “zzzzqqqq”.")).toBeVisible();
  await page.waitForTimeout(1500);
  await expect(page.getByRole("option")).toHaveCount(0);
});

test("Enter before the answer arrives goes to the best result once it does", async ({ page }) => {
  await openOverview(page, served().food);
  await page.keyboard.press("/");
  await page.keyboard.type("newsletter");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/dataset=file%2F%2Ffood%2Fwarehouse%2Fnewsletter/);
});
