/** The moments to choose from: when the dataset was written, and when the lineage of the column changed. */

import type { AnswerTo } from "../api/client";
import { isoOf, usOf } from "../model/time";

export type Version = AnswerTo<"versions">["versions"][number];
export type Change = AnswerTo<"history">["changes"][number];

export interface Moment {
  readonly us: number;
  /** As it is written in an address. */
  readonly at: string;
  readonly versions: readonly Version[];
  /** What changed in the column then; empty if it was only written again. */
  readonly changes: readonly Change[];
}

/** All moments of some versions and changes, oldest first. */
export function momentsOf(versions: readonly Version[], changes: readonly Change[]): Moment[] {
  const times = new Set([...versions.map((version) => version.us), ...changes.map((change) => change.us)]);
  return [...times]
    .sort((time, other) => time - other)
    .map((us) => ({
      us,
      at: isoOf(us),
      versions: versions.filter((version) => version.us === us),
      changes: changes.filter((change) => change.us === us),
    }));
}

/** What became of columns themselves at a moment, in words. */
export function turnsOf(changes: readonly Change[]): string[] {
  return changes.flatMap(({ happened, before, after, by }) => {
    const byJob = by?.job ? ` by ${by.job.name}` : "";
    if (happened === "added") return [`${after} was added${byJob}.`];
    if (happened === "dropped") return [`${before} was dropped${byJob}.`];
    return happened === "renamed" ? [`${before} was renamed to ${after}${byJob}.`] : [];
  });
}

/** The index of the last moment up to the given one; the number of moments for now, -1 before the first. */
export function placeOf(moments: readonly Moment[], at: string | null): number {
  const us = at === null ? null : usOf(at);
  return us === null ? moments.length : moments.findLastIndex((moment) => moment.us <= us);
}

/** The stops of a play-through: the changes of the column or, without a column, each write. */
export function stopsOf(moments: readonly Moment[], ofColumn: boolean): Moment[] {
  return ofColumn ? moments.filter((moment) => moment.changes.length > 0) : [...moments];
}

/** The stop after, or before, the selected moment; null if there is none. Now comes after all of them. */
export function stopBeside(stops: readonly Moment[], at: string | null, step: 1 | -1): Moment | null {
  const us = at === null ? Number.POSITIVE_INFINITY : (usOf(at) ?? Number.POSITIVE_INFINITY);
  return (step === 1 ? stops.find((stop) => stop.us > us) : stops.findLast((stop) => stop.us < us)) ?? null;
}
