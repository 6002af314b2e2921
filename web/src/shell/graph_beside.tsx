/** The graph as views beside the lineage show it: what one does in it is said by the address. */

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
    change({ folded: folded.includes(dataset) ? folded.filter((one) => one !== dataset) : [...folded, dataset] });
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
