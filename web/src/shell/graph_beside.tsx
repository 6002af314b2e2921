/** The graph in the views beside Lineage: the address records what the user does in it. */

import type { Address } from "../address/address";
import { lineageOf } from "../address/address";
import { change, currentAddress, go } from "../address/router";
import { LineageGraph } from "../graph/lineage_graph";
import type { BoxActions, LineageGraphProps } from "../graph/props";

const ACTIONS: BoxActions = {
  onFocus: (dataset) => go(lineageOf(dataset)),
  onDetails: (details) => change({ details }),
  onFold: (dataset) => {
    const { folded } = currentAddress();
    change({ folded: folded.includes(dataset) ? folded.filter((id) => id !== dataset) : [...folded, dataset] });
  },
};

type Props = Pick<LineageGraphProps, "part" | "label" | "selected" | "lit" | "marks" | "children"> & {
  readonly address: Address;
};

export function GraphBeside({ address, ...rest }: Props) {
  return (
    <div className="graph-place">
      <LineageGraph
        selected={address.selected}
        {...rest}
        onSelect={select}
        jobs={address.jobs}
        folded={address.folded}
        actions={ACTIONS}
      />
    </div>
  );
}

function select(selected: Address["selected"]): void {
  change({ selected });
}
