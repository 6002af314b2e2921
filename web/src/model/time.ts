/** Moments as the server counts them, microseconds since 1970, and as people and addresses write them, in UTC; durations. */

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** In an address, replaces a moment after which nothing has happened yet. */
export const NOW = "now";

/** `2025-05-14T06:05:00Z`, with as many decimals of the second as needed. */
export function isoOf(us: number): string {
  const second = new Date(Math.floor(us / 1_000_000) * 1000).toISOString().slice(0, 19);
  const rest = mod(us, 1_000_000);
  return rest === 0 ? `${second}Z` : `${second}.${String(rest).padStart(6, "0").replace(/0+$/, "")}Z`;
}

/** The moment that a text means, as the server reads it: a date is its last moment, a time without a zone is in UTC. */
export function usOf(text: string): number | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const start = Date.parse(`${text}T00:00:00Z`);
    return Number.isNaN(start) ? null : start * 1000 + DAY - 1;
  }
  const match = /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,6})\d*)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(text);
  if (match === null) return null;
  const [, second = "", digits = "", zone = "Z"] = match;
  const ms = Date.parse(`${second.replace(" ", "T")}${zone}`);
  return Number.isNaN(ms) ? null : ms * 1000 + Number(digits.padEnd(6, "0"));
}

/** For people: `2025-05-14 06:05`, with seconds only where they are not zero. */
export function momentText(us: number): string {
  const iso = isoOf(us);
  const seconds = iso.slice(16, 19);
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}${seconds === ":00" ? "" : seconds}`;
}

/** The same for a text from an address; a text that is not a moment stays unchanged. */
export function momentWords(text: string): string {
  if (text === NOW) return NOW;
  const us = usOf(text);
  return us === null || /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : momentText(us);
}

function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** A duration in its two largest units: `1.5 s`, `2 min 5 s`, `3 h 20 min`. */
export function durationText(us: number): string {
  if (us < 0) return "–";
  if (us < SECOND) return `${Math.round(us / 1000)} ms`;
  if (us < 10 * SECOND) return `${(us / SECOND).toFixed(1)} s`;
  if (us < MINUTE) return `${Math.round(us / SECOND)} s`;
  if (us < HOUR) return two(us, MINUTE, "min", SECOND, "s");
  if (us < DAY) return two(us, HOUR, "h", MINUTE, "min");
  return two(us, DAY, "d", HOUR, "h");
}

function two(us: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((us % large) / small);
  return `${Math.floor(us / large)} ${largeName}${rest > 0 ? ` ${rest} ${smallName}` : ""}`;
}
