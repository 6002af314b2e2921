/** The reached columns as a tree: groups, their datasets, and their columns. */

import { useState } from "react";
import { GROUPS, type Group } from "../address/address";
import { change } from "../address/router";
import { tailName } from "../model/names";
import { CLASS_WORDS } from "../model/words";
import { ColumnName, DatasetName } from "../shell/names";
import { groups, NOBODY, type Reached, type ReachedGroup } from "./reached";

/** A browser renders this many without effort. */
const GROUPS_AT_FIRST = 50;
const COLUMNS_AT_FIRST = 25;
/** With this few groups, all start open. */
const FEW = 6;

const NAMELESS: Readonly<Record<Group, string>> = { dataset: "", job: "no job", owner: "no owner" };

interface Props {
  readonly rows: readonly Reached[];
  readonly by: Group;
  readonly onlyReading: readonly string[];
}

export function ImpactTree({ rows, by, onlyReading }: Props) {
  const reachedGroups = groups(rows, by);
  return (
    <section>
      <h2 id="impact-tree">By {by}</h2>
      <fieldset className="choices">
        <legend className="unseen">Group by</legend>
        {GROUPS.map((group) => (
          <label key={group}>
            <input type="radio" name="group" checked={group === by} onChange={() => change({ group: group })} />
            {group}
          </label>
        ))}
      </fieldset>
      <ul className="tree" aria-labelledby="impact-tree">
        {reachedGroups.slice(0, GROUPS_AT_FIRST).map((group) => (
          <GroupItem key={`${by} ${group.name}`} group={group} by={by} open={reachedGroups.length <= FEW} />
        ))}
        {by === "job" ? onlyReading.map((job) => <ReadingJob key={job} job={job} />) : null}
      </ul>
      {reachedGroups.length > GROUPS_AT_FIRST ? (
        <p className="quiet">
          … and {(reachedGroups.length - GROUPS_AT_FIRST).toLocaleString("en")} more. Filter the list to see them.
        </p>
      ) : null}
    </section>
  );
}

function ReadingJob({ job }: { readonly job: string }) {
  return (
    <li>
      <bdi>{job}</bdi> <span className="quiet">reads it; no known outputs</span>
    </li>
  );
}

interface GroupProps {
  readonly group: ReachedGroup;
  readonly by: Group;
  readonly open: boolean;
}

function GroupItem({ group, by, open }: GroupProps) {
  // Folded groups are not rendered at all: there may be thousands of columns.
  const [shown, setShown] = useState(open);
  const name = group.name === NOBODY ? NAMELESS[by] : group.name;
  return (
    <li>
      <details open={shown} onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary title={name}>
          <span className={group.name === NOBODY ? "quiet" : "end"}>
            <bdi>{by === "dataset" ? tailName(name) : name}</bdi>
          </span>{" "}
          <span className="count">{group.count.toLocaleString("en")}</span>
        </summary>
        {shown ? <Inside group={group} by={by} /> : null}
      </details>
    </li>
  );
}

function Inside({ group, by }: { readonly group: ReachedGroup; readonly by: Group }) {
  return (
    <ul>
      {[...group.datasets].slice(0, GROUPS_AT_FIRST).map(([dataset, rows]) =>
        by === "dataset" ? (
          <Columns key={dataset} rows={rows} />
        ) : (
          <li key={dataset}>
            <DatasetName id={dataset} />
            <ul>
              <Columns rows={rows} />
            </ul>
          </li>
        ),
      )}
    </ul>
  );
}

function Columns({ rows }: { readonly rows: readonly Reached[] }) {
  return (
    <>
      {rows.slice(0, COLUMNS_AT_FIRST).map((row) => (
        <li key={row.id}>
          {row.column === null ? <em>columns unknown</em> : <ColumnName id={row.id} label={row.column} />}{" "}
          <span className="quiet">{howReached(row)}</span>
        </li>
      ))}
      {rows.length > COLUMNS_AT_FIRST ? (
        <li className="quiet">… and {(rows.length - COLUMNS_AT_FIRST).toLocaleString("en")} more columns</li>
      ) : null}
    </>
  );
}

/** `copied, masked`; `unknown` where the columns are unknown. */
export function howReached({ kind, masked }: Reached): string {
  if (kind === null) return "unknown";
  return masked ? `${CLASS_WORDS[kind]}, masked` : CLASS_WORDS[kind];
}
