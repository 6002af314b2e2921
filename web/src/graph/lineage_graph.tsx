/** Draws a part of the graph. It fills its parent. */

import type { LineageGraphProps } from "./props";

export function LineageGraph({ part, label, children }: LineageGraphProps) {
  return (
    <section className="lineage" aria-label={label}>
      {children}
      <p>
        {part.datasets.length} datasets, {part.edges.length} edges
      </p>
    </section>
  );
}
