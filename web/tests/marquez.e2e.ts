/**
 * Marquez's own web app, as it comes, in front of this server: every screen shows what the events say, and neither the
 * console nor the network has an error. scripts/marquez_web.py builds the app; tests/marquez_web_servers.py has the
 * events, the last of which happened a minute ago.
 */

import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { picture } from "./looks";
import { served } from "./served";

const HOUR = 3_600_000;
// What goes wrong in the app whatever is behind it: it loads fonts from elsewhere, and does not bring its own icons.
const ITS_OWN = [/fonts\.googleapis\.com/, /\/img\/(favicon\.png|icon\.svg)$/];

interface Named {
  readonly namespace: string;
  readonly name: string;
}

interface Graph {
  readonly graph: readonly { readonly id: string; readonly outEdges: readonly unknown[] }[];
}

const ORDERS = { namespace: "file", name: "/food/warehouse/orders_7_days" };
const CITIES = { namespace: "file", name: "/food/warehouse/revenue_by_city" };
const REVENUE = { namespace: "food_delivery", name: "revenue_by_city" };
const MENUS = { namespace: "food_delivery", name: "menus" };
const ROSTER = { namespace: "file", name: "/food/exports/roster" };

let problems: string[] = [];

test.beforeEach(({ page }) => {
  problems = [];
  const note = (text: string, place: string) => {
    if (!ITS_OWN.some((own) => own.test(place))) {
      problems.push(`${text} (${place})`);
    }
  };
  page.on("pageerror", (error) => note(error.message, "page"));
  page.on("console", (said) => {
    if (said.type() === "error") {
      note(said.text(), said.location().url);
    }
  });
  page.on("response", (answer) => {
    if (answer.status() >= 400) {
      note(`${answer.status()} ${answer.request().method()}`, answer.url());
    }
  });
});

