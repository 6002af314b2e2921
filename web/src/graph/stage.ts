/**
 * The stage: what is seen of a scene, painted once a frame. React is told only when other boxes are to be made of
 * elements; moving about and zooming happen without it.
 */

import { culled, type Standing } from "./culling";
import type { Point } from "./layout/input";
import { linesIn, MANY_LINES, paintBoxes, paintLines } from "./paint";
import { CanvasPen } from "./pen";
import { distanceTo, type Route } from "./routes";
import type { Scene } from "./scene";
import type { Palette } from "./styles";
import { centred, fitted, grown, type Size, seen, showing, toPicture, type View, zoomedAt } from "./viewport";

/** When nothing has moved for so long, boxes that came into view become elements; until then they are painted. */
const SETTLE_MS = 120;
/** Boxes a little outside the view are elements already. */
const AHEAD = 120;
/** A large graph is not shown whole at first, but around its focus, at this zoom. */
const NEAR = 0.8;
const WHOLE_FROM = 0.55;
const NEAR_A_LINE = 7;
const ARROWS_FROM = 0.3;
/** So much beyond the view is painted, too: moving by less only shifts what is painted. */
const BEYOND = 256;

const NOTHING: readonly Standing[] = [];

export class Stage {
  view: View = { left: 0, top: 0, zoom: 1 };
  size: Size = { width: 0, height: 0 };
  scene: Scene | null = null;
  /** Boxes that are elements now, as React was told. */
  shown: readonly Standing[] = NOTHING;
  /** The view that was painted last; null when something else than the view has changed since. */
  private painted: View | null = null;
  private hovered: Route | null = null;
  private palette: Palette | null = null;
  private active: string | null = null;
  private canvas: HTMLCanvasElement | null = null;
  private layer: HTMLElement | null = null;
  private root: string | null = null;
  private touched = false;
  private asked = 0;
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
      const scale = window.devicePixelRatio || 1;
      canvas.width = Math.round((width + 2 * BEYOND) * scale);
      canvas.height = Math.round((height + 2 * BEYOND) * scale);
      canvas.style.inset = `-${BEYOND}px`;
      canvas.style.width = `${width + 2 * BEYOND}px`;
      canvas.style.height = `${height + 2 * BEYOND}px`;
      if (before.width === 0 && this.scene !== null) this.begin();
      this.ask();
    };
    const observer = new ResizeObserver(measure);
    observer.observe(host);
    measure();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(this.asked);
      this.asked = 0;
      this.canvas = null;
      this.layer = null;
    };
  }

  /** Another scene. Its anchor stays where it is seen; a scene with another root begins anew. */
  show(scene: Scene, root: string, anchor: string | null): void {
    const before = this.scene;
    this.scene = scene;
    // Until one looks about by oneself, more of the graph is shown as if it had been there from the start.
    if (before === null || this.root !== root || (!this.touched && anchor === null)) {
      this.root = root;
      this.begin();
    } else {
      const still = [anchor, this.active, root].find((id) => id !== null && before.byId.has(id) && scene.byId.has(id));
      const [was, is] = [before, scene].map((one) => (still ? one.byId.get(still)?.at : undefined));
      if (was && is) {
        const { left, top, zoom } = this.view;
        this.view = { zoom, left: left + (was.x - is.x) * zoom, top: top + (was.y - is.y) * zoom };
      }
    }
    this.hovered = null;
    this.movedAt = Number.NEGATIVE_INFINITY;
    this.ask();
  }

  private begin(): void {
    this.touched = false;
    if (this.scene === null || this.size.width === 0) return;
    const whole = fitted(this.scene.bounds, this.size);
    const focus = this.root === null ? undefined : this.scene.byId.get(this.root);
    if (whole.zoom >= WHOLE_FROM || focus === undefined) this.view = whole;
    else {
      const { box, at } = focus;
      this.view = centred({ x: at.x + box.width / 2, y: at.y + box.height / 2 }, NEAR, this.size);
    }
  }

  colours(palette: Palette): void {
    this.palette = palette;
    this.ask();
  }

  look(view: View): void {
    this.touched = true;
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
    const found = id === null ? undefined : this.scene?.byId.get(id);
    if (found !== undefined) {
      const { box, at } = found;
      const zoom = Math.max(this.view.zoom, WHOLE_FROM);
      const near = zoom === this.view.zoom ? this.view : centred({ x: at.x, y: at.y }, zoom, this.size);
      const bounds = { left: at.x, top: at.y, right: at.x + box.width, bottom: at.y + box.height };
      this.view = showing(near, bounds, this.size);
    }
    this.movedAt = Number.NEGATIVE_INFINITY;
    this.ask();
  }

  hover(route: Route | null): void {
    if (route === this.hovered) return;
    this.hovered = route;
    this.ask();
  }

  boxAt(point: Point): Standing | null {
    const { x, y } = toPicture(this.view, point);
    const inside = ({ box, at }: Standing) => x >= at.x && x <= at.x + box.width && y >= at.y && y <= at.y + box.height;
    return this.scene?.boxes.find(inside) ?? null;
  }

  /** The line at a point, what is lit before what is dim. */
  lineAt(point: Point): Route | null {
    if (this.scene === null) return null;
    const at = toPicture(this.view, point);
    const near = NEAR_A_LINE / this.view.zoom;
    const around = { left: at.x - near, right: at.x + near, top: at.y - near, bottom: at.y + near };
    let best: Route | null = null;
    let least = near;
    for (const route of linesIn(this.scene, around, this.view.zoom)) {
      const far = distanceTo(route, at) + (this.scene.lit !== null && !route.lit ? near / 2 : 0);
      if (far < least) {
        least = far;
        best = route;
      }
    }
    return best;
  }

  /** Paint anew. */
  private ask(): void {
    this.painted = null;
    this.next();
  }

  private next(): void {
    if (this.asked === 0 && this.canvas !== null) this.asked = requestAnimationFrame(this.frame);
  }

  private readonly frame = (): void => {
    this.asked = 0;
    const { canvas, layer, scene, view } = this;
    if (canvas === null || layer === null || scene === null) return;
    const { left, top, zoom } = view;
    layer.style.transform = `translate(${left}px, ${top}px) scale(${zoom})`;
    const settled = performance.now() - this.movedAt >= SETTLE_MS;
    // While one moves, the elements are a picture that is shifted; otherwise their text is drawn sharp.
    layer.style.willChange = settled ? "" : "transform";
    if (settled) this.cull();
    else this.later();
    const [dx, dy] = this.painted === null ? [0, 0] : [left - this.painted.left, top - this.painted.top];
    if (this.painted?.zoom === zoom && Math.max(Math.abs(dx), Math.abs(dy)) <= BEYOND) {
      canvas.style.transform = `translate(${dx}px, ${dy}px)`;
    } else {
      this.paint(canvas, scene);
      canvas.style.transform = "";
      this.painted = view;
    }
    for (const watcher of this.watchers) watcher();
  };

  /** All boxes are painted, also those that lie below their elements: they may come and go without another paint. */
  private paint(canvas: HTMLCanvasElement, scene: Scene): void {
    const to = canvas.getContext("2d");
    if (to === null || this.palette === null) return;
    const { left, top, zoom } = this.view;
    const scale = window.devicePixelRatio || 1;
    to.setTransform(1, 0, 0, 1, 0, 0);
    to.clearRect(0, 0, canvas.width, canvas.height);
    to.setTransform(scale * zoom, 0, 0, scale * zoom, scale * (left + BEYOND), scale * (top + BEYOND));
    const around = grown(seen(this.view, this.size), BEYOND / zoom);
    const lines = linesIn(scene, around, zoom);
    const plain = lines.length > MANY_LINES || zoom < ARROWS_FROM;
    const linePen = plain ? new CanvasPen(to, this.palette, true, 1 / zoom) : new CanvasPen(to, this.palette);
    paintLines(linePen, lines, scene.lit !== null);
    const pen = new CanvasPen(to, this.palette);
    if (this.hovered !== null) {
      pen.lines([this.hovered], { colour: "accent", width: 3.4 / Math.min(1, zoom), dash: [], alpha: 1 });
    }
    paintBoxes(pen, scene, around, zoom);
  }

  private timer: ReturnType<typeof setTimeout> | null = null;

  private later(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.next(), SETTLE_MS + 1);
  }

  private cull(): void {
    if (this.scene === null) return;
    const around = grown(seen(this.view, this.size), AHEAD / this.view.zoom);
    const found = culled(this.scene.boxes, around, this.view.zoom, this.active);
    // In the order of the scene, so that elements are not moved about without need.
    const wanted = new Set(found);
    const next = this.scene.boxes.filter((one) => wanted.has(one));
    if (next.length === this.shown.length && next.every((one, place) => one === this.shown[place])) return;
    this.shown = next;
    for (const listener of this.listeners) listener();
  }
}
