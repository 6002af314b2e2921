/** Where tagged columns go, as rows and as a graph; pure. */

import type { AnswerTo } from "../api/client";
import {
  type ColumnEdge,
  type ColumnNode,
  closest,
  type DatasetNode,
  type GraphPart,
  isMasked,
  type Transformation,
} from "../model/graph";
import { grouped, type Lit } from "../model/lighting";
import {
  type ColumnId,
  columnId,
  type DatasetId,
  datasetOf,
  edgeId,
  fullName,
  pathOf,
  ROWS,
  type TableName,
} from "../model/names";

export type Pii = AnswerTo<"pii">;
type Leg = Pii["sources"][number]["reached"][number]["ways"][number]["path"][number];
type FieldName = Leg["origin"];

/** How values arrive, the most exposed first. */
export const EXPOSURES = ["CLEAR", "POSSIBLE", "MASKED", "INDIRECT"] as const;
export type Exposure = (typeof EXPOSURES)[number];

/** Where values are masked: the step, its job, and its expression. */
export interface Masking {
  readonly at: ColumnId;
  readonly job: string | null;
  readonly expression: string;
}

/** One path on which the values of a column reach another. */
export interface Arrival {
  readonly key: string;
  readonly source: ColumnId;
  readonly tags: readonly string[];
  readonly column: ColumnId;
  readonly exposure: Exposure;
  readonly way: readonly ColumnId[];
  readonly edges: readonly string[];
  readonly masking: Masking | null;
}

/** The columns that values start from: those that arrive in the dataset in question, and those that are followed. */
function startsOf(pii: Pii): readonly Pii["sources"][number][] {
  return [...pii.arrivals, ...pii.sources];
}

/** All arrivals of an answer, the most exposed first. */
export function arrivals(pii: Pii): Arrival[] {
  const rows = startsOf(pii).flatMap((source) =>
    source.reached.flatMap(({ field, ways }) =>
      ways.map(({ exposure, path }): Arrival => {
        const [first] = path;
        const ends = path.map((leg) => idOf(leg.destination));
        return {
          key: JSON.stringify([idOf(source.field), idOf(field), exposure]),
          source: idOf(source.field),
          tags: source.tags,
          column: idOf(field),
          exposure,
          way: first === undefined ? [] : [idOf(first.origin), ...ends],
          edges: path.map(idOfEdge),
          masking: maskingOf(path),
        };
      }),
    ),
  );
  return rows.sort((row, other) => EXPOSURES.indexOf(row.exposure) - EXPOSURES.indexOf(other.exposure));
}

/** The first step that masks. */
function maskingOf(path: readonly Leg[]): Masking | null {
  const leg = path.find((candidate) => candidate.how.masking);
  if (leg === undefined) return null;
  return {
    at: idOf(leg.destination),
    job: leg.job === null ? null : fullName(leg.job),
    expression: leg.how.description,
  };
}

/** All paths as one graph. */
export function graphOf(pii: Pii): GraphPart {
  const starts = startsOf(pii);
  const legs = starts.flatMap((source) => source.reached.flatMap((target) => target.ways.flatMap((way) => way.path)));
  const steps = new Map<string, { leg: Leg; how: Map<string, Transformation> }>();
  for (const leg of legs) {
    const id = idOfEdge(leg);
    const known = steps.get(id) ?? { leg, how: new Map() };
    known.how.set(JSON.stringify(leg.how), leg.how);
    steps.set(id, known);
  }
  const names = new Map<DatasetId, TableName>();
  const columns = new Map<ColumnId, FieldName>();
  const fields = starts.flatMap((source) => [source.field, ...source.reached.map((target) => target.field)]);
  for (const field of [...fields, ...legs.flatMap((leg) => [leg.origin, leg.destination])]) {
    names.set(fullName(field), { namespace: field.namespace, name: field.name });
    if (field.field !== null) columns.set(idOf(field), field);
  }
  const jobs = new Map(legs.flatMap((leg) => (leg.job === null ? [] : [[fullName(leg.job), leg.job] as const])));
  const inside = grouped(columns.keys(), datasetOf);
  const [first] = starts;
  const root = pii.dataset ?? first?.field;
  return {
    root: root === undefined ? "" : fullName(root),
    datasets: [...names].map(([id, name]) => datasetNode(id, name, pii, inside.get(id) ?? [])),
    jobs: [...jobs].map(([id, job]) => ({ id, ...job })),
    edges: [...steps.values()].map(({ leg, how }) => edgeOf(leg, [...how.values()])),
    cut: { upstream: false, downstream: pii.partial },
    provisional: false,
    unknown: pii.unknown,
  };
}

function datasetNode(id: DatasetId, { namespace, name }: TableName, pii: Pii, all: readonly ColumnId[]): DatasetNode {
  const columns = all.map((column): ColumnNode => ({ id: column, path: pathOf(column), type: "" }));
  const tags = startsOf(pii)
    .filter((source) => fullName(source.field) === id)
    .flatMap((source) => source.tags.map((key) => ({ key, value: null, field: source.field.field })));
  return { id, namespace, name, columns, columnCount: null, leads: null, writtenUs: null, owners: [], tags };
}

function edgeOf(leg: Leg, transformations: readonly Transformation[]): ColumnEdge {
  return {
    id: idOfEdge(leg),
    from: idOf(leg.origin),
    to: idOf(leg.destination),
    fromDataset: fullName(leg.origin),
    toDataset: fullName(leg.destination),
    kind: closest(transformations),
    masked: isMasked(transformations),
    transformations,
    job: leg.job === null ? null : fullName(leg.job),
    run: null,
    carried: false,
    assumed: false,
  };
}

/** The paths to one column, lit; null if none is selected. */
export function litWays(rows: readonly Arrival[], column: ColumnId | null): Lit | null {
  const to = rows.filter((row) => row.column === column);
  if (to.length === 0) return null;
  return {
    columns: new Set(to.flatMap((row) => [...row.way, row.column])),
    edges: new Set(to.flatMap((row) => row.edges)),
  };
}

function idOfEdge(leg: Leg): string {
  return edgeId(idOf(leg.origin), idOf(leg.destination), leg.job === null ? null : fullName(leg.job));
}

function idOf(name: FieldName): ColumnId {
  return columnId(fullName(name), name.field ?? ROWS);
}
