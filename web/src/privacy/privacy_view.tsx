/** The Privacy view: where tagged columns went, in the clear and masked, and at which step they were masked. */

import { type FormEvent, useMemo } from "react";
import type { Address } from "../address/address";
import { change, Link } from "../address/router";
import { ask } from "../api/client";
import { useLoaded } from "../api/loaded";
import { DEFAULT_LIMIT } from "../api/neighbourhood";
import { columnId, fullName } from "../model/names";
import { Cut } from "../shell/cut";
import { GraphBeside } from "../shell/graph_beside";
import { LoadState } from "../shell/waiting";
import { ArrivalTable } from "./arrival_table";
import { ExposureSign } from "./exposure_sign";
import { arrivals, EXPOSURES, graphOf, litWays, type Pii } from "./exposures";
import { SourceList } from "./source_list";
import "../shell/beside.css";
import "./privacy.css";

export default function PrivacyView({ address }: { readonly address: Address }) {
  const { dataset, column, tag, asOf, limit, namespaces } = address;
  const loaded = useLoaded(JSON.stringify([dataset, column, tag, asOf, limit, namespaces]), async (signal) => {
    const pii = await ask(
      "pii",
      {
        dataset,
        // A column is followed whatever its tags; with a tag, all columns that have it.
        column: tag === null ? column : null,
        tag,
        as_of: asOf,
        limit: limit ?? DEFAULT_LIMIT,
        namespaces: namespaces.length > 0 ? [...namespaces] : null,
      },
      { signal },
    );
    return { pii, rows: arrivals(pii), part: graphOf(pii) };
  });
  const rows = loaded.value?.rows;
  const lit = useMemo(() => litWays(rows ?? [], chosen(address)), [rows, address]);
  return (
    <div className="with-graph">
      <div className="beside-graph">
        <Scope address={address} />
        <LoadState loaded={loaded} />
        {loaded.value === null ? null : (
          <>
            <Counted rows={loaded.value.rows} pii={loaded.value.pii} />
            <Cut partial={loaded.value.pii.partial} address={address} />
            {loaded.value.part.edges.length === 0 ? null : (
              <GraphBeside address={address} part={loaded.value.part} label="Where tagged columns go" lit={lit} />
            )}
            <ArrivalTable address={address} rows={loaded.value.rows} />
          </>
        )}
      </div>
      {/* A single selected column is named above. */}
      {loaded.value === null || (isOneColumn(address) && loaded.value.pii.unknown.length === 0) ? null : (
        <aside className="beside" aria-label="Tracked columns">
          <SourceList pii={loaded.value.pii} />
          <Unknown pii={loaded.value.pii} />
        </aside>
      )}
    </div>
  );
}

function chosen({ selected }: Address): string | null {
  return selected === null ? null : columnId(selected.dataset, selected.column);
}

/** Which columns are followed. */
function Scope({ address }: { readonly address: Address }) {
  const { dataset, column, tag } = address;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get("tag");
    change({ tag: typeof value === "string" && value.trim() !== "" ? value.trim() : null, selected: null });
  };
  return (
    <form className="scope" onSubmit={submit} key={tag}>
      <p>
        {scopeInWords(address)}
        {dataset === null ? null : (
          <>
            {" "}
            {column === null || tag !== null ? null : (
              <>
                <Link to={{ ...address, column: null, selected: null }}>All tagged columns of the dataset</Link> ·{" "}
              </>
            )}
            <Link to={{ ...address, dataset: null, column: null, selected: null }}>All tagged columns</Link>
          </>
        )}
      </p>
      <label>
        Tag <input name="tag" defaultValue={tag ?? ""} placeholder="any personal tag" autoComplete="off" />
      </label>
      <button type="submit">Apply</button>
    </form>
  );
}

function isOneColumn({ dataset, column, tag }: Address): boolean {
  return dataset !== null && column !== null && tag === null;
}

function scopeInWords(address: Address): string {
  const { dataset, column, tag } = address;
  if (isOneColumn(address)) return `Where ${dataset} · ${column} goes.`;
  const columns = tag === null ? "columns with a personal tag" : `columns tagged ${tag}`;
  return dataset === null ? `Where all ${columns} go.` : `Where ${columns} of ${dataset} go.`;
}

function Counted({ rows, pii }: { readonly rows: ReturnType<typeof arrivals>; readonly pii: Pii }) {
  if (pii.sources.length === 0) {
    return (
      <p className="summary">
        No column has this tag. Add one with <code>headwater tags set DATASET COLUMN PII</code>, or choose a column: it
        is tracked whatever its tags.
      </p>
    );
  }
  return (
    <ul className="counted">
      {EXPOSURES.map((exposure) => (
        <li key={exposure}>
          <ExposureSign exposure={exposure} />{" "}
          {new Set(rows.filter((row) => row.exposure === exposure).map((row) => row.column)).size.toLocaleString("en")}
        </li>
      ))}
    </ul>
  );
}

function Unknown({ pii }: { readonly pii: Pii }) {
  if (pii.unknown.length === 0) return null;
  return (
    <section>
      <h2>Unknown</h2>
      <p className="quiet">Derived from this data by jobs without column lineage:</p>
      <ul className="tree">
        {pii.unknown.slice(0, 100).map((dataset) => (
          <li key={JSON.stringify([dataset.dataset, dataset.job])}>
            <bdi>{fullName(dataset.dataset)}</bdi>
            {dataset.job === null ? null : <span className="quiet"> by {fullName(dataset.job)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
