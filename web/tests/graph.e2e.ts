import { readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { lit, picture } from "./looks";
import { served } from "./served";

const CUSTOMERS = "file//food/warehouse/customers";
const LANDING = "file//food/landing/customers";
const REVENUE = "file//food/warehouse/revenue_by_city";
const NEWSLETTER = "file//food/warehouse/newsletter";
const WIDE = "s3://lake/mart/employees_42";
const NESTED = "s3://lake/core/reviews_39";

async function open(page: Page, server: string, dataset: string, more: Record<string, string> = {}): Promise<void> {
  const query = new URLSearchParams({ dataset, ...more });
  await page.goto(`${server}/view/lineage?${query}`);
  await expect(page.locator(".lineage[data-drawn]")).toBeVisible();
  await expect(page.getByText("loading more")).toHaveCount(0);
}

function box(page: Page, dataset: string): Locator {
  return page.locator(`article[data-box="${dataset}"]`);
}

function row(page: Page, dataset: string, path: string): Locator {
  return box(page, dataset).locator(`[data-spot="${path}"]`);
}

test("a click on a column lights its whole path up and down, and Escape and back put it out", async ({ page }) => {
  await open(page, served().food, CUSTOMERS);
  await row(page, CUSTOMERS, "email").click();
  await expect.poll(() => lit(page)).toEqual([`${LANDING}.email`, `${CUSTOMERS}.email`, `${REVENUE}.guests`].sort());
  await expect(page.locator(".lit-list")).toContainText("3 columns in 3 datasets, 2 edges");
  await expect(page.locator(".lit-list li").first()).toContainText("sha2(lower(email), 256)");
  await picture(page, "graph-path");
  await page.getByRole("button", { name: "Details" }).click();
  await expect(page.getByRole("complementary")).toContainText("Made from (1)");
  await page.goBack();
  await row(page, CUSTOMERS, "email").focus();
  await page.keyboard.press("Escape");
  await expect.poll(() => lit(page)).toEqual([]);
  await page.goBack();
  await expect(row(page, CUSTOMERS, "email")).toHaveAttribute("aria-pressed", "true");
});

test("a line says under the pointer what it does, with the expression", async ({ page }) => {
  await open(page, served().food, CUSTOMERS);
  const from = await row(page, LANDING, "email").boundingBox();
  const to = await row(page, CUSTOMERS, "email").boundingBox();
  if (from === null || to === null) throw new Error("no rows");
  await page.mouse.move((from.x + from.width + to.x) / 2, (from.y + to.y + from.height) / 2);
  const card = page.getByRole("tooltip");
  await expect(card).toContainText("transformed, masked");
  await expect(card).toContainText("sha2(lower(email), 256)");
  await expect(card).toContainText("by food_delivery/customers");
});

test("the minimap appears only if something is outside the view, and expanded boxes come into view", async ({
  page,
}) => {
  await page.setViewportSize({ width: 900, height: 600 });
  await open(page, served().food, REVENUE, { depth: "1" });
  // Boxes end between two dots: all of one is a little less than 1.
  await expect(box(page, CUSTOMERS)).toBeInViewport({ ratio: 0.99 });
  await expect(page.locator(".minimap")).toBeHidden();
  await box(page, CUSTOMERS).getByLabel("Show what is upstream").click();
  await expect(box(page, LANDING)).toBeInViewport({ ratio: 0.99 });
  await expect(box(page, CUSTOMERS)).toBeInViewport({ ratio: 0.99 });
  // A source: nothing is there to be shown.
  await expect(box(page, LANDING).getByLabel("Show what is downstream")).toBeVisible();
  await expect(box(page, LANDING).getByLabel("Show what is upstream")).toHaveCount(0);
  await page.getByLabel("Fit all into view").click();
  await expect(page.locator(".minimap")).toBeHidden();
  for (let times = 0; times < 4; times++) await page.getByLabel("Zoom in").click();
  await expect(page.locator(".minimap")).toBeVisible();
});

test("indirect edges and jobs are there on request, and the address says so", async ({ page }) => {
  await open(page, served().food, CUSTOMERS);
  await expect(page.getByRole("status")).toHaveText("3 datasets, 5 edges");
  await page.getByLabel("Indirect").check();
  await expect(page.getByRole("status")).toHaveText("3 datasets, 7 edges");
  await page.getByRole("checkbox", { name: "Jobs" }).check();
  await expect(box(page, "food_delivery/customers")).toBeVisible();
  expect(page.url()).toContain("indirect=1&jobs=1");
  await picture(page, "graph-jobs");
});

test("a side is expanded and collapsed, and a pinned box stays", async ({ page }) => {
  await open(page, served().food, CUSTOMERS);
  await expect(box(page, NEWSLETTER)).toHaveCount(0);
  await box(page, LANDING).getByLabel("Show what is downstream").click();
  await expect(box(page, NEWSLETTER)).toBeVisible();
  await page.reload();
  await expect(box(page, NEWSLETTER)).toBeVisible();
  await box(page, LANDING).getByLabel("Hide what is downstream").click();
  await expect(box(page, NEWSLETTER)).toHaveCount(0);
  await box(page, REVENUE).getByLabel("More actions for").click();
  await page.getByRole("menuitem", { name: "Pin" }).click();
  await box(page, CUSTOMERS).getByLabel("Hide what is upstream").click();
  await expect(box(page, LANDING)).toHaveCount(0);
  await box(page, CUSTOMERS).getByLabel("Hide what is downstream").click();
  await expect(box(page, REVENUE)).toBeVisible();
  await page.getByRole("button", { name: "Show what is hidden" }).click();
  await expect(box(page, LANDING)).toBeVisible();
});

test("all that lies upstream is loaded at once, a box folds to its name, and another becomes the focus", async ({
  page,
}) => {
  await open(page, served().food, REVENUE, { depth: "1", direction: "downstream" });
  await expect(box(page, LANDING)).toHaveCount(0);
  await box(page, REVENUE).getByLabel("More actions for").click();
  await page.getByRole("menuitem", { name: "Expand all upstream" }).click();
  await expect(box(page, LANDING)).toBeVisible();
  await box(page, CUSTOMERS).getByLabel("More actions for").click();
  await page.getByRole("menuitem", { name: "Collapse" }).click();
  await expect(row(page, CUSTOMERS, "email")).toHaveCount(0);
  await box(page, CUSTOMERS).getByLabel("More actions for").click();
  await page.getByRole("menuitem", { name: "Focus" }).click();
  await expect(page).toHaveURL(/dataset=file%2F%2Ffood%2Fwarehouse%2Fcustomers/);
  await expect(page.locator("article.focused")).toHaveAttribute("data-box", CUSTOMERS);
});

test("a wide box turns pages, filters and unfolds the columns that have no lineage", async ({ page }) => {
  await open(page, served().simulated, WIDE, { depth: "1" });
  const wide = box(page, WIDE);
  const rows = wide.locator("li");
  const first = await rows.first().textContent();
  expect(await rows.count()).toBeLessThanOrEqual(10);
  await wide.getByLabel("Next columns").click();
  await expect(rows.first()).not.toHaveText(first ?? "");
  await wide.getByLabel("Previous columns").click();
  await expect(rows.first()).toHaveText(first ?? "");
  const path = (await wide.locator("li [data-spot]").nth(3).getAttribute("data-spot")) ?? "";
  await wide.getByRole("searchbox").fill(path);
  await expect(rows.filter({ has: page.locator(`[data-spot="${path}"]`) })).toBeVisible();
  await expect(rows.filter({ hasNotText: path })).toHaveCount(0);
  await picture(page, "graph-wide");
});

test("columns without lineage are folded with their count, and come on request", async ({ page }) => {
  await open(page, served().food, CUSTOMERS, { direction: "downstream", column: "email" });
  const revenue = box(page, REVENUE);
  await expect(revenue.locator("li")).toHaveCount(1);
  await revenue.getByRole("button", { name: "+ 2 without lineage here" }).click();
  await expect(revenue.locator("li")).toHaveCount(3);
  await revenue.getByRole("button", { name: "only columns with lineage" }).click();
  await expect(revenue.locator("li")).toHaveCount(1);
});

test("the fields of a struct open as a tree", async ({ page }) => {
  await open(page, served().simulated, NESTED, { depth: "1" });
  const nested = box(page, NESTED);
  await expect(row(page, NESTED, "address.city")).toHaveCount(0);
  await nested.getByLabel("3 fields of address").click();
  await expect(row(page, NESTED, "address.city")).toBeVisible();
  await row(page, NESTED, "address.city").click();
  await expect.poll(() => lit(page)).toContain(`${NESTED}.address.city`);
  await picture(page, "graph-nested");
});

test("boxes and columns are walked with the keyboard alone", async ({ page }) => {
  await open(page, served().food, CUSTOMERS);
  const active = () =>
    page.evaluate(() => {
      const it = document.activeElement as HTMLElement | null;
      return `${it?.closest("article")?.dataset["box"]}.${it?.dataset["spot"]}`;
    });
  const title = box(page, CUSTOMERS).locator(".title");
  await expect(title).toHaveAttribute("tabindex", "0");
  await title.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect.poll(active).toBe(`${CUSTOMERS}.email`);
  await page.keyboard.press("Enter");
  await expect(row(page, CUSTOMERS, "email")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("ArrowRight");
  await expect.poll(active).toBe(`${REVENUE}.guests`);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(active).toBe(`${LANDING}.email`);
});

test("the picture is saved as SVG and as PNG", async ({ page }) => {
  await open(page, served().food, CUSTOMERS);
  await page.getByText("Export").click();
  const save = async (name: string) => {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    return readFileSync(await (await waiting).path());
  };
  const svg = (await save("SVG, everything")).toString();
  for (const word of ["customers", "revenue_by_city", "guests", "sha2(lower(email), 256)"]) expect(svg).toContain(word);
  expect(svg).not.toContain("var(--");
  const png = await save("PNG, visible part");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
});

test("an address shows the same to whoever opens it", async ({ page }) => {
  const query = `dataset=${encodeURIComponent(REVENUE)}&selected=${encodeURIComponent(CUSTOMERS)}&selected=city&depth=all&jobs=1&direction=upstream&as-of=2025-05-13`;
  await page.goto(`${served().food}/view/lineage?${query}`);
  await expect(row(page, CUSTOMERS, "city")).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => lit(page)).toEqual(expect.arrayContaining([`${LANDING}.city`, `${REVENUE}.city`]));
  await expect(page.getByRole("checkbox", { name: "Jobs" })).toBeChecked();
});

test("moving, zooming and fitting", async ({ page }) => {
  await open(page, served().simulated, WIDE, { depth: "all" });
  const before = await box(page, WIDE).boundingBox();
  await page.mouse.move(640, 160);
  await page.mouse.down();
  await page.mouse.move(700, 220, { steps: 5 });
  await page.mouse.up();
  const after = await box(page, WIDE).boundingBox();
  expect(Math.round((after?.x ?? 0) - (before?.x ?? 0))).toBe(60);
  const percent = page.locator(".zoom .quiet");
  const first = await percent.textContent();
  await page.getByLabel("Zoom out").click();
  await expect(percent).not.toHaveText(first ?? "");
  await page.mouse.wheel(0, -300);
  await page.getByLabel("Fit all into view").click();
  await expect.poll(() => page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(1_000);
  await picture(page, "graph-fit");
});

for (const [name, width, scheme] of [
  ["phone", 390, "light"],
  ["dark", 1280, "dark"],
] as const) {
  test(`it can be used on a ${name} screen, and axe finds nothing serious`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    await open(page, served().food, CUSTOMERS, { depth: "all" });
    await row(page, CUSTOMERS, "email").click();
    await expect(row(page, CUSTOMERS, "email")).toHaveAttribute("aria-pressed", "true");
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await picture(page, `graph-${name}`);
    const { violations } = await new AxeBuilder({ page }).include(".lineage").analyze();
    const grave = violations.filter((violation) => violation.impact === "serious" || violation.impact === "critical");
    expect(
      grave.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target).join(", ")}`),
    ).toEqual([]);
  });
}
