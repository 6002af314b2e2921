/** Moments and durations in words; moments are in UTC, as the server's are. */

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `2025-05-14 06:35:00` of microseconds since 1970. */
export function momentText(us: number): string {
  return new Date(us / 1000).toISOString().slice(0, 19).replace("T", " ");
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
