/** The pointer over painted things: lines, and boxes that are not elements. */

import { useEffect, useRef } from "react";
import { BAR, HEAD, ROW } from "./boxes";
import { READABLE } from "./culling";
import type { Point } from "./layout/input";
import { listenTo } from "./pointer";
import type { Route } from "./routes";
import type { Stage } from "./stage";
import { toPicture } from "./viewport";

export interface Pointed {
  readonly setHovered: (hovered: { route: Route; at: Point } | null) => void;
  readonly setMenu: (menu: null) => void;
  readonly select: (dataset: string, path: string) => void;
  readonly clear: () => void;
}

export function usePointer(host: { readonly current: HTMLElement | null }, stage: Stage, pointed: Pointed): void {
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
        const placed = stage.boxAt(at);
        if (placed === null) {
          const route = stage.lineAt(at);
          stage.hover(route);
          latest.current.setHovered(route === null ? null : { route, at });
          if (route === null) latest.current.clear();
          return;
        }
        const y = toPicture(stage.view, at).y - placed.at.y - HEAD - (placed.box.bar ? BAR : 0);
        const row = y < 0 || stage.view.zoom < READABLE ? undefined : placed.box.rows[Math.floor(y / ROW)];
        if (row !== undefined) latest.current.select(placed.box.id, row.path);
        else stage.activate(placed.box.id);
      },
    });
  }, [host, stage]);
}
