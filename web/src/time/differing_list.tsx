/** Differences, as a list: a sign and a word beside each colour. */

import type { Mark } from "../graph/props";
import { SIGNS } from "../graph/styles";
import { ColumnName, JobName } from "../shell/names";
import type { Differing } from "./difference";

const WORDS: Readonly<Record<Mark, string>> = { added: "Added", removed: "Removed", changed: "Changed" };
const AT_FIRST = 50;

export function MarkSign({ mark, literals = false }: { readonly mark: Mark; readonly literals?: boolean }) {
  return (
    <span className={`mark ${mark}`}>
      <span aria-hidden="true">{SIGNS[mark]}</span> {literals ? "Literals" : WORDS[mark]}
    </span>
  );
}

/** How many of each, in words. */
export function counted(list: readonly Differing[]): string {
  const parts = (["added", "removed", "changed"] as const).map((mark) => {
    const count = list.filter((line) => line.mark === mark).length;
    return `${count.toLocaleString("en")} ${mark}`;
  });
  return list.length === 0 ? "No differences." : parts.join(", ");
}

export function DifferingList({ list }: { readonly list: readonly Differing[] }) {
  return (
    <>
      <ul className="differing">
        {list.slice(0, AT_FIRST).map((line) => (
          <li key={line.key} data-mark={line.mark}>
            <MarkSign mark={line.mark} literals={line.literals} />
            <div>
              <ColumnName id={line.of} />
              {line.from === null ? <span className="quiet"> column</span> : null}
              {line.from === null ? null : (
                <>
                  <span className="quiet"> ← </span>
                  <ColumnName id={line.from} />
                </>
              )}
              {line.job === null ? null : (
                <div className="by quiet">
                  by <JobName id={line.job} />
                </div>
              )}
              {line.before === null ? null : (
                <div className="said was" dir="auto">
                  <del>{line.before}</del>
                </div>
              )}
              {line.after === null ? null : (
                <div className="said is" dir="auto">
                  <ins>{line.after}</ins>
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
      {list.length > AT_FIRST ? (
        <p className="quiet">
          … and {(list.length - AT_FIRST).toLocaleString("en")} more. Select a column to see fewer.
        </p>
      ) : null}
    </>
  );
}
