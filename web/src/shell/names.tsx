/** A column as a link to its lineage: short in writing, whole where the mouse rests on it. */

import { type Address, lineageOf } from "../address/address";
import { Link } from "../address/router";
import { type ColumnId, type DatasetId, datasetOf, type JobId, pathOf, ROWS, tailName } from "../model/names";

/** `warehouse/customers.email`; the rows of a dataset are said in a word. */
export function shortColumn(id: ColumnId): string {
  const path = pathOf(id);
  return path === ROWS ? `rows of ${tailName(datasetOf(id))}` : `${tailName(datasetOf(id))}.${path}`;
}

/** The whole name. */
export function fullColumn(id: ColumnId): string {
  const path = pathOf(id);
  return path === ROWS ? `${datasetOf(id)} (rows)` : `${datasetOf(id)} · ${path}`;
}

interface ColumnProps {
  readonly id: ColumnId;
  /** In place of its lineage. */
  readonly to?: Address;
  /** In place of its short name, where the dataset is said already. */
  readonly label?: string;
}

export function ColumnName({ id, to, label }: ColumnProps) {
  const path = pathOf(id);
  return (
    <Link to={to ?? lineageOf(datasetOf(id), path === ROWS ? null : path)} title={fullColumn(id)} className="name">
      <bdi>{label ?? shortColumn(id)}</bdi>
    </Link>
  );
}

export function DatasetName({ id }: { readonly id: DatasetId }) {
  return (
    <Link to={lineageOf(id)} title={id} className="name">
      <bdi>{tailName(id)}</bdi>
    </Link>
  );
}

/** A job by its own name; its namespace where the mouse rests on it. */
export function JobName({ id }: { readonly id: JobId }) {
  return <bdi title={id}>{id.slice(id.lastIndexOf("/") + 1)}</bdi>;
}
