/** Starts the servers of tests/page_servers.py before all tests, and ends them after; their addresses are in the environment. */

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
  readonly token: string;
}

const VARIABLE = "HEADWATER_SERVED";

export function served(): Served {
  return JSON.parse(process.env[VARIABLE] ?? "{}") as Served;
}

export default async function setup(): Promise<() => Promise<void>> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const python = process.env["HEADWATER_PYTHON"] ?? `${root}.venv/bin/python`;
  const child = spawn(python, ["-m", "tests.page_servers"], {
    cwd: root,
    env: { ...process.env, PYTHONPATH: `${root}src:${root}` },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  process.env[VARIABLE] = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`tests/page_servers.py ended with ${code}`)));
  });
  return async () => {
    child.stdin.end();
    await ended;
  };
}
