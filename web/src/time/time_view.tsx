/** The Time view: the graph as of a moment, the provenance of a version, or the differences between two of either. */

import { useCallback, useMemo, useState } from "react";
import { type Address, HOME } from "../address/address";
import { useFullName } from "../address/full_name";
import { change, Link } from "../address/router";
import { ask } from "../api/client";
import { useLoaded } from "../api/loaded";
import { focusKey, loadNeighbourhood } from "../api/neighbourhood";
import { Choices } from "../graph/lineage_view";
import type { Marks } from "../graph/props";
import type { GraphPart } from "../model/graph";
import { momentText, momentWords, NOW } from "../model/time";
import { ChooseFirst } from "../shell/choose";
import { Cut } from "../shell/cut";
import { GraphBeside } from "../shell/graph_beside";
import { LoadState } from "../shell/waiting";
import { AnyMoment } from "./any_moment";
import { CompareBar } from "./compare_bar";
import { type Difference, linesOfChanges, marksOfChanges } from "./difference";
import { counted, DifferingList } from "./differing_list";
import { loadDifference } from "./load_difference";
import { MomentSlider } from "./moment_slider";
import { type Moment, momentsOf, placeOf, stopsOf, turnsOf } from "./moments";
import { Player } from "./player";
import { VersionList } from "./version_list";
import "../shell/beside.css";
import "./time.css";

/** How many moments the slider has at first. */
const VERSIONS_AT_FIRST = 200;

interface Shown {
  readonly part: GraphPart;
  readonly difference: Difference | null;
}

export default function TimeView({ address }: { readonly address: Address }) {
  if (address.dataset === null)
    return <ChooseFirst message="See how a dataset or column changed over time." address={address} />;
  return <TimeOf key={`${address.dataset} ${address.column}`} address={address} dataset={address.dataset} />;
}

function TimeOf({ address, dataset }: { readonly address: Address; readonly dataset: string }) {
  const [most, setMost] = useState(VERSIONS_AT_FIRST);
  const { column, compare } = address;
  const past = useLoaded(JSON.stringify([dataset, column, most]), async (signal) => {
    const [page, history] = await Promise.all([
      ask("versions", { dataset, limit: most }, { signal }),
      column === null ? null : ask("history", { dataset, column }, { signal }),
    ]);
    return { versions: page.versions, more: page.cursor !== null, changes: history?.changes ?? [] };
  });
  const graph = useLoaded<Shown>(`${focusKey(address)} ${JSON.stringify(compare)}`, async (signal) =>
    compare === null
      ? { part: await loadNeighbourhood(address, { signal }), difference: null }
      : loadDifference(address, compare, { signal }),
  );
  useFullName(graph.value?.part.root);
  const versions = past.value?.versions;
  const changes = past.value?.changes;
  const moments = useMemo(() => momentsOf(versions ?? [], changes ?? []), [versions, changes]);
  const here = compare === null && address.asOf !== null ? moments[placeOf(moments, address.asOf)] : undefined;
  const marks = useMemo(() => (here === undefined ? undefined : marksOfChanges(here.changes)), [here]);
  return (
    <div className="with-graph">
      <div className="beside-graph">
        <TimeBar address={address} moments={moments} versions={versions ?? []} ready={graph.fresh && !graph.loading} />
        <LoadState loaded={graph} />
        {graph.value === null ? null : <TimeGraph address={address} shown={graph.value} marks={marks} />}
      </div>
      <aside className="beside" aria-label="Changes and versions">
        {graph.value?.difference && compare !== null ? (
          <section>
            <h2>Differences</h2>
            <p aria-live="polite">{counted(graph.value.difference.list)}</p>
            <DifferingList list={graph.value.difference.list} />
          </section>
        ) : null}
        {here === undefined ? null : <Happened moment={here} ofColumn={column !== null} />}
        <section>
          <h2>Versions</h2>
          <LoadState loaded={past} />
          {past.value === null ? null : (
            <VersionList
              address={address}
              versions={past.value.versions}
              onOlder={past.value.more ? () => setMost((now) => now * 2) : null}
            />
          )}
        </section>
      </aside>
    </div>
  );
}

