/**
 * The stage: the visible part of a scene, painted once per frame. It notifies React only when other boxes should become
 * elements; moving and zooming happen without React.
 */

import { boundsOfBox, culled, type Standing } from "./culling";
import { boxAt, lineAt } from "./hits";
import type { Point } from "./layout/input";
import { firstView, keepingStill, nearTo, revealing } from "./looking";
import { BEYOND, paintView, sizeCanvas } from "./paint_view";
import type { Route } from "./routes";
import type { Scene } from "./scene";
import type { Palette } from "./styles";
import { fitted, grown, isWhole, type Size, seen, showing, toPicture, type View, zoomedAt } from "./viewport";

/** When nothing has moved for this long, boxes in view become elements; until then they are painted. */
const SETTLE_MS = 120;
/** Boxes a little outside the view are elements already. */
const AHEAD = 120;

const NOTHING: readonly Standing[] = [];

export class Stage {
  view: View = { left: 0, top: 0, zoom: 1 };
  size: Size = { width: 0, height: 0 };
  scene: Scene | null = null;
  /** The boxes that are elements now, as last reported to React. */
  shown: readonly Standing[] = NOTHING;
  /** The view that was last painted; null when something other than the view has changed since. */
  private painted: View | null = null;
  private hovered: Route | null = null;
  private palette: Palette | null = null;
  private active: string | null = null;
  private canvas: HTMLCanvasElement | null = null;
  private layer: HTMLElement | null = null;
  private root: string | null = null;
  /** The box that was last clicked, which keeps its place on the screen; null if none does. */
  anchor: string | null = null;
  /** The boxes that existed when more was requested; null when nothing is pending. */
  private known: ReadonlySet<string> | null = null;
  private touched = false;
  private frameRequest = 0;
  private movedAt = Number.NEGATIVE_INFINITY;
  private readonly listeners = new Set<() => void>();
  private readonly watchers = new Set<() => void>();

  /** Listen to which boxes are elements. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Listen to every frame. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  readonly boxes = (): readonly Standing[] => this.shown;

  attach(canvas: HTMLCanvasElement, layer: HTMLElement): () => void {
    this.canvas = canvas;
    this.layer = layer;
    const host = canvas.parentElement ?? canvas;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = host;
      const before = this.size;
      this.size = { width, height };
      sizeCanvas(canvas, this.size);
      if (before.width !== width || before.height !== height) this.resize(before);
      this.ask();
    };
    const observer = new ResizeObserver(measure);
    observer.observe(host);
    measure();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(this.frameRequest);
      this.frameRequest = 0;
      this.canvas = null;
      this.layer = null;
    };
  }

  /** Sets another scene. The anchor keeps its place on the screen; a scene with another root starts anew. */
  show(scene: Scene, root: string): void {
    const before = this.scene;
    this.scene = scene;
    this.hovered = null;
    if (before === null || this.root !== root || (this.anchor === null && this.mayBegin(before, scene))) {
      this.root = root;
      this.known = null;
      this.begin();
    } else {
      this.view = keepingStill(this.view, before, scene, [this.anchor, this.active, root]);
      this.reveal(scene);
    }
    this.movedAt = Number.NEGATIVE_INFINITY;
    this.ask();
  }

  /**
   * Until the user moves the view, and where everything was visible, more of the graph appears as if it had always been
   * there.
   */
  private mayBegin(before: Scene, { bounds }: Scene): boolean {
    const { left, top, right, bottom } = before.bounds;
    const same = left === bounds.left && top === bounds.top && right === bounds.right && bottom === bounds.bottom;
    return !this.touched || (!same && isWhole(this.view, before.bounds, this.size));
  }

  private begin(): void {
    this.touched = false;
    if (this.scene !== null && this.size.width > 0) this.view = firstView(this.scene, this.root, this.size);
  }

  /** New boxes are wanted from now on: bring them into view, until the user looks elsewhere. */
  awaitMore(): void {
    this.known = this.scene === null ? null : new Set(this.scene.byId.keys());
  }

