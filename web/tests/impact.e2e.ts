import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { expectNothingSerious, expectTableToFit, expectToFit, pictures } from "./looks";
import { served } from "./served";

const EMAIL = "dataset=file%2F%2Ffood%2Flanding%2Fcustomers&column=email";

async function open(page: Page, query: string, server = served().food): Promise<void> {
  await page.goto(`${server}/view/impact?${query}`);
  await expect(page.getByRole("table")).toBeVisible();
}

function columns(page: Page) {
  return page.getByRole("table").locator("tbody tr td:nth-child(2)");
}

test("the reach of a column is counted, drawn, and listed by dataset, job and owner", async ({ page }) => {
  await open(page, EMAIL);
  await expect(page.getByText("Reaches 3 columns in 3 datasets, by 3 jobs")).toBeVisible();
  await expect(
    page
      .getByRole("region", { name: /What changing .* affects/ })
      .getByText("send_to")
      .first(),
  ).toBeVisible();
  const tree = page.getByRole("complementary", { name: "Affected columns, grouped" });
  await expect(tree.getByTitle("file//food/warehouse/newsletter").first()).toBeVisible();
  await pictures(page, "impact");
  await tree.getByRole("radio", { name: "owner" }).check();
  await expect(tree.getByText("team:marketing")).toBeVisible();
  await expect(tree.getByText("no owner")).toBeVisible();
  expect(new URL(page.url()).searchParams.get("group")).toBe("owner");
  await tree.getByRole("radio", { name: "job" }).check();
  await expect(tree.getByText("food_delivery/newsletter")).toBeVisible();
  await page.goBack();
  await expect(tree.getByRole("radio", { name: "owner" })).toBeChecked();
});

test("the table sorts by a head, up and down, and the address keeps it", async ({ page }) => {
  await open(page, EMAIL);
  const head = page.getByRole("columnheader", { name: "Column" });
  await expect(head).toHaveAttribute("aria-sort", "none");
  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  await expect(columns(page)).toHaveText(["email", "guests", "send_to"]);
  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await page.reload();
  await expect(columns(page)).toHaveText(["send_to", "guests", "email"]);
});

test("the file has the rows that are shown, in their order", async ({ page }) => {
  await open(page, `${EMAIL}&sort=-column&filter=masked+warehouse`);
  await expect(page.getByText("0 rows")).toBeVisible();
  await page.getByRole("searchbox", { name: "Filter the list" }).fill("warehouse team");
  await expect(page.getByText("2 rows")).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^Impact_of_.*email\.csv$/);
  const lines = (await readFile(await file.path(), "utf8")).replace("\ufeff", "").split("\r\n");
  expect(lines.slice(0, 3)).toEqual([
    "dataset,column,type,distance,how,owners,jobs,path",
    expect.stringMatching(/^file\/\/food\/warehouse\/newsletter,send_to,string,1,copied,team:marketing,/),
    expect.stringMatching(
      /^file\/\/food\/warehouse\/revenue_by_city,guests,string,2,"aggregated, masked",team:finance,/,
    ),
  ]);
});

test("a way is lit from its row", async ({ page }) => {
  await open(page, EMAIL);
  await page
    .getByRole("row", { name: /guests/ })
    .getByRole("button")
    .click();
  expect(new URL(page.url()).searchParams.getAll("selected")).toEqual([
    "file//food/warehouse/revenue_by_city",
    "guests",
  ]);
  await expect(page.getByRole("row", { name: /guests/ })).toHaveAttribute("aria-current", "true");
});

test("an answer that was cut says so and gives more", async ({ page }) => {
  await open(page, `${EMAIL}&limit=2`);
  await expect(page.getByText("The limit was reached")).toBeVisible();
  await page.getByRole("link", { name: "Load more" }).click();
  await expect(page.getByText("The limit was reached")).toBeHidden();
  await expect(columns(page)).toHaveCount(3);
});

test("axe finds nothing serious, and a phone shows it too", async ({ page }) => {
  await open(page, EMAIL);
  await expectNothingSerious(page);
  await expectToFit(page);
});

test("a wide reach is paged, and stays within what a browser holds", async ({ page }) => {
  const contracts = "dataset=kafka%3A%2F%2Fbroker.example.com%3A9092%2Fcontracts_5";
  await open(page, contracts, served().simulated);
  await expect(page.getByText(/^Reaches 357 columns in 15 datasets/)).toBeVisible();
  await expect(columns(page)).toHaveCount(20);
  await page.getByRole("button", { name: "Next page" }).click();
  await expect(page.getByText("2 of 18")).toBeVisible();
  await pictures(page, "impact-wide");
  expect(await page.locator("*").count()).toBeLessThan(1_000);
});

test("names of any length and script, and markup in them, are text and break nothing", async ({ page }) => {
  await open(page, "dataset=file%2F%2Ffood%2Flanding%2Forders&column=id");
  await expect(page.getByRole("table").getByText("<b>bold</b>").first()).toBeVisible();
  await expect(page.getByRole("table").getByText("مبلغ").first()).toBeVisible();
  await page.getByRole("radio", { name: "job" }).check();
  await expect(page.locator("aside summary").filter({ hasText: "<img src=x onerror=alert(1)>" })).toBeVisible();
  await expect(page.locator("main img")).toHaveCount(0);
  await expect(page.locator("main b").filter({ hasText: /^bold$/ })).toHaveCount(0);
  await pictures(page, "impact-odd");
  await expectTableToFit(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280);
});
