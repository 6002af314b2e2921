/** The columns and edges on the paths of a column: everything it comes from, and everything it goes into. */

import type { ColumnEdge, GraphPart } from "./graph";
import { type ColumnId, columnId, datasetOf, pathOf, ROWS } from "./names";

/** What is lit while everything else is dim; edges by their ids. */
export interface Lit {
  readonly columns: ReadonlySet<ColumnId>;
  readonly edges: ReadonlySet<string>;
}

/** Edges by their ends. */
export interface Ends {
  readonly into: ReadonlyMap<ColumnId, readonly ColumnEdge[]>;
  readonly outOf: ReadonlyMap<ColumnId, readonly ColumnEdge[]>;
  readonly columns: ReadonlyMap<string, readonly ColumnId[]>;
}

export function endsOf(part: GraphPart): Ends {
  return {
    into: grouped(part.edges, (edge) => edge.to),
    outOf: grouped(part.edges, (edge) => edge.from),
    columns: new Map(part.datasets.map((dataset) => [dataset.id, dataset.columns.map((column) => column.id)])),
  };
}

export function grouped<T>(items: Iterable<T>, key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const place = key(item);
    const known = groups.get(place);
    if (known === undefined) groups.set(place, [item]);
    else known.push(item);
  }
  return groups;
}

/** The columns that a selection stands for: itself and, for a struct, the fields in it. */
export function chosenColumns(part: GraphPart, dataset: string, path: string): ColumnId[] {
  const inside = part.datasets.find((candidate) => candidate.id === dataset)?.columns ?? [];
  const ids = inside
    .filter((column) => column.path === path || column.path.startsWith(`${path}.`))
    .map((column) => column.id);
  return ids.length > 0 ? ids : [columnId(dataset, path)];
}

/** All paths through some columns, up and down. */
export function litBy(ends: Ends, start: readonly ColumnId[]): Lit {
  const columns = new Set<ColumnId>();
  const edges = new Set<string>();
  // Whatever decides on the rows of a dataset decides on each of its columns.
  follow(start, columns, edges, (column) => [
    ...(ends.into.get(column) ?? []).map((edge) => ({ edge, next: [edge.from] })),
    ...(pathOf(column) === ROWS ? [] : [{ edge: null, next: rowsWithEdges(ends, column) }]),
  ]);
  follow(start, columns, edges, (column) => [
    ...(ends.outOf.get(column) ?? []).map((edge) => ({ edge, next: [edge.to] })),
    ...(pathOf(column) === ROWS ? [{ edge: null, next: ends.columns.get(datasetOf(column)) ?? [] }] : []),
  ]);
  return { columns, edges };
}

function rowsWithEdges(ends: Ends, column: ColumnId): ColumnId[] {
  const rows = columnId(datasetOf(column), ROWS);
  return ends.into.has(rows) ? [rows] : [];
}

interface Step {
  readonly edge: ColumnEdge | null;
  readonly next: readonly ColumnId[];
}

function follow(
  start: readonly ColumnId[],
  columns: Set<ColumnId>,
  edges: Set<string>,
  steps: (column: ColumnId) => readonly Step[],
): void {
  const seen = new Set(start);
  const waiting = [...start];
  for (let column = waiting.pop(); column !== undefined; column = waiting.pop()) {
    columns.add(column);
    for (const { edge, next } of steps(column)) {
      if (edge !== null) edges.add(edge.id);
      for (const node of next) {
        if (seen.has(node)) continue;
        seen.add(node);
        waiting.push(node);
      }
    }
  }
}
