/** Names as keys: a dataset or a job by its full name, a column by its dataset's and its path. */

export interface TableName {
  readonly namespace: string;
  readonly name: string;
}

/** `namespace/name`, which a server always understands. */
export type DatasetId = string;
export type JobId = string;
/** A dataset and the path of a column in it; with ROWS as its path, the rows that all columns are in. */
export type ColumnId = string;

/** Replaces a column's path: the rows of the dataset, on which a filter or a join decides. */
export const ROWS = "";
// No name contains it: the server refuses NUL everywhere.
const BETWEEN = "\u0000";

export function fullName(table: TableName): string {
  return `${table.namespace}/${table.name}`;
}

export function columnId(dataset: DatasetId, path: string): ColumnId {
  return `${dataset}${BETWEEN}${path}`;
}

/** An edge by its ends and the job that makes it: two jobs may make the same column from the same. */
export function edgeId(from: ColumnId, to: ColumnId, job: JobId | null): string {
  return `${from}${BETWEEN}${to}${BETWEEN}${job ?? ""}`;
}

export function datasetOf(column: ColumnId): DatasetId {
  return column.slice(0, column.indexOf(BETWEEN));
}

export function pathOf(column: ColumnId): string {
  return column.slice(column.indexOf(BETWEEN) + 1);
}

/** The last part of a name, for labels: `orders` of `/food/warehouse/orders` and of `db.orders`. */
export function shortName(name: string): string {
  const parts = name.split(/[/.:]/).filter((part) => part !== "");
  return parts.at(-1) ?? name;
}

/** The last two parts of a name, which tell `landing/customers` from `warehouse/customers`. */
export function tailName(name: string): string {
  const parts = name.match(/[^/.:]+[/.:]+[^/.:]+[/.:]*$/);
  return parts?.[0] ?? shortName(name);
}
