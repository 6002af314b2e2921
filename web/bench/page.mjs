/**
 * Measures the page in a real browser, for benchmarks/bench_page.py: node page.mjs SERVER CENTRE SMALL EXPANSIONS.
 * What it saw is one line of JSON; times are milliseconds since the address was asked for.
 */

import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const [server, centre, small, expansions] = process.argv.slice(2);
const CHROMIUM = process.env.HEADWATER_CHROMIUM ?? "/usr/bin/chromium";
const PANNING_MS = 4_000;
const PATIENCE = 120_000;

const browser = await chromium.launch({
  ...(existsSync(CHROMIUM) ? { executablePath: CHROMIUM } : {}),
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const devtools = await page.context().newCDPSession(page);

function address(dataset, more) {
  return `${server}/view/lineage?${new URLSearchParams({ dataset, ...more })}`;
}

/** In the page: notes when so many boxes were painted first, and the most elements that there ever were. */
function watch() {
  const seen = { first: null, boxes: 0, whole: null, elements: 0, frames: 0 };
  window.seen = seen;
  let last = "";
  const look = () => {
    const drawn = document.querySelector(".lineage[data-drawn]");
    const boxes = drawn === null ? 0 : Number(drawn.getAttribute("data-drawn"));
    if (boxes > 0 && seen.first === null) {
      seen.first = performance.now();
      seen.boxes = boxes;
    }
    const waiting = document.querySelector(".lineage [role=status]")?.textContent?.includes("on their way") ?? true;
    if (boxes > 0 && !waiting && boxes === Number(drawn.getAttribute("data-boxes")) && seen.whole === null)
      seen.whole = performance.now();
    seen.elements = Math.max(seen.elements, document.getElementsByTagName("*").length);
    const moved = document.querySelector(".lineage .layer")?.style.transform ?? "";
    if (moved !== last) seen.frames++;
    last = moved;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function heap() {
  await devtools.send("HeapProfiler.collectGarbage");
  return (await devtools.send("Runtime.getHeapUsage")).usedSize / 1e6;
}

/** Frames a second in which the picture moved, while the mouse drags it to and fro. */
async function panning() {
  await page.mouse.move(640, 700);
  await page.mouse.down();
  const before = await page.evaluate(() => window.seen.frames);
  const started = Date.now();
  for (let step = 0; Date.now() - started < PANNING_MS; step++) {
    await page.mouse.move(640 + 300 * Math.sin(step / 12), 450 + 250 * Math.cos(step / 12));
  }
  const seconds = (Date.now() - started) / 1000;
  const frames = (await page.evaluate(() => window.seen.frames)) - before;
  await page.mouse.up();
  return frames / seconds;
}

async function drawn() {
  await page.waitForFunction(() => window.seen?.whole !== null, null, { timeout: PATIENCE });
}

await page.addInitScript(watch);
// Once unmeasured: a server that was asked before, and a browser that has the page's files.
await page.goto(address(small, { depth: "1" }));
await drawn();
await page.goto(address(centre, { depth: "all", limit: "10000" }));
await drawn();
const opened = await page.evaluate(() => ({ ...window.seen }));
const datasets = await page.evaluate(() => Number(document.querySelector(".lineage")?.getAttribute("data-drawn")));
const edges = await page.evaluate(() => document.querySelector(".lineage [role=status]")?.textContent ?? "");
const near = await panning();
await page.getByLabel("Fit all into view").click();
await page.waitForTimeout(500);
const far = await panning();
const { elements } = await page.evaluate(() => window.seen);

await page.goto(address(small, { depth: "1" }));
await drawn();
const heaps = {};
for (let count = 1; count <= Number(expansions); count++) {
  const more = page.locator('[aria-label^="Show what is"]');
  await more.nth(count % (await more.count())).click();
  await page.waitForFunction(
    () => document.querySelector(".lineage [role=status]")?.textContent?.includes("on their way") === false,
  );
  await page.goBack();
  await page.waitForFunction(() => !window.location.search.includes("expanded"));
  if (count === 20 || count === Number(expansions)) {
    await page.waitForTimeout(500);
    heaps[count] = await heap();
  }
}
console.log(
  JSON.stringify({
    first_ms: opened.first,
    first_boxes: opened.boxes,
    whole_ms: opened.whole,
    datasets,
    edges,
    near_fps: near,
    far_fps: far,
    elements: Math.max(elements, opened.elements),
    heap_after_20: heaps[20],
    heap_at_end: heaps[Number(expansions)],
  }),
);
await browser.close();
