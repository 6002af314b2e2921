/** What an answer does not know, in words; pure. */

import type { components } from "../api/schema";

export type Unknown = components["schemas"]["HeadwaterUnknown"];
type Why = Unknown["why"];

const MAY_REACH: ReadonlySet<Why> = new Set<Why>(["NO_COLUMNS", "TABLE_ONLY", "AFTER_UNKNOWN"]);

const REASONS: Readonly<Record<Why, string>> = {
  NO_COLUMNS: "no column lineage",
  TABLE_ONLY: "its column lineage names no column of what it reads",
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
