import { useMemo } from "react";
import type { Address } from "../address/address";
import { useLoaded } from "../api/loaded";
import { focusKey, loadNeighbourhood } from "../api/neighbourhood";
import { LoadState } from "../shell/waiting";

/** The Lineage view of an address. */
export default function LineageView({ address }: { readonly address: Address }) {
  const key = useMemo(() => (address.dataset === null ? null : focusKey(address)), [address]);
  const loaded = useLoaded(key, (signal) => loadNeighbourhood(address, { signal }));
  return (
    <>
      <LoadState loaded={loaded} />
      {loaded.value === null ? null : (
        <p>
          {loaded.value.datasets.length} datasets, {loaded.value.edges.length} edges
        </p>
      )}
    </>
  );
}
