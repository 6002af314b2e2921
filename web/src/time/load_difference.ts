/** Loads two graphs and their differences, from one moment of the store. */

import type { Compare } from "../address/address";
import { type Asking, askMany, type OneOfMany } from "../api/client";
import {
  ALL_COLUMNS,
  type ColumnAnswer,
  DEFAULT_LIMIT,
  type Focus,
  graphPart,
  outlinesFor,
} from "../api/neighbourhood";
import { type GraphPart, merged } from "../model/graph";
import { NOW } from "../model/time";
import { type Diff, type Difference, differenceOf } from "./difference";

export interface Differed {
  /** Both graphs in one, so that removed parts are visible, too. */
  readonly part: GraphPart;
  readonly difference: Difference;
}

type Side = "upstream" | "downstream";

/** Two moments, or two versions, compared; throws a Problem. */
export async function loadDifference(focus: Focus, compare: Compare, asking: Asking = {}): Promise<Differed> {
  // A version has a provenance; its reach is a question about moments.
  const sides = compare.of === "versions" ? (["upstream"] as const) : sidesOf(focus.direction);
  const answers: unknown[] = await askMany(
    sides.flatMap((side) => questions(focus, compare, side)),
    asking,
  );
  const was: Partial<Record<Side, ColumnAnswer>> = {};
  const is: Partial<Record<Side, ColumnAnswer>> = {};
  const diffs: Diff[] = [];
  for (const [place, side] of sides.entries()) {
    const [before, after, diff] = answers.slice(place * 3, place * 3 + 3) as [ColumnAnswer, ColumnAnswer, Diff];
    was[side] = before;
    is[side] = after;
    diffs.push(diff);
  }
  const outlines = await outlinesFor([...Object.values(was), ...Object.values(is)], asking);
  const before = graphPart(was.upstream ?? null, was.downstream ?? null, outlines);
  const after = graphPart(is.upstream ?? null, is.downstream ?? null, outlines);
  return { part: merged(before, after), difference: differenceOf(before, after, diffs) };
}

function sidesOf(direction: Focus["direction"]): readonly Side[] {
  return direction === "both" ? ["upstream", "downstream"] : [direction];
}

/** The graph before, the graph after, and the differences. */
function questions(focus: Focus, { of, before, after }: Compare, side: Side): OneOfMany[] {
  const shared = {
    dataset: focus.dataset ?? "",
    column: focus.column ?? ALL_COLUMNS,
    depth: focus.depth,
    direct: !focus.indirect,
    limit: focus.limit ?? DEFAULT_LIMIT,
    namespaces: focus.namespaces.length > 0 ? [...focus.namespaces] : null,
  };
  if (of === "versions") {
    return [
      { question: side, ...shared, version: before },
      { question: side, ...shared, version: after },
      { question: "diff", ...shared, versions: [before, after] },
    ];
  }
  const until = after === NOW ? null : after;
  return [
    { question: side, ...shared, as_of: before },
    { question: side, ...shared, as_of: until },
    { question: "diff", ...shared, direction: side, since: before, until },
  ];
}
