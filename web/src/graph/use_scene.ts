/** Everything to draw, once its layout has arrived. */

import { useMemo, useRef } from "react";
import type { Box } from "./boxes";
import type { LayoutInput } from "./layout/input";
import { useLayout } from "./layout/use_layout";
import type { LineageGraphProps } from "./props";
import { layoutEdges, pairsOf } from "./routes";
import { type Scene, sceneOf } from "./scene";

type Drawn = Required<Pick<LineageGraphProps, "part" | "jobs" | "marks">> & {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lit: Scene["lit"];
};

/** Boxes that only show other rows in the same space need no new layout. */
export function useScene({ part, boxes, lit, marks, jobs }: Drawn): Scene | null {
  const pairs = useMemo(() => pairsOf(part, jobs), [part, jobs]);
  const sizes = [...boxes.values()].map((box) => `${box.id}\u0000${box.width}\u0000${box.height}`).join("\u0001");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes are all that a layout has to know of the boxes
  const input = useMemo<LayoutInput>(
    () => ({
      nodes: [...boxes.values()].map(({ id, width, height }) => ({ id, width, height })),
      edges: layoutEdges(pairs, boxes),
    }),
    [pairs, sizes],
  );
  const laid = useLayout(input);
  const last = useRef<Scene | null>(null);
  return useMemo(() => {
    // A layout of other boxes does not fit these: what is drawn stays until the right one arrives.
    if (laid === null || laid.input !== input) return last.current;
    last.current = sceneOf(pairs, boxes, laid.layout, lit, marks);
    return last.current;
  }, [laid, input, pairs, boxes, lit, marks]);
}
