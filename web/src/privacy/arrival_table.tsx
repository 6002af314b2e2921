/** Where values arrive, one row for each column and kind of exposure. */

import type { Address } from "../address/address";
import { change } from "../address/router";
import { type ColumnId, datasetOf, pathOf } from "../model/names";
import { ColumnName, fullColumn, JobName } from "../shell/names";
import { Way } from "../shell/way";
import { DataTable, type TableColumn } from "../table/data_table";
import { EXPOSURE_WORDS, ExposureSign } from "./exposure_sign";
import type { Arrival } from "./exposures";

function stepsOf({ way }: Arrival): number {
  return Math.max(way.length - 1, 0);
}

const COLUMNS: readonly TableColumn<Arrival>[] = [
  {
    id: "exposure",
    label: "How",
    share: 0.95,
    cell: (row) => EXPOSURE_WORDS[row.exposure],
    shown: (row) => <ExposureSign exposure={row.exposure} />,
  },
  {
    id: "column",
    label: "Column",
    share: 1.5,
    cell: (row) => fullColumn(row.column),
    shown: (row) => <ColumnName id={row.column} />,
  },
  {
    id: "steps",
    label: "Steps",
    share: 0.45,
    cell: stepsOf,
    shown: (row) => <Way ids={row.way} steps={stepsOf(row)} onShow={() => show(row.column)} />,
  },
  {
    id: "masked_at",
    label: "Masked at",
    share: 1.35,
    cell: (row) => (row.masking === null ? null : fullColumn(row.masking.at)),
    shown: (row) => (row.masking === null ? "" : <ColumnName id={row.masking.at} />),
  },
  {
    id: "masked_how",
    label: "Expression and job",
    share: 1.35,
    cell: (row) => row.masking?.expression ?? null,
    shown: ({ masking }) =>
      masking === null ? (
        ""
      ) : (
        <>
          <code title={masking.expression}>{masking.expression}</code>
          {masking.job === null ? null : (
            <div>
              <JobName id={masking.job} />
            </div>
          )}
        </>
      ),
  },
  { id: "masked_by", label: "Job", cell: (row) => row.masking?.job ?? null, hidden: true },
  {
    id: "unmasked_at",
    label: "Unmasked at",
    cell: (row) => (row.unmasking === null ? null : fullColumn(row.unmasking.at)),
    hidden: true,
  },
  { id: "unmasked_how", label: "Unmasked how", cell: (row) => row.unmasking?.expression ?? null, hidden: true },
  { id: "unmasked_by", label: "Unmasked by", cell: (row) => row.unmasking?.job ?? null, hidden: true },
  { id: "source", label: "From", cell: (row) => fullColumn(row.source), hidden: true },
  { id: "tags", label: "Tags", cell: (row) => row.tags.join(" "), hidden: true },
  { id: "way", label: "Path", cell: (row) => row.way.map(fullColumn).join(" → "), hidden: true },
];

/** Light the paths to a column. */
function show(id: ColumnId): void {
  change({ selected: { dataset: datasetOf(id), column: pathOf(id) } });
}

export function ArrivalTable({ address, rows }: { readonly address: Address; readonly rows: readonly Arrival[] }) {
  if (rows.length === 0) return null;
  return (
    <DataTable
      caption="Where tagged columns go"
      columns={COLUMNS}
      rows={rows}
      rowKey={(row) => row.key}
      sort={address.sort}
      onSort={(sort) => change({ sort }, { replace: true })}
      isChosen={({ column }) =>
        address.selected?.dataset === datasetOf(column) && address.selected.column === pathOf(column)
      }
    />
  );
}
