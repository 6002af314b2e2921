/** Draws any part of the graph, and fills its parent. The address is none of its business: see `props`. */

import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { chosenColumns, endsOf, litBy } from "../model/lighting";
import { useTheme } from "../shell/theme";
import { BoxMenu } from "./box_menu";
import { BoxView } from "./box_view";
import { BAR, type Box, HEAD, ROW } from "./boxes";
import { READABLE } from "./culling";
import { HoverCard } from "./hover_card";
import type { LayoutInput, Point } from "./layout/input";
import { useLayout } from "./layout/use_layout";
import { LitList } from "./lit_list";
import { Minimap } from "./minimap";
import { listenTo } from "./pointer";
import type { BoxActions, LineageGraphProps, Marks } from "./props";
import { layoutEdges, pairsOf, type Route } from "./routes";
import { type Scene, sceneOf } from "./scene";
import { Stage } from "./stage";
import { readPalette } from "./styles";
import { ExportTools, Legend, ZoomTools } from "./tools";
import { useBoxes } from "./use_boxes";
import { toPicture } from "./viewport";
import { ARROWS, type Arrow, type Spot, walked } from "./walking";
import "./graph.css";

const NO_MARKS: Marks = {};
const NO_ACTIONS: BoxActions = {};
const NONE: readonly string[] = [];
const PAN = 60;

export function LineageGraph(props: LineageGraphProps) {
  const { part, label, onSelect, children } = props;
  const { selected = null, marks = NO_MARKS, actions = NO_ACTIONS, jobs = false, folded = NONE, pinned = NONE } = props;
  const stage = useMemo(() => new Stage(), []);
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the theme
  const palette = useMemo(readPalette, [theme]);

  const ends = useMemo(() => endsOf(part), [part]);
  const path = useMemo(
    () => (selected === null ? null : litBy(ends, chosenColumns(part, selected.dataset, selected.column))),
    [ends, part, selected],
  );
  const lit = props.lit ?? path;
  const { boxes, trouble, ...done } = useBoxes({ part, lit, selected, folded, jobs });
  const { scene, input } = useScene({ part, boxes, lit, marks, jobs });

  const host = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const anchor = useRef<string | null>(null);
  const [hovered, setHovered] = useState<{ readonly route: Route; readonly at: Point } | null>(null);
  const [active, setActive] = useState<Spot | null>(null);
  const [menu, setMenu] = useState<{ readonly dataset: string; readonly at: Point } | null>(null);
  const shown = useSyncExternalStore(stage.subscribe, stage.boxes);

  useLayoutEffect(() => {
    if (canvas.current !== null && layer.current !== null) return stage.attach(canvas.current, layer.current);
  }, [stage]);
  useLayoutEffect(() => stage.colours(palette), [stage, palette]);
  useLayoutEffect(() => {
    if (scene !== null) stage.show(scene, part.root, anchor.current);
  }, [stage, scene, part.root]);

  const select = useCallback(
    (dataset: string, column: string) => {
      anchor.current = dataset;
      setActive({ box: dataset, path: column });
      const same = selected?.dataset === dataset && selected.column === column;
      onSelect?.(same ? null : { dataset, column });
    },
    [selected, onSelect],
  );
  const openMenu = useCallback((dataset: string, from: HTMLElement) => {
    const [button, around] = [from.getBoundingClientRect(), host.current?.getBoundingClientRect()];
    if (around)
      setMenu({
        dataset,
        at: { x: Math.min(button.left - around.left, around.width - 200), y: button.bottom - around.top },
      });
  }, []);

  usePointer(host, stage, { setHovered, setMenu, select, clear: () => onSelect?.(null) });
  useActive(host, stage, active, shown);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      if (selected !== null) onSelect?.(null);
      return;
    }
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = { "+": 1.3, "=": 1.3, "-": 1 / 1.3 }[event.key];
    if (zoom !== undefined) stage.zoomBy(zoom);
    else if (event.key === "0") stage.fit();
    else if (ARROWS.includes(event.key as Arrow)) {
      event.preventDefault();
      const spot = event.target instanceof Element ? spotOf(event.target) : null;
      if (spot !== null && scene !== null) setActive(walked(scene, spot, event.key as Arrow));
      else stage.pan(...panOf(event.key as Arrow));
    }
  };

  const entry: Spot = active ?? { box: selected?.dataset ?? part.root, path: selected?.column ?? null };
  return (
    <section className="lineage" aria-label={label} data-boxes={boxes.size} data-drawn={scene?.boxes.length}>
      <div className="tools">
        {children}
        <span className="grow" />
        <Legend />
        <ExportTools stage={stage} palette={palette} />
      </div>
      <section
        className="stage"
        ref={host}
        aria-label="Boxes: arrow keys walk, Enter selects"
        onKeyDown={onKeyDown}
        onClickCapture={(event) => {
          anchor.current = boxOf(event.target) ?? anchor.current;
        }}
      >
        <canvas ref={canvas} />
        <div ref={layer} className="layer">
          {shown.map((standing) => (
            <BoxView
              key={standing.box.id}
              standing={standing}
              done={done}
              actions={actions}
              someLit={lit !== null}
              lit={scene?.litBoxes.has(standing.box.id) === true}
              mark={marks.datasets?.get(standing.box.id)}
              markOf={(column) => marks.columns?.get(column)}
              pinned={pinned.includes(standing.box.id)}
              focused={standing.box.id === part.root}
              selected={selected?.dataset === standing.box.id ? selected.column : null}
              active={entry.box === standing.box.id ? entry : null}
              onSelect={select}
              onMenu={openMenu}
            />
          ))}
        </div>
        {hovered === null ? null : <HoverCard {...hovered} size={stage.size} />}
        {menu === null ? null : (
          <BoxMenu
            key={menu.dataset}
            {...menu}
            pinned={pinned.includes(menu.dataset)}
            folded={folded.includes(menu.dataset)}
            actions={actions}
            onClose={() => setMenu(null)}
          />
        )}
        <LitList part={part} lit={lit} selected={selected} onClear={onSelect && (() => onSelect(null))} />
        {trouble === null ? null : (
          <p className="trouble over" role="alert">
            {trouble}
          </p>
        )}
        <ZoomTools stage={stage} />
        {scene === null || input.nodes.length < 4 ? null : <Minimap stage={stage} scene={scene} palette={palette} />}
      </section>
    </section>
  );
}

