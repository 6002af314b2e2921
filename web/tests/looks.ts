/** What several tests need of a page: addresses, pictures, axe. */

import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { type Address, HOME, printAddress } from "../src/address/address";

const PHONE = { width: 390, height: 780 };
const DESK = { width: 1280, height: 800 };

export function at(server: string, parts: Partial<Address>): string {
  return `${server}${printAddress({ ...HOME, ...parts })}`;
}

/** Opens the overview, and waits until it has its answers: before, nobody need listen to the keyboard yet. */
export async function openOverview(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("main").getByRole("link").first()).toBeVisible();
}

/** The rows that are lit, as `box.column`. */
export async function lit(page: Page): Promise<string[]> {
  const rows = await page.locator("article li.lit [data-spot]").all();
  const words = rows.map((row) =>
    row.evaluate((it: HTMLElement) => `${it.closest("article")?.dataset["box"]}.${it.dataset["spot"]}`),
  );
  return (await Promise.all(words)).sort();
}

/** Keep a picture to look at; `HEADWATER_PICTURES` names another folder. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${process.env["HEADWATER_PICTURES"] ?? "artefacts"}/${name}.png` });
}

/** Pictures of what is shown, at a desk and on a phone, light and dark; a graph is waited for. */
export async function pictures(page: Page, name: string): Promise<void> {
  await expect(page.locator(".lineage:not([data-drawn])")).toHaveCount(0);
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await picture(page, `${name}-${theme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(PHONE);
  await picture(page, `${name}-phone`);
  await page.setViewportSize(DESK);
}

/** Axe finds nothing serious, light and dark. */
export async function expectNothingSerious(page: Page): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    const axe = new AxeBuilder({ page });
    // Between the themes only colours differ.
    const { violations } = await (theme === "light" ? axe : axe.withRules(["color-contrast"])).analyze();
    const serious = violations.filter((violation) => violation.impact === "serious" || violation.impact === "critical");
    expect(serious.map((violation) => [theme, violation.id, violation.nodes.map((node) => node.html)])).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** Nothing is wider than the screen. */
export async function expectToFit(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(over).toBeLessThanOrEqual(0);
  await page.setViewportSize(DESK);
}

/** At a desk all columns of a table are seen at once. */
export async function expectTableToFit(page: Page): Promise<void> {
  const over = await page.locator(".data-rows").evaluate((rows) => rows.scrollWidth - rows.clientWidth);
  expect(over).toBeLessThanOrEqual(0);
}
