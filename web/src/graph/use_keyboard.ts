/** The keyboard in the graph: arrow keys walk from box to box and move the focus. */

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Box } from "./boxes";
import type { Scene } from "./scene";
import type { Stage } from "./stage";
import { ARROWS, type Arrow, type Spot, walked } from "./walking";

const PAN = 60;
const STEP = 1.3;
const ZOOMS: Readonly<Record<string, number>> = { "+": STEP, "=": STEP, "-": 1 / STEP };

interface Keyboard {
  /** The spot that has the keyboard; null before the graph had it. */
  readonly active: Spot | null;
  readonly setActive: (spot: Spot) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

interface Given {
  readonly scene: Scene | null;
  readonly shown: readonly { readonly box: Box }[];
  readonly clear: (() => void) | undefined;
}

type Host = { readonly current: HTMLElement | null };

export function useKeyboard(host: Host, stage: Stage, { scene, shown, clear }: Given): Keyboard {
  const [active, setActive] = useState<Spot | null>(null);
  useActive(host, stage, active, shown);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") return clear?.();
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = ZOOMS[event.key];
    const arrow = ARROWS.find((key) => key === event.key);
    if (zoom !== undefined) stage.zoomBy(zoom);
    else if (event.key === "0") stage.fit();
    else if (arrow !== undefined) {
      event.preventDefault();
      const spot = event.target instanceof Element ? spotOf(event.target) : null;
      if (spot !== null && scene !== null) setActive(walked(scene, spot, arrow));
      else stage.pan(...panOf(arrow));
    }
  };
  return { active, setActive, onKeyDown };
}

/** Brings the spot that has the keyboard into view and, once its box is an element, focuses it. */
function useActive(host: Host, stage: Stage, active: Spot | null, shown: readonly { readonly box: Box }[]): void {
  const waiting = useRef<Spot | null>(null);
  useEffect(() => {
    if (active === null) return;
    waiting.current = active;
    stage.activate(active.box);
  }, [stage, active]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is waited for comes with what is shown
  useEffect(() => {
    const spot = waiting.current;
    if (spot === null) return;
    const box = host.current?.querySelector(`article[data-box="${CSS.escape(spot.box)}"]`);
    const element = box?.querySelector<HTMLElement>(`[data-spot="${CSS.escape(spot.path ?? "")}"]`);
    if (!element) return;
    waiting.current = null;
    element.focus({ preventScroll: true });
  }, [host, active, shown]);
}

/** The box that an element is in. */
export function boxOf(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>("article")?.dataset["box"] : undefined;
}

function spotOf(element: Element): Spot | null {
  const spot = element.closest<HTMLElement>("[data-spot]")?.dataset["spot"];
  const box = boxOf(element);
  return box === undefined || spot === undefined ? null : { box, path: spot === "" ? null : spot };
}

function panOf(key: Arrow): [number, number] {
  if (key === "ArrowLeft") return [PAN, 0];
  if (key === "ArrowRight") return [-PAN, 0];
  if (key === "ArrowUp") return [0, PAN];
  return key === "ArrowDown" ? [0, -PAN] : [0, 0];
}
