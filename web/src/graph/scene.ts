/** Everything to draw: boxes with their places, lines, what is lit. Made once for each change, then only read. */

import type { Lit } from "../model/lighting";
import { datasetOf } from "../model/names";
import type { Box } from "./boxes";
import { boundsOfAll, type Standing } from "./culling";
import type { Layout } from "./layout/input";
import type { Marks } from "./props";
import { type Bounds, bundled, type Pairs, type Route, routesOf } from "./routes";

export interface Scene {
  readonly boxes: readonly Standing[];
  readonly byId: ReadonlyMap<string, Standing>;
  readonly routes: readonly Route[];
  /** One line for everything between two boxes. */
  readonly bundles: readonly Route[];
  readonly bounds: Bounds;
  readonly lit: Lit | null;
  readonly litBoxes: ReadonlySet<string>;
  readonly marks: Marks;
}

export function sceneOf(
  pairs: Pairs,
  boxes: ReadonlyMap<string, Box>,
  layout: Layout,
  lit: Lit | null,
  marks: Marks,
): Scene {
  const standing = [...boxes.values()].flatMap((box) => {
    const at = layout.places.get(box.id);
    return at === undefined ? [] : [{ box, at }];
  });
  const routes = routesOf(pairs, boxes, layout, lit, marks);
  const litBoxes = new Set([...(lit?.columns ?? [])].map(datasetOf));
  for (const route of routes)
    if (route.lit) for (const edge of route.edges) if (edge.job !== null) litBoxes.add(edge.job);
  return {
    boxes: standing,
    byId: new Map(standing.map((placed) => [placed.box.id, placed])),
    routes,
    bundles: bundled(routes),
    bounds: boundsOfAll(standing),
    lit,
    litBoxes,
    marks,
  };
}
