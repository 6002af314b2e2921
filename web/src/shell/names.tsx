/** Names as links: short, with the whole name as a tooltip. */

import type { ReactNode } from "react";
import { type Address, type Details, lineageOf } from "../address/address";
import { Link, useAddress } from "../address/router";
import {
  type ColumnId,
  type DatasetId,
  datasetOf,
  fullName,
  type JobId,
  pathOf,
  ROWS,
  shortName,
  type TableName,
  tailName,
} from "../model/names";

/** `warehouse/customers.email`; `rows of …` for the rows of a dataset. */
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
  /** Replaces its lineage. */
  readonly to?: Address;
  /** Replaces its short name, where the dataset is named already. */
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

/** A dataset with its path; the short name comes first, because the end of a long path tells most. */
export function DatasetLink({ name }: { readonly name: TableName }) {
  const full = fullName(name);
  return (
    <Link to={lineageOf(full)} className="named" title={full}>
      <bdi>{shortName(name.name)}</bdi> <bdi className="quiet space">{full}</bdi>
    </Link>
  );
}

/** A link that opens the drawer beside the current view. */
export function DetailsLink({ details, children, ...rest }: DetailsProps) {
  const address = useAddress();
  return (
    <Link to={{ ...address, details }} {...rest}>
      {children}
    </Link>
  );
}

interface DetailsProps {
  readonly details: Details;
  readonly children: ReactNode;
  readonly className?: string;
  readonly title?: string;
}

/** A job by its own name: if space is short, its end stays visible, which distinguishes it from others. */
export function JobName({ id, name = ownName(id) }: { readonly id: JobId; readonly name?: string }) {
  return (
    <DetailsLink details={{ of: "job", job: id }} className="end" title={id}>
      <bdi>{name}</bdi>
    </DetailsLink>
  );
}

/** A job, or a text if no job did it. */
export function JobLink({ name }: { readonly name: TableName | null }) {
  if (name === null) return <span className="quiet">declared</span>;
  return <JobName id={fullName(name)} name={name.name} />;
}

function ownName(job: JobId): string {
  return job.slice(job.lastIndexOf("/") + 1);
}
