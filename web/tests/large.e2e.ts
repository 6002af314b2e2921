/** A table of 2,000 columns among 500 tables and 20,000 edges, filled as benchmarks/neighbourhood.py says. */

import { expect, type Locator, type Page, test } from "@playwright/test";
import { picture } from "./looks";
import { served } from "./served";

const CENTRE = "s3://lake/centre.wide";
const MOST_ELEMENTS = 1_000;
/** So long after the last movement, boxes have become elements. */
const SETTLED_MS = 200;

declare global {
  interface Window {
    mostElements: number;
  }
}

/** From now on, the page notes the most elements that it ever has. */
async function countElements(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.mostElements = 0;
    const count = () => {
      window.mostElements = Math.max(window.mostElements, document.getElementsByTagName("*").length);
    };
    new MutationObserver(count).observe(document, { childList: true, subtree: true });
  });
}

async function open(page: Page, more: Record<string, string>): Promise<void> {
  await page.goto(`${served().large}/view/lineage?${new URLSearchParams({ dataset: CENTRE, ...more })}`);
}

function status(page: Page): Locator {
  return page.locator(".lineage [role=status]");
}

function centre(page: Page): Locator {
  return page.locator(`article[data-box="${CENTRE}"]`);
}

async function drag(page: Page, right: number, down: number): Promise<void> {
  await page.mouse.move(640, 780);
  await page.mouse.down();
  await page.mouse.move(640 + right, 780 + down, { steps: 6 });
  await page.mouse.up();
  await page.waitForTimeout(SETTLED_MS);
}

test("an answer cut by the limit says so and offers more, and the whole keeps to few elements in every view", async ({
  page,
}) => {
  await countElements(page);
  await open(page, { depth: "all" });
  await expect(status(page)).not.toContainText("loading more");
  await expect(status(page)).not.toHaveText("501 datasets, 20,000 edges");
  await page.getByRole("button", { name: "There is more upstream and downstream: load more" }).click();
  await expect(status(page)).toHaveText("501 datasets, 20,000 edges");
  await expect(page.getByRole("button", { name: "There is more" })).toHaveCount(0);
  expect(page.url()).toContain("limit=10000");
  await expect(page.locator(".lineage")).toHaveAttribute("data-drawn", "501");
  await expect(centre(page)).toBeVisible();

  for (const [right, down] of [
    [-600, -300],
    [500, -600],
    [300, -200],
  ] as const) {
    await drag(page, right, down);
    expect(await page.locator("article").count()).toBeGreaterThan(0);
  }
  await page.getByLabel("Fit all into view").click();
  await expect(page.locator("article")).toHaveCount(0);
  await picture(page, "large-fit");
  await page.mouse.move(640, 450);
  for (const way of [-1, 1]) {
    for (let step = 0; step < 10; step++) {
      await page.mouse.wheel(0, way * 240);
      await page.waitForTimeout(SETTLED_MS);
    }
  }
  const most = await page.evaluate(() => window.mostElements);
  expect(most).toBeGreaterThan(MOST_ELEMENTS / 2);
  expect(most).toBeLessThanOrEqual(MOST_ELEMENTS);
});

test("the box of 2,000 columns turns its pages and filters them", async ({ page }) => {
  await open(page, { depth: "1" });
  await expect(status(page)).toHaveText("151 datasets, 8,000 edges");
  const rows = centre(page).locator("li");
  await expect(rows.first()).toContainText("c0000");
  await expect(centre(page)).toContainText("1/400");
  await centre(page).getByLabel("Next columns").click();
  await expect(rows.first()).toContainText("c0005");
  await centre(page).getByRole("searchbox").fill("c199");
  await expect(rows.first()).toContainText("c1990");
  await expect(centre(page)).toContainText("1/2");
  await expect(rows).toHaveCount(5);
  await picture(page, "large-wide");
});

test("a column's path lights through all layers, and nothing else does", async ({ page }) => {
  await open(page, { depth: "all", limit: "10000" });
  await expect(status(page)).toHaveText("501 datasets, 20,000 edges");
  await centre(page).locator('[data-spot="c0000"]').click();
  // Each column is made from two, over three layers; two are made from it, and three from each of those.
  await expect(page.locator(".lit-list")).toContainText("23 columns in 12 datasets, 22 edges");
  await expect(centre(page).locator("li.lit")).toHaveCount(1);
  await picture(page, "large-path");
});
