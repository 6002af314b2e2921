/** The columns on a way, which can be lit in the graph. */

import type { ColumnId } from "../model/names";
import { fullColumn, shortColumn } from "./names";

interface Props {
  readonly ids: readonly ColumnId[];
  /** Light it; null where there is nothing to light. */
  readonly onShow: (() => void) | null;
}

export function Way({ ids, onShow }: Props) {
  const said = ids.map(shortColumn).join(" → ");
  const whole = ids.map(fullColumn).join("\n→ ");
  if (onShow === null || ids.length === 0) return <span title={whole}>{said}</span>;
  return (
    <button type="button" className="plain way" onClick={onShow} title={`${whole}\nShow it in the graph`}>
      <bdi>{said}</bdi>
    </button>
  );
}
