// Completes package-lock.json: a registry without the packages of other platforms leaves them out, and `npm ci` then
// refuses the file. Their names contain their platforms. Also removes addresses, which differ from place to place.
import { readFileSync, writeFileSync } from "node:fs";

const OS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const CPU = ["arm64", "arm", "x64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32"];

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const [place, found] of Object.entries(lock.packages)) {
  delete found.funding;
  delete found.resolved;
  for (const [name, version] of Object.entries(found.optionalDependencies ?? {})) {
    const parts = name.split(/[-/]/);
    const os = OS.filter((one) => parts.includes(one));
    const cpu = CPU.filter((one) => parts.includes(one));
    const known = lock.packages[`node_modules/${name}`] ?? lock.packages[`${place}/node_modules/${name}`];
    if (known || cpu.length + os.length === 0) continue;
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[\^~]/, ""),
      ...(cpu.length > 0 ? { cpu } : {}),
      ...(found.dev ? { dev: true } : {}),
      ...(parts.includes("musl") ? { libc: ["musl"] } : {}),
      optional: true,
      ...(os.length > 0 ? { os } : {}),
    };
  }
}
const [root, ...others] = Object.entries(lock.packages);
lock.packages = Object.fromEntries([root, ...others.sort(([one], [other]) => (one < other ? -1 : 1))]);
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