test.afterEach(() => expect(problems).toEqual([]));

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${served().marquez}${path}`);
  await expect(page.locator("#searchBar")).toBeVisible();
}

/** The graph around a dataset or a job, with its details at the right. */
async function openNode(page: Page, kind: "dataset" | "job", { namespace, name }: Named): Promise<Locator> {
  const node = encodeURIComponent(`${kind}:${namespace}:${name}`);
  const path = [kind, namespace, name].map(encodeURIComponent).join("/");
  await open(page, `/lineage/${path}?tableLevelNode=${node}`);
  const details = page.locator(".MuiDrawer-paperAnchorRight");
  await expect(details.getByRole("button", { name: "Edit a Tag" })).toBeVisible();
  return details;
}

async function get<T>(page: Page, path: string): Promise<T> {
  const answer = await page.request.get(`${served().marquez}/api/v1${path}`);
  expect(answer.status(), path).toBe(200);
  return (await answer.json()) as T;
}

async function chooseNamespace(page: Page, name: string): Promise<void> {
  await page.locator("#namespace-select").click();
  await page.getByRole("option", { name, exact: true }).click();
}

/** How many events happened since as many hours ago. */
function between(hours: number): string {
  const [from, to] = [Date.now() - hours * HOUR, Date.now() + HOUR].map((at) => new Date(at).toISOString());
  return `dateFrom=${from}&dateTo=${to}`;
}

test("the dashboard counts what happened and lists the latest jobs first", async ({ page }) => {
  await open(page, "/");
  const names = page.getByText(/^(menus|large|running|aborted|failing|opaque)$/);
  await expect(names).toHaveText(["menus", "large", "running", "aborted", "failing", "opaque"]);
  await expect(page.getByText(/^[1-9]\d* EVENTS$/)).toBeVisible();
  await picture(page, "marquez-dashboard");
  await page.getByRole("button", { name: "7 Days" }).click();
  await expect(page.getByText("38 EVENTS")).toBeVisible();
  await picture(page, "marquez-dashboard-week");
  await page.getByLabel("FAILED").click();
  await expect(names).toHaveText(["failing"]);
  await page.getByRole("button", { name: "See More" }).click();
  await expect(page.locator(".MuiDrawer-paperAnchorRight").getByText("1 - 10 of 18")).toBeVisible();
});

test("jobs of a namespace, and a job with its runs", async ({ page }) => {
  await open(page, "/jobs");
  await chooseNamespace(page, "food_delivery");
  await expect(page.locator("tbody tr").first()).toContainText("menus");
  await expect(page.getByText("13 total")).toBeVisible();
  await picture(page, "marquez-jobs");
  await page.getByRole("link", { name: "revenue_by_city" }).click();
  await expect(page.locator("svg").getByText("revenue_by_city").first()).toBeVisible();

  const details = await openNode(page, "job", REVENUE);
  await expect(details.getByText("COMPLETED")).toBeVisible();
  await expect(details.getByText("RUN FACETS")).toBeVisible();
  await expect(details.getByText("daily", { exact: true })).toBeVisible();
  await picture(page, "marquez-job");
  await details.getByRole("tab", { name: "Run History" }).click();
  await expect(details.locator("tbody tr")).toHaveCount(3);
  await details.locator("tbody tr").first().getByText("COMPLETED").click();
  await expect(details.getByText("RUN FACETS")).toBeVisible();
  await picture(page, "marquez-run");
});

test("a job that runs, one that was only declared, and one that is only a parent", async ({ page }) => {
  for (const [name, shows] of [
    ["running", "RUNNING"],
    ["declared", "N/A"],
    ["daily", "N/A"],
  ] as const) {
    const details = await openNode(page, "job", { namespace: "food_delivery", name });
    await expect(details.getByText(shows).first()).toBeVisible();
  }
});

test("datasets of a namespace, and a dataset with its versions and the tags of its fields", async ({ page }) => {
  await open(page, "/datasets");
  await chooseNamespace(page, "file");
  await expect(page.getByText("16 total")).toBeVisible();
  await expect(page.getByText("UNHEALTHY")).toBeVisible();
  await picture(page, "marquez-datasets");
  await page.getByRole("link", { name: ORDERS.name }).first().click();
  await expect(page.locator("svg").getByText("orders_7_days").first()).toBeVisible();

  const details = await openNode(page, "dataset", ORDERS);
  await expect(details.getByText("3 columns")).toBeVisible();
  await expect(details.locator("tbody tr")).toHaveCount(3);
  await picture(page, "marquez-dataset");
  await details.getByRole("tab", { name: "Version History" }).click();
  await expect(details.locator("tbody tr")).toHaveCount(3);
  await expect(details.locator("tbody tr").first()).toContainText("OVERWRITE");
  await details.locator("tbody tr").first().getByText("OVERWRITE").click();
  await expect(details.getByText("amount")).toBeVisible();
  await picture(page, "marquez-version");

  const tagged = await openNode(page, "dataset", { namespace: "file", name: "/food/landing/couriers" });
  await tagged.getByLabel("toggle show tags").click();
  await expect(tagged.getByText("PII")).toBeVisible();
  await picture(page, "marquez-field-tags");
});

test("names that break what is not careful", async ({ page }) => {
  await open(page, "/datasets");
  await chooseNamespace(page, "file");
  await page.getByRole("link", { name: "<img src=x onerror=alert(1)>" }).first().click();
  await expect(page.locator("svg").getByText("<img src=x").first()).toBeVisible();
  const details = await openNode(page, "dataset", { namespace: "file", name: "/سوق/الطلبات" });
  await expect(details.getByText("2 columns")).toBeVisible();
});

test("the lineage of tables, near and far, folded and whole", async ({ page }) => {
  const path = ["dataset", CITIES.namespace, CITIES.name].map(encodeURIComponent).join("/");
  await open(page, `/lineage/${path}`);
  const drawn = page.locator("svg");
  // Each is drawn twice: the corner has a small map.
  await expect(drawn.getByText("JOB", { exact: true })).toHaveCount(2 * 3);
  await picture(page, "marquez-tables");
  await page.getByLabel("Full Graph").click();
  await page.getByLabel("Compact Nodes").click();
  await expect(drawn.getByText("- revenue")).toHaveCount(0);
  await page.getByLabel("Depth").fill("0");
  await expect(drawn.getByText("JOB", { exact: true })).toHaveCount(2);
  await drawn.getByText("revenue_by_city", { exact: true }).last().click();
  await expect(page.locator(".MuiDrawer-paperAnchorRight")).toBeVisible();
});

test("the lineage of columns has the edges that pass values on, and no others", async ({ page }) => {
  const node = encodeURIComponent(`dataset:${CITIES.namespace}:${CITIES.name}`);
  const { graph } = await get<Graph>(page, `/column-lineage?nodeId=${node}&depth=2&withDownstream=true`);
  expect(graph.flatMap((column) => column.outEdges)).toHaveLength(7);
  const path = [CITIES.namespace, CITIES.name].map(encodeURIComponent).join("/");
  await open(page, `/datasets/column-level/${path}`);
  const drawn = page.locator("svg");
  for (const column of ["revenue", "guests", "amount", "quantity", "price"]) {
    await expect(drawn.getByText(column, { exact: true }).first()).toBeVisible();
  }
  for (const column of ["placed_on", "menu_id", "customer_id"]) {
    await expect(drawn.getByText(column, { exact: true })).toHaveCount(0);
  }
  await picture(page, "marquez-columns");
  await drawn.getByText("amount", { exact: true }).last().click();
  const details = page.locator(".MuiDrawer-paperAnchorRight");
  await expect(details.getByText("order_id").first()).toBeVisible();
  await picture(page, "marquez-columns-details");
  await page.keyboard.press("Escape");
  await page.getByLabel("Depth").fill("1");
  await expect(drawn.getByText("quantity", { exact: true })).toHaveCount(0);
});

test("events of today and of days, opened and saved", async ({ page }) => {
  await open(page, "/events");
  await expect(page.getByText(/^[1-9]\d* total$/)).toBeVisible();
  await open(page, `/events?${between(72)}`);
  // Events about jobs and datasets themselves are not there: they have no run.
  await expect(page.getByText("38 total")).toBeVisible();
  await page.locator("tbody tr").filter({ hasText: "menus" }).click();
  await expect(page.getByText("eventType").first()).toBeVisible();
  await picture(page, "marquez-events");
  await page.locator("tbody tr").filter({ hasText: "large" }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download payload" }).click();
  const file = await (await saving).path();
  expect(JSON.parse(await readFile(file, "utf-8")).job).toEqual({ namespace: "food_delivery", name: "large" });
  await page.getByLabel("Refresh").click();
  await expect(page.getByText("38 total")).toBeVisible();
});

test("search finds jobs and datasets by a part of their names", async ({ page }) => {
  await open(page, "/");
  await page.locator("#searchBar").fill("revenue");
  const found = page.locator("#searchContainer");
  await expect(found.getByText("revenue_by_city", { exact: true }).first()).toBeVisible();
  await picture(page, "marquez-search");
  await found.getByText("DATASETS", { exact: true }).click();
  await found.getByText("Name", { exact: true }).click();
  await found.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/lineage\/dataset\//i);
});

test("tags are described, given and taken away", async ({ page }) => {
  let details = await openNode(page, "dataset", ORDERS);
  await details.getByRole("button", { name: "Edit a Tag" }).click();
  await page.getByPlaceholder("Search for a Tag").fill("GOLD");
  await page.locator("#tag-description").fill("what finance counts");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("Tag updated.")).toBeVisible();
  await expect
    .poll(() => get<unknown>(page, "/tags"))
    .toMatchObject({ tags: expect.arrayContaining([{ name: "GOLD", description: "what finance counts" }]) });

  for (const [kind, node, path] of [
    ["dataset", ORDERS, "datasets"],
    ["job", REVENUE, "jobs"],
  ] as const) {
    details = await openNode(page, kind, node);
    await details.getByPlaceholder("Search Tags").click();
    // PII came with an event, GOLD from this app.
    await details.getByRole("option", { name: "PII" }).filter({ hasText: /^PII$/ }).click();
    await details.getByRole("option", { name: "GOLD" }).click();
    const at = `/namespaces/${encodeURIComponent(node.namespace)}/${path}/${encodeURIComponent(node.name)}`;
    await expect.poll(async () => (await get<{ tags: string[] }>(page, at)).tags).toEqual(["GOLD", "PII"]);
    await picture(page, `marquez-tags-of-a-${kind}`);
    await details.locator(".MuiChip-deleteIcon").first().click();
    await expect.poll(async () => (await get<{ tags: string[] }>(page, at)).tags).toHaveLength(1);
  }
});

test("what was deleted is gone, and the events are still shown", async ({ page }) => {
  let details = await openNode(page, "dataset", ROSTER);
  await details.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/datasets$/);
  details = await openNode(page, "job", MENUS);
  await details.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);

  await open(page, "/jobs");
  await chooseNamespace(page, "food_delivery");
  await expect(page.getByText("12 total")).toBeVisible();
  await open(page, "/datasets");
  await chooseNamespace(page, "file");
  await expect(page.getByText("15 total")).toBeVisible();
  await open(page, `/events?${between(72)}`);
  await expect(page.getByText("38 total")).toBeVisible();
  await expect(page.locator("tbody tr").first()).toContainText("menus");
  await picture(page, "marquez-events-after-deletion");
});
