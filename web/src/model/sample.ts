/** Small graphs for tests, written as lines. */

import { type ColumnEdge, closest, type DatasetNode, type GraphPart, isMasked, type Transformation } from "./graph";
import { columnId, edgeId, ROWS } from "./names";

const NAMESPACE = "n";

/**
 * A part from lines such as `raw.id > clean.id`, with `IDENTITY`, a subtype after a comma, and `masked` after another.
 * The text before the first dot is the dataset; `dataset.*` are its rows. Each dataset is written by one job.
 */
export function partOf(root: string, lines: readonly string[]): GraphPart {
  const edges = lines.map(edgeOf);
  const columns = new Map<string, Set<string>>();
  for (const end of [root, ...lines.flatMap((line) => (line.split(",")[0] ?? "").split(" > "))]) {
    const [dataset, path] = ended(end.trim());
    const paths = columns.get(dataset) ?? new Set();
    columns.set(dataset, path === ROWS ? paths : paths.add(path));
  }
  return {
    root: ended(root)[0],
    datasets: [...columns].map(([id, paths]) => datasetOf(id, [...paths])),
    jobs: [...new Set(edges.map((edge) => edge.job))].flatMap((id) =>
      id === null ? [] : [{ id, namespace: NAMESPACE, name: id.slice(NAMESPACE.length + 1) }],
    ),
    edges,
    cut: { upstream: false, downstream: false },
    provisional: false,
    unknown: [],
  };
}

function datasetOf(id: string, paths: readonly string[]): DatasetNode {
  return {
    id,
    namespace: NAMESPACE,
    name: id.slice(NAMESPACE.length + 1),
    columns: paths.map((path) => ({ id: columnId(id, path), path, type: "string" })),
    columnCount: paths.length,
    leads: null,
    writtenUs: null,
    owners: [],
    tags: [],
  };
}

function ended(text: string): [string, string] {
  const dot = text.indexOf(".");
  const path = text.slice(dot + 1);
  return [`${NAMESPACE}/${text.slice(0, dot)}`, path === "*" ? ROWS : path];
}

const INDIRECT = new Set(["JOIN", "FILTER", "GROUP_BY", "SORT", "CONDITIONAL"]);

function edgeOf(line: string): ColumnEdge {
  const [ends = "", subtype = "IDENTITY", masked = ""] = line.split(",").map((text) => text.trim());
  const [first = "", second = ""] = ends.split(" > ");
  const [fromDataset, fromPath] = ended(first);
  const [toDataset, toPath] = ended(second);
  const step: Transformation = {
    type: INDIRECT.has(subtype) ? "INDIRECT" : "DIRECT",
    subtype,
    masking: masked === "masked",
    description: subtype === "IDENTITY" ? "" : `${subtype.toLowerCase()}(${fromPath})`,
  };
  const [from, to] = [columnId(fromDataset, fromPath), columnId(toDataset, toPath)];
  const job = `${NAMESPACE}/write ${toDataset.slice(NAMESPACE.length + 1)}`;
  return {
    id: edgeId(from, to, job),
    from,
    to,
    fromDataset,
    toDataset,
    kind: closest([step]),
    masked: isMasked([step]),
    transformations: [step],
    job,
    run: null,
    carried: false,
    assumed: false,
  };
}
