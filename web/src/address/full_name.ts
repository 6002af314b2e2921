/** Addresses may call a dataset by the end of its name, as people type it; from then on they say all of it. */

import { useEffect } from "react";
import type { Address } from "./address";
import { change, currentAddress } from "./router";

/** Once it is known which dataset is looked at, the address says its full name. */
export function useFullName(dataset: string | undefined): void {
  useEffect(() => {
    if (dataset === undefined) return;
    const parts = inFull(currentAddress(), dataset);
    if (parts !== null) change(parts, { replace: true });
  }, [dataset]);
}

/** What has to change so that the address says a dataset's full name; null where it does, or means another one. */
export function inFull({ dataset, selected }: Address, full: string): Partial<Address> | null {
  if (dataset === null || dataset === full || !full.endsWith(dataset)) return null;
  return { dataset: full, selected: selected?.dataset === dataset ? { ...selected, dataset: full } : selected };
}
