/** Differences between two graphs, as the server compares them: marks for the picture, and a list for readers. */

import type { AnswerTo } from "../api/client";
import { columnEdge } from "../api/neighbourhood";
import type { Mark, Marks } from "../graph/props";
import type { GraphPart, Transformation } from "../model/graph";
import { type ColumnId, columnId, type DatasetId, datasetOf, fullName, pathOf, ROWS } from "../model/names";
import { inWords } from "../model/words";
import type { Change } from "./moments";

export type Diff = AnswerTo<"diff">;
type Edge = Diff["edges_added"][number];
type EdgeChange = Diff["edges_changed"][number];
type FieldName = Diff["columns_added"][number];

/** A line of the list. `of` is the column that it is about; for an edge, `from` is the column that goes into it. */
export interface Differing {
  /** The id of the edge, or another one of a column. */
  readonly key: string;
  readonly mark: Mark;
  readonly of: ColumnId;
  readonly from: ColumnId | null;
  readonly job: string | null;
  /** The transformations of the edge, before and after; null if there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** Only literals in the text differ: the mapping is the same. */
  readonly literals: boolean;
}

export interface Difference {
  readonly marks: Marks;
  readonly list: readonly Differing[];
  readonly partial: boolean;
}

interface Compared {
  readonly edges_added: readonly Edge[];
  readonly edges_removed: readonly Edge[];
  readonly edges_changed: readonly EdgeChange[];
}

/** Both graphs compared: `diffs` are the server's answers, upstream and downstream, which may name the same edge. */
export function differenceOf(before: GraphPart, after: GraphPart, diffs: readonly Diff[]): Difference {
  const columns = new Map<ColumnId, Mark>();
  const lines = new Map<string, Differing>();
  for (const diff of diffs) {
    for (const [mark, names] of [
      ["added", diff.columns_added],
      ["removed", diff.columns_removed],
    ] as const) {
      for (const name of names) {
        const id = idOf(name);
        columns.set(id, mark);
        lines.set(`column ${id}`, columnLine(id, mark));
      }
    }
    for (const line of edgeLines(diff)) lines.set(line.key, line);
    for (const { edge, before: was, after: is } of diff.literals) {
      const line = edgeLine("changed", edge, was.join("; "), is.join("; "));
      if (!lines.has(line.key)) lines.set(line.key, { ...line, literals: true });
    }
  }
  const list = [...lines.values()].sort(inOrderFrom(after.root));
  for (const { of, from, literals } of list) {
    if (from !== null && !literals && !columns.has(of)) columns.set(of, "changed");
  }
  const edges = new Map(list.flatMap((line) => (line.from === null ? [] : [[line.key, line.mark] as const])));
  const marks = { edges: bothJobs(edges, diffs), columns, datasets: datasetMarks(before, after) };
  return { marks, list, partial: diffs.some((diff) => diff.partial) };
}

/** The marks for what changed at one moment of a column's history. */
export function marksOfChanges(changes: readonly Change[]): Marks {
  const edges = new Map<string, Mark>();
  for (const { added, removed, changed } of changes) {
    for (const edge of removed) edges.set(columnEdge(edge).id, "removed");
    for (const edge of added) edges.set(columnEdge(edge).id, "added");
    for (const { after } of changed) edges.set(columnEdge(after).id, "changed");
  }
  return { edges };
}

/** What changed at one moment of a column's history, line by line. */
export function linesOfChanges(changes: readonly Change[]): Differing[] {
  return changes
    .flatMap(({ added, removed, changed }) =>
      edgeLines({ edges_added: added, edges_removed: removed, edges_changed: changed }),
    )
    .sort(inOrderFrom(null));
}

function edgeLines({ edges_added, edges_removed, edges_changed }: Compared): Differing[] {
  return [
    ...edges_added.map((edge) => edgeLine("added", edge, null, steps(edge.transformations))),
    ...edges_removed.map((edge) => edgeLine("removed", edge, steps(edge.transformations), null)),
    ...edges_changed.map(({ before, after }) =>
      edgeLine("changed", after, edgeWords(before, after), edgeWords(after, before)),
    ),
  ];
}

/** An edge in words; if another job makes it now, with the job. */
function edgeWords(edge: Edge, other: Edge): string {
  const [job, others] = [edge, other].map((side) => (side.job ? fullName(side.job) : "")) as [string, string];
  return job === others ? steps(edge.transformations) : `${steps(edge.transformations)} (${job})`;
}

function steps(transformations: readonly Transformation[]): string {
  return transformations
    .map((step) => (step.description === "" ? inWords(step) : `${inWords(step)}: ${step.description}`))
    .join("; ");
}

function edgeLine(mark: Mark, edge: Edge, before: string | null, after: string | null): Differing {
  const { id, from, to, job } = columnEdge(edge);
  return { key: id, mark, of: to, from, job, before, after, literals: false };
}

function columnLine(id: ColumnId, mark: Mark): Differing {
  return { key: `column ${id}`, mark, of: id, from: null, job: null, before: null, after: null, literals: false };
}

/** An edge that changed its job is drawn twice, before and after: both are marked. */
function bothJobs(marks: ReadonlyMap<string, Mark>, diffs: readonly Diff[]): Map<string, Mark> {
  const all = new Map(marks);
  for (const { before } of diffs.flatMap((diff) => diff.edges_changed)) {
    const id = columnEdge(before).id;
    if (!all.has(id)) all.set(id, "removed");
  }
  return all;
}

function datasetMarks(before: GraphPart, after: GraphPart): Map<DatasetId, Mark> {
  const [was, is] = [before, after].map((part) => new Set(part.datasets.map((dataset) => dataset.id))) as [
    Set<DatasetId>,
    Set<DatasetId>,
  ];
  return new Map([
    ...[...is].filter((id) => !was.has(id)).map((id) => [id, "added"] as const),
    ...[...was].filter((id) => !is.has(id)).map((id) => [id, "removed"] as const),
  ]);
}

function idOf(name: FieldName): ColumnId {
  return columnId(fullName(name), name.field ?? ROWS);
}

const ORDER: Readonly<Record<Mark, number>> = { changed: 0, added: 1, removed: 2 };

/** Lines about the selected dataset come first; for each column: changed, added, removed. */
function inOrderFrom(root: DatasetId | null): (line: Differing, other: Differing) => number {
  return (line, other) =>
    Number(datasetOf(other.of) === root) - Number(datasetOf(line.of) === root) ||
    compare(datasetOf(line.of), datasetOf(other.of)) ||
    compare(pathOf(line.of), pathOf(other.of)) ||
    ORDER[line.mark] - ORDER[other.mark] ||
    compare(line.key, other.key);
}

function compare(text: string, other: string): number {
  return text < other ? -1 : Number(text > other);
}
