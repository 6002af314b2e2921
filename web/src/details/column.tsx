/** The details of a column. */

import { Fragment } from "react";
import { lineageOf } from "../address/address";
import { Link } from "../address/router";
import { useLoaded } from "../api/loaded";
import { type ColumnEdge, EDGE_CLASSES } from "../model/graph";
import { fullName } from "../model/names";
import { CLASS_WORDS } from "../model/words";
import { DetailsLink } from "../shell/names";
import { VIEW_WORDS } from "../shell/tabs";
import { LoadState } from "../shell/waiting";
import { type ColumnStory, loadColumn } from "./load";
import { ColumnPlace, Description, Part, Tags, Title } from "./parts";
import { isSource, RootList } from "./root_list";

const WAYS = ["time", "impact", "privacy"] as const;

interface ColumnDetailsProps {
  readonly dataset: string;
  readonly column: string;
}

export function ColumnDetails({ dataset, column }: ColumnDetailsProps) {
  const loaded = useLoaded(JSON.stringify([dataset, column]), (signal) => loadColumn(dataset, column, { signal }));
  return (
    <>
      <LoadState loaded={loaded} />
      {loaded.value === null ? null : <Story story={loaded.value} column={column} />}
    </>
  );
}

function Story({ story, column }: { readonly story: ColumnStory; readonly column: string }) {
  const full = fullName(story.dataset.name);
  const known = story.dataset.columns.find((candidate) => candidate.path === column);
  return (
    <>
      <Title kind="Column" name={column} place={full} />
      <p>
        <Link to={lineageOf(full, column)}>Show lineage</Link>
        {" · "}
        {WAYS.map((view) => (
          <Fragment key={view}>
            <Link to={{ ...lineageOf(full, column), view }}>{VIEW_WORDS[view]}</Link>
            {" · "}
          </Fragment>
        ))}
        <DetailsLink details={{ of: "dataset", dataset: full }}>Show dataset</DetailsLink>
      </p>
      <Description text={known?.description ?? ""} />
      <Part title="Type">
        <p>
          {known?.type ? <code>{known.type}</code> : <span className="quiet">not known</span>}
          {known && !known.listed ? <span className="quiet"> · not in the latest schema</span> : null}
        </p>
      </Part>
      <Tags tags={story.dataset.tags.filter((tag) => tag.field === column)} />
      <Part title={`Made from (${story.inputs.length})`}>
        <Edges
          edges={story.inputs}
          end="from"
          none="No known inputs: it is a source, or its lineage was not captured."
        />
      </Part>
      <Part title={`Goes into (${story.outputs.length})`}>
        <Edges edges={story.outputs} end="to" none="No known readers." />
      </Part>
      <Part title={`Root columns (${story.roots.roots.length})`} when={!isSource(story.roots)}>
        <RootList roots={story.roots} />
      </Part>
      {story.cut ? <p className="quiet">There are more. Show the lineage to see them all.</p> : null}
    </>
  );
}

interface EdgesProps {
  readonly edges: readonly ColumnEdge[];
  readonly end: "from" | "to";
  readonly none: string;
}

function Edges({ edges, end, none }: EdgesProps) {
  if (edges.length === 0) return <p className="quiet">{none}</p>;
  return (
    <ul className="edges">
      {valuesFirst(edges).map((edge) => (
        <li key={edge.id}>
          <ColumnPlace id={edge[end]} />
          <span className={`kind ${edge.kind.toLowerCase()}`}>
            {CLASS_WORDS[edge.kind]}
            {edge.masked ? ", masked" : ""}
          </span>
          {edge.transformations
            .filter((step) => step.description !== "")
            .map((step) => (
              <code key={JSON.stringify(step)} dir="auto">
                {step.description}
              </code>
            ))}
        </li>
      ))}
    </ul>
  );
}

/** Direct sources come before what only decides on the column. */
function valuesFirst(edges: readonly ColumnEdge[]): readonly ColumnEdge[] {
  return [...edges].sort((edge, other) => EDGE_CLASSES.indexOf(edge.kind) - EDGE_CLASSES.indexOf(other.kind));
}
