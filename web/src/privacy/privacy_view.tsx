/** The Privacy view: where tagged columns went, in the clear and masked, and at which step they were masked. */

import { type FormEvent, useMemo } from "react";
import type { Address } from "../address/address";
import { change, Link } from "../address/router";
import { ask } from "../api/client";
import { useLoaded } from "../api/loaded";
import { DEFAULT_LIMIT } from "../api/neighbourhood";
import { columnId, fullName } from "../model/names";
import { mayReach } from "../model/unknown";
import { Cut } from "../shell/cut";
import { GraphBeside } from "../shell/graph_beside";
import { UnknownList } from "../shell/unknown_list";
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
          <TaggedList pii={loaded.value.pii} />
          <SourceList pii={loaded.value.pii} />
          <UnknownList unknown={loaded.value.pii.unknown} missing="May hold this data (no column lineage):" />
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
  return dataset === null ? `Where all ${columns} go.` : `What ${dataset} holds of ${columns}, and where its own go.`;
}

function Counted({ rows, pii }: { readonly rows: ReturnType<typeof arrivals>; readonly pii: Pii }) {
  if (pii.dataset !== null && rows.length === 0) return <HoldsNothing pii={pii} name={fullName(pii.dataset)} />;
  if (pii.dataset === null && pii.sources.length === 0) {
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

/** "No" is said only where nothing is unknown. */
function HoldsNothing({ pii, name }: { readonly pii: Pii; readonly name: string }) {
  if (pii.tagged.length > 0) return null;
  return (
    <p className="summary">
      No column of <bdi>{name}</bdi> has this tag
      {pii.unknown.some(mayReach) ? (
        <span className="warn">, but lineage by columns is missing: it may hold such data.</span>
      ) : (
        ", and none arrives from tagged columns."
      )}
    </p>
  );
}

/** The tags of the dataset in question and of its columns, and who set them. */
function TaggedList({ pii }: { readonly pii: Pii }) {
  if (pii.tagged.length === 0) return null;
  return (
    <section>
      <h2>Tagged here</h2>
      <ul className="tree">
        {pii.tagged.map(({ field, tag, origin, certain, source }) => (
          <li key={JSON.stringify([field, tag])}>
            <bdi>{field.field ?? "the whole dataset"}</bdi> <span className="chip">{tag}</span>{" "}
            <span className="quiet">
              {SET_BY[origin]}
              {source === null ? "" : ` from ${fullName(source)}.${source.field ?? "*"}`}
              {certain ? "" : ", possibly"}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const SET_BY: Readonly<Record<Pii["tagged"][number]["origin"], string>> = {
  source: "sent by a source",
  hand: "set by hand",
  derived: "derived",
};
