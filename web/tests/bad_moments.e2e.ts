import { expect, test } from "@playwright/test";
import { at, expectNothingSerious, expectToFit, picture, pictures } from "./looks";
import { served } from "./served";

const QUESTIONS = "**/api/v1/questions/**";
const DETAILS = { details: { of: "job", job: "food_delivery/customers" } } as const;

test("an unreachable server is reported in place, the picture stays, and trying again helps", async ({
  page,
  context,
}) => {
  await page.goto(served().food);
  const runs = page.getByRole("table", { name: "Recent runs" });
  await expect(runs).toBeVisible();
  await context.setOffline(true);
  await runs.getByRole("link").first().click();
  const trouble = page.getByRole("alert");
  await expect(trouble).toContainText("Cannot reach the server");
  await expect(runs).toBeVisible();
  await picture(page, "gone");
  await expectNothingSerious(page);
  await context.setOffline(false);
  await trouble.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("complementary")).toContainText("Started");
  await expect(trouble).toHaveCount(0);
});

for (const [status, heading] of [
  [500, "The server failed"],
  [429, "The server is busy"],
  [503, "The server is busy"],
  [504, "The server is taking too long"],
  [403, "Not allowed"],
] as const) {
  test(`${status} is shown with its message, and trying again repeats the request`, async ({ page }) => {
    await page.route(QUESTIONS, (route) =>
      route.fulfill({ status, headers: { "Retry-After": "60" }, json: { code: status, message: "<b>Because.</b>" } }),
    );
    await page.goto(at(served().food, DETAILS));
    const trouble = page.getByRole("complementary").getByRole("alert");
    await expect(trouble).toContainText(heading);
    await expect(trouble).toContainText("<b>Because.</b>");
    await page.unroute(QUESTIONS);
    await trouble.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("complementary")).toContainText("Runs");
  });
}

test("a part of the page that fails to load is reported in place, and trying again loads it", async ({ page }) => {
  const part = "**/lineage_view-*.js";
  await page.route(part, (route) => route.abort());
  await page.goto(at(served().food, { view: "lineage", dataset: "warehouse/customers" }));
  const trouble = page.getByRole("alert");
  await expect(trouble).toContainText("Could not load this view");
  await page.unroute(part);
  await trouble.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator(".lineage[data-drawn]")).toBeVisible();
  await expect(trouble).toHaveCount(0);
  // The address that was typed short says the whole name from then on.
  await expect(page).toHaveURL(/dataset=file%2F%2Ffood%2Fwarehouse%2Fcustomers/);
});

test("a request to a briefly busy server is retried automatically", async ({ page }) => {
  let requests = 0;
  await page.route("**/questions/stats", (route) =>
    requests++ === 0
      ? route.fulfill({ status: 503, headers: { "Retry-After": "1" }, json: { code: 503, message: "Busy." } })
      : route.continue(),
  );
  await page.goto(served().food);
  await expect(page.getByText("column edges now")).toBeVisible();
  expect(requests).toBe(2);
});

test("a slow answer is reported as slow", async ({ page }) => {
  await page.route("**/questions/stats", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 4500));
    await route.continue().catch(() => undefined);
  });
  await page.goto(served().food);
  await expect(page.getByText("Still waiting for the server…")).toBeVisible();
  await expect(page.getByText("column edges now")).toBeVisible();
});

test("a proxy's answer that is not JSON is a fault, nothing worse", async ({ page }) => {
  await page.route(QUESTIONS, (route) => route.fulfill({ status: 502, body: "<html>Bad gateway</html>" }));
  await page.goto(served().food);
  await expect(page.getByRole("alert").first()).toContainText("The server answered with 502.");
});

test("an unknown name is reported, with the nearest ones", async ({ page }) => {
  await page.goto(at(served().food, { view: "lineage", dataset: "revenue_by_cty" }));
  await expect(page.getByRole("alert")).toContainText("file//food/warehouse/revenue_by_city");
  await page
    .getByRole("alert")
    .getByRole("link", { name: /revenue_by_city/ })
    .click();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a server that wants a token is given one, which lasts for the tab and is in no address", async ({ page }) => {
  await page.goto(served().guarded);
  const trouble = page.getByRole("alert");
  await expect(trouble).toContainText("The server requires a token");
  await pictures(page, "token");
  await expectNothingSerious(page);
  await trouble.getByLabel("Token").fill("hw_not_one");
  await trouble.getByRole("button", { name: "Use token" }).click();
  await expect(page.getByRole("alert")).toContainText("unknown or revoked");
  await page.getByLabel("Token").fill(served().token);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table", { name: "Recent runs" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("table", { name: "Recent runs" })).toBeVisible();
  expect(page.url()).not.toContain("hw_");
});

test("long names, names from right to left and markup are text, and fit", async ({ page }) => {
  let dialogs = 0;
  page.on("dialog", (dialog) => {
    dialogs++;
    return dialog.dismiss();
  });
  await page.goto(served().food);
  await expect(page.getByRole("link", { name: "job <img src=x onerror=alert(1)>" }).first()).toBeVisible();
  await expect(page.getByText("الطلبات").first()).toBeVisible();
  await pictures(page, "odd-overview");
  await expectToFit(page);
  for (const name of ["<img src=x onerror=alert(1)>", "/سوق/الطلبات"]) {
    await page.goto(at(served().food, { details: { of: "dataset", dataset: `file/${name}` } }));
    await expect(page.getByRole("complementary")).toContainText("<script>alert('x')</script>");
    await expect(page.getByRole("complementary")).toContainText("مبلغ");
    await expectToFit(page);
  }
  await picture(page, "odd-details");
  await page.keyboard.press("/");
  await page.keyboard.type("never ends");
  await expect(page.getByRole("option").first()).toBeVisible();
  await picture(page, "odd-find");
  await expectToFit(page);
  expect(dialogs).toBe(0);
});
