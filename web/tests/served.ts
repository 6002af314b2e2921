/**
 * Starts the servers of tests/page_servers.py before all tests, and ends them after; their addresses are in the
 * environment. For Marquez's web app, those of tests/marquez_web_servers.py.
 */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Served {
  /** Three days of a food-delivery warehouse, and some odd names. */
  readonly food: string;
  /** Sixty tables, simulated. */
  readonly simulated: string;
  /** A table of 2,000 columns among 500 others. */
  readonly large: string;
  /** The food-delivery warehouse behind a token. */
  readonly guarded: string;
  readonly empty: string;
  /** Marquez's web app in front of another warehouse; the only one there is where that app is looked at. */
  readonly marquez: string;
  readonly token: string;
}

const VARIABLE = "HEADWATER_SERVED";

export function served(): Served {
  return JSON.parse(process.env[VARIABLE] ?? "{}") as Served;
}

export default async function setup(): Promise<() => Promise<void>> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const python = process.env["HEADWATER_PYTHON"] ?? `${root}.venv/bin/python`;
  const module = process.env["HEADWATER_MARQUEZ"] === undefined ? "tests.page_servers" : "tests.marquez_web_servers";
  const child = spawn(python, ["-m", module], {
    cwd: root,
    env: { ...process.env, PYTHONPATH: `${root}src:${root}` },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  process.env[VARIABLE] = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`${module} ended with ${code}`)));
  });
  return async () => {
    child.stdin.end();
    await ended;
  };
}
