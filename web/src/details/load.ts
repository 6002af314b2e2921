/** What the drawer loads. Lineage and names come from Headwater's questions; facets from Marquez's part of the server. */

import { type AnswerTo, type Asking, ask, askMany, get } from "../api/client";
import { type ColumnAnswer, columnEdge } from "../api/neighbourhood";
import { isProblem } from "../api/problem";
import type { ColumnEdge } from "../model/graph";
import { columnId, type TableName } from "../model/names";

const VERSIONS = 20;
const RUNS = 20;
const NEIGHBOURS = 200;

export type Facets = Readonly<Record<string, unknown>>;

export interface DatasetStory {
  readonly dataset: AnswerTo<"dataset">;
  readonly versions: AnswerTo<"versions">;
  /** Paths of the columns whose origin is known. */
  readonly traced: ReadonlySet<string>;
  /** From the last run that wrote it. */
  readonly facets: Facets;
}

export async function loadDataset(name: string, asking: Asking): Promise<DatasetStory> {
  const [dataset, versions, above] = await askMany(
    [
      { question: "dataset", dataset: name },
      { question: "versions", dataset: name, limit: VERSIONS },
      { question: "upstream", dataset: name, column: "*", depth: 1 },
    ],
    asking,
  );
  const traced = new Set((above as ColumnAnswer).edges.flatMap((edge) => edge.destination.field ?? []));
  const run = versions.versions.find((version) => version.run !== null)?.run;
  return { dataset, versions, traced, facets: run ? await runFacets(run, asking) : {} };
}

export interface ColumnStory {
  readonly dataset: AnswerTo<"dataset">;
  readonly inputs: readonly ColumnEdge[];
  readonly outputs: readonly ColumnEdge[];
  /** The source columns at the start of all paths to it. */
  readonly roots: AnswerTo<"roots">;
  readonly cut: boolean;
}

export async function loadColumn(name: string, column: string, asking: Asking): Promise<ColumnStory> {
  const near = { dataset: name, column, depth: 1, limit: NEIGHBOURS } as const;
  const [dataset, up, down, roots] = await askMany(
    [
      { question: "dataset", dataset: name },
      { question: "upstream", ...near },
      { question: "downstream", ...near },
      { question: "roots", dataset: name, column, limit: NEIGHBOURS },
    ],
    asking,
  );
  const [above, below] = [up as ColumnAnswer, down as ColumnAnswer];
  const here = columnId(`${above.root.namespace}/${above.root.name}`, above.root.field ?? "");
  return {
    dataset,
    inputs: above.edges.map(columnEdge).filter((edge) => edge.from !== here),
    outputs: below.edges.map(columnEdge).filter((edge) => edge.from === here),
    roots,
    cut: above.partial || below.partial,
  };
}

export interface JobStory {
  readonly job: AnswerTo<"job">;
  readonly runs: AnswerTo<"runs">;
  readonly reads: readonly TableName[];
  readonly writes: readonly TableName[];
  readonly facets: Facets;
  /** Of the last failed run among those shown. */
  readonly failing: { readonly run: string; readonly facets: Facets } | null;
}

type TableAnswer = Extract<AnswerTo<"upstream">, { root: { namespace: string; name: string } }>;

export async function loadJob(name: string, asking: Asking): Promise<JobStory> {
  const [job, runs, above, below] = await askMany(
    [
      { question: "job", job: name },
      { question: "runs", job: name, limit: RUNS },
      { question: "upstream", job: name, depth: 1 },
      { question: "downstream", job: name, depth: 1 },
    ],
    asking,
  );
  const { namespace, name: own } = job.name;
  const failed = runs.runs.find((run) => run.state === "FAIL");
  const [described, facets] = await Promise.all([
    orNothing(get<{ facets?: Facets }>(["api", "v1", "namespaces", namespace, "jobs", own], {}, asking)),
    failed ? runFacets(failed.id, asking) : {},
  ]);
  return {
    job,
    runs,
    reads: datasetsIn(above as TableAnswer),
    writes: datasetsIn(below as TableAnswer),
    facets: described?.facets ?? {},
    failing: failed ? { run: failed.id, facets } : null,
  };
}

function datasetsIn(answer: TableAnswer): readonly TableName[] {
  const nodes = answer.nodes as readonly { kind?: unknown; name?: TableName }[];
  return nodes.flatMap((node) => (node.kind === "DATASET" && node.name ? [node.name] : []));
}

export interface RunStory {
  readonly details: AnswerTo<"run">;
  readonly facets: Facets;
}

export async function loadRun(run: string, asking: Asking): Promise<RunStory> {
  const [details, facets] = await Promise.all([ask("run", { run }, asking), runFacets(run, asking)]);
  return { details, facets };
}

/** The facets of a run; none if retention has dropped its events. */
async function runFacets(run: string, asking: Asking): Promise<Facets> {
  const path = ["api", "v1", "jobs", "runs", run, "facets"];
  const reply = await orNothing(get<{ facets?: Facets }>(path, { type: "run" }, asking));
  return reply?.facets ?? {};
}

/** A missing part becomes null: the rest of the details is worth showing. */
async function orNothing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isProblem(error) && error.kind === "unknown") return null;
    throw error;
  }
}