  private reveal(scene: Scene): void {
    const { known, anchor } = this;
    if (known === null) return;
    const fresh = scene.boxes.filter(({ box }) => !known.has(box.id));
    if (fresh.length === 0) return;
    this.known = new Set(scene.byId.keys());
    const from = anchor === null ? undefined : scene.byId.get(anchor);
    this.view = revealing(this.view, from === undefined ? fresh : [...fresh, from], this.size);
  }

  /** Another size: what was fully visible is fully visible again, and the active box stays in view. */
  private resize(before: Size): void {
    if (this.scene === null) return;
    if (before.width === 0 || !this.touched || isWhole(this.view, this.scene.bounds, before)) this.begin();
    else {
      const at = this.scene.byId.get(this.anchor ?? this.active ?? "");
      if (at !== undefined) this.view = showing(this.view, boundsOfBox(at), this.size);
    }
  }

  colours(palette: Palette): void {
    this.palette = palette;
    this.ask();
  }

  look(view: View): void {
    this.touched = true;
    this.known = null;
    this.movedAt = performance.now();
    this.view = view;
    this.next();
  }

  pan(dx: number, dy: number): void {
    this.look({ ...this.view, left: this.view.left + dx, top: this.view.top + dy });
  }

  zoomBy(factor: number, at: Point = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    this.look(zoomedAt(this.view, this.view.zoom * factor, at));
  }

  fit(): void {
    if (this.scene !== null) this.look(fitted(this.scene.bounds, this.size));
  }

  /** The box that has the keyboard: it is an element wherever it is, and comes into view. */
  activate(id: string | null): void {
    this.active = id;
    this.touched = true;
    const placed = id === null ? undefined : this.scene?.byId.get(id);
    if (placed !== undefined) this.view = nearTo(this.view, placed, this.size);
    this.movedAt = Number.NEGATIVE_INFINITY;
    this.ask();
  }

  hover(route: Route | null): void {
    if (route === this.hovered) return;
    this.hovered = route;
    this.ask();
  }

  boxAt(point: Point): Standing | null {
    return this.scene === null ? null : boxAt(this.scene, toPicture(this.view, point));
  }

  lineAt(point: Point): Route | null {
    return this.scene === null ? null : lineAt(this.scene, toPicture(this.view, point), this.view.zoom);
  }

  /** Paint again. */
  private ask(): void {
    this.painted = null;
    this.next();
  }

  private next(): void {
    if (this.frameRequest === 0 && this.canvas !== null) this.frameRequest = requestAnimationFrame(this.frame);
  }

  private readonly frame = (): void => {
    this.frameRequest = 0;
    const { canvas, layer, scene, view } = this;
    if (canvas === null || layer === null || scene === null) return;
    const { left, top, zoom } = view;
    layer.style.transform = `translate(${left}px, ${top}px) scale(${zoom})`;
    const settled = performance.now() - this.movedAt >= SETTLE_MS;
    // While moving, the elements are a shifted picture; otherwise their text is drawn sharp.
    layer.style.willChange = settled ? "" : "transform";
    if (settled) this.cull();
    else this.later();
    const [dx, dy] = this.painted === null ? [0, 0] : [left - this.painted.left, top - this.painted.top];
    if (this.painted?.zoom === zoom && Math.max(Math.abs(dx), Math.abs(dy)) <= BEYOND) {
      canvas.style.transform = `translate(${dx}px, ${dy}px)`;
    } else {
      if (this.palette !== null)
        paintView(canvas, scene, { view, size: this.size, palette: this.palette, hovered: this.hovered });
      canvas.style.transform = "";
      this.painted = view;
    }
    for (const watcher of this.watchers) watcher();
  };

  private timer: ReturnType<typeof setTimeout> | null = null;

  private later(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.next(), SETTLE_MS + 1);
  }

  private cull(): void {
    if (this.scene === null) return;
    const around = grown(seen(this.view, this.size), AHEAD / this.view.zoom);
    const inView = culled(this.scene.boxes, around, this.view.zoom, this.active);
    // In the order of the scene, so that elements are not moved needlessly.
    const wantedBoxes = new Set(inView);
    const next = this.scene.boxes.filter((placed) => wantedBoxes.has(placed));
    if (next.length === this.shown.length && next.every((placed, place) => placed === this.shown[place])) return;
    this.shown = next;
    for (const listener of this.listeners) listener();
  }
}
