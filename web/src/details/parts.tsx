/** What several kinds of details share. */

import type { ReactNode } from "react";
import type { Owner, Tag } from "../model/graph";
import { type ColumnId, datasetOf, pathOf, ROWS } from "../model/names";
import { DetailsLink } from "../shell/names";

export function Title({ kind, name, place }: { readonly kind: string; readonly name: string; readonly place: string }) {
  return (
    <header className="title">
      <p className="quiet">{kind}</p>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <p className="quiet">
        <bdi>{place}</bdi>
      </p>
    </header>
  );
}

/** A section of the drawer; left out if it is empty. */
export function Part({ title, when = true, children }: { title: string; when?: boolean; children: ReactNode }) {
  if (!when) return null;
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

export function Owners({ owners }: { readonly owners: readonly Owner[] }) {
  return (
    <Part title="Owners" when={owners.length > 0}>
      <ul className="plain-list">
        {owners.map((owner) => (
          <li key={`${owner.name} ${owner.type}`}>
            <bdi>{owner.name}</bdi> <span className="quiet">{owner.type.toLowerCase()}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

export function Tags({ tags }: { readonly tags: readonly Tag[] }) {
  return (
    <Part title="Tags" when={tags.length > 0}>
      <p className="tags">
        {tags.map((tag) => (
          <TagMark key={JSON.stringify(tag)} tag={tag} />
        ))}
      </p>
    </Part>
  );
}

function TagMark({ tag }: { readonly tag: Tag }) {
  const value = tag.value === null || tag.value === "true" ? "" : `: ${tag.value}`;
  return (
    <span className="tag">
      <bdi>
        {tag.key}
        {value}
      </bdi>
      {tag.field === null ? null : <bdi className="quiet"> {tag.field}</bdi>}
    </span>
  );
}

export function Description({ text }: { readonly text: string }) {
  return text === "" ? null : (
    <p className="description" dir="auto">
      {text}
    </p>
  );
}

/** A column, or the rows of a dataset, as a link to its details; then its dataset. */
export function ColumnPlace({ id }: { readonly id: ColumnId }) {
  const dataset = datasetOf(id);
  const path = pathOf(id);
  const details =
    path === ROWS ? ({ of: "dataset", dataset } as const) : ({ of: "column", dataset, column: path } as const);
  return (
    <span className="other">
      <DetailsLink details={details}>
        <bdi>{path === ROWS ? "rows" : path}</bdi>
      </DetailsLink>{" "}
      <bdi className="quiet" title={dataset}>
        {dataset}
      </bdi>
    </span>
  );
}
