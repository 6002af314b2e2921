/** What the address says about one dataset and one of its sides: that more was loaded there, or that it is hidden. */

import type { GraphPart } from "./graph";
import { grouped } from "./lighting";
import type { DatasetId } from "./names";

export type Side = "upstream" | "downstream";

export interface Expansion {
  readonly dataset: DatasetId;
  readonly side: Side;
  /** To the very end, in place of one step. */
  readonly all: boolean;
}

const SIGNS: Readonly<Record<Side, string>> = { upstream: "<", downstream: ">" };

/** `<name` is one step upstream of it, `>>name` all that lies downstream. */
export function printExpansion({ dataset, side, all }: Expansion): string {
  return `${SIGNS[side].repeat(all ? 2 : 1)}${dataset}`;
}

/** An expansion from an address; null where it is none. */
export function parseExpansion(text: string): Expansion | null {
  const found = /^(<<?|>>?)([^<>].*)$/s.exec(text);
  const [, sign = "", dataset = ""] = found ?? [];
  if (dataset === "") return null;
  return { dataset, side: sign.startsWith("<") ? "upstream" : "downstream", all: sign.length > 1 };
}

/** The datasets next to each, on either side. */
export interface Neighbours {
  readonly upstream: ReadonlyMap<DatasetId, ReadonlySet<DatasetId>>;
  readonly downstream: ReadonlyMap<DatasetId, ReadonlySet<DatasetId>>;
}

export function neighboursOf(part: GraphPart): Neighbours {
  const apart = part.edges.filter((edge) => edge.fromDataset !== edge.toDataset);
  const names = (edges: Map<string, typeof apart>, pick: (edge: (typeof apart)[number]) => DatasetId) =>
    new Map([...edges].map(([id, found]) => [id, new Set(found.map(pick))]));
  return {
    upstream: names(
      grouped(apart, (edge) => edge.toDataset),
      (edge) => edge.fromDataset,
    ),
    downstream: names(
      grouped(apart, (edge) => edge.fromDataset),
      (edge) => edge.toDataset,
    ),
  };
}

/** Where one gets from the root: datasets, and which sides of them were followed to how many steps from the root. */
export interface Reach {
  readonly datasets: ReadonlySet<DatasetId>;
  readonly upstream: ReadonlyMap<DatasetId, number>;
  readonly downstream: ReadonlyMap<DatasetId, number>;
}

/**
 * Follow the root upstream and downstream, and each expanded dataset on its side; a hidden side is not followed.
 * Pinned datasets are there whether one gets to them or not.
 */
export function reach(
  part: GraphPart,
  expanded: readonly Expansion[],
  hidden: readonly Expansion[],
  pinned: readonly DatasetId[],
): Reach {
  const neighbours = neighboursOf(part);
  const shut = new Set(hidden.map(({ dataset, side }) => SIGNS[side] + dataset));
  const there = new Set(part.datasets.map((one) => one.id));
  const datasets = new Set([part.root, ...pinned].filter((id) => there.has(id)));
  const steps = { upstream: new Map<DatasetId, number>(), downstream: new Map<DatasetId, number>() };
  const walk = (start: DatasetId, side: Side) => {
    if (steps[side].has(start)) return;
    steps[side].set(start, 0);
    // Breadth first, so that the steps are the fewest; a map lists what is added while it is listed.
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
  // In the order in which they were expanded: one may be there by another only.
  for (const { dataset, side } of expanded) if (datasets.has(dataset)) walk(dataset, side);
  return { datasets, ...steps };
}

/** The part with some of its datasets only, and the edges and jobs between them. */
export function keeping(part: GraphPart, kept: ReadonlySet<DatasetId>): GraphPart {
  const edges = part.edges.filter((edge) => kept.has(edge.fromDataset) && kept.has(edge.toDataset));
  const jobs = new Set(edges.map((edge) => edge.job));
  return {
    ...part,
    datasets: part.datasets.filter((one) => kept.has(one.id)),
    edges,
    jobs: part.jobs.filter((one) => jobs.has(one.id)),
  };
}
