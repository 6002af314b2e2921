/** The places opened last, stored in this browser. */

import { type Item, itemKey } from "./results";

const KEY = "headwater-recent";
const MOST = 8;

export function recentItems(): readonly Item[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isItem).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function remember(item: Item): void {
  try {
    window.localStorage.setItem(KEY, JSON.stringify(withNewest(recentItems(), item)));
  } catch {
    // A browser without storage has no recent items.
  }
}

export function withNewest(items: readonly Item[], item: Item): readonly Item[] {
  return [item, ...items.filter((recent) => itemKey(recent) !== itemKey(item))].slice(0, MOST);
}

function isItem(value: unknown): value is Item {
  const record = value as Record<string, unknown> | null;
  const texts = ["dataset", "label", "type"];
  return (
    typeof record === "object" &&
    record !== null &&
    ["dataset", "column", "job"].includes(String(record["kind"])) &&
    texts.every((name) => typeof record[name] === "string")
  );
}
