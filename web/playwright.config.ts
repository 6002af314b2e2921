import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// Debian's Chromium; another one by its path.
const CHROMIUM = process.env["HEADWATER_CHROMIUM"] ?? "/usr/bin/chromium";

// With the demo's addresses only its story is told; with Marquez's web app, only that is looked at; without, all the
// rest. The last two have servers of their own.
const demo = process.env["HEADWATER_DEMO"] !== undefined;
const apart = { "demo.e2e.ts": demo, "marquez.e2e.ts": process.env["HEADWATER_MARQUEZ"] !== undefined };
const [only] = Object.entries(apart).flatMap(([file, asked]) => (asked ? [file] : []));

export default defineConfig({
  testDir: "tests",
  testMatch: only ?? "*.e2e.ts",
  testIgnore: only ? [] : Object.keys(apart),
  ...(demo ? {} : { globalSetup: "./tests/served.ts" }),
  outputDir: "artefacts/runs",
  workers: 1,
  retries: 0,
  // Generous: a busy machine is no reason to fail.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(existsSync(CHROMIUM) ? { executablePath: CHROMIUM } : {}),
      args: ["--no-sandbox", "--disable-gpu"],
    },
    // A trace takes a picture of the page at each step, which is a third of the time: asked for to see why a test fails.
    trace: process.env["HEADWATER_TRACE"] === undefined ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
