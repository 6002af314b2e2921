/** Moments as the server counts them, microseconds since 1970, and as people and addresses write them: in UTC. */

const DAY_US = 86_400_000_000;

/** In an address, in place of a moment after which nothing has happened yet. */
export const NOW = "now";

/** `2025-05-14T06:05:00Z`, with as many digits behind the second as there is something to say. */
export function isoOf(us: number): string {
  const second = new Date(Math.floor(us / 1_000_000) * 1000).toISOString().slice(0, 19);
  const rest = mod(us, 1_000_000);
  return rest === 0 ? `${second}Z` : `${second}.${String(rest).padStart(6, "0").replace(/0+$/, "")}Z`;
}

/** The moment that a text names, as the server reads it: a date is its last moment, a time without a zone is in UTC. */
export function usOf(text: string): number | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const start = Date.parse(`${text}T00:00:00Z`);
    return Number.isNaN(start) ? null : start * 1000 + DAY_US - 1;
  }
  const found = /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,6})\d*)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(text);
  if (found === null) return null;
  const [, second = "", digits = "", zone = "Z"] = found;
  const ms = Date.parse(`${second.replace(" ", "T")}${zone}`);
  return Number.isNaN(ms) ? null : ms * 1000 + Number(digits.padEnd(6, "0"));
}

/** For people: `2025-05-14 06:05`, with seconds only where they are not zero. */
export function shown(us: number): string {
  const iso = isoOf(us);
  const seconds = iso.slice(16, 19);
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}${seconds === ":00" ? "" : seconds}`;
}

/** The same of a text that an address has; what is no moment stands as it is. */
export function shownText(text: string): string {
  if (text === NOW) return NOW;
  const us = usOf(text);
  return us === null || /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : shown(us);
}

function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
