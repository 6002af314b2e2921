/** Rows by one of their columns, ascending or descending, as the address says. */

import type { Cell } from "./csv";

export interface Sorting {
  readonly column: string;
  readonly down: boolean;
}

export function sortingOf(text: string): Sorting | null {
  if (text === "") return null;
  return text.startsWith("-") ? { column: text.slice(1), down: true } : { column: text, down: false };
}

/** What the next click on a column header means: ascending, descending, then the table's own order again. */
export function nextSort(now: string, column: string): string {
  if (now === column) return `-${column}`;
  return now === `-${column}` ? "" : column;
}

/** Sorted by a column; equal rows keep their order, and empty cells come last. */
export function sorted<Row>(rows: readonly Row[], cell: (row: Row) => Cell, down: boolean): Row[] {
  const sign = down ? -1 : 1;
  return [...rows].sort((row, other) => {
    const [first, second] = [cell(row), cell(other)];
    const missing = Number(isEmpty(first)) - Number(isEmpty(second));
    return missing !== 0 ? missing : sign * compare(first, second);
  });
}

function isEmpty(value: Cell): boolean {
  return value === null || value === "";
}

function compare(cell: Cell, other: Cell): number {
  if (typeof cell === "number" && typeof other === "number") return cell - other;
  return String(cell).localeCompare(String(other), "en", { numeric: true });
}
