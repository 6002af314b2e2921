/** Transformations in words. */

import type { ColumnEdge, EdgeClass, Transformation } from "./graph";

/** What people call the classes. */
export const CLASS_WORDS: Readonly<Record<EdgeClass, string>> = {
  IDENTITY: "copied",
  TRANSFORMATION: "transformed",
  AGGREGATION: "aggregated",
  INDIRECT: "indirect",
};

const STEP_WORDS: Readonly<Record<string, string>> = {
  IDENTITY: "copied unchanged",
  TRANSFORMATION: "transformed",
  AGGREGATION: "aggregated over many rows",
  JOIN: "decides which rows are joined",
  FILTER: "decides which rows are kept",
  GROUP_BY: "decides how rows are grouped",
  SORT: "decides the order of rows",
  WINDOW: "decides which rows a window has",
  CONDITIONAL: "decides which value is taken",
  ROWS: "decides how many rows there are",
  COPIED_ROWS: "copies the rows that are counted",
};

/** What a transformation does, in a few words; an unknown one by its own name. */
export function inWords(step: Transformation): string {
  const known = STEP_WORDS[step.subtype];
  const verb = known ?? (step.subtype === "" ? step.type : step.subtype).toLowerCase().replaceAll("_", " ");
  return step.masking ? `${verb}, masked` : verb;
}

/** What is not certain about an edge, one sentence each. */
export function doubts(edge: ColumnEdge): string[] {
  return [
    ...(edge.carried ? ["The last run reported no columns; this is the job's earlier column lineage."] : []),
    ...(edge.assumed ? ["Which version was read is inferred from its time."] : []),
  ];
}
