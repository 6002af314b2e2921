/** The whole picture, small, with the visible part marked; click or drag to go there. */

import { type PointerEvent, useEffect, useRef } from "react";
import type { Scene } from "./scene";
import type { Stage } from "./stage";
import type { Palette } from "./styles";
import { centred, fitted, isWhole, seen, toPicture } from "./viewport";

const SIZE = { width: 176, height: 112 };

export function Minimap({
  stage,
  scene,
  palette,
}: {
  readonly stage: Stage;
  readonly scene: Scene;
  readonly palette: Palette;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const view = fitted(scene.bounds, { width: SIZE.width + 48, height: SIZE.height + 48 });
  const { zoom } = view;
  const [left, top] = [view.left - 24, view.top - 24];

  useEffect(() => {
    const to = canvas.current?.getContext("2d");
    if (!to) return;
    to.clearRect(0, 0, SIZE.width, SIZE.height);
    for (const { box, at } of scene.boxes) {
      const lit = scene.lit === null || scene.litBoxes.has(box.id);
      const mark = scene.marks.datasets?.get(box.id);
      to.fillStyle = palette[mark ?? (scene.lit !== null && lit ? "accent" : "quiet")];
      to.globalAlpha = lit ? 0.8 : 0.25;
      to.fillRect(
        at.x * zoom + left,
        at.y * zoom + top,
        Math.max(2, box.width * zoom),
        Math.max(1.5, box.height * zoom),
      );
    }
  }, [scene, palette, zoom, left, top]);

  useEffect(() => {
    const draw = () => {
      const { current } = frame;
      if (current === null) return;
      // If everything is visible, the map would only cover part of it.
      if (current.parentElement) current.parentElement.hidden = isWhole(stage.view, scene.bounds, stage.size);
      const shown = seen(stage.view, stage.size);
      const within = (value: number, most: number) => Math.max(0, Math.min(most, value));
      const [x1, x2] = [shown.left, shown.right].map((x) => within(x * zoom + left, SIZE.width));
      const [y1, y2] = [shown.top, shown.bottom].map((y) => within(y * zoom + top, SIZE.height));
      current.style.transform = `translate(${x1}px, ${y1}px)`;
      current.style.width = `${Math.max(4, (x2 ?? 0) - (x1 ?? 0))}px`;
      current.style.height = `${Math.max(4, (y2 ?? 0) - (y1 ?? 0))}px`;
    };
    draw();
    return stage.watch(draw);
  }, [stage, scene, zoom, left, top]);

  const go = (event: PointerEvent<HTMLDivElement>) => {
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    else if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const at = toPicture({ zoom, left, top }, { x: event.clientX - box.left, y: event.clientY - box.top });
    stage.look(centred(at, stage.view.zoom, stage.size));
  };
  return (
    <div className="minimap over" aria-hidden="true" onPointerDown={go} onPointerMove={go}>
      <canvas ref={canvas} width={SIZE.width} height={SIZE.height} />
      <div ref={frame} />
    </div>
  );
}
