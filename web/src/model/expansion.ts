/** What the address says about one side of a dataset: that more was loaded there, or that it is hidden. */

import type { GraphPart } from "./graph";
import { grouped } from "./lighting";
import type { DatasetId } from "./names";

export type Side = "upstream" | "downstream";

export interface Expansion {
  readonly dataset: DatasetId;
  readonly side: Side;
  /** To the very end, instead of one step. */
  readonly all: boolean;
}

const SIGNS: Readonly<Record<Side, string>> = { upstream: "<", downstream: ">" };

/** `<name` is one step upstream of it, `>>name` everything downstream. */
export function printExpansion({ dataset, side, all }: Expansion): string {
  return `${SIGNS[side].repeat(all ? 2 : 1)}${dataset}`;
}

/** An expansion from an address; null if the text is not one. */
export function parseExpansion(text: string): Expansion | null {
  const match = /^(<<?|>>?)([^<>].*)$/s.exec(text);
  const [, sign = "", dataset = ""] = match ?? [];
  if (dataset === "") return null;
  return { dataset, side: sign.startsWith("<") ? "upstream" : "downstream", all: sign.length > 1 };
}

/** The direct neighbours of each dataset, on either side. */
export interface Neighbours {
  readonly upstream: ReadonlyMap<DatasetId, ReadonlySet<DatasetId>>;
  readonly downstream: ReadonlyMap<DatasetId, ReadonlySet<DatasetId>>;
}

export function neighboursOf(part: GraphPart): Neighbours {
  const between = part.edges.filter((edge) => edge.fromDataset !== edge.toDataset);
  const names = (edges: Map<string, typeof between>, pick: (edge: (typeof between)[number]) => DatasetId) =>
    new Map([...edges].map(([id, ends]) => [id, new Set(ends.map(pick))]));
  return {
    upstream: names(
      grouped(between, (edge) => edge.toDataset),
      (edge) => edge.fromDataset,
    ),
    downstream: names(
      grouped(between, (edge) => edge.fromDataset),
      (edge) => edge.toDataset,
    ),
  };
}

/** What is reachable from the root: datasets, and which of their sides were followed for how many steps. */
export interface Reach {
  readonly datasets: ReadonlySet<DatasetId>;
  readonly upstream: ReadonlyMap<DatasetId, number>;
  readonly downstream: ReadonlyMap<DatasetId, number>;
}

/**
 * Follow the root upstream and downstream, and each expanded dataset on its side; a hidden side is not followed. Pinned
 * datasets are included whether they are reachable or not.
 */
export function reach(
  part: GraphPart,
  expanded: readonly Expansion[],
  hidden: readonly Expansion[],
  pinned: readonly DatasetId[],
): Reach {
  const neighbours = neighboursOf(part);
  const shut = new Set(hidden.map(({ dataset, side }) => SIGNS[side] + dataset));
  const there = new Set(part.datasets.map((dataset) => dataset.id));
  const datasets = new Set([part.root, ...pinned].filter((id) => there.has(id)));
  const steps = { upstream: new Map<DatasetId, number>(), downstream: new Map<DatasetId, number>() };
  const walk = (start: DatasetId, side: Side) => {
    if (steps[side].has(start)) return;
    steps[side].set(start, 0);
    // Breadth first, so that steps are minimal; iterating over a map includes entries added meanwhile.
    for (const [id, far] of steps[side]) {
      if (shut.has(SIGNS[side] + id)) continue;
      for (const next of neighbours[side].get(id) ?? []) {
        datasets.add(next);
        if (!steps[side].has(next)) steps[side].set(next, far + 1);
      }
    }
  };
  walk(part.root, "upstream");
  walk(part.root, "downstream");
  // In the order of expansion: one may be reachable only through another.
  for (const { dataset, side } of expanded) if (datasets.has(dataset)) walk(dataset, side);
  return { datasets, ...steps };
}

/** The part with only some of its datasets, and the edges and jobs between them. */
export function keeping(part: GraphPart, ids: ReadonlySet<DatasetId>): GraphPart {
  const edges = part.edges.filter((edge) => ids.has(edge.fromDataset) && ids.has(edge.toDataset));
  const jobs = new Set(edges.map((edge) => edge.job));
  return {
    ...part,
    datasets: part.datasets.filter((dataset) => ids.has(dataset.id)),
    edges,
    jobs: part.jobs.filter((job) => jobs.has(job.id)),
  };
}