type Drawn = Required<Pick<LineageGraphProps, "part" | "jobs" | "marks">> & {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lit: Scene["lit"];
};

/** The scene, once its layout is there. Boxes that only show other rows in the same room need no other layout. */
function useScene({ part, boxes, lit, marks, jobs }: Drawn): { scene: Scene | null; input: LayoutInput } {
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
  const scene = useMemo(() => {
    // A layout of other boxes than these is not yet theirs: what is drawn stays until it is.
    if (laid === null || laid.input !== input) return last.current;
    last.current = sceneOf(pairs, boxes, laid.layout, lit, marks);
    return last.current;
  }, [laid, input, pairs, boxes, lit, marks]);
  return { scene, input };
}

interface Pointed {
  readonly setHovered: (hovered: { route: Route; at: Point } | null) => void;
  readonly setMenu: (menu: null) => void;
  readonly select: (dataset: string, path: string) => void;
  readonly clear: () => void;
}

/** Lines under the pointer, and clicks on boxes that are only painted. */
function usePointer(host: { readonly current: HTMLElement | null }, stage: Stage, pointed: Pointed): void {
  const latest = useRef(pointed);
  latest.current = pointed;
  useEffect(() => {
    if (host.current === null) return;
    return listenTo(host.current, stage, {
      onHover: (at) => {
        const route = at === null || stage.boxAt(at) !== null ? null : stage.lineAt(at);
        stage.hover(route);
        latest.current.setHovered(route === null || at === null ? null : { route, at });
      },
      onClick: (at) => {
        latest.current.setMenu(null);
        const found = stage.boxAt(at);
        if (found === null) {
          const route = stage.lineAt(at);
          stage.hover(route);
          latest.current.setHovered(route === null ? null : { route, at });
          if (route === null) latest.current.clear();
          return;
        }
        const y = toPicture(stage.view, at).y - found.at.y - HEAD - (found.box.bar ? BAR : 0);
        const row = y < 0 || stage.view.zoom < READABLE ? undefined : found.box.rows[Math.floor(y / ROW)];
        if (row !== undefined) latest.current.select(found.box.id, row.path);
        else stage.activate(found.box.id);
      },
    });
  }, [host, stage]);
}

/** The spot that has the keyboard comes into view and, once its box is there as an element, gets the focus. */
function useActive(
  host: { readonly current: HTMLElement | null },
  stage: Stage,
  active: Spot | null,
  shown: readonly { readonly box: Box }[],
): void {
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
    const found = box?.querySelector<HTMLElement>(`[data-spot="${CSS.escape(spot.path ?? "")}"]`);
    if (!found) return;
    waiting.current = null;
    found.focus({ preventScroll: true });
  }, [host, active, shown]);
}

/** The box that an element is in. */
function boxOf(target: EventTarget): string | undefined {
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
