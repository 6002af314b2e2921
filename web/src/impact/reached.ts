/** What a change of a column reaches, as rows and as groups; pure. */

import type { Group } from "../address/address";
import type { AnswerTo } from "../api/client";
import type { EdgeClass } from "../model/graph";
import { type ColumnId, columnId, type DatasetId, fullName, ROWS } from "../model/names";

export type Impact = AnswerTo<"impact">;

/** A column that is reached; a dataset whose columns are not known has ROWS in the column's place. */
export interface Reached {
  readonly id: ColumnId;
  readonly dataset: DatasetId;
  /** The path of the column; null where nothing is known of the columns. */
  readonly column: string | null;
  readonly type: string;
  readonly distance: number;
  readonly kind: EdgeClass | null;
  readonly masked: boolean;
  readonly owners: readonly string[];
  readonly jobs: readonly string[];
  /** The shortest way, from the column asked about. */
  readonly path: readonly ColumnId[];
}

/** The rows of an answer, nearest first; then the datasets that may be reached too. */
export function reachedBy(impact: Impact): Reached[] {
  const known = impact.datasets.flatMap((dataset) => {
    const id = fullName(dataset.name);
    return dataset.columns.map(({ node, path }): Reached => {
      const column = columnId(id, node.field.field ?? ROWS);
      const ends = path.map((edge) => columnId(fullName(edge.destination), edge.destination.field ?? ROWS));
      const [first] = path;
      return {
        id: column,
        dataset: id,
        column: node.field.field ?? ROWS,
        type: node.type,
        distance: node.distance,
        kind: node.kind,
        masked: node.masked,
        owners: dataset.owners.map((owner) => owner.name),
        jobs: dataset.jobs.map(fullName),
        path: first === undefined ? [] : [columnId(fullName(first.origin), first.origin.field ?? ROWS), ...ends],
      };
    });
  });
  return [...known, ...unknown(impact)].sort((one, other) => one.distance - other.distance);
}

/** A dataset once, however many jobs write it. */
function unknown(impact: Impact): Reached[] {
  const found = new Map<DatasetId, Reached>();
  for (const one of impact.unknown) {
    const dataset = fullName(one.dataset);
    const before = found.get(dataset);
    found.set(dataset, {
      id: columnId(dataset, ROWS),
      dataset,
      column: null,
      type: "",
      distance: Math.min(before?.distance ?? one.distance, one.distance),
      kind: null,
      masked: false,
      owners: union(
        before?.owners,
        one.owners.map((owner) => owner.name),
      ),
      jobs: union(before?.jobs, one.job === null ? [] : [fullName(one.job)]),
      path: [],
    });
  }
  return [...found.values()];
}

function union(one: readonly string[] | undefined, other: readonly string[]): string[] {
  return [...new Set([...(one ?? []), ...other])];
}

/** Rows in which all words occur somewhere, upper and lower case alike. */
export function narrowed(rows: readonly Reached[], filter: string): readonly Reached[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = [row.dataset, row.column, ...row.owners, ...row.jobs].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** A group, and its rows by dataset. */
export interface ReachedGroup {
  readonly name: string;
  readonly count: number;
  readonly datasets: ReadonlyMap<DatasetId, readonly Reached[]>;
}

/** In place of an owner or a job that nobody named. */
export const NOBODY = "";

/** Rows by dataset, by the job that writes them, or by owner; a row with several jobs or owners is in each group. */
export function groups(rows: readonly Reached[], by: Group): ReachedGroup[] {
  const found = new Map<string, Map<DatasetId, Reached[]>>();
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const name of namesOf(row, by)) {
      const datasets = found.get(name) ?? new Map<DatasetId, Reached[]>();
      const listed = datasets.get(row.dataset);
      if (listed === undefined) datasets.set(row.dataset, [row]);
      else listed.push(row);
      found.set(name, datasets);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...found].map(([name, datasets]) => ({ name, count: counts.get(name) ?? 0, datasets })).sort(byName);
}

function namesOf(row: Reached, by: Group): readonly string[] {
  if (by === "dataset") return [row.dataset];
  const names = by === "job" ? row.jobs : row.owners;
  return names.length > 0 ? names : [NOBODY];
}

function byName(one: ReachedGroup, other: ReachedGroup): number {
  const nobody = Number(one.name === NOBODY) - Number(other.name === NOBODY);
  return nobody !== 0 ? nobody : one.name.localeCompare(other.name, "en");
}

/** Jobs that read what is reached, and write nothing that is known of. */
export function onlyReading(impact: Impact): string[] {
  return impact.jobs.filter((job) => job.datasets.length === 0).map((job) => fullName(job.name));
}
