/** How many steps a way has; the columns on it where the mouse rests, and lit in the graph by a click. */

import type { ColumnId } from "../model/names";
import { fullColumn } from "./names";

interface Props {
  /** The columns on the way, with that which it starts from. */
  readonly ids: readonly ColumnId[];
  readonly steps: number;
  /** Light it; null where there is nothing to light. */
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
