/** What a change of a column reaches, as rows and as groups; pure. */

import type { Group } from "../address/address";
import type { AnswerTo } from "../api/client";
import type { EdgeClass } from "../model/graph";
import { type ColumnId, columnId, type DatasetId, fullName, ROWS } from "../model/names";
import { mayReach } from "../model/unknown";

export type Impact = AnswerTo<"impact">;

/** A reached column; a dataset with unknown columns has ROWS in place of the column. */
export interface Reached {
  readonly id: ColumnId;
  readonly dataset: DatasetId;
  /** The path of the column; null if the columns are unknown. */
  readonly column: string | null;
  readonly type: string;
  readonly distance: number;
  readonly kind: EdgeClass | null;
  readonly masked: boolean;
  readonly owners: readonly string[];
  readonly jobs: readonly string[];
  /** The path that is the reason for its kind, from the column in question. */
  readonly path: readonly ColumnId[];
}

/** The rows of an answer, nearest first; then the datasets that may be reached, too. */
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
  return [...known, ...unknown(impact)].sort((row, other) => row.distance - other.distance);
}

/** A dataset once, however many jobs write it. */
function unknown(impact: Impact): Reached[] {
  const rows = new Map<DatasetId, Reached>();
  for (const reader of impact.unknown.filter(mayReach)) {
    if (reader.dataset === null) continue;
    const dataset = fullName(reader.dataset);
    const before = rows.get(dataset);
    rows.set(dataset, {
      id: columnId(dataset, ROWS),
      dataset,
      column: null,
      type: "",
      distance: Math.min(before?.distance ?? reader.distance, reader.distance),
      kind: null,
      masked: false,
      owners: union(
        before?.owners,
        reader.owners.map((owner) => owner.name),
      ),
      jobs: union(before?.jobs, reader.job === null ? [] : [fullName(reader.job)]),
      path: [],
    });
  }
  return [...rows.values()];
}

function union(first: readonly string[] | undefined, other: readonly string[]): string[] {
  return [...new Set([...(first ?? []), ...other])];
}

/** Rows that contain all words somewhere, ignoring case. */
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

/** Replaces a missing owner or job. */
export const NOBODY = "";

/** Rows by dataset, by the job that writes them, or by owner; a row with several jobs or owners is in each group. */
export function groups(rows: readonly Reached[], by: Group): ReachedGroup[] {
  const byGroup = new Map<string, Map<DatasetId, Reached[]>>();
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const name of namesOf(row, by)) {
      const datasets = byGroup.get(name) ?? new Map<DatasetId, Reached[]>();
      const listed = datasets.get(row.dataset);
      if (listed === undefined) datasets.set(row.dataset, [row]);
      else listed.push(row);
      byGroup.set(name, datasets);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...byGroup].map(([name, datasets]) => ({ name, count: counts.get(name) ?? 0, datasets })).sort(byName);
}

function namesOf(row: Reached, by: Group): readonly string[] {
  if (by === "dataset") return [row.dataset];
  const names = by === "job" ? row.jobs : row.owners;
  return names.length > 0 ? names : [NOBODY];
}

function byName(group: ReachedGroup, other: ReachedGroup): number {
  const nobody = Number(group.name === NOBODY) - Number(other.name === NOBODY);
  return nobody !== 0 ? nobody : group.name.localeCompare(other.name, "en");
}

/** Jobs that read what is reached, and write nothing known. */
export function onlyReading(impact: Impact): string[] {
  return impact.jobs.filter((job) => job.datasets.length === 0).map((job) => fullName(job.name));
}
