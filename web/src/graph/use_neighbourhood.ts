/** The graph that an address shows: the area around its focus, nearest first, and what was expanded beyond it. */

import { useMemo, useRef } from "react";
import type { Address } from "../address/address";
import { type Loaded, useLoaded } from "../api/loaded";
import { type Focus, focusKey, loadNeighbourhood, loadOutlineless } from "../api/neighbourhood";
import { type Expansion, parseExpansion } from "../model/expansion";
import { type GraphPart, merged } from "../model/graph";

/** Closed expansions are cached for a while, so that opening them again requests nothing. */
const KEPT = 12;

export interface Neighbourhood {
  readonly part: GraphPart | null;
  /** Whether more of it is loading. */
  readonly partial: boolean;
  readonly around: Loaded<GraphPart>;
  readonly beyond: Loaded<readonly GraphPart[]>;
}

export function useNeighbourhood(address: Address): Neighbourhood {
  const key = address.dataset === null ? null : focusKey(address);
  // A large graph takes a while; the nearest step arrives much sooner.
  const deep = address.version === null && (address.depth === null || address.depth > 1);
  const near = useLoaded(deep ? key : null, (signal) => loadOutlineless({ ...address, depth: 1 }, { signal }));
  const first = deep && !(near.fresh && near.value !== null) && near.problem === null;
  const around = useLoaded(first ? null : key, (signal) => loadNeighbourhood(address, { signal }));
  const beyond = useExpansions(address);
  const whole = around.value !== null && (around.fresh || !near.fresh);
  const base = whole ? around.value : (near.value ?? around.value);
  const part = useMemo(
    () => (base === null ? null : (beyond.value ?? []).reduce((all, part) => merged(all, part), base)),
    [base, beyond.value],
  );
  return { part, partial: !whole, around: first ? { ...near, value: null } : around, beyond };
}

export function expansionsOf(texts: readonly string[]): Expansion[] {
  return texts.flatMap((text) => parseExpansion(text) ?? []);
}

function useExpansions(address: Address): Loaded<readonly GraphPart[]> {
  const known = useRef(new Map<string, GraphPart>());
  const focuses = expansionsOf(address.expanded).map(({ dataset, side, all }): Focus => {
    const moment = { asOf: address.asOf, version: null, namespaces: address.namespaces, limit: address.limit };
    return { ...moment, dataset, column: null, direction: side, depth: all ? null : 1, indirect: address.indirect };
  });
  const keys = focuses.map(focusKey);
  return useLoaded(JSON.stringify(keys), async (signal) => {
    const parts = await Promise.all(
      focuses.map(async (focus, place) => {
        const key = keys[place] ?? "";
        const part = known.current.get(key) ?? (await loadNeighbourhood(focus, { signal }));
        // Removed and added again, it is the last to be evicted.
        known.current.delete(key);
        known.current.set(key, part);
        return part;
      }),
    );
    for (const key of known.current.keys()) {
      if (known.current.size <= Math.max(KEPT, keys.length)) break;
      known.current.delete(key);
    }
    return parts;
  });
}
