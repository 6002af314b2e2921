/** Paths of columns as a tree: nested fields are joined by dots, odd names quoted with backticks. */

import type { ColumnNode } from "./graph";

/** The names in a path; a backtick that quotes nothing is an ordinary character. */
export function splitPath(path: string): string[] {
  if (!path.includes("`")) return path.split(".");
  const names: string[] = [];
  let at = 0;
  while (at <= path.length) {
    const quoted = endOfQuote(path, at);
    if (quoted !== null) {
      names.push(path.slice(at + 1, quoted).replaceAll("``", "`"));
      at = quoted + 2;
    } else {
      const dot = path.indexOf(".", at);
      const end = dot < 0 ? path.length : dot;
      names.push(path.slice(at, end));
      at = end + 1;
    }
  }
  return names;
}

export function joinPath(names: readonly string[]): string {
  return names.map((name) => (/[.`]/.test(name) ? `\`${name.replaceAll("`", "``")}\`` : name)).join(".");
}

/** The paths that contain a path, outermost first. */
export function ancestors(path: string): string[] {
  const names = splitPath(path);
  return names.slice(1).map((_, place) => joinPath(names.slice(0, place + 1)));
}

function endOfQuote(path: string, start: number): number | null {
  if (path[start] !== "`") return null;
  for (let at = path.indexOf("`", start + 1); at >= 0; at = path.indexOf("`", at)) {
    if (path[at + 1] === "`") at += 2;
    else return at + 1 === path.length || path[at + 1] === "." ? at : null;
  }
  return null;
}

/** A column, or a struct around some. */
export interface Field {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly level: number;
  /** The fields inside it, at any depth. */
  readonly inside: number;
}

/** All fields, each below the one that contains it, otherwise in the given order; missing structs are added. */
export function fieldTree(columns: readonly ColumnNode[]): Field[] {
  const byPath = new Map(columns.map((column) => [column.path, column]));
  const children = new Map<string, string[]>();
  const seen = new Set<string>();
  const add = (path: string, parent: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [path]);
    else siblings.push(path);
  };
  for (const { path } of columns) {
    const around = path.includes(".") ? ancestors(path) : [];
    let parent = "";
    for (const ancestor of around) {
      add(ancestor, parent);
      parent = ancestor;
    }
    add(path, parent);
  }
  const fields: Field[] = [];
  const list = (path: string, level: number) => {
    const place = fields.length;
    const name = level === 0 && !path.includes("`") ? path : (splitPath(path).at(-1) ?? path);
    fields.push({ path, name, type: byPath.get(path)?.type ?? "struct", level, inside: 0 });
    for (const child of children.get(path) ?? []) list(child, level + 1);
    const field = fields[place];
    if (field !== undefined && fields.length > place + 1)
      fields[place] = { ...field, inside: fields.length - place - 1 };
  };
  for (const path of children.get("") ?? []) list(path, 0);
  return fields;
}
