/** Draws any part of the graph, and fills its parent. It does not know the address: see `props`. */

import { useCallback, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { chosenColumns, endsOf, litBy } from "../model/lighting";
import { useTheme } from "../shell/theme";
import { BoxMenu } from "./box_menu";
import { BoxView } from "./box_view";
import { HoverCard } from "./hover_card";
import type { Point } from "./layout/input";
import { LitList } from "./lit_list";
import { Minimap } from "./minimap";
import type { BoxActions, LineageGraphProps, Marks } from "./props";
import type { Route } from "./routes";
import { Stage } from "./stage";
import { readPalette } from "./styles";
import { ExportTools, Legend, ZoomTools } from "./tools";
import { useBoxes } from "./use_boxes";
import { boxOf, useKeyboard } from "./use_keyboard";
import { usePointer } from "./use_pointer";
import { useScene } from "./use_scene";
import type { Spot } from "./walking";
import "./graph.css";
import "./over.css";

const NO_MARKS: Marks = {};
const NO_ACTIONS: BoxActions = {};
const NONE: readonly string[] = [];

export function LineageGraph(props: LineageGraphProps) {
  const { part, label, onSelect, children } = props;
  const { selected = null, marks = NO_MARKS, jobs = false, folded = NONE, pinned = NONE } = props;
  const stage = useMemo(() => new Stage(), []);
  const actions = useMemo(() => awaiting(stage, props.actions ?? NO_ACTIONS), [stage, props.actions]);
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the theme
  const palette = useMemo(readPalette, [theme]);

  const ends = useMemo(() => endsOf(part), [part]);
  const path = useMemo(
    () => (selected === null ? null : litBy(ends, chosenColumns(part, selected.dataset, selected.column))),
    [ends, part, selected],
  );
  const lit = props.lit ?? path;
  const { boxes, trouble, done } = useBoxes({ part, lit, selected, folded, jobs });
  const scene = useScene({ part, boxes, lit, marks, jobs });

  const host = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<{ readonly route: Route; readonly at: Point } | null>(null);
  const [menu, setMenu] = useState<{ readonly dataset: string; readonly at: Point } | null>(null);
  const shown = useSyncExternalStore(stage.subscribe, stage.boxes);

  useLayoutEffect(() => {
    if (canvas.current !== null && layer.current !== null) return stage.attach(canvas.current, layer.current);
  }, [stage]);
  useLayoutEffect(() => stage.colours(palette), [stage, palette]);
  useLayoutEffect(() => {
    if (scene !== null) stage.show(scene, part.root);
  }, [stage, scene, part.root]);

  const clear = selected === null || onSelect === undefined ? undefined : () => onSelect(null);
  const { active, setActive, onKeyDown } = useKeyboard(host, stage, { scene, shown, clear });
  const select = useCallback(
    (dataset: string, column: string) => {
      stage.anchor = dataset;
      setActive({ box: dataset, path: column });
      const same = selected?.dataset === dataset && selected.column === column;
      onSelect?.(same ? null : { dataset, column });
    },
    [stage, setActive, selected, onSelect],
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
  const entry = useMemo(
    (): Spot => active ?? { box: selected?.dataset ?? part.root, path: selected?.column ?? null },
    [active, selected, part.root],
  );
  return (
    <section className="lineage" aria-label={label} data-boxes={boxes.size} data-drawn={scene?.boxes.length}>
      {/* A new choice of what to show takes precedence over the box that was clicked before. */}
      <div
        className="tools"
        onChangeCapture={() => {
          stage.anchor = null;
        }}
      >
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
          stage.anchor = boxOf(event.target) ?? stage.anchor;
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
              marks={marks.columns}
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
        <LitList
          part={part}
          lit={lit}
          selected={selected}
          onClear={onSelect && (() => onSelect(null))}
          onDetails={actions.onDetails}
        />
        {trouble === null ? null : (
          <p className="trouble over" role="alert">
            {trouble}
          </p>
        )}
        <ZoomTools stage={stage} />
        {scene === null ? null : <Minimap stage={stage} scene={scene} palette={palette} />}
      </section>
    </section>
  );
}

/** The same, with the stage awaiting what they bring. */
function awaiting(stage: Stage, actions: BoxActions): BoxActions {
  const { onSide, onAll } = actions;
  return {
    ...actions,
    ...(onSide && {
      onSide: (dataset, side, action) => {
        stage.awaitMore();
        onSide(dataset, side, action);
      },
    }),
    ...(onAll && {
      onAll: (dataset, side) => {
        stage.awaitMore();
        onAll(dataset, side);
      },
    }),
  };
}
