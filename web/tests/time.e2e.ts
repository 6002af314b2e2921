import { expect, type Page, test } from "@playwright/test";
import { expectNothingSerious, expectToFit, pictures } from "./looks";
import { served } from "./served";

const COURIERS = "dataset=file%2F%2Ffood%2Fwarehouse%2Fcouriers";
const PHONE = `${COURIERS}&column=phone`;

async function open(page: Page, query: string): Promise<void> {
  await page.goto(`${served().food}/view/time?${query}`);
  await expect(page.getByRole("heading", { name: "Versions" })).toBeVisible();
}

/** The graph, by what it says that it shows. */
function graph(page: Page, of: string | RegExp) {
  return page.getByRole("region", { name: of });
}

function asOf(page: Page): string | null {
  return new URL(page.url()).searchParams.get("as-of");
}

test("the slider shows the graph as of a moment, and the address says which; back is one step for one drag", async ({
  page,
}) => {
  await open(page, COURIERS);
  await expect(
    graph(page, /as of now/)
      .getByText("vehicle")
      .first(),
  ).toBeVisible();
  const slider = page.getByRole("slider", { name: "As of" });
  await expect(slider).toHaveAttribute("aria-valuetext", "now");
  await expect(slider).toBeEnabled();
  await slider.focus();
  await slider.press("ArrowLeft");
  await slider.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", "2025-05-12 07:00 UTC");
  expect(asOf(page)).toBe("2025-05-12T07:00:00Z");
  const monday = graph(page, /as of 2025-05-12 07:00/);
  await expect(monday.getByText("zone").first()).toBeVisible();
  await pictures(page, "time-as-of");
  await page.goBack();
  await expect(slider).toHaveAttribute("aria-valuetext", "now");
  expect(asOf(page)).toBeNull();
  await page.goForward();
  await expect(slider).toHaveAttribute("aria-valuetext", "2025-05-12 07:00 UTC");
});

test("a version's provenance is that of its own time, by a link that can be shared", async ({ page }) => {
  await open(page, COURIERS);
  await page.getByRole("link", { name: "Provenance of the version of 2025-05-12 07:00" }).click();
  await expect(page.getByText("Inputs of the version of 2025-05-12 07:00 UTC")).toBeVisible();
  await expect(
    graph(page, /provenance/)
      .getByText("zone")
      .first(),
  ).toBeVisible();
  await page.reload();
  await expect(page.getByText("Inputs of the version of 2025-05-12 07:00 UTC")).toBeVisible();
  await page.getByRole("link", { name: "Back to now" }).click();
  await expect(page.getByRole("slider", { name: "As of" })).toBeVisible();
});

test("between two moments it shows what was added, removed and changed, by sign and word", async ({ page }) => {
  await open(page, COURIERS);
  await page.getByRole("link", { name: /^Compare 2025-05-12 07:00 with now/ }).click();
  const beside = page.getByRole("complementary", { name: "Changes and versions" });
  await expect(beside.getByText("3 added, 3 removed, 1 changed")).toBeVisible();
  const lines = beside.getByRole("listitem");
  await expect(lines.filter({ hasText: "+ Added" }).first()).toContainText("couriers.vehicle");
  await expect(lines.filter({ hasText: "− Removed" }).first()).toContainText("couriers.zone");
  await expect(lines.filter({ hasText: "~ Changed" })).toContainText("transformed, masked: sha2(phone, 256)");
  await expect(lines.first()).toContainText("~ Changed");
  const drawn = graph(page, /Differences/);
  await expect(drawn.locator('[data-mark="changed"] [data-spot="phone"]')).toHaveText(/^~ phone/);
  await expect(drawn.getByText("zone").first()).toBeVisible();
  await expect(drawn.getByText("vehicle").first()).toBeVisible();
  await pictures(page, "time-difference");
  const before = page.getByRole("slider", { name: "Before" });
  await before.press("ArrowRight");
  await expect(beside.getByText("No differences.")).toBeVisible();
  expect(new URL(page.url()).searchParams.getAll("compare-moments")).toEqual(["2025-05-13T07:00:00Z", "now"]);
  // Also a moment at which nothing was written.
  await page.getByText("Other times").click();
  await page.getByLabel("Another earlier time, in UTC").fill("2025-05-12T20:30");
  await expect(beside.getByText("3 added, 3 removed, 1 changed")).toBeVisible();
  await expect(before).toHaveAttribute("aria-valuetext", "2025-05-12 20:30 UTC");
});

