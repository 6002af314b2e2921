/** A box made of elements. */

import { memo } from "react";
import { columnId } from "../model/names";
import type { Box, Row } from "./boxes";
import type { Standing } from "./culling";
import { restWords } from "./paint";
import type { BoxActions, Mark, Marks } from "./props";
import { SIGNS } from "./styles";
import type { BoxesDone } from "./use_boxes";
import type { Spot } from "./walking";
import "./box.css";
import "./rows.css";

export interface BoxViewProps {
  readonly standing: Standing;
  readonly done: BoxesDone;
  readonly actions: BoxActions;
  /** Whether anything is lit at all, and whether this box contains some of it. */
  readonly someLit: boolean;
  readonly lit: boolean;
  readonly mark: Mark | undefined;
  /** Of columns, by their ids. */
  readonly marks: Marks["columns"];
  readonly pinned: boolean;
  readonly focused: boolean;
  /** The path of the selected column, if it is in this box. */
  readonly selected: string | null;
  /** The spot that Tab leads to, if it is in this box. */
  readonly active: Spot | null;
  readonly onSelect: (dataset: string, path: string) => void;
  readonly onMenu: (dataset: string, from: HTMLElement) => void;
}

/** Renders again only when something of it changed: the graph is redrawn for each line that the mouse touches. */
export const BoxView = memo(function BoxView(props: BoxViewProps) {
  const { standing, someLit, lit, mark, pinned, focused, active } = props;
  const { box, at } = standing;
  const classes = [
    "box",
    box.kind,
    someLit && !lit ? "dim" : "",
    someLit && lit ? "lit" : "",
    focused ? "focused" : "",
  ];
  return (
    <article
      className={classes.filter(Boolean).join(" ")}
      data-box={box.id}
      data-mark={mark}
      style={{ left: at.x, top: at.y, width: box.width, height: box.height }}
      aria-label={`${box.kind === "job" ? "Job " : ""}${box.id}${mark === undefined ? "" : `, ${mark}`}${pinned ? ", pinned" : ""}`}
    >
      {box.kind === "job" ? <JobHead {...props} /> : <Head {...props} />}
      {box.bar && !box.folded ? <BoxBar box={box} done={props.done} reachable={active !== null} /> : null}
      {box.rows.length === 0 ? null : (
        <ul>
          {box.rows.map((row) => (
            <RowView key={row.path} row={row} {...props} />
          ))}
        </ul>
      )}
      {box.folded || (box.rest === 0 && !box.unfolded) ? null : (
        <button
          type="button"
          className="foot"
          tabIndex={active === null ? -1 : 0}
          onClick={() => props.done.unfold(box.id, !box.unfolded)}
        >
          {box.unfolded ? "only columns with lineage" : restWords(box)}
        </button>
      )}
    </article>
  );
});

function Title({ standing, active, mark, actions }: BoxViewProps) {
  const { box } = standing;
  const details = () =>
    actions.onDetails?.(box.kind === "job" ? { of: "job", job: box.id } : { of: "dataset", dataset: box.id });
  return (
    <button
      type="button"
      className="title"
      title={box.id}
      tabIndex={active !== null && active.path === null ? 0 : -1}
      data-spot=""
      onClick={details}
    >
      <bdi>
        {mark === undefined ? "" : `${SIGNS[mark]} `}
        {box.title}
      </bdi>
    </button>
  );
}

function JobHead(props: BoxViewProps) {
  return <Title {...props} />;
}

function Head(props: BoxViewProps) {
  const { standing, actions, active, pinned, onMenu } = props;
  const { box } = standing;
  const reachable = active === null ? -1 : 0;
  return (
    <header>
      <SideButton {...props} side="upstream" />
      <div>
        <Title {...props} />
        <small title={box.id}>
          <bdi>{box.subtitle}</bdi>
        </small>
      </div>
      {pinned ? <span className="pin" title="pinned" /> : null}
      {Object.keys(actions).length === 0 ? null : (
        <button
          type="button"
          className="more"
          tabIndex={reachable}
          aria-label={`More actions for ${box.title}`}
          aria-haspopup="menu"
          onClick={(event) => onMenu(box.id, event.currentTarget)}
        >
          ⋯
        </button>
      )}
      <SideButton {...props} side="downstream" />
    </header>
  );
}

function SideButton({ standing, actions, active, side }: BoxViewProps & { readonly side: "upstream" | "downstream" }) {
  const { box } = standing;
  const action = actions.side?.(box.id, side) ?? "none";
  if (action === "none") return null;
  const label = `${action === "expand" ? "Show" : "Hide"} what is ${side} of ${box.title}`;
  return (
    <button
      type="button"
      className={`side ${side}`}
      tabIndex={active === null ? -1 : 0}
      aria-label={label}
      title={label}
      onClick={() => actions.onSide?.(box.id, side, action)}
    >
      {action === "expand" ? "+" : "−"}
    </button>
  );
}

function BoxBar({
  box,
  done,
  reachable,
}: {
  readonly box: Box;
  readonly done: BoxesDone;
  readonly reachable: boolean;
}) {
  const tab = reachable ? 0 : -1;
  const turn = (by: number) => done.change(box.id, { page: box.page + by });
  return (
    <div className="pager">
      <input
        type="search"
        value={box.filter}
        tabIndex={tab}
        placeholder={`${box.matching.toLocaleString("en")} columns`}
        aria-label={`Filter columns of ${box.title}`}
        onChange={(event) => done.change(box.id, { filter: event.target.value, page: 0 })}
      />
      {box.pages === 1 ? null : (
        <>
          <button
            type="button"
            tabIndex={tab}
            aria-label="Previous columns"
            disabled={box.page === 0}
            onClick={() => turn(-1)}
          >
            ‹
          </button>
          <span>
            {box.page + 1}/{box.pages}
          </span>
          <button
            type="button"
            tabIndex={tab}
            aria-label="Next columns"
            disabled={box.page >= box.pages - 1}
            onClick={() => turn(1)}
          >
            ›
          </button>
        </>
      )}
    </div>
  );
}

function RowView({ row, ...props }: BoxViewProps & { readonly row: Row }) {
  const { standing, done, active, selected, someLit, marks, onSelect } = props;
  const { box } = standing;
  const mark = marks?.get(columnId(box.id, row.path));
  const tab = active !== null && active.path === row.path ? 0 : -1;
  const state = someLit ? (row.lit ? "lit" : "dim") : row.lineage || row.inside > 0 ? "" : "without";
  return (
    <li className={state} data-mark={mark} style={{ paddingInlineStart: row.level * 12 }}>
      {row.inside === 0 ? null : (
        <button
          type="button"
          className="twisty"
          tabIndex={active === null ? -1 : 0}
          aria-expanded={row.open}
          aria-label={`${row.inside} fields of ${row.name}`}
          onClick={() => done.toggle(box.id, row.path)}
        >
          {row.open ? "▾" : "▸"}
        </button>
      )}
      <button
        type="button"
        className="row"
        data-spot={row.path}
        tabIndex={tab}
        aria-pressed={selected === row.path}
        title={`${row.path} ${row.type}`}
        onClick={() => onSelect(box.id, row.path)}
      >
        <span dir="auto">
          {mark === undefined ? "" : `${SIGNS[mark]} `}
          {row.name}
        </span>
        <small>{row.type}</small>
      </button>
    </li>
  );
}
