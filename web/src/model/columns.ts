/** Columns as a tree: `a.b` stands inside `a`; names with dots are quoted in backticks. */

import { joinPath, splitPath } from "./fields";

export interface SchemaColumn {
  readonly path: string;
  readonly type: string;
  readonly description: string;
  readonly listed: boolean;
}

export interface TreeNode {
  readonly name: string;
  readonly path: string;
  /** null for a field that appears only in the paths below it. */
  readonly column: SchemaColumn | null;
  readonly children: readonly TreeNode[];
}

interface Growing {
  readonly name: string;
  readonly path: string;
  column: SchemaColumn | null;
  readonly children: Map<string, Growing>;
}

/** The tree of some columns, in their order. */
export function columnTree(columns: readonly SchemaColumn[]): readonly TreeNode[] {
  const top: Growing = { name: "", path: "", column: null, children: new Map() };
  for (const column of columns) {
    let place = top;
    for (const name of splitPath(column.path)) {
      let next = place.children.get(name);
      if (next === undefined) {
        const own = joinPath([name]);
        next = { name, path: place === top ? own : `${place.path}.${own}`, column: null, children: new Map() };
        place.children.set(name, next);
      }
      place = next;
    }
    place.column = column;
  }
  return grown(top);
}

function grown(place: Growing): readonly TreeNode[] {
  return [...place.children.values()].map((child) => ({
    name: child.name,
    path: child.column?.path ?? child.path,
    column: child.column,
    children: grown(child),
  }));
}

/** Those whose path, type or description contains all words, ignoring case. */
export function filtered(columns: readonly SchemaColumn[], words: string): readonly SchemaColumn[] {
  const terms = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return columns;
  return columns.filter((column) => {
    const text = `${column.path} ${column.type} ${column.description}`.toLowerCase();
    return terms.every((word) => text.includes(word));
  });
}
