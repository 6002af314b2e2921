/** What an answer does not know: each job with what it writes, and the reason. */

import { fullName } from "../model/names";
import { columnsInWords, mayReach, reason, type Unknown } from "../model/unknown";
import { DatasetName, JobName } from "./names";

const AT_FIRST = 100;

export function UnknownList({ unknown, missing }: { readonly unknown: readonly Unknown[]; readonly missing: string }) {
  const listed = [
    { title: missing, entries: unknown.filter(mayReach) },
    { title: "Shown, but not certain:", entries: unknown.filter((entry) => !mayReach(entry)) },
  ].filter(({ entries }) => entries.length > 0);
  if (listed.length === 0) return null;
  return (
    <section>
      <h2>Not known</h2>
      {listed.map(({ title, entries }) => (
        <div key={title}>
          <p className="quiet">{title}</p>
          <ul className="tree">
            {entries.slice(0, AT_FIRST).map((entry) => (
              <li key={JSON.stringify([entry.why, entry.dataset, entry.job, entry.columns])}>
                {entry.dataset === null ? null : <DatasetName id={fullName(entry.dataset)} />}
                {entry.columns.length === 0 ? null : `: ${columnsInWords(entry)}`}
                {entry.job === null ? null : (
                  <>
                    {" "}
                    {entry.dataset === null ? null : <span className="quiet">by </span>}
                    <JobName id={fullName(entry.job)} />
                  </>
                )}{" "}
                <span className="quiet">{reason(entry)}</span>
              </li>
            ))}
          </ul>
          {entries.length > AT_FIRST ? (
            <p className="quiet">… and {(entries.length - AT_FIRST).toLocaleString("en")} more.</p>
          ) : null}
        </div>
      ))}
    </section>
  );
}
