/** The story that `headwater demo` tells, at the addresses that it ends with; docs/pictures are taken here. */

import { expect, type Page, test } from "@playwright/test";
import { lit, picture } from "./looks";

type Place = "all" | "lineage" | "time" | "impact" | "privacy";
const places = JSON.parse(process.env["HEADWATER_DEMO"] ?? "{}") as Record<Place, string>;

async function open(page: Page, place: Place): Promise<void> {
  await page.goto(places[place]);
  await expect(page.getByRole("main")).toBeVisible();
}

async function drawn(page: Page): Promise<void> {
  await expect(page.locator(".lineage[data-drawn]")).toBeVisible();
  await expect(page.getByText("loading more")).toHaveCount(0);
}

/** As `folder/table.column`: where the demo's folder is does not matter. */
function short(names: readonly string[]): string[] {
  return names.map((name) => name.split("/").slice(-2).join("/")).sort();
}

test("the first screen counts three days of a warehouse, all of it with column lineage", async ({ page }) => {
  await open(page, "all");
  await expect(page.getByText("100 % of written datasets have column lineage")).toBeVisible();
  await expect(page.getByText("No recent failures.")).toBeVisible();
  await picture(page, "overview");
});

test("the delivery time's path is lit up to its source", async ({ page }) => {
  await open(page, "lineage");
  await drawn(page);
  await expect
    .poll(async () => short(await lit(page)))
    .toEqual([
      "landing/order_status.transitioned_at",
      "warehouse/delivery_7_days.order_delivered_on",
      "warehouse/delivery_7_days.order_dispatched_on",
      "warehouse/order_status.delivered_on",
      "warehouse/order_status.dispatched_on",
      "warehouse/top_delivery_times.order_delivery_time",
    ]);
  await picture(page, "lineage");
});

test("on the third day the delivery time is counted from another moment, by another expression", async ({ page }) => {
  await open(page, "time");
  await drawn(page);
  const differs = page.getByRole("complementary", { name: "Changes and versions" });
  const changed = differs.locator("li[data-mark=changed]");
  await expect(changed).toContainText("timestampdiff(MINUTE, order_placed_on");
  await expect(changed).toContainText("round(timestampdiff(SECOND, order_dispatched_on");
  await expect(differs.getByRole("listitem").filter({ hasText: "Added" }).first()).toContainText("order_dispatched_on");
  await expect(differs.getByRole("listitem").filter({ hasText: "Removed" }).first()).toContainText("order_placed_on");
  await picture(page, "time");
});

test("a change of the moment at which an order was placed reaches the columns that the demo names", async ({
  page,
}) => {
  await open(page, "impact");
  await drawn(page);
  await expect(page.getByText(/^Reaches/)).toContainText("22 columns in 5 datasets");
  await expect(page.getByRole("table")).toContainText("top_delivery_times");
  await expect(page.locator(".lit-list")).toContainText("23 columns in 6 datasets");
  await picture(page, "impact");
});

test("the e-mail address is in the clear in the newsletter, and hashed wherever else it went", async ({ page }) => {
  await open(page, "privacy");
  await drawn(page);
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows.filter({ hasText: "In the clear" })).toContainText(["newsletter.mail_host", "newsletter.send_to"]);
  const masked = rows.filter({ hasText: "Masked" }).filter({ hasText: "sha2(lower(email), 256)" });
  await expect(masked).toContainText(["customers.email", "delivery_7_days.customer_email", "revenue_by_city.guests"]);
  await picture(page, "privacy");
});
