/** What a box shows, and how large it is: a page of its rows, with the fields of structs below them where open. */

import { ancestors, type Field, fieldTree } from "../model/fields";
import type { ColumnNode, DatasetNode, JobNode } from "../model/graph";
import { columnId, ROWS, shortName } from "../model/names";

export const WIDTH = 248;
export const HEAD = 44;
export const BAR = 30;
export const ROW = 22;
export const FOOT = 24;
export const JOB_WIDTH = 190;
export const JOB_HEIGHT = 32;
/** Below the last row. */
const MARGIN = 4;

/** How many rows a box shows at once; with many boxes, each shows fewer. */
const PAGE = 10;
const SMALL_PAGE = 5;
const MANY = 60;

export function rowsAPage(boxes: number): number {
  return boxes > MANY ? SMALL_PAGE : PAGE;
}

/** What the user did with a box. */
export interface BoxState {
  readonly opened: ReadonlySet<string>;
  /** Null until the user turns pages: then the page with the selected column is shown. */
  readonly page: number | null;
  readonly filter: string;
  /** All columns, once requested; until then, those with lineage. */
  readonly all: readonly ColumnNode[] | null;
}

export const AS_FOUND: BoxState = { opened: new Set(), page: null, filter: "", all: null };

export interface Row extends Field {
  readonly open: boolean;
  /** Whether the column itself, and not only a field inside it, has lineage here. */
  readonly lineage: boolean;
  readonly lit: boolean;
}

export interface Box {
  readonly id: string;
  readonly kind: "dataset" | "job";
  readonly title: string;
  readonly subtitle: string;
  readonly folded: boolean;
  readonly rows: readonly Row[];
  /** Whether there is a filter and, with several pages, a pager. */
  readonly bar: boolean;
  readonly filter: string;
  readonly page: number;
  readonly pages: number;
  /** Rows on all pages. */
  readonly matching: number;
  /** Columns that are left out because they have no lineage. */
  readonly rest: number;
  readonly unfolded: boolean;
  readonly width: number;
  readonly height: number;
  /** Where the lines of each visible row begin, below the top. */
  readonly ports: ReadonlyMap<string, number>;
}

export interface BoxOptions {
  readonly folded: boolean;
  readonly rowsAPage: number;
  readonly isLit: (path: string) => boolean;
  /** The path of the column that is selected in this box. */
  readonly selected: string | null;
}

export function datasetBox(dataset: DatasetNode, state: BoxState, options: BoxOptions): Box {
  const named = {
    id: dataset.id,
    kind: "dataset" as const,
    title: shortName(dataset.name),
    subtitle: dataset.id.slice(0, Math.max(0, dataset.id.length - shortName(dataset.name).length)),
    width: WIDTH,
    filter: state.filter,
  };
  const paths = new Set(dataset.columns.map((column) => column.path));
  const unfolded = state.all !== null;
  const rest = Math.max(0, (dataset.columnCount ?? 0) - dataset.columns.length);
  if (options.folded) {
    const nothing = { rows: [], bar: false, page: 0, pages: 1, matching: 0, ports: new Map<string, number>() };
    return { ...named, ...nothing, folded: true, rest, unfolded, height: HEAD };
  }
  const tree = fieldTree(unfolded ? withUnlisted(state.all ?? [], dataset.columns) : dataset.columns);
  const opened = new Set(state.opened);
  if (options.selected !== null) for (const path of ancestors(options.selected)) opened.add(path);
  const standing = shownFields(tree, opened);
  const size = Math.min(standing.length, options.rowsAPage);
  const bar = tree.length > options.rowsAPage;
  const matching = state.filter === "" ? standing : filtered(tree, state.filter);
  const inOrder =
    matching.length > options.rowsAPage && state.filter === "" && options.selected === null
      ? litFirst(matching, tree, options.isLit)
      : matching;
  const pages = Math.max(1, Math.ceil(inOrder.length / options.rowsAPage));
  const chosen = inOrder.findIndex((field) => field.path === options.selected);
  const page = Math.min(pages - 1, state.page ?? Math.max(0, Math.floor(chosen / options.rowsAPage)));
  const rows = inOrder.slice(page * options.rowsAPage, (page + 1) * options.rowsAPage).map((field) => ({
    ...field,
    open: opened.has(field.path),
    lineage: paths.has(field.path),
    lit:
      field.inside > 0 && !opened.has(field.path) ? litInside(field, tree, options.isLit) : options.isLit(field.path),
  }));
  const top = HEAD + (bar ? BAR : 0);
  const foot = rest > 0 || unfolded ? FOOT : 0;
  return {
    ...named,
    folded: false,
    rows,
    bar,
    page,
    pages,
    matching: inOrder.length,
    rest,
    unfolded,
    height: top + size * ROW + foot + (size > 0 ? MARGIN : 0),
    ports: new Map(rows.map((row, place) => [row.path, top + (place + 0.5) * ROW])),
  };
}

