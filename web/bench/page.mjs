/**
 * Measures the page in a real browser, for benchmarks/bench_page.py: node page.mjs SERVER CENTRE SMALL WARM EXPANSIONS.
 * It prints one line of JSON; times are milliseconds since the address was requested.
 */

import { chromium } from "@playwright/test";

const [server, centre, small, warm, expansions] = process.argv.slice(2);
const PANNING_MS = 4_000;
const PATIENCE = 120_000;
const STEPS_OUT = 5;
/** The step from one choice to the next: a prime, so that most walks visit all of them. */
const STRIDE = 7;

const browser = await chromium.launch({
  executablePath: process.env.HEADWATER_CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.setDefaultTimeout(PATIENCE);
const devtools = await page.context().newCDPSession(page);

function address(dataset, more) {
  return `${server}/view/lineage?${new URLSearchParams({ dataset, ...more })}`;
}

/** In the page: when a picture was on the screen, how long nothing moved, and the maximum number of elements. */
function watch() {
  const seen = { first: null, boxes: 0, whole: null, elements: 0, frames: 0, blocked: 0 };
  window.seen = seen;
  let moved = "";
  let before = performance.now();
  // A scene is painted in the frame after it arrives; in the frame after that, it is on the screen.
  const once = (note) => requestAnimationFrame(() => requestAnimationFrame(note));
  const look = () => {
    const now = performance.now();
    if (seen.whole === null) seen.blocked = Math.max(seen.blocked, now - before);
    before = now;
    const drawn = document.querySelector(".lineage[data-drawn]");
    const boxes = Number(drawn?.getAttribute("data-drawn") ?? 0);
    if (boxes > 0 && seen.boxes === 0) {
      seen.boxes = boxes;
      once(() => {
        seen.first = performance.now();
      });
    }
    const waiting = document.querySelector(".lineage [role=status]")?.textContent?.includes("on their way") ?? true;
    if (boxes > 0 && !waiting && boxes === Number(drawn.getAttribute("data-boxes")) && seen.whole === null) {
      once(() => {
        seen.whole ??= performance.now();
      });
    }
    seen.elements = Math.max(seen.elements, document.getElementsByTagName("*").length);
    const layer = document.querySelector(".lineage .layer")?.style.transform ?? "";
    if (layer !== moved) seen.frames++;
    moved = layer;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * What is alive: megabytes of the page's own objects, the nodes of its documents, including detached ones, and megabytes
 * of the whole heap. The heap includes the machine code of functions, which the browser keeps generating for hundreds of
 * expansions, and what it records about requests for the developer tools.
 */
async function memory() {
  for (let time = 0; time < 2; time++) await devtools.send("HeapProfiler.collectGarbage");
  const chunks = [];
  const take = ({ chunk }) => chunks.push(chunk);
  devtools.on("HeapProfiler.addHeapSnapshotChunk", take);
  await devtools.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  devtools.off("HeapProfiler.addHeapSnapshotChunk", take);
  const { snapshot, nodes } = JSON.parse(chunks.join(""));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf("type"), fields.indexOf("self_size")];
  let objects = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (!["code", "native"].includes(types[0][nodes[at + type]])) objects += nodes[at + size];
  }
  const heap = (await devtools.send("Runtime.getHeapUsage")).usedSize;
  return { objects: objects / 1e6, nodes: (await devtools.send("Memory.getDOMCounters")).nodes, heap: heap / 1e6 };
}

function seen() {
  return page.evaluate(() => ({ ...window.seen }));
}

/** Frames per second in which the picture moved, while the mouse drags it back and forth, beyond what is painted. */
async function panning() {
  await page.mouse.move(640, 700);
  await page.mouse.down();
  const before = (await seen()).frames;
  const started = Date.now();
  for (let step = 0; Date.now() - started < PANNING_MS; step++) {
    await page.mouse.move(640 + 500 * Math.sin(step / 12), 450 + 300 * Math.cos(step / 12));
  }
  const seconds = (Date.now() - started) / 1000;
  const { frames } = await seen();
  await page.mouse.up();
  return (frames - before) / seconds;
}

async function drawn() {
  await page.waitForFunction(() => window.seen?.whole !== null && window.seen?.whole !== undefined);
}

const status = () => page.locator(".lineage [role=status]").textContent();

await page.addInitScript(watch);
// Once unmeasured, to warm up the server and the browser's cache.
await page.goto(address(small, { depth: "1" }));
await drawn();

await page.goto(address(centre, { depth: "all", limit: "10000" }));
await drawn();
const opened = await seen();
const near = await panning();
await page.waitForTimeout(500);
const nearBoxes = await page.locator("article.box").count();
await page.getByLabel("Fit all into view").click();
await page.waitForTimeout(500);
const far = await panning();
// From afar to as near as possible: boxes become elements on the way.
await page.mouse.move(640, 450);
for (let step = 0; step < 40; step++) {
  await page.mouse.wheel(0, -120);
  await page.waitForTimeout(150);
}
const { elements } = await seen();
const whole = await status();

await page.goto(address(small, { depth: "1" }));
await drawn();
const start = await status();
const measured = {};
const expanded = new Set();
/** What can be expanded: on boxes that are in view and not covered. */
function choices() {
  return page.locator('[aria-label^="Show what is"]').evaluateAll((all) =>
    all
      .filter((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        return button === document.elementFromPoint(left + width / 2, top + height / 2);
      })
      .map((button) => [button.closest("article")?.dataset.box, button.getAttribute("aria-label")]),
  );
}
const settled = () =>
  page.waitForFunction(() => {
    const graph = document.querySelector(".lineage[data-drawn]");
    const now = graph?.querySelector("[role=status]")?.textContent ?? "on their way";
    return !now.includes("on their way") && graph?.getAttribute("data-drawn") === graph?.getAttribute("data-boxes");
  });
let out = 0;
async function home() {
  for (; out > 0; out--) await page.goBack();
  await page.waitForFunction(
    (before) => document.querySelector(".lineage [role=status]")?.textContent === before,
    start,
  );
  await settled();
  await page.getByLabel("Fit all into view").click();
  await page.waitForTimeout(500);
}
// A walk goes some steps out and all the way back; it turns earlier if there are so many boxes that none is an element.
for (let count = 1; count <= Number(expansions); count++) {
  if (out === STEPS_OUT || (await choices()).length === 0) await home();
  const all = await choices();
  const [box, label] = all[(count * STRIDE) % all.length];
  await page.locator(`article[data-box="${box}"]`).getByLabel(label, { exact: true }).click();
  out++;
  await settled();
  await page.waitForTimeout(150);
  expanded.add(`${box} ${label}`);
  if (count === Number(warm) || count === Number(expansions)) {
    await home();
    measured[count] = await memory();
  }
}
console.log(
  JSON.stringify({
    first_ms: opened.first,
    first_boxes: opened.boxes,
    whole_ms: opened.whole,
    blocked_ms: opened.blocked,
    drawn: whole,
    near_fps: near,
    near_boxes: nearBoxes,
    far_fps: far,
    elements,
    expanded: expanded.size,
    when_warm: measured[Number(warm)],
    at_end: measured[Number(expansions)],
  }),
);
await browser.close();
