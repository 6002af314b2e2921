/** What a line means: from which column to which, the transformation in words, the expression, the job. */

import type { ColumnEdge } from "../model/graph";
import { datasetOf, pathOf, ROWS, shortName } from "../model/names";
import { doubts, inWords } from "../model/words";
import type { Point } from "./layout/input";
import type { Route } from "./routes";
import type { Size } from "./viewport";

const MOST = 3;
const MOST_STEPS = 3;
const WIDTH = 340;

export function columnWords(column: string): string {
  const path = pathOf(column);
  const dataset = shortName(datasetOf(column));
  return path === ROWS ? `the rows of ${dataset}` : `${dataset}.${path}`;
}

/** A line as one text, for files and for screen readers. */
export function edgeWords(edge: ColumnEdge): string {
  const steps = edge.transformations.map((step) =>
    step.description === "" ? inWords(step) : `${inWords(step)}: ${step.description}`,
  );
  return `${columnWords(edge.from)} → ${columnWords(edge.to)}: ${steps.join("; ")}`;
}

interface Props {
  readonly route: Route;
  readonly at: Point;
  readonly size: Size;
}

export function HoverCard({ route, at, size }: Props) {
  const left = Math.max(8, Math.min(at.x + 14, size.width - WIDTH - 8));
  const place = at.y > size.height / 2 ? { bottom: size.height - at.y + 14 } : { top: at.y + 14 };
  return (
    <div className="card over" role="tooltip" style={{ left, maxWidth: WIDTH, ...place }}>
      {route.edges.slice(0, MOST).map((edge) => (
        <EdgeWords key={edge.id} edge={edge} />
      ))}
      {route.edges.length > MOST ? (
        <p className="quiet">and {(route.edges.length - MOST).toLocaleString("en")} more edges</p>
      ) : null}
    </div>
  );
}

function EdgeWords({ edge }: { readonly edge: ColumnEdge }) {
  return (
    <section>
      <p className="ends" dir="auto">
        {columnWords(edge.from)} → {columnWords(edge.to)}
      </p>
      {edge.transformations.slice(0, MOST_STEPS).map((step) => (
        <p key={`${step.type} ${step.subtype} ${step.description}`}>
          {inWords(step)}
          {step.description === "" ? null : <code dir="auto">{step.description}</code>}
        </p>
      ))}
      {edge.job === null ? null : (
        <p className="quiet" dir="auto">
          by {edge.job}
        </p>
      )}
      {doubts(edge).map((doubt) => (
        <p key={doubt} className="quiet">
          {doubt}
        </p>
      ))}
    </section>
  );
}
