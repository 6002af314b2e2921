/** The tools around the picture: zoom, fit, export, legend. */

import { useEffect, useState } from "react";
import { EDGE_CLASSES } from "../model/graph";
import { CLASS_WORDS } from "../model/words";
import { download, pngOf, svgOf } from "./export";
import type { Stage } from "./stage";
import { type LineKind, lineStyle, type Palette } from "./styles";
import { seen } from "./viewport";

const STEP = 1.3;

export function ZoomTools({ stage }: { readonly stage: Stage }) {
  const [percent, setPercent] = useState(100);
  useEffect(() => stage.watch(() => setPercent(Math.round(stage.view.zoom * 100))), [stage]);
  return (
    <div className="zoom over">
      <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => stage.zoomBy(STEP)}>
        +
      </button>
      <span className="quiet">{percent}%</span>
      <button type="button" aria-label="Zoom out" title="Zoom out (-)" onClick={() => stage.zoomBy(1 / STEP)}>
        −
      </button>
      <button type="button" aria-label="Fit all into view" title="Fit all into view (0)" onClick={() => stage.fit()}>
        Fit
      </button>
    </div>
  );
}

const NAME = "lineage";

export function ExportTools({ stage, palette }: { readonly stage: Stage; readonly palette: Palette }) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const save = async (kind: "svg" | "png", whole: boolean) => {
    const { scene } = stage;
    if (scene === null) return;
    setTrouble(null);
    const view = whole ? null : seen(stage.view, stage.size);
    try {
      const content =
        kind === "svg"
          ? new Blob([svgOf(scene, palette, view)], { type: "image/svg+xml" })
          : await pngOf(scene, palette, view);
      download(content, `${NAME}.${kind}`);
    } catch (error) {
      setTrouble(String(error));
    }
  };
  return (
    <details className="menu">
      <summary>Export</summary>
      <div>
        {(["svg", "png"] as const).flatMap((kind) =>
          [true, false].map((whole) => (
            <button key={`${kind} ${whole}`} type="button" className="plain" onClick={() => void save(kind, whole)}>
              {kind.toUpperCase()}, {whole ? "everything" : "visible part"}
            </button>
          )),
        )}
        {trouble === null ? null : <p role="alert">{trouble}</p>}
      </div>
    </details>
  );
}

const MASKED: LineKind = { kind: "TRANSFORMATION", masked: true, mark: null, lit: false };

export function Legend() {
  const kinds = EDGE_CLASSES.map((kind) => ({
    line: { kind, masked: false, mark: null, lit: false },
    words: CLASS_WORDS[kind],
  }));
  return (
    <details className="menu legend">
      <summary>Legend</summary>
      <div>
        {[...kinds, { line: MASKED, words: "masked" }].map(({ line, words }) => {
          const { colour, width, dash } = lineStyle(line, false);
          return (
            <span key={words}>
              <svg width="40" height="8" aria-hidden="true">
                <path
                  d="M2 4H38"
                  style={{ stroke: `var(--${colour})`, strokeWidth: width, strokeDasharray: dash.join(" ") }}
                />
              </svg>
              {words}
            </span>
          );
        })}
      </div>
    </details>
  );
}
