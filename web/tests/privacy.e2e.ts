import { expect, type Page, test } from "@playwright/test";
import { expectNothingSerious, expectTableToFit, expectToFit, pictures } from "./looks";
import { served } from "./served";

async function open(page: Page, query = ""): Promise<void> {
  await page.goto(`${served().food}/view/privacy${query}`);
  await expect(page.getByRole("table")).toBeVisible();
}

function row(page: Page, of: string) {
  return page.getByRole("table").getByRole("row").filter({ hasText: of });
}

test("tagged columns are followed in the clear, possibly, masked and as a condition", async ({ page }) => {
  await open(page);
  await expect(row(page, "In the clear")).toContainText("exports/roster.phone");
  await expect(row(page, "Possibly")).toContainText("exports/crm.payload");
  await expect(row(page, "Only as a condition")).toContainText("exports/roster.name");
  const masked = row(page, "Masked").filter({ hasText: "sha2" });
  await expect(masked).toContainText("warehouse/couriers.phone");
  await expect(masked).toContainText("sha2(phone, 256)");
  await expect(masked.getByRole("link", { name: "couriers", exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Where tagged columns go" }).first()).toBeVisible();
  await expectTableToFit(page);
  await pictures(page, "privacy");
});

test("a way is lit from its row, and the address keeps it", async ({ page }) => {
  await open(page);
  await row(page, "Possibly").getByRole("button").click();
  await expect(row(page, "Possibly")).toHaveAttribute("aria-current", "true");
  await page.reload();
  await expect(row(page, "Possibly")).toHaveAttribute("aria-current", "true");
  await page.goBack();
  await expect(row(page, "Possibly")).not.toHaveAttribute("aria-current", "true");
});

test("a column is followed whatever its tags, as of any moment", async ({ page }) => {
  const email = "?dataset=file%2F%2Ffood%2Flanding%2Fcustomers&column=email";
  await open(page, email);
  await expect(row(page, "sha2(lower(email), 256)").first()).toContainText("Masked");
  await expect(row(page, "In the clear")).toHaveCount(1);
  await open(page, `${email}&as-of=2025-05-13`);
  await expect(row(page, "In the clear").filter({ hasText: "warehouse/customers.email" })).toHaveCount(1);
  await page.getByRole("link", { name: "All tagged columns", exact: true }).click();
  await expect(row(page, "exports/crm.payload")).toBeHidden();
});

test("a tag that nothing has says how to set one", async ({ page }) => {
  await open(page);
  await page.getByRole("textbox", { name: "Tag" }).fill("secret");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("No column has this tag.")).toBeVisible();
  expect(new URL(page.url()).searchParams.get("tag")).toBe("secret");
  await page.goBack();
  await expect(row(page, "In the clear")).toBeVisible();
});

test("axe finds nothing serious, and a phone shows it too", async ({ page }) => {
  await open(page);
  await expectNothingSerious(page);
  await expectToFit(page);
});
