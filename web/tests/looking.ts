/** What all views are looked at for: pictures to keep, and what axe finds. */

import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const SERIOUS = new Set(["serious", "critical"]);

/** Choose a theme as a user does. */
export async function chooseTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  const button = page.getByRole("button", { name: `Use the ${theme} theme` });
  if (await button.isVisible()) await button.click();
}

/** A picture among the artefacts, in both themes. */
export async function shoot(page: Page, name: string): Promise<void> {
  await expect(page.locator(".lineage[data-drawn]")).toBeVisible();
  for (const theme of ["light", "dark"] as const) {
    await chooseTheme(page, theme);
    await page.screenshot({ path: `artefacts/${name}-${theme}.png`, animations: "disabled" });
  }
}

/** Nothing serious is found by axe, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await chooseTheme(page, theme);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const serious = violations.filter((one) => SERIOUS.has(one.impact ?? ""));
    expect(serious.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join("\n")}`)).toEqual([]);
  }
}
