/** Rows as CSV, for spreadsheets: quoted by RFC 4180, and such that no cell is taken for a formula. */

export type Cell = string | number | boolean | null;

/** What a spreadsheet may take for the start of a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** A cell in CSV. A text that looks like a formula gets an apostrophe, which marks text in spreadsheets. */
export function csvCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A header and rows, with the line ends of RFC 4180. */
export function csv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

/** Rows as a file. The byte order mark at its start tells spreadsheets that it is UTF-8. */
export function csvFile(head: readonly string[], rows: readonly (readonly Cell[])[]): Blob {
  return new Blob(["\ufeff", csv(head, rows)], { type: "text/csv;charset=utf-8" });
}

/** A file name from any text. */
export function fileName(text: string): string {
  return `${
    text
      .replace(/[^\p{L}\p{N}._-]+/gu, "_")
      .replace(/^[_.]+|_+$/g, "")
      .slice(-80) || "headwater"
  }.csv`;
}
