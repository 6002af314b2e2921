/**
 * The graph around a dataset or a column. Headwater's own questions suit it best: `upstream` and `downstream` follow
 * all columns of a dataset in one statement, keep to a limit and say where it cut, and have the expression, the job and
 * the run of every edge. Both are asked in one batch, so they describe one moment; `outlines` then describes all boxes
 * at once.
 */

import type { Address } from "../address/address";
import {
  type ColumnEdge,
  type ColumnNode,
  closest,
  type DatasetNode,
  type GraphPart,
  isMasked,
  type JobNode,
} from "../model/graph";
import { columnId, type DatasetId, edgeId, fullName, type JobId, ROWS, type TableName } from "../model/names";
import { type AnswerTo, type Asking, ask, askMany, type QuestionBody } from "./client";
import type { components } from "./schema";

/** How many columns to load in each direction, if the address does not say. */
export const DEFAULT_LIMIT = 5_000;
/** As a column: all columns of the dataset. */
export const ALL_COLUMNS = "*";

export type ColumnAnswer = components["schemas"]["HeadwaterAnswer"];
type Outline = AnswerTo<"outlines">["outlines"][number];
type Edge = ColumnAnswer["edges"][number];

/** The parts of an address that its graph depends on; other parts do not change what is loaded. */
export type Focus = Pick<
  Address,
  "dataset" | "column" | "direction" | "depth" | "limit" | "indirect" | "asOf" | "version" | "namespaces"
>;

/** A key that differs where the graph of two addresses does. */
export function focusKey(focus: Focus): string {
  const { dataset, column, direction, depth, limit, indirect, asOf, version, namespaces } = focus;
  return JSON.stringify([dataset, column, direction, depth, limit, indirect, asOf, version, namespaces]);
}

/** The same without the details of the boxes, which saves waiting for one question. */
export async function loadOutlineless(focus: Focus, asking: Asking = {}): Promise<GraphPart> {
  const [up, down] = await followed(focus, asking);
  return graphPart(up, down, []);
}

/** The graph around the focus of an address; throws a Problem. */
export async function loadNeighbourhood(focus: Focus, asking: Asking = {}): Promise<GraphPart> {
  const [up, down] = await followed(focus, asking);
  const answers = [up, down].filter((answer) => answer !== null);
  return graphPart(up, down, await outlinesFor(answers, asking));
}

/** What the boxes of some answers show besides their columns. */
export async function outlinesFor(answers: readonly ColumnAnswer[], asking: Asking = {}): Promise<readonly Outline[]> {
  const names = [...new Set(answers.flatMap((answer) => tablesOf(answer)))];
  return (await ask("outlines", { datasets: names }, asking)).outlines;
}

async function followed(focus: Focus, asking: Asking): Promise<[ColumnAnswer | null, ColumnAnswer | null]> {
  const shared: QuestionBody<"upstream"> = {
    dataset: focus.dataset,
    column: focus.column ?? ALL_COLUMNS,
    depth: focus.depth,
    direct: !focus.indirect,
    limit: focus.limit ?? DEFAULT_LIMIT,
    namespaces: focus.namespaces.length > 0 ? [...focus.namespaces] : null,
  };
  if (focus.version !== null) {
    // A version has a provenance; its reach is a question about moments.
    return [ofColumns(await ask("upstream", { ...shared, version: focus.version }, asking)), null];
  }
  const at = { ...shared, as_of: focus.asOf };
  if (focus.direction === "upstream") return [ofColumns(await ask("upstream", at, asking)), null];
  if (focus.direction === "downstream") return [null, ofColumns(await ask("downstream", at, asking))];
  const [up, down] = await askMany(
    [
      { question: "upstream", ...at },
      { question: "downstream", ...at },
    ],
    asking,
  );
  return [ofColumns(up), ofColumns(down)];
}

/** With a column in the question, the answer is one of columns. */
function ofColumns(answer: AnswerTo<"upstream">): ColumnAnswer {
  return answer as ColumnAnswer;
}

