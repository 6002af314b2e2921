/** What an answer does not know, in words; pure. */

import type { components } from "../api/schema";

export type Unknown = components["schemas"]["HeadwaterUnknown"];
type Why = Unknown["why"];

const MAY_REACH: ReadonlySet<Why> = new Set<Why>(["NO_COLUMNS", "TABLE_ONLY", "LEFT_OUT", "AFTER_UNKNOWN"]);

const REASONS: Readonly<Record<Why, string>> = {
  NO_COLUMNS: "no column lineage",
  TABLE_ONLY: "its column lineage names no column of what it reads",
  LEFT_OUT: "its column lineage does not say what these columns are made from",
  AFTER_UNKNOWN: "reads a dataset without column lineage",
  READS_ONLY: "only reads; where it takes the data is not recorded",
  OPAQUE: "passes through a step that cannot be analyzed",
  CARRIED: "the last run reported no columns; this is the job's earlier column lineage",
  ASSUMED: "which version was read is inferred from its time",
};

/** Whether the answer may lack a dataset: its graph does not show all that there may be. */
export function mayReach({ why }: Unknown): boolean {
  return MAY_REACH.has(why);
}

export function reason({ why }: Unknown): string {
  return REASONS[why];
}

const MOST_COLUMNS = 5;

/** The columns that an entry means, the first of many; empty where it means all of its dataset. */
export function columnsInWords({ columns }: Unknown): string {
  const more = columns.length - MOST_COLUMNS;
  return [...columns.slice(0, MOST_COLUMNS), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}
