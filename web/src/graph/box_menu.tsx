/** The actions for a dataset, as a menu beside its box. */

import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Point } from "./layout/input";
import type { BoxActions } from "./props";

interface Props {
  readonly dataset: string;
  readonly at: Point;
  readonly pinned: boolean;
  readonly folded: boolean;
  readonly actions: BoxActions;
  readonly onClose: () => void;
}

export function BoxMenu({ dataset, at, pinned, folded, actions, onClose }: Props) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => menu.current?.querySelector("button")?.focus(), []);
  const { onFocus, onDetails, onFold, onPin, onAll } = actions;
  const offered: readonly (readonly [string, (() => void) | undefined])[] = [
    ["Focus", onFocus && (() => onFocus(dataset))],
    ["Details", onDetails && (() => onDetails({ of: "dataset", dataset }))],
    ["Expand all upstream", onAll && (() => onAll(dataset, "upstream"))],
    ["Expand all downstream", onAll && (() => onAll(dataset, "downstream"))],
    [folded ? "Expand" : "Collapse", onFold && (() => onFold(dataset))],
    [pinned ? "Unpin" : "Pin", onPin && (() => onPin(dataset))],
  ];
  const walk = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") return onClose();
    const way = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const items = [...(menu.current?.querySelectorAll("button") ?? [])];
    const here = items.indexOf(document.activeElement as HTMLButtonElement);
    if (way !== 0) {
      event.preventDefault();
      items[(here + way + items.length) % items.length]?.focus();
    }
  };
  return (
    <div
      ref={menu}
      className="box-menu over"
      role="menu"
      tabIndex={-1}
      style={{ left: at.x, top: at.y }}
      onKeyDown={walk}
    >
      {offered.map(([words, does]) =>
        does === undefined ? null : (
          <button
            key={words}
            type="button"
            role="menuitem"
            className="plain"
            onClick={() => {
              does();
              onClose();
            }}
          >
            {words}
          </button>
        ),
      )}
    </div>
  );
}
