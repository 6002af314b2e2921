/**
 * The properties of `<LineageGraph>`: any part of the graph, and what to show in it. Nothing here knows the address.
 */

import type { ReactNode } from "react";
import type { Details } from "../address/address";
import type { Side } from "../model/expansion";
import type { GraphPart } from "../model/graph";
import type { Lit } from "../model/lighting";
import type { ColumnId, DatasetId } from "../model/names";

/** How something differs between two graphs: green, red, amber. */
export type Mark = "added" | "removed" | "changed";

export interface Marks {
  /** By the id of the edge. */
  readonly edges?: ReadonlyMap<string, Mark>;
  readonly columns?: ReadonlyMap<ColumnId, Mark>;
  readonly datasets?: ReadonlyMap<DatasetId, Mark>;
}

export interface ColumnChoice {
  readonly dataset: DatasetId;
  readonly column: string;
}

/** What a box offers on one of its sides: load or show it, hide it, or nothing. */
export type SideAction = "expand" | "collapse" | "none";

/** What the user may do with a dataset beyond looking; missing actions are not offered. */
export interface BoxActions {
  readonly side?: (dataset: DatasetId, side: Side) => SideAction;
  readonly onSide?: (dataset: DatasetId, side: Side, action: SideAction) => void;
  /** All of it: up to the roots, or down to the last column reached. */
  readonly onAll?: (dataset: DatasetId, side: Side) => void;
  readonly onFocus?: (dataset: DatasetId) => void;
  readonly onPin?: (dataset: DatasetId) => void;
  readonly onFold?: (dataset: DatasetId) => void;
  readonly onDetails?: (details: Details) => void;
}

export interface LineageGraphProps {
  readonly part: GraphPart;
  /** Its name for screen readers. */
  readonly label: string;
  /** The column whose path is lit, up and down. */
  readonly selected?: ColumnChoice | null;
  readonly onSelect?: (chosen: ColumnChoice | null) => void;
  /** Replaces the path of `selected`: what to light instead. */
  readonly lit?: Lit | null;
  readonly marks?: Marks;
  /** Whether jobs are drawn between the datasets. */
  readonly jobs?: boolean;
  /** Boxes that show their names only. */
  readonly folded?: readonly DatasetId[];
  readonly pinned?: readonly DatasetId[];
  readonly actions?: BoxActions;
  /** What is at the left of the bar above the graph. */
  readonly children?: ReactNode;
}
