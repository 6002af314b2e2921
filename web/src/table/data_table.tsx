/**
 * A table that sorts by its headers, shows a page at a time, and downloads as CSV: all its rows, in the order shown.
 */

import { type ReactNode, useState } from "react";
import { download } from "../graph/export";
import { type Cell, csvFile, fileName } from "./csv";
import { nextSort, sorted, sortingOf } from "./sorting";
import "./table.css";

/** Each row is some twenty elements, beside those of a graph. */
const ROWS_OF_A_PAGE = 20;

export interface TableColumn<Row> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => Cell;
  /** Rendered instead of the cell. */
  readonly shown?: (row: Row) => ReactNode;
  /** In the file only. */
  readonly hidden?: boolean;
  /** Its width relative to the others; most are 1. */
  readonly share?: number;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly isChosen?: (row: Row) => boolean;
  /** What is shown beside the count. */
  readonly children?: ReactNode;
}

export function DataTable<Row>({ caption, columns, rows, rowKey, sort, onSort, isChosen, children }: Props<Row>) {
  const [page, setPage] = useState(0);
  const sorting = sortingOf(sort);
  const by = columns.find((column) => column.id === sorting?.column);
  const ordered = by === undefined ? rows : sorted(rows, by.cell, sorting?.down ?? false);
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_OF_A_PAGE));
  const at = Math.min(page, pages - 1);
  const seen = columns.filter((column) => column.hidden !== true);
  const shares = seen.reduce((sum, { share = 1 }) => sum + share, 0);
  const keep = () => {
    const head = columns.map((column) => column.id);
    const cells = ordered.map((row) => columns.map((column) => column.cell(row)));
    download(csvFile(head, cells), fileName(caption));
  };
  return (
    <div className="data">
      <div className="data-bar">
        {children}
        <span className="quiet" role="status">
          {rows.length.toLocaleString("en")} {rows.length === 1 ? "row" : "rows"}
        </span>
        {pages > 1 ? <Pages page={at} pages={pages} onPage={setPage} /> : null}
        <button type="button" onClick={keep} disabled={rows.length === 0}>
          Download CSV
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="data-rows" aria-label={caption} tabIndex={0}>
        <table>
          <caption className="unseen">{caption}</caption>
          <colgroup>
            {seen.map(({ id, share = 1 }) => (
              <col key={id} style={{ width: `${(100 * share) / shares}%` }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {seen.map((column) => (
                <Head key={column.id} id={column.id} label={column.label} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {ordered.slice(at * ROWS_OF_A_PAGE, (at + 1) * ROWS_OF_A_PAGE).map((row) => (
              <tr key={rowKey(row)} aria-current={isChosen?.(row) ? "true" : undefined}>
                {seen.map((column) => (
                  <td key={column.id} dir="auto">
                    {column.shown?.(row) ?? words(column.cell(row))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function words(value: Cell): string {
  if (typeof value === "boolean") return value ? "yes" : "";
  return value === null ? "" : String(value);
}

interface HeadProps {
  readonly id: string;
  readonly label: string;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

function Head({ id, label, sort, onSort }: HeadProps) {
  const sorting = sortingOf(sort);
  const down = sorting?.column === id ? sorting.down : null;
  return (
    <th scope="col" aria-sort={down === null ? "none" : down ? "descending" : "ascending"}>
      <button type="button" className="plain" onClick={() => onSort(nextSort(sort, id))}>
        {label} <span aria-hidden="true">{down === null ? "" : down ? "↓" : "↑"}</span>
      </button>
    </th>
  );
}

interface PagesProps {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

function Pages({ page, pages, onPage }: PagesProps) {
  return (
    <span className="pages">
      <button type="button" onClick={() => onPage(page - 1)} disabled={page === 0} aria-label="Previous page">
        ‹
      </button>
      <span>
        {page + 1} of {pages.toLocaleString("en")}
      </span>
      <button type="button" onClick={() => onPage(page + 1)} disabled={page === pages - 1} aria-label="Next page">
        ›
      </button>
    </span>
  );
}
