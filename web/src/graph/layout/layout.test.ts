import { expect, test } from "vitest";
import { edgeKey, type LayoutEdge, type LayoutInput } from "./input";
import { layered } from "./layered";
import { layersOf, withoutCircles } from "./layers";
import { crossings, ordered } from "./order";
import { spread } from "./spread";

const SIZE = { width: 200, height: 100 };

function graph(...lines: readonly string[]): LayoutInput {
  const edges: LayoutEdge[] = lines.map((line) => {
    const [from = "", to = ""] = line.split(">");
    return { from, to, fromY: 20, toY: 20 };
  });
  const ids = [...new Set(edges.flatMap((edge) => [edge.from, edge.to]))];
  return { nodes: ids.map((id) => ({ id, ...SIZE })), edges };
}

const arc = (from: number, to: number) => ({ from, to });

test("only arcs that close a cycle are reversed", () => {
  const arcs = withoutCircles(3, [arc(0, 1), arc(1, 2), arc(2, 0), arc(1, 1)]);
  expect(arcs.map(({ from, to }) => [from, to])).toEqual([
    [0, 1],
    [1, 2],
    [0, 2],
  ]);
});

test("a node is to the right of all its sources", () => {
  expect(layersOf(4, [arc(0, 1), arc(1, 2), arc(0, 2), arc(2, 3)])).toEqual([0, 1, 2, 3]);
});

test("a source is just before its reader, not at the far left", () => {
  expect(layersOf(4, [arc(0, 1), arc(1, 2), arc(3, 2)])).toEqual([0, 1, 2, 1]);
});

test("crossings are counted, and ordering takes them away", () => {
  const arcs = [arc(0, 3), arc(1, 2)];
  expect(
    crossings(
      [
        [0, 1],
        [2, 3],
      ],
      [[3], [2], [], []],
    ),
  ).toBe(1);
  const better = ordered(
    [
      [0, 1],
      [2, 3],
    ],
    arcs,
    4,
  );
  expect(crossings(better, [[3], [2], [], []])).toBe(0);
});

test("things go where they wish, and share the way where they would touch", () => {
  const wish = (at: number) => ({ at, size: 10, weight: 1 });
  expect(spread([wish(0), wish(50)], 5)).toEqual([0, 50]);
  expect(spread([wish(20), wish(20)], 5)).toEqual([13, 28]);
});

test("boxes do not overlap, and lines go from left to right", () => {
  const input = graph("a>c", "b>c", "c>d", "c>e", "a>e", "b>f", "f>e");
  const { places } = layered(input);
  const all = [...places];
  for (const [id, place] of all) {
    for (const [other, there] of all) {
      if (id === other) continue;
      const separate = Math.abs(place.x - there.x) >= SIZE.width || Math.abs(place.y - there.y) >= SIZE.height;
      expect(separate, `${id} and ${other}`).toBe(true);
    }
  }
  for (const { from, to } of input.edges) expect(places.get(to)?.x).toBeGreaterThan(places.get(from)?.x ?? 0);
});

test("a line over a layer goes round the boxes in it", () => {
  const { places, bends } = layered(graph("a>b", "b>c", "a>c"));
  const [bend] = bends.get(edgeKey("a", "c")) ?? [];
  const between = places.get("b");
  if (bend === undefined || between === undefined) throw new Error("no bend");
  expect(bend.y < between.y || bend.y > between.y + SIZE.height).toBe(true);
  expect([bend.from, bend.to]).toEqual([between.x, between.x + SIZE.width]);
});

test("a line that closes a cycle goes back through its bends", () => {
  const { bends } = layered(graph("a>b", "b>c", "c>a"));
  const [bend] = bends.get(edgeKey("c", "a")) ?? [];
  expect(bend && bend.from > bend.to).toBe(true);
});

test("hundreds of boxes in one layer take several columns", () => {
  const { places } = layered(graph(...Array.from({ length: 300 }, (_, number) => `a>${number}`)));
  const columns = new Set([...places.values()].map((place) => place.x));
  expect(columns.size).toBeGreaterThan(3);
});

test("nothing is laid out as nothing", () => {
  expect(layered({ nodes: [], edges: [] }).places.size).toBe(0);
});
