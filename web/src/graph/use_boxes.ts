/** The boxes of a part, with the user's changes: pages turned, filters, structs opened, all columns requested. */

import { useCallback, useMemo, useState } from "react";
import { ask } from "../api/client";
import { isProblem } from "../api/problem";
import type { DatasetNode, GraphPart } from "../model/graph";
import type { Lit } from "../model/lighting";
import { type ColumnId, columnId } from "../model/names";
import { AS_FOUND, type Box, type BoxState, datasetBox, jobBox, rowsAPage } from "./boxes";
import type { ColumnChoice } from "./props";

export interface BoxesDone {
  readonly change: (dataset: string, change: Partial<BoxState>) => void;
  readonly toggle: (dataset: string, path: string) => void;
  /** Show all columns, or only those with lineage again. */
  readonly unfold: (dataset: string, all: boolean) => void;
}

export interface Boxes {
  /** Stays the same as long as the graph does. */
  readonly done: BoxesDone;
  readonly boxes: ReadonlyMap<string, Box>;
  /** Why the columns of a dataset could not be loaded. */
  readonly trouble: string | null;
}

/** A dataset with the columns that have lineage; for the focus, an answer has all columns. */
export function withLineage(dataset: DatasetNode, linked: ReadonlySet<ColumnId>): DatasetNode {
  const columns = dataset.columns.filter((column) => linked.has(column.id));
  return { ...dataset, columns, columnCount: Math.max(dataset.columnCount ?? 0, dataset.columns.length) };
}

interface Wanted {
  readonly part: GraphPart;
  readonly lit: Lit | null;
  readonly selected: ColumnChoice | null;
  readonly folded: readonly string[];
  readonly jobs: boolean;
}

export function useBoxes({ part, lit, selected, folded, jobs }: Wanted): Boxes {
  const [states, setStates] = useState<ReadonlyMap<string, BoxState>>(new Map());
  const [trouble, setTrouble] = useState<string | null>(null);

  const change = useCallback((dataset: string, done: Partial<BoxState>) => {
    setStates((now) => new Map(now).set(dataset, { ...(now.get(dataset) ?? AS_FOUND), ...done }));
  }, []);
  const toggle = useCallback((dataset: string, path: string) => {
    setStates((now) => {
      const state = now.get(dataset) ?? AS_FOUND;
      const opened = new Set(state.opened);
      if (!opened.delete(path)) opened.add(path);
      return new Map(now).set(dataset, { ...state, opened });
    });
  }, []);
  const unfold = useCallback(
    (dataset: string, all: boolean) => {
      setTrouble(null);
      if (!all) return change(dataset, { all: null, page: null });
      // For another time than now, the columns of the answer are all that is known.
      const node = part.datasets.find((candidate) => candidate.id === dataset);
      if (node?.columnCount === null) return change(dataset, { all: node.columns, page: null });
      ask("dataset", { dataset }).then(
        ({ columns }) => {
          const listed = columns.filter((column) => column.listed);
          change(dataset, {
            all: listed.map(({ path, type }) => ({ id: columnId(dataset, path), path, type })),
            page: null,
          });
        },
        (error: unknown) => setTrouble(isProblem(error) ? error.message : String(error)),
      );
    },
    [change, part],
  );

  const boxes = useMemo(() => {
    const size = rowsAPage(part.datasets.length);
    const shut = new Set(folded);
    const linked = new Set(part.edges.flatMap((edge) => [edge.from, edge.to]));
    if (selected !== null) linked.add(columnId(selected.dataset, selected.column));
    const boxes = new Map<string, Box>();
    for (const dataset of part.datasets) {
      const box = datasetBox(withLineage(dataset, linked), states.get(dataset.id) ?? AS_FOUND, {
        folded: shut.has(dataset.id),
        rowsAPage: size,
        isLit: (path) => lit?.columns.has(columnId(dataset.id, path)) === true,
        selected: selected?.dataset === dataset.id ? selected.column : null,
      });
      boxes.set(box.id, box);
    }
    for (const job of jobs ? part.jobs : []) if (!boxes.has(job.id)) boxes.set(job.id, jobBox(job));
    return boxes;
  }, [part, states, lit, selected, folded, jobs]);

  const done = useMemo(() => ({ change, toggle, unfold }), [change, toggle, unfold]);
  return { boxes, done, trouble };
}
