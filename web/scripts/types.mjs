// Writes src/api/schema.d.ts from the server's OpenAPI document; with --check, says whether it is out of date.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));
const target = fileURLToPath(new URL("../src/api/schema.d.ts", import.meta.url));
const python = process.env.HEADWATER_PYTHON ?? `${root}.venv/bin/python`;

const document = execFileSync(python, [`${root}scripts/openapi.py`], {
  env: { ...process.env, PYTHONPATH: `${root}src` },
  maxBuffer: 1 << 26,
});
const types = await openapiTS(document, { alphabetize: true, defaultNonNullable: false });
const text = `// Made by \`npm run types\` from the server's OpenAPI document. Do not edit.\n\n${astToString(types)}`;
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== text) {
    console.error("src/api/schema.d.ts is out of date: run `npm run types`.");
    process.exit(1);
  }
} else {
  writeFileSync(target, text);
}
