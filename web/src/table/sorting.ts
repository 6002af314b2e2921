/** Rows by one of their columns, up or down, as the address says it. */

import type { Cell } from "./csv";

export interface Sorting {
  readonly column: string;
  readonly down: boolean;
}

export function sortingOf(text: string): Sorting | null {
  if (text === "") return null;
  return text.startsWith("-") ? { column: text.slice(1), down: true } : { column: text, down: false };
}

/** What the next click on a column's head asks for: up, down, and the table's own order again. */
export function nextSort(now: string, column: string): string {
  if (now === column) return `-${column}`;
  return now === `-${column}` ? "" : column;
}

/** Sorted by a column; rows that are alike stay in their order, and what is empty comes last. */
export function sorted<Row>(rows: readonly Row[], cell: (row: Row) => Cell, down: boolean): Row[] {
  const sign = down ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [first, second] = [cell(one), cell(other)];
    const missing = Number(isEmpty(first)) - Number(isEmpty(second));
    return missing !== 0 ? missing : sign * compare(first, second);
  });
}

function isEmpty(value: Cell): boolean {
  return value === null || value === "";
}

function compare(one: Cell, other: Cell): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en", { numeric: true });
}
