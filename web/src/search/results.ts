/** The results of a search, in groups, and the position of the keyboard among them. Pure. */

import { type Address, HOME, lineageOf } from "../address/address";
import type { components } from "../api/schema";
import { fullName, shortName } from "../model/names";

type Hit = components["schemas"]["HeadwaterHit"];

/** A place to go to. */
export interface Item {
  readonly kind: "dataset" | "column" | "job";
  /** The full name of the dataset, or of the job. */
  readonly dataset: string;
  /** The name without its namespace; for a column, its path. */
  readonly label: string;
  readonly type: string;
}

export interface Group {
  readonly title: string;
  readonly items: readonly Item[];
}

const TITLES: readonly (readonly [Item["kind"], string])[] = [
  ["dataset", "Datasets"],
  ["column", "Columns"],
  ["job", "Jobs"],
];
const KINDS: Readonly<Record<string, Item["kind"]>> = { DATASET: "dataset", FIELD: "column", JOB: "job" };

export function itemOf(hit: Hit): Item {
  return {
    kind: KINDS[hit.kind] ?? "dataset",
    dataset: fullName(hit),
    label: hit.field ?? hit.name,
    type: hit.type,
  };
}

/** Items by kind, without empty groups. */
export function grouped(items: readonly Item[]): readonly Group[] {
  return TITLES.map(([kind, title]) => ({ title, items: items.filter((item) => item.kind === kind) })).filter(
    (group) => group.items.length > 0,
  );
}

/** Where an item leads. */
export function addressOf(item: Item, from: Address): Address {
  if (item.kind === "job") return { ...from, details: { of: "job", job: item.dataset } };
  const there = lineageOf(item.dataset, item.kind === "column" ? item.label : null);
  // From another view, stay in that view.
  return { ...there, view: from.view === HOME.view ? "lineage" : from.view };
}

/** The last part of its name; for a column, its whole path. */
export function shortLabel(item: Item): string {
  return item.kind === "column" ? item.label : shortName(item.label);
}

export function itemKey(item: Item): string {
  return JSON.stringify([item.kind, item.dataset, item.label]);
}

/** The position after a step through this many items; it wraps around, and -1 is none. */
export function stepped(at: number, by: number, count: number): number {
  if (count === 0) return -1;
  if (at < 0) return by > 0 ? 0 : count - 1;
  return (at + by + count) % count;
}
