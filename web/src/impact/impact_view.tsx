/** The Impact view: what changing or dropping a column reaches, as a graph, a tree and a table. */

import { useMemo } from "react";
import type { Address } from "../address/address";
import { useFullName } from "../address/full_name";
import { change } from "../address/router";
import { ask } from "../api/client";
import { useLoaded } from "../api/loaded";
import { ALL_COLUMNS, DEFAULT_LIMIT, graphPart, outlinesFor } from "../api/neighbourhood";
import { type ColumnId, datasetOf, pathOf } from "../model/names";
import { ChooseFirst } from "../shell/choose";
import { Cut } from "../shell/cut";
import { GraphBeside } from "../shell/graph_beside";
import { ColumnName, DatasetName, fullColumn, JobName } from "../shell/names";
import { UnknownList } from "../shell/unknown_list";
import { LoadState } from "../shell/waiting";
import { Way } from "../shell/way";
import { DataTable, type TableColumn } from "../table/data_table";
import { howReached, ImpactTree } from "./impact_tree";
import { type Impact, narrowed, onlyReading, type Reached, reachedBy } from "./reached";
import "../shell/beside.css";
import "./impact.css";

const COLUMNS: readonly TableColumn<Reached>[] = [
  {
    id: "dataset",
    label: "Dataset",
    share: 1.4,
    cell: (row) => row.dataset,
    shown: (row) => <DatasetName id={row.dataset} />,
  },
  {
    id: "column",
    label: "Column",
    cell: (row) => row.column,
    shown: (row) => (row.column === null ? <em>not known</em> : <ColumnName id={row.id} label={row.column} />),
  },
  { id: "type", label: "Type", cell: (row) => row.type, hidden: true },
  {
    id: "distance",
    label: "Steps",
    share: 0.45,
    cell: (row) => row.distance,
    shown: (row) => (
      <Way ids={row.path} steps={row.distance} onShow={row.column === null ? null : () => choose(row.id)} />
    ),
  },
  { id: "how", label: "How", share: 0.8, cell: howReached },
  { id: "owners", label: "Owners", share: 0.8, cell: (row) => row.owners.join("; ") },
  {
    id: "jobs",
    label: "Jobs",
    cell: (row) => row.jobs.join("; "),
    shown: (row) =>
      row.jobs.map((job) => (
        <div key={job}>
          <JobName id={job} />
        </div>
      )),
  },
  { id: "path", label: "Path", cell: (row) => row.path.map(fullColumn).join(" → "), hidden: true },
];

function choose(id: ColumnId): void {
  change({ selected: { dataset: datasetOf(id), column: pathOf(id) } });
}

export default function ImpactView({ address }: { readonly address: Address }) {
  if (address.dataset === null)
    return <ChooseFirst message="See what changing or dropping a column affects." address={address} />;
  return <ImpactOf address={address} dataset={address.dataset} />;
}

function ImpactOf({ address, dataset }: { readonly address: Address; readonly dataset: string }) {
  const { column, asOf, limit, namespaces } = address;
  // The whole reach, including conditions: a column that a filter reads cannot be dropped either.
  const loaded = useLoaded(JSON.stringify([dataset, column, asOf, limit, namespaces]), async (signal) => {
    const impact = await ask(
      "impact",
      {
        dataset,
        column: column ?? ALL_COLUMNS,
        as_of: asOf,
        limit: limit ?? DEFAULT_LIMIT,
        namespaces: namespaces.length > 0 ? [...namespaces] : null,
      },
      { signal },
    );
    const outlines = await outlinesFor([impact.answer], { signal });
    return { impact, rows: reachedBy(impact), part: graphPart(null, impact.answer, outlines) };
  });
  useFullName(loaded.value?.part.root);
  const rows = useMemo(() => narrowed(loaded.value?.rows ?? [], address.filter), [loaded.value, address.filter]);
  if (loaded.value === null) return <LoadState loaded={loaded} />;
  const { impact, part } = loaded.value;
  const of = column === null ? dataset : `${dataset} · ${column}`;
  return (
    <div className="with-graph">
      <div className="beside-graph">
        <LoadState loaded={loaded} />
        <Summary impact={impact} />
        <Cut partial={impact.partial} address={address} count={impact.answer.nodes.length} />
        <GraphBeside
          address={address}
          part={part}
          label={`What changing ${of} affects`}
          selected={address.selected ?? (column === null ? null : { dataset, column })}
        />
        <DataTable
          caption={`Impact of ${of}`}
          columns={COLUMNS}
          rows={rows}
          rowKey={(row) => `${row.id} ${row.column === null}`}
          sort={address.sort}
          onSort={(sort) => change({ sort }, { replace: true })}
          isChosen={(row) => address.selected?.dataset === row.dataset && address.selected.column === row.column}
        >
          <label>
            <span className="unseen">Filter the list</span>
            <input
              type="search"
              value={address.filter}
              placeholder="Filter by name, owner or job"
              onChange={(event) => change({ filter: event.target.value }, { replace: true })}
            />
          </label>
        </DataTable>
      </div>
      <aside className="beside" aria-label="Affected columns, grouped">
        <ImpactTree rows={rows} by={address.group} onlyReading={onlyReading(impact)} />
        <UnknownList unknown={impact.unknown} missing="May be affected as well:" />
      </aside>
    </div>
  );
}

function Summary({ impact: { counts, unknown } }: { readonly impact: Impact }) {
  const counted = (count: number, singular: string, many = `${singular}s`) =>
    `${count.toLocaleString("en")} ${count === 1 ? singular : many}`;
  if (counts.columns === 0 && unknown.length === 0) return <p className="summary">No known impact.</p>;
  return (
    <p className="summary">
      Reaches <strong>{counted(counts.columns, "column")}</strong> in {counted(counts.datasets, "dataset")}, by{" "}
      {counted(counts.jobs, "job")}: {counts.direct.toLocaleString("en")} by value ({counts.masked.toLocaleString("en")}{" "}
      only masked), {counts.indirect.toLocaleString("en")} only as a condition.
      {counts.unknown === 0 ? null : (
        <span className="warn"> Possibly {counted(counts.unknown, "dataset")} more without column lineage.</span>
      )}
    </p>
  );
}
