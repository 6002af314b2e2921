/** The views, their subject, and whether they show the past. */

import { type Address, HOME, seenIn, VIEWS, type View } from "../address/address";
import { Link } from "../address/router";
import { momentWords } from "../model/time";
import { DetailsLink } from "./names";

export const VIEW_WORDS: Readonly<Record<View, string>> = {
  overview: "Overview",
  lineage: "Lineage",
  time: "Time",
  impact: "Impact",
  privacy: "Privacy",
};

export function Tabs({ address }: { readonly address: Address }) {
  return (
    <nav className="tabs" aria-label="Views">
      {VIEWS.map((view) => (
        <Link
          key={view}
          to={view === "overview" ? HOME : seenIn(address, view)}
          aria-current={address.view === view ? "page" : undefined}
        >
          {VIEW_WORDS[view]}
        </Link>
      ))}
      <Past address={address} />
      <Focus address={address} />
    </nav>
  );
}

/** The Time view shows it by itself; elsewhere nobody should mistake the past for now. */
function Past({ address }: { readonly address: Address }) {
  const { view, asOf, version } = address;
  if (view === "time" || view === "overview" || (asOf === null && version === null)) return null;
  return (
    <span className="past">
      {asOf === null ? "of one version" : `as of ${momentWords(asOf)} UTC`}{" "}
      <Link to={{ ...address, asOf: null, version: null }}>Back to now</Link>
    </span>
  );
}

function Focus({ address: { view, dataset, column } }: { readonly address: Address }) {
  if (dataset === null || view === "overview") return null;
  const name = column === null ? dataset : `${dataset} · ${column}`;
  const details =
    column === null ? ({ of: "dataset", dataset } as const) : ({ of: "column", dataset, column } as const);
  return (
    <DetailsLink details={details} className="focus end" title={`Details of ${name}`}>
      <bdi>{name}</bdi>
    </DetailsLink>
  );
}
