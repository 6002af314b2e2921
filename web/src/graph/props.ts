/** What `<LineageGraph>` is given: any part of the graph, and what is to be seen in it. It holds nothing of the address. */

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

/** What a box offers on one of its sides: to load or show what is there, to hide it, or nothing. */
export type SideAction = "expand" | "collapse" | "none";

/** What one may do with a dataset beyond looking; whatever is not given is not offered. */
export interface BoxActions {
  readonly side?: (dataset: DatasetId, side: Side) => SideAction;
  readonly onSide?: (dataset: DatasetId, side: Side, action: SideAction) => void;
  /** All of it: to the roots, or to the last that is reached. */
  readonly onAll?: (dataset: DatasetId, side: Side) => void;
  readonly onFocus?: (dataset: DatasetId) => void;
  readonly onPin?: (dataset: DatasetId) => void;
  readonly onFold?: (dataset: DatasetId) => void;
  readonly onDetails?: (details: Details) => void;
}

export interface LineageGraphProps {
  readonly part: GraphPart;
  /** What a screen reader calls it. */
  readonly label: string;
  /** The column whose path is lit, up and down. */
  readonly selected?: ColumnChoice | null;
  readonly onSelect?: (chosen: ColumnChoice | null) => void;
  /** In place of the path of `selected`: what else is to be lit. */
  readonly lit?: Lit | null;
  readonly marks?: Marks;
  /** Whether jobs stand between the datasets. */
  readonly jobs?: boolean;
  /** Boxes that show their names only. */
  readonly folded?: readonly DatasetId[];
  readonly pinned?: readonly DatasetId[];
  readonly actions?: BoxActions;
  /** What stands at the left of the bar above the graph. */
  readonly children?: ReactNode;
}
