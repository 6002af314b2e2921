/** How many steps a path has; hover to see its columns, click to light them in the graph. */

import type { ColumnId } from "../model/names";
import { fullColumn } from "./names";

interface Props {
  /** The columns on the path, including its start. */
  readonly ids: readonly ColumnId[];
  readonly steps: number;
  /** Light it; null if there is nothing to light. */
  readonly onShow: (() => void) | null;
}

export function Way({ ids, steps, onShow }: Props) {
  if (onShow === null || ids.length === 0) return steps;
  const whole = ids.map(fullColumn).join("\n→ ");
  return (
    <button type="button" className="plain way" onClick={onShow} title={`${whole}\nShow the path in the graph`}>
      {steps} <span aria-hidden="true">⤳</span>
      <span className="unseen">: show the path in the graph</span>
    </button>
  );
}