export function jobBox(job: JobNode): Box {
  return {
    id: job.id,
    kind: "job",
    title: job.name,
    subtitle: job.namespace,
    folded: true,
    rows: [],
    bar: false,
    filter: "",
    page: 0,
    pages: 1,
    matching: 0,
    rest: 0,
    unfolded: false,
    width: JOB_WIDTH,
    height: JOB_HEIGHT,
    ports: new Map(),
  };
}

/** Where lines of a column begin: at its row, at the row of the struct around it, or at the head of the box. */
export function portOf(box: Box, path: string): number {
  const middle = Math.min(HEAD, box.height) / 2;
  if (path === ROWS) return middle;
  const own = box.ports.get(path);
  if (own !== undefined) return own;
  for (const around of path.includes(".") ? ancestors(path).reverse() : []) {
    const port = box.ports.get(around);
    if (port !== undefined) return port;
  }
  // Columns on another page belong to the pager.
  return box.bar && !box.folded ? HEAD + BAR / 2 : middle;
}

/** The schema's columns in their order, then columns that only lineage knows. */
function withUnlisted(all: readonly ColumnNode[], fromLineage: readonly ColumnNode[]): readonly ColumnNode[] {
  const listed = new Set(all.map((column) => column.path));
  return [...all, ...fromLineage.filter((column) => !listed.has(column.path))];
}

function shownFields(tree: readonly Field[], opened: ReadonlySet<string>): readonly Field[] {
  const shown: Field[] = [];
  // Fields follow the struct that contains them: skip what is inside a closed one.
  for (let place = 0; place < tree.length; place++) {
    const field = tree[place];
    if (field === undefined) break;
    shown.push(field);
    if (!opened.has(field.path)) place += field.inside;
  }
  return shown;
}

function filtered(tree: readonly Field[], filter: string): readonly Field[] {
  const words = filter.toLowerCase();
  return tree
    .filter((field) => field.inside === 0 && field.path.toLowerCase().includes(words))
    .map((field) => ({ ...field, level: 0, name: field.path }));
}

function litInside(field: Field, tree: readonly Field[], isLit: (path: string) => boolean): boolean {
  if (isLit(field.path) || field.inside === 0) return isLit(field.path);
  const place = tree.findIndex((item) => item.path === field.path);
  return tree.slice(place + 1, place + 1 + field.inside).some((child) => isLit(child.path));
}

/** Lit columns with their open fields, then the others: in a wide table, the first page shows the path. */
function litFirst(fields: readonly Field[], tree: readonly Field[], isLit: (path: string) => boolean): Field[] {
  const lit: Field[] = [];
  const dim: Field[] = [];
  let into = dim;
  for (const field of fields) {
    if (field.level === 0) into = litInside(field, tree, isLit) ? lit : dim;
    into.push(field);
  }
  return [...lit, ...dim];
}

/** The ids of the columns that a row stands for. */
export function rowId(box: Box, row: Row): string {
  return columnId(box.id, row.path);
}
