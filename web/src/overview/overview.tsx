/** The first screen: for an empty store, how to send the first event; otherwise, the state of the warehouse. */
import "./overview.css";

import { ROOT } from "../address/router";
import { type AnswerTo, ask } from "../api/client";
import { useLoaded } from "../api/loaded";
import { DatasetLink } from "../shell/names";
import { Copyable } from "../shell/parts";
import { RunTable } from "../shell/run_table";
import { LoadState } from "../shell/waiting";
import { firstSteps } from "./first_event";

const OF_EACH = 10;

export function Overview() {
  const stats = useLoaded("stats", (signal) => ask("stats", {}, { signal }));
  const overview = useLoaded("overview", (signal) => ask("overview", { limit: OF_EACH }, { signal }));
  if (stats.value?.events === 0) return <Empty />;
  return (
    <div className="overview">
      <h1>Overview</h1>
      <LoadState loaded={stats} />
      {stats.value === null ? null : <Counts stats={stats.value} />}
      {stats.problem === null ? <LoadState loaded={overview} /> : null}
      {overview.value === null ? null : <Lately overview={overview.value} />}
    </div>
  );
}

function Empty() {
  const server = `${window.location.origin}${ROOT}`;
  return (
    <div className="empty">
      <h1>No lineage yet</h1>
      <p>The store is empty. Send OpenLineage events from Spark, Airflow, dbt or by hand, then reload this page.</p>
      {firstSteps(server, new Date()).map(({ title, label, text }) => (
        <section key={title}>
          <h2>{title}</h2>
          <Copyable label={label} text={text} />
        </section>
      ))}
    </div>
  );
}

function Counts({ stats }: { readonly stats: AnswerTo<"stats"> }) {
  const shown = [
    ["datasets", stats.datasets],
    ["columns", stats.fields],
    ["jobs", stats.jobs],
    ["runs", stats.runs],
    ["column edges now", stats.edges_in_force],
    ["events", stats.events],
  ] as const;
  return (
    <dl className="counts">
      {shown.map(([label, count]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{count.toLocaleString("en")}</dd>
        </div>
      ))}
    </dl>
  );
}

function Lately({ overview }: { readonly overview: AnswerTo<"overview"> }) {
  return (
    <div className="cards">
      <div className="stack">
        <section className="card">
          <h2>Failures</h2>
          {overview.failures.length === 0 ? (
            <p className="quiet">No recent failures.</p>
          ) : (
            <RunTable runs={overview.failures} label="Failed runs" />
          )}
        </section>
        <section className="card">
          <h2>Recent runs</h2>
          <RunTable runs={overview.runs} label="Recent runs" />
        </section>
      </div>
      <div className="stack">
        <section className="card">
          <h2>Lineage coverage</h2>
          <Coverage coverage={overview.coverage} />
        </section>
        <section className="card">
          <h2>Busiest datasets</h2>
          <Busiest used={overview.busiest} />
        </section>
      </div>
    </div>
  );
}

function Coverage({ coverage }: { readonly coverage: AnswerTo<"overview">["coverage"] }) {
  return (
    <>
      <Share
        label="of written datasets have column lineage"
        part={coverage.datasets_traced}
        whole={coverage.datasets}
      />
      <Share label="of their columns have a known origin" part={coverage.columns_traced} whole={coverage.columns} />
    </>
  );
}

function Share({ label, part, whole }: { readonly label: string; readonly part: number; readonly whole: number }) {
  const percent = whole === 0 ? 0 : Math.floor((100 * part) / whole);
  return (
    <div className="share">
      <p>
        <strong>{percent} %</strong> {label}{" "}
        <span className="quiet">
          ({part.toLocaleString("en")} of {whole.toLocaleString("en")})
        </span>
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw their own meter thin, and in colours of theirs */}
      <div role="meter" aria-label={label} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100}>
        <span style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}

function Busiest({ used }: { readonly used: AnswerTo<"overview">["busiest"] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Dataset</th>
          <th scope="col" className="number">
            Reads
          </th>
          <th scope="col" className="number">
            Writes
          </th>
        </tr>
      </thead>
      <tbody>
        {used.map((usage) => (
          <tr key={`${usage.name.namespace}/${usage.name.name}`}>
            <td className="cut">
              <DatasetLink name={usage.name} />
            </td>
            <td className="number">{usage.reads.toLocaleString("en")}</td>
            <td className="number">{usage.writes.toLocaleString("en")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
