/** Addresses may name a dataset by the end of its name, as people type it; the page then completes it. */

import { useEffect } from "react";
import type { Address } from "./address";
import { change, currentAddress } from "./router";

/** Once the dataset is known, put its full name into the address. */
export function useFullName(dataset: string | undefined): void {
  useEffect(() => {
    if (dataset === undefined) return;
    const parts = inFull(currentAddress(), dataset);
    if (parts !== null) change(parts, { replace: true });
  }, [dataset]);
}

/**
 * The change that puts a dataset's full name into the address; null if it is there already, or means another dataset.
 */
export function inFull({ dataset, selected }: Address, full: string): Partial<Address> | null {
  if (dataset === null || dataset === full || !full.endsWith(dataset)) return null;
  return { dataset: full, selected: selected?.dataset === dataset ? { ...selected, dataset: full } : selected };
}
