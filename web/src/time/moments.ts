/** The moments that one can look at: when the dataset was written, and when the lineage of the column changed. */

import type { AnswerTo } from "../api/client";
import { isoOf, usOf } from "../model/time";

export type Version = AnswerTo<"versions">["versions"][number];
export type Change = AnswerTo<"history">["changes"][number];

export interface Moment {
  readonly us: number;
  /** As an address names it. */
  readonly at: string;
  readonly versions: readonly Version[];
  /** What changed in the column then; nothing, if it was only written again. */
  readonly changes: readonly Change[];
}

/** All moments of some versions and changes, the oldest first. */
export function momentsOf(versions: readonly Version[], changes: readonly Change[]): Moment[] {
  const times = new Set([...versions.map((one) => one.us), ...changes.map((one) => one.us)]);
  return [...times]
    .sort((one, other) => one - other)
    .map((us) => ({
      us,
      at: isoOf(us),
      versions: versions.filter((one) => one.us === us),
      changes: changes.filter((one) => one.us === us),
    }));
}

/** Where the last of the moments up to the one named stands; all there are for now, -1 before the first. */
export function placeOf(moments: readonly Moment[], at: string | null): number {
  const us = at === null ? null : usOf(at);
  return us === null ? moments.length : moments.findLastIndex((one) => one.us <= us);
}

/** The moments that a play-through stops at: the changes of the column, or each write where no column is looked at. */
export function stopsOf(moments: readonly Moment[], ofColumn: boolean): Moment[] {
  return ofColumn ? moments.filter((one) => one.changes.length > 0) : [...moments];
}

/** The stop after, or before, the moment looked at; null where there is none. Now comes after all of them. */
export function stopBeside(stops: readonly Moment[], at: string | null, step: 1 | -1): Moment | null {
  const us = at === null ? Number.POSITIVE_INFINITY : (usOf(at) ?? Number.POSITIVE_INFINITY);
  return (step === 1 ? stops.find((one) => one.us > us) : stops.findLast((one) => one.us < us)) ?? null;
}
