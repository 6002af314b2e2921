/** A scene for tests, laid out for real. */

import type { GraphPart } from "../model/graph";
import { endsOf, type Lit, litBy } from "../model/lighting";
import { columnId } from "../model/names";
import { AS_FOUND, type Box, datasetBox, jobBox } from "./boxes";
import { layered } from "./layout/layered";
import type { Marks } from "./props";
import { layoutEdges, pairsOf } from "./routes";
import { type Scene, sceneOf } from "./scene";
import { COLOURS, type Palette } from "./styles";

export const PALETTE = Object.fromEntries(COLOURS.map((name, place) => [name, `#0000${10 + place}`])) as Palette;

interface Wanted {
  readonly lit?: readonly [dataset: string, path: string];
  readonly marks?: Marks;
  readonly jobs?: boolean;
}

export function sampleScene(part: GraphPart, { lit, marks = {}, jobs = false }: Wanted = {}): Scene {
  const path: Lit | null = lit === undefined ? null : litBy(endsOf(part), [columnId(...lit)]);
  const boxes = new Map<string, Box>();
  for (const dataset of part.datasets) {
    const isLit = (field: string) => path?.columns.has(columnId(dataset.id, field)) === true;
    boxes.set(dataset.id, datasetBox(dataset, AS_FOUND, { folded: false, rowsAPage: 10, isLit, selected: null }));
  }
  for (const job of jobs ? part.jobs : []) boxes.set(job.id, jobBox(job));
  const pairs = pairsOf(part, jobs);
  const nodes = [...boxes.values()].map(({ id, width, height }) => ({ id, width, height }));
  const layout = layered({ nodes, edges: layoutEdges(pairs, boxes) });
  return sceneOf(pairs, boxes, layout, path, marks);
}
