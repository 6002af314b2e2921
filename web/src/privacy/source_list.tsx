/** Tracked columns, with their tags and how far each one goes. */

import { type Address, HOME } from "../address/address";
import { Link } from "../address/router";
import { fullName, tailName } from "../model/names";
import type { Pii } from "./exposures";

const AT_FIRST = 100;

export function SourceList({ pii }: { readonly pii: Pii }) {
  if (pii.sources.length === 0) return null;
  return (
    <section>
      <h2>Tracked</h2>
      <ul className="tree">
        {pii.sources.slice(0, AT_FIRST).map((source) => (
          <li key={JSON.stringify(source.field)}>
            <Link to={privacyOf(fullName(source.field), source.field.field)} title={fullName(source.field)}>
              <bdi>
                {tailName(source.field.name)}.{source.field.field}
              </bdi>
            </Link>{" "}
            {source.tags.map((tag) => (
              <Link
                key={tag}
                to={{ ...HOME, view: "privacy", tag }}
                className="chip"
                title={`All columns tagged ${tag}`}
              >
                <bdi>{tag}</bdi>
              </Link>
            ))}{" "}
            <span className="quiet">
              reaches {source.reached.length.toLocaleString("en")} {source.reached.length === 1 ? "column" : "columns"}
            </span>
          </li>
        ))}
      </ul>
      {pii.sources.length > AT_FIRST ? (
        <p className="quiet">… and {(pii.sources.length - AT_FIRST).toLocaleString("en")} more.</p>
      ) : null}
    </section>
  );
}

function privacyOf(dataset: string, column: string | null): Address {
  return { ...HOME, view: "privacy", dataset, column };
}
