import { expect, test } from "@playwright/test";
import { openOverview } from "./looks";
import { served } from "./served";

test("the theme is the system's until the user chooses one, which is remembered", async ({ page }) => {
  const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(served().food);
  expect(await theme()).toBe("dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(theme).toBe("light");
  await page.getByRole("button", { name: "Use the dark theme" }).click();
  expect(await theme()).toBe("dark");
  await page.reload();
  expect(await theme()).toBe("dark");
  await page.getByRole("button", { name: "Use the light theme" }).click();
  expect(await theme()).toBe("light");
});

test("the keyboard skips the bar and reaches what is below", async ({ page }) => {
  await openOverview(page, served().food);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const inMain = await page.evaluate(() => document.activeElement?.closest("main") !== null);
  expect(inMain).toBe(true);
});
