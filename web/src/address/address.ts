/**
 * What the page shows, as its address says. The address is the only truth: to show something else, go to another
 * address; all parts of the page read theirs from it.
 */

export const VIEWS = ["overview", "lineage", "time", "impact", "privacy"] as const;
export type View = (typeof VIEWS)[number];
export const DIRECTIONS = ["both", "upstream", "downstream"] as const;
export type Direction = (typeof DIRECTIONS)[number];
export const GROUPS = ["dataset", "job", "owner"] as const;
export type Group = (typeof GROUPS)[number];

/** Two moments (ISO 8601, or a date), or two versions by their ids. */
export interface Compare {
  readonly of: "moments" | "versions";
  readonly before: string;
  readonly after: string;
}

/** What the drawer shows. */
export type Details =
  | { readonly of: "dataset"; readonly dataset: string }
  | { readonly of: "column"; readonly dataset: string; readonly column: string }
  | { readonly of: "job"; readonly job: string }
  | { readonly of: "run"; readonly run: string };

export interface Address {
  readonly view: View;
  /** The focus: a dataset by its full name, and one of its columns. */
  readonly dataset: string | null;
  readonly column: string | null;
  /** The column whose path is lit; it may belong to another dataset. */
  readonly selected: { readonly dataset: string; readonly column: string } | null;
  readonly direction: Direction;
  /** How many steps from the focus; null for all. */
  readonly depth: number | null;
  /** How many columns to load at most; null for the page's own limit. */
  readonly limit: number | null;
  /** Whether to show what only filters, joins, groups, sorts or decides, too. */
  readonly indirect: boolean;
  /** Whether jobs are shown between the datasets. */
  readonly jobs: boolean;
  /** The selected moment (ISO 8601, or a date); null is now. */
  readonly asOf: string | null;
  /** The version whose provenance is shown, instead of a moment. */
  readonly version: string | null;
  readonly compare: Compare | null;
  /** The tag to follow. */
  readonly tag: string | null;
  readonly namespaces: readonly string[];
  /** Where more was loaded than the depth says, in this order: see `model/expansion`. */
  readonly expanded: readonly string[];
  /** Hidden sides of datasets, in the same form. */
  readonly collapsed: readonly string[];
  /** Datasets that stay, whatever is hidden. */
  readonly pinned: readonly string[];
  /** Datasets whose boxes are folded to their names. */
  readonly folded: readonly string[];
  /** Words that narrow what a view lists. */
  readonly filter: string;
  /** What a list is grouped by. */
  readonly group: Group;
  /** The column that a table is sorted by, with a minus for descending; empty is the table's own order. */
  readonly sort: string;
  readonly details: Details | null;
}

export const DEFAULT_DEPTH = 2;

export const HOME: Address = {
  view: "overview",
  dataset: null,
  column: null,
  selected: null,
  direction: "both",
  depth: DEFAULT_DEPTH,
  limit: null,
  indirect: false,
  jobs: false,
  asOf: null,
  version: null,
  compare: null,
  tag: null,
  namespaces: [],
  expanded: [],
  collapsed: [],
  pinned: [],
  folded: [],
  filter: "",
  group: "dataset",
  sort: "",
  details: null,
};

const ALL = "all";
const BELOW = "/view/";

/**
 * An address from the path below the server's own and the query; parts that it does not understand get their defaults.
 */
export function parseAddress(path: string, query: string): Address {
  const parameters = new URLSearchParams(query);
  const view = path.startsWith(BELOW) ? path.slice(BELOW.length).replace(/\/+$/, "") : "";
  return {
    view: oneOf(VIEWS, view) ?? "overview",
    dataset: parameters.get("dataset"),
    column: parameters.get("column"),
    selected: pair(parameters.getAll("selected")),
    direction: oneOf(DIRECTIONS, parameters.get("direction")) ?? "both",
    depth: parameters.get("depth") === ALL ? null : (count(parameters.get("depth")) ?? DEFAULT_DEPTH),
    limit: count(parameters.get("limit")),
    indirect: parameters.has("indirect"),
    jobs: parameters.has("jobs"),
    asOf: parameters.get("as-of"),
    version: parameters.get("version"),
    compare: compared(parameters),
    tag: parameters.get("tag"),
    namespaces: parameters.getAll("namespace"),
    expanded: parameters.getAll("expanded"),
    collapsed: parameters.getAll("collapsed"),
    pinned: parameters.getAll("pinned"),
    folded: parameters.getAll("folded"),
    filter: parameters.get("filter") ?? "",
    group: oneOf(GROUPS, parameters.get("group")) ?? HOME.group,
    sort: parameters.get("sort") ?? "",
    details: detailed(parameters.getAll("details")),
  };
}

/** The path and the query of an address, below the server's own path; defaults are left out. */
export function printAddress(address: Address): string {
  const query = new URLSearchParams();
  const append = (name: string, ...values: readonly (string | null)[]) => {
    for (const value of values) if (value !== null && value !== "") query.append(name, value);
  };
  append("dataset", address.dataset);
  append("column", address.column);
  if (address.selected) append("selected", address.selected.dataset, address.selected.column);
  if (address.direction !== HOME.direction) append("direction", address.direction);
  if (address.depth !== HOME.depth) append("depth", address.depth === null ? ALL : String(address.depth));
  append("limit", address.limit === null ? null : String(address.limit));
  if (address.indirect) append("indirect", "1");
  if (address.jobs) append("jobs", "1");
  append("as-of", address.asOf);
  append("version", address.version);
  if (address.compare) append(`compare-${address.compare.of}`, address.compare.before, address.compare.after);
  append("tag", address.tag);
  append("namespace", ...address.namespaces);
  append("expanded", ...address.expanded);
  append("collapsed", ...address.collapsed);
  append("pinned", ...address.pinned);
  append("folded", ...address.folded);
  append("filter", address.filter);
  if (address.group !== HOME.group) append("group", address.group);
  append("sort", address.sort);
  if (address.details) append("details", ...Object.values(address.details));
  const path = address.view === "overview" ? "/" : `${BELOW}${address.view}`;
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The lineage of a dataset, or of one of its columns. */
export function lineageOf(dataset: string, column: string | null = null): Address {
  const selected = column === null ? null : { dataset, column };
  return { ...HOME, view: "lineage", dataset, column, selected };
}

/** The same in another view, about the selected column; drops what only the previous view knew. */
export function seenIn(address: Address, view: View): Address {
  if (view === address.view) return address;
  const { selected } = address;
  const about = selected === null || view === "lineage" ? {} : { dataset: selected.dataset, column: selected.column };
  const { version, compare, tag, filter, sort, limit } = HOME;
  return { ...address, ...about, version, compare, tag, filter, sort, limit, view };
}

function oneOf<T extends string>(known: readonly T[], text: string | null): T | null {
  return known.find((choice) => choice === text) ?? null;
}

function count(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function pair(parts: readonly string[]): Address["selected"] {
  const [dataset, column] = parts;
  return dataset !== undefined && column !== undefined ? { dataset, column } : null;
}

function compared(parameters: URLSearchParams): Compare | null {
  for (const of of ["moments", "versions"] as const) {
    const [before, after] = parameters.getAll(`compare-${of}`);
    if (before !== undefined && after !== undefined) return { of, before, after };
  }
  return null;
}

function detailed([of, first, second]: readonly string[]): Details | null {
  if (first === undefined) return null;
  if (of === "dataset") return { of, dataset: first };
  if (of === "column" && second !== undefined) return { of, dataset: first, column: second };
  if (of === "job") return { of, job: first };
  return of === "run" ? { of, run: first } : null;
}
