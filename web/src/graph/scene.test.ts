import { expect, test } from "vitest";
import { partOf } from "../model/sample";
import { svgOf } from "./export";
import { linesIn } from "./paint";
import { escaped } from "./pen";
import { curves, distanceTo } from "./routes";
import { PALETTE, sampleScene } from "./sample_scene";
import { lineStyle } from "./styles";
import { walked } from "./walking";

const PART = partOf("mart.total", [
  "raw.a > clean.a",
  "raw.b > clean.b, TRANSFORMATION, masked",
  "clean.a > mart.total, AGGREGATION",
  "clean.b > mart.key",
  "raw.b > mart.key, JOIN",
]);

test("a line leaves the right of a row and arrives at the left of another", () => {
  const scene = sampleScene(PART);
  const [raw, clean] = ["n/raw", "n/clean"].map((id) => scene.byId.get(id));
  const line = scene.routes.find((route) => route.from === "n/raw" && route.to === "n/clean" && route.masked);
  expect(line?.points[0]).toBe((raw?.at.x ?? 0) + (raw?.box.width ?? 0));
  expect(line?.points.at(-2)).toBe(clean?.at.x);
  expect(line?.points.at(-1)).toBe((clean?.at.y ?? 0) + (clean?.box.ports.get("b") ?? 0));
});

test("edges that begin and end at the same places are one line, of their closest class", () => {
  const twice = partOf("b.s.x", ["a.s.x > b.s.x, AGGREGATION", "a.s.y > b.s.y", "a.s.y > b.s.x"]);
  const { routes } = sampleScene(twice);
  expect(routes.map((route) => [route.edges.length, route.kind])).toEqual([[3, "IDENTITY"]]);
});

test("an edge within a table is a loop at its right", () => {
  const { routes, byId } = sampleScene(partOf("a.x", ["a.x > a.y"]));
  const right = (byId.get("n/a")?.at.x ?? 0) + (byId.get("n/a")?.box.width ?? 0);
  expect(routes.map((route) => [route.loop, route.points[0], route.points.at(-2)])).toEqual([[true, right, right]]);
});

test("with jobs, lines go over the job that writes", () => {
  const scene = sampleScene(PART, { jobs: true });
  const ends = new Set(scene.routes.map((route) => `${route.from} ${route.to}`));
  expect(ends).toContain("n/raw n/write clean");
  expect(ends).toContain("n/write clean n/clean");
  expect(ends).not.toContain("n/raw n/clean");
});

test("lit edges are separate lines, with the jobs on the path", () => {
  const scene = sampleScene(PART, { lit: ["n/mart", "total"], jobs: true });
  const lit = scene.routes.filter((route) => route.lit).flatMap((route) => route.edges.map((edge) => edge.kind));
  expect(new Set(lit)).toEqual(new Set(["IDENTITY", "AGGREGATION"]));
  expect([...scene.litBoxes].sort()).toEqual(["n/clean", "n/mart", "n/raw", "n/write clean", "n/write mart"]);
});

test("a mark colours a line, masking does where there is none, and what is not lit is dim", () => {
  const line = { kind: "IDENTITY" as const, masked: true, mark: null, lit: false };
  expect(lineStyle(line, false).colour).toBe("masked");
  expect(lineStyle({ ...line, mark: "removed" }, false).colour).toBe("removed");
  expect(lineStyle(line, true).alpha).toBeLessThan(lineStyle({ ...line, lit: true }, true).alpha);
});

test("classes differ by more than colour", () => {
  const looks = (["IDENTITY", "TRANSFORMATION", "AGGREGATION", "INDIRECT"] as const).map((kind) => {
    const { width, dash } = lineStyle({ kind, masked: false, mark: null, lit: false }, false);
    return `${width} ${dash}`;
  });
  expect(new Set(looks).size).toBe(4);
});

test("lines outside the view are left out", () => {
  const scene = sampleScene(PART);
  expect(linesIn(scene, { left: -9_000, right: -8_000, top: 0, bottom: 10 }, 1)).toEqual([]);
  expect(linesIn(scene, scene.bounds, 1)).toHaveLength(scene.routes.length);
});

test("from afar many lines between two boxes are one", () => {
  const many = partOf(
    "b.c0",
    Array.from({ length: 40 }, (_, from) => Array.from({ length: 40 }, (_, to) => `a${from}.x > b${to}.x`)).flat(),
  );
  const scene = sampleScene({
    ...many,
    edges: [...many.edges, ...many.edges.map((edge) => ({ ...edge, id: `${edge.id} 2` }))],
  });
  expect(linesIn(scene, scene.bounds, 0.1)).toHaveLength(scene.bundles.length);
  expect(scene.bundles.length).toBe(1_600);
});

test("the distance of a point to a line is zero on it, and exact beside it", () => {
  const [line] = sampleScene(partOf("b.x", ["a.x > b.x"])).routes;
  if (line === undefined) throw new Error("no line");
  const [x1 = 0, y1 = 0, x2 = 0] = line.points;
  const middle = { x: (x1 + x2) / 2, y: y1 };
  expect(distanceTo(line, middle)).toBeLessThan(1);
  expect(distanceTo(line, { ...middle, y: y1 + 30 })).toBeCloseTo(30, 0);
});

test("a backward line still leaves to the right and arrives from the left", () => {
  const [curve] = curves({ points: [100, 0, 20, 50], loop: false });
  expect(curve && curve.out > 100 && curve.into < 20).toBe(true);
});

test("the file has every box, row and line with its words, and names in it are text", () => {
  const odd = partOf("b.x", ["a.<script>alert(1)</script> > b.x, TRANSFORMATION"]);
  const svg = svgOf(sampleScene(odd), PALETTE, null);
  expect(svg).toContain("&lt;script&gt;");
  expect(svg).not.toContain("<script");
  expect(svg).toContain("<title>");
  expect(svg).toContain("transformed: transformation(");
  expect(svg.match(/https?:\/\/[^"]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
});

test("characters that XML cannot hold are left out of the file", () => {
  expect(escaped('a\u0000b & "c"')).toBe("ab &amp; &quot;c&quot;");
});

test("arrow keys walk rows up and down, and the lineage left and right", () => {
  const scene = sampleScene(PART);
  const at = (box: string, path: string | null) => ({ box: `n/${box}`, path });
  expect(walked(scene, at("clean", null), "ArrowDown")).toEqual(at("clean", "a"));
  expect(walked(scene, at("clean", "a"), "ArrowUp")).toEqual(at("clean", null));
  expect(walked(scene, at("clean", "b"), "ArrowLeft")).toEqual(at("raw", "b"));
  expect(walked(scene, at("clean", "a"), "ArrowRight")).toEqual(at("mart", "total"));
  expect(walked(scene, at("mart", "total"), "ArrowRight")).toEqual(at("mart", "total"));
  expect(walked(scene, at("clean", null), "ArrowRight")).toEqual(at("mart", null));
  expect(walked(scene, at("raw", null), "End")).toEqual(at("raw", "b"));
});