test("before anyone had heard of a dataset its box has no columns", async ({ page }) => {
  await open(page, `${COURIERS}&as-of=2025-05-01`);
  const drawn = graph(page, /couriers/);
  await expect(drawn.locator("article.box")).toHaveCount(1);
  await expect(drawn.locator("article.box")).toContainText("couriers");
  await expect(drawn.locator('[data-spot]:not([data-spot=""])')).toHaveCount(0);
  await expect(drawn.getByText("without lineage")).toHaveCount(0);
});

test("a version is compared with the one before it", async ({ page }) => {
  await open(page, COURIERS);
  await page.getByRole("link", { name: "Compare the version of 2025-05-13 07:00 with the previous one" }).click();
  await expect(page.getByText(/added, .* removed, 1 changed/)).toBeVisible();
  await page.getByRole("combobox", { name: "After" }).selectOption({ label: "2025-05-12 07:00" });
  await expect(page.getByText("No differences.")).toBeVisible();
});

test("the history of a column plays through the moments at which it changed, and step by step", async ({ page }) => {
  await open(page, PHONE);
  await page.getByRole("button", { name: "Play" }).click();
  const happened = page.locator(".happened");
  await expect(happened.getByRole("heading")).toHaveText("2025-05-12 07:00 UTC");
  await expect(happened).toContainText("+ Added");
  await expect(happened.getByRole("heading")).toHaveText("2025-05-13 07:00 UTC");
  await expect(happened).toContainText("~ Changed");
  await expect(happened).toContainText("sha2(phone, 256)");
  // At the last change it stops by itself.
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Next" })).toBeDisabled();
  await page.getByRole("button", { name: "Back" }).click();
  await expect(happened.getByRole("heading")).toHaveText("2025-05-12 07:00 UTC");
  await page.getByRole("button", { name: "Next" }).click();
  expect(asOf(page)).toBe("2025-05-13T07:00:00Z");
  await pictures(page, "time-history");
});

test("where versions cannot be had the graph stays, and a try gets them", async ({ page }) => {
  await page.route("**/questions/versions", (route) => route.fulfill({ status: 500, json: { message: "broken" } }));
  await page.goto(`${served().food}/view/time?${COURIERS}`);
  await expect(page.getByRole("alert")).toContainText("broken");
  await expect(graph(page, /as of now/)).toBeVisible();
  await page.unroute("**/questions/versions");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("link", { name: "As of 2025-05-14 07:00" })).toBeVisible();
});

test("a view without a dataset says what to do, and one with an unknown dataset says so", async ({ page }) => {
  await page.goto(`${served().food}/view/time`);
  await expect(page.getByText("Search for a dataset or a column")).toBeVisible();
  await page.goto(`${served().food}/view/time?dataset=warehouse/courers`);
  await expect(page.getByRole("alert").first()).toContainText("Not found");
});

test("axe finds nothing serious, and a phone shows it too", async ({ page }) => {
  await open(page, `${COURIERS}&compare-moments=2025-05-12&compare-moments=now`);
  await expect(graph(page, /Differences/)).toBeVisible();
  await expectNothingSerious(page);
  await open(page, `${PHONE}&as-of=2025-05-13`);
  await expectNothingSerious(page);
  await expectToFit(page);
});

test("a dataset among many is shown as of any of its writes", async ({ page }) => {
  const suppliers = "dataset=s3%3A%2F%2Flake%2Fstaging%2Fsuppliers_26";
  await page.goto(`${served().simulated}/view/time?${suppliers}`);
  const slider = page.getByRole("slider", { name: "As of" });
  await expect(slider).toBeEnabled();
  await slider.press("ArrowLeft");
  await slider.press("ArrowLeft");
  await expect(graph(page, /as of \d{4}-/)).toBeVisible();
  await pictures(page, "time-wide");
  await page
    .getByRole("link", { name: /^Compare / })
    .last()
    .click();
  await expect(graph(page, /Differences/)).toBeVisible();
});