function tablesOf(answer: ColumnAnswer): string[] {
  return [answer.root, ...answer.nodes.map((node) => node.field)].map(fullName);
}

/** Answers as a part of the graph. Pure: the server's answers in the page's own form. */
export function graphPart(up: ColumnAnswer | null, down: ColumnAnswer | null, outlines: readonly Outline[]): GraphPart {
  const answers = [up, down].filter((answer) => answer !== null);
  const known = new Map(outlines.map((outline) => [fullName(outline.name), outline]));
  // In one pass, without lists in between: a large answer has tens of thousands of edges.
  const edges = new Map<string, ColumnEdge>();
  const jobs = new Map<JobId, JobNode>();
  for (const answer of answers) {
    for (const answerEdge of answer.edges) {
      const edge = columnEdge(answerEdge);
      edges.set(edge.id, edge);
      if (answerEdge.job && edge.job !== null && !jobs.has(edge.job))
        jobs.set(edge.job, { id: edge.job, ...answerEdge.job });
    }
  }
  const root = answers[0]?.root;
  return {
    root: root ? fullName(root) : "",
    datasets: datasetNodes(answers, known),
    jobs: [...jobs.values()],
    edges: [...edges.values()],
    cut: { upstream: up?.partial ?? false, downstream: down?.partial ?? false },
    provisional: answers.some((answer) => answer.provisional),
    unknown: answers.flatMap((answer) => answer.unknown),
  };
}

function datasetNodes(answers: readonly ColumnAnswer[], known: ReadonlyMap<DatasetId, Outline>): DatasetNode[] {
  const datasets = new Map<DatasetId, { namespace: string; name: string; columns: Map<string, ColumnNode> }>();
  const columnsOf = (id: DatasetId, { namespace, name }: TableName): Map<string, ColumnNode> => {
    const dataset = datasets.get(id) ?? { namespace, name, columns: new Map() };
    datasets.set(id, dataset);
    return dataset.columns;
  };
  // The dataset in question is included even if it has no columns, or none yet.
  for (const { root } of answers) columnsOf(fullName(root), root);
  for (const { field, type } of answers.flatMap((answer) => answer.nodes)) {
    const id = fullName(field);
    const columns = columnsOf(id, field);
    const path = field.field ?? ROWS;
    if (path !== ROWS) columns.set(path, { id: columnId(id, path), path, type });
  }
  // The rows of a dataset may lead on where none of its columns does.
  for (const { origin, destination } of answers.flatMap((answer) => answer.edges))
    for (const end of [origin, destination]) if (end.field === null) columnsOf(fullName(end), end);
  // How many columns and neighbours a dataset has now says nothing about another time.
  const past = answers.some(({ moment }) => moment.until !== null);
  return [...datasets].map(([id, { namespace, name, columns }]) => {
    const outline = known.get(id);
    return {
      id,
      namespace,
      name,
      columns: [...columns.values()],
      columnCount: past || outline === undefined ? null : outline.columns,
      leads: past || outline === undefined ? null : { upstream: outline.upstream, downstream: outline.downstream },
      writtenUs: outline?.written_us ?? null,
      owners: outline?.owners ?? [],
      tags: outline?.tags ?? [],
    };
  });
}

/** An edge as the page holds it. */
export function columnEdge(edge: Edge): ColumnEdge {
  const fromDataset = fullName(edge.origin);
  const toDataset = fullName(edge.destination);
  const from = columnId(fromDataset, edge.origin.field ?? ROWS);
  const to = columnId(toDataset, edge.destination.field ?? ROWS);
  const job = edge.job ? fullName(edge.job) : null;
  return {
    id: edgeId(from, to, job),
    from,
    to,
    fromDataset,
    toDataset,
    kind: closest(edge.transformations),
    masked: isMasked(edge.transformations),
    transformations: edge.transformations,
    job,
    run: edge.run,
    carried: edge.carried,
    assumed: edge.assumed,
  };
}
