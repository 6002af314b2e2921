/** What is lit, in words: one visible line, and a list for screen readers. */

import type { GraphPart } from "../model/graph";
import type { Lit } from "../model/lighting";
import { columnId, datasetOf, pathOf, ROWS } from "../model/names";
import { columnWords, edgeWords } from "./hover_card";
import type { BoxActions, ColumnChoice } from "./props";

/** A longer list helps nobody; the drawer and the other views have everything. */
const MOST = 40;

interface Props {
  readonly part: GraphPart;
  readonly lit: Lit | null;
  readonly selected: ColumnChoice | null;
  readonly onClear: (() => void) | undefined;
  readonly onDetails: BoxActions["onDetails"];
}

/** Such as `3 columns in 2 datasets are lit`. */
export function litWords(lit: Lit): string {
  const columns = [...lit.columns].filter((id) => pathOf(id) !== ROWS);
  const datasets = new Set(columns.map(datasetOf)).size;
  const count = (number: number, word: string) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
  return `${count(columns.length, "column")} in ${count(datasets, "dataset")}, ${count(lit.edges.size, "edge")}`;
}

export function LitList({ part, lit, selected, onClear, onDetails }: Props) {
  const edges = lit === null ? [] : part.edges.filter((edge) => lit.edges.has(edge.id));
  return (
    <div className="lit-list over" aria-live="polite">
      {lit === null ? null : (
        <>
          <p>
            {selected === null ? "Lit" : <b dir="auto">{columnWords(columnId(selected.dataset, selected.column))}</b>}:{" "}
            {litWords(lit)}
          </p>
          {selected === null || onDetails === undefined ? null : (
            <button type="button" onClick={() => onDetails({ of: "column", ...selected })}>
              Details
            </button>
          )}
          {onClear === undefined ? null : (
            <button type="button" className="plain" aria-label="Clear the selection" onClick={onClear}>
              ×
            </button>
          )}
          <ul className="unseen">
            {edges.slice(0, MOST).map((edge) => (
              <li key={edge.id}>{edgeWords(edge)}</li>
            ))}
            {edges.length > MOST ? <li>and {edges.length - MOST} more</li> : null}
          </ul>
        </>
      )}
    </div>
  );
}