interface BarProps {
  readonly address: Address;
  readonly moments: readonly Moment[];
  readonly versions: readonly Parameters<typeof momentsOf>[0][number][];
  readonly ready: boolean;
}

function TimeBar({ address, moments, versions, ready }: BarProps) {
  const goTo = useCallback(
    (at: string | null, how: { readonly replace: boolean }) => change({ asOf: at, version: null, compare: null }, how),
    [],
  );
  const onStop = useCallback((to: Moment, how: { readonly replace: boolean }) => goTo(to.at, how), [goTo]);
  const stops = useMemo(() => stopsOf(moments, address.column !== null), [moments, address.column]);
  if (address.compare !== null) {
    return <CompareBar address={address} compare={address.compare} moments={moments} versions={versions} />;
  }
  if (address.version !== null) return <ProvenanceBar address={address} versions={versions} />;
  return (
    <div className="time-bar">
      <MomentSlider label="As of" moments={moments} at={address.asOf} onMove={goTo} />
      <Player stops={stops} at={address.asOf} ready={ready} onStop={onStop} />
      <AnyMoment label="Another time, in UTC" onChoose={(at) => goTo(at, { replace: true })} />
      <CompareLink address={address} moments={moments} />
    </div>
  );
}

/** From the selected moment to the one before it, or from the first to now. */
function CompareLink({ address, moments }: { readonly address: Address; readonly moments: readonly Moment[] }) {
  const place = placeOf(moments, address.asOf);
  const before = address.asOf === null ? moments[0] : moments[place - 1];
  if (before === undefined) return null;
  const compare = { of: "moments" as const, before: before.at, after: address.asOf ?? NOW };
  return (
    <Link to={{ ...address, asOf: null, version: null, compare }}>
      Compare {momentText(before.us)} with {address.asOf === null ? "now" : "this"}
    </Link>
  );
}

function ProvenanceBar({ address, versions }: Pick<BarProps, "address" | "versions">) {
  const version = versions.find((candidate) => candidate.id === address.version);
  return (
    <div className="time-bar">
      <p>
        Inputs of the version{" "}
        {version === undefined ? <code>{address.version}</code> : <strong>of {momentText(version.us)} UTC</strong>}: its
        run, the versions it read, and their inputs.
      </p>
      <Link to={{ ...address, version: HOME.version }}>Back to now</Link>
    </div>
  );
}

interface GraphProps {
  readonly address: Address;
  readonly shown: Shown;
  readonly marks: Marks | undefined;
}

function TimeGraph({ address, shown: { part, difference }, marks }: GraphProps) {
  const drawn = difference?.marks ?? marks;
  return (
    <>
      {part.provisional ? <p className="note">Provisional: the run has not completed.</p> : null}
      <Cut partial={part.cut.upstream || part.cut.downstream || (difference?.partial ?? false)} address={address} />
      <GraphBeside
        address={address}
        part={part}
        label={labelOf(address)}
        {...(drawn === undefined ? {} : { marks: drawn })}
      >
        <Choices address={address} />
      </GraphBeside>
    </>
  );
}

function labelOf({ dataset, column, asOf, version, compare }: Address): string {
  const of = column === null ? dataset : `${dataset} · ${column}`;
  if (compare !== null) return `Differences in the lineage of ${of}`;
  if (version !== null) return `The provenance of a version of ${of}`;
  return `The lineage of ${of} as of ${asOf === null ? "now" : momentWords(asOf)}`;
}

function Happened({ moment, ofColumn }: { readonly moment: Moment; readonly ofColumn: boolean }) {
  const lines = linesOfChanges(moment.changes);
  const turns = turnsOf(moment.changes);
  return (
    <section aria-live="polite" className="happened">
      <h2>{momentText(moment.us)} UTC</h2>
      {turns.map((turn) => (
        <p key={turn}>{turn}</p>
      ))}
      {lines.length > 0 ? (
        <DifferingList list={lines} />
      ) : turns.length > 0 ? null : (
        <p className="quiet">{ofColumn ? "Written again; the column did not change." : "Written."}</p>
      )}
    </section>
  );
}
