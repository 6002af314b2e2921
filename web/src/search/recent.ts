/** What was gone to last, kept in this browser. */

import { type Item, itemKey } from "./results";

const KEY = "headwater-recent";
const MOST = 8;

export function recentItems(): readonly Item[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isItem).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function remember(item: Item): void {
  try {
    window.localStorage.setItem(KEY, JSON.stringify(withNewest(recentItems(), item)));
  } catch {
    // A browser that keeps nothing has no recent items.
  }
}

export function withNewest(items: readonly Item[], item: Item): readonly Item[] {
  return [item, ...items.filter((one) => itemKey(one) !== itemKey(item))].slice(0, MOST);
}

function isItem(value: unknown): value is Item {
  const one = value as Record<string, unknown> | null;
  const texts = ["dataset", "label", "type"];
  return (
    typeof one === "object" &&
    one !== null &&
    ["dataset", "column", "job"].includes(String(one["kind"])) &&
    texts.every((name) => typeof one[name] === "string")
  );
}
