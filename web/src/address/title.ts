/** The title of an address: in the tab, and in the browser's history. */

import { shortName } from "../model/names";
import type { Address, Details, View } from "./address";

const VIEWS: Readonly<Record<View, string>> = {
  overview: "Overview",
  lineage: "Lineage",
  time: "Time",
  impact: "Impact",
  privacy: "Privacy",
};

/** `email of customers · Lineage · Headwater`; the drawer comes before the view behind it. */
export function titleOf(address: Address): string {
  const about = address.details === null ? focusOf(address) : named(address.details);
  return [about, VIEWS[address.view], "Headwater"].filter((part) => part !== null).join(" · ");
}

function focusOf({ dataset, column }: Address): string | null {
  if (dataset === null) return null;
  return column === null ? shortName(dataset) : `${column} of ${shortName(dataset)}`;
}

function named(details: Details): string {
  switch (details.of) {
    case "dataset":
      return shortName(details.dataset);
    case "column":
      return `${details.column} of ${shortName(details.dataset)}`;
    case "job":
      return `job ${shortName(details.job)}`;
    case "run":
      return `run ${details.run.slice(0, 8)}`;
  }
}
