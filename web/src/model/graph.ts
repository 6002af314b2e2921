/** The graph as the page holds it: plain data, read-only, merged from the parts that were loaded. */

import type { ColumnId, DatasetId, JobId } from "./names";
import type { Unknown } from "./unknown";

/** How close a column is to another, the closest first. */
export const EDGE_CLASSES = ["IDENTITY", "TRANSFORMATION", "AGGREGATION", "INDIRECT"] as const;
export type EdgeClass = (typeof EDGE_CLASSES)[number];

/** One way in which a value goes into another, in OpenLineage's words; `description` is the expression. */
export interface Transformation {
  readonly type: string;
  readonly subtype: string;
  readonly masking: boolean;
  readonly description: string;
}

export interface ColumnNode {
  readonly id: ColumnId;
  readonly path: string;
  readonly type: string;
}

export interface Owner {
  readonly name: string;
  readonly type: string;
}

export interface Tag {
  readonly key: string;
  readonly value: string | null;
  /** The column that has it; null for the dataset itself. */
  readonly field: string | null;
}

export interface DatasetNode {
  readonly id: DatasetId;
  readonly namespace: string;
  readonly name: string;
  /** The columns with lineage, by path; all others are folded. */
  readonly columns: readonly ColumnNode[];
  /** How many columns the last schema has; null if the server knows none, or for another time than now. */
  readonly columnCount: number | null;
  /** Whether there may be lineage on that side; null where the server does not know. */
  readonly leads: { readonly upstream: boolean; readonly downstream: boolean } | null;
  /** Microseconds since 1970. */
  readonly writtenUs: number | null;
  readonly owners: readonly Owner[];
  readonly tags: readonly Tag[];
}

export interface JobNode {
  readonly id: JobId;
  readonly namespace: string;
  readonly name: string;
}

export interface ColumnEdge {
  readonly id: string;
  readonly from: ColumnId;
  readonly to: ColumnId;
  readonly fromDataset: DatasetId;
  readonly toDataset: DatasetId;
  /** The closest class among its transformations. */
  readonly kind: EdgeClass;
  /** Whether every path of the value itself is masked. */
  readonly masked: boolean;
  readonly transformations: readonly Transformation[];
  readonly job: JobId | null;
  readonly run: string | null;
  /** The last run reported no columns, and the job's earlier mapping still applies. */
  readonly carried: boolean;
  /** Which version was read is inferred from its time. */
  readonly assumed: boolean;
}

/** A part of the graph as one answer has it. */
export interface GraphPart {
  readonly root: DatasetId;
  readonly datasets: readonly DatasetNode[];
  readonly jobs: readonly JobNode[];
  readonly edges: readonly ColumnEdge[];
  /** Where a limit left something out. */
  readonly cut: { readonly upstream: boolean; readonly downstream: boolean };
  /** The version comes from a run that has not completed, or failed. */
  readonly provisional: boolean;
  /** What may be missing, or is not certain. */
  readonly unknown: readonly Unknown[];
}

/** The class of a transformation; an unknown one does not count as a copy, because that would be a promise. */
export function classOf(step: Transformation): EdgeClass {
  if (step.type === "INDIRECT") return "INDIRECT";
  return EDGE_CLASSES.find((known) => known === step.subtype) ?? "TRANSFORMATION";
}

/** The closest class of some transformations. */
export function closest(steps: readonly Transformation[]): EdgeClass {
  const classes = new Set(steps.map(classOf));
  return EDGE_CLASSES.find((known) => classes.has(known)) ?? "TRANSFORMATION";
}

/** Whether a value is masked on each of these paths; what only decides on rows passes no value on. */
export function isMasked(steps: readonly Transformation[]): boolean {
  const passing = steps.filter((step) => step.type !== "INDIRECT");
  const counted = passing.length > 0 ? passing : steps;
  return counted.length > 0 && counted.every((step) => step.masking);
}

/** Both parts as one: shared items appear once, with the columns of both. The root is that of the first. */
export function merged(first: GraphPart, second: GraphPart): GraphPart {
  const datasets = new Map(first.datasets.map((dataset) => [dataset.id, dataset]));
  for (const dataset of second.datasets) {
    const known = datasets.get(dataset.id);
    datasets.set(
      dataset.id,
      known === undefined ? dataset : { ...dataset, columns: byId(known.columns, dataset.columns) },
    );
  }
  return {
    root: first.root,
    datasets: [...datasets.values()],
    jobs: byId(first.jobs, second.jobs),
    edges: byId(first.edges, second.edges),
    cut: {
      upstream: first.cut.upstream || second.cut.upstream,
      downstream: first.cut.downstream || second.cut.downstream,
    },
    provisional: first.provisional || second.provisional,
    unknown: distinct([...first.unknown, ...second.unknown]),
  };
}

function distinct(unknown: readonly Unknown[]): readonly Unknown[] {
  return [...new Map(unknown.map((entry) => [JSON.stringify(entry), entry])).values()];
}

function byId<T extends { readonly id: string }>(first: readonly T[], second: readonly T[]): readonly T[] {
  return [...new Map([...first, ...second].map((item) => [item.id, item])).values()];
}
