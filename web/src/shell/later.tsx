/**
 * A view that is loaded with the first address that needs it. Not with React's `lazy`: its Suspense holds the result
 * back for a third of a second, and requests nothing from the server before that.
 */

import type { ComponentType } from "react";
import type { Address } from "../address/address";
import { useLoaded } from "../api/loaded";
import { Problem } from "../api/problem";
import { LoadState } from "./waiting";

type Shown = ComponentType<{ readonly address: Address }>;

/** Views that are loaded already, by their loaders. */
const known = new Map<LoadView, Shown>();

export type LoadView = () => Promise<{ readonly default: Shown }>;

export function Later({ load, address }: { readonly load: LoadView; readonly address: Address }) {
  const View = known.get(load);
  const loaded = useLoaded(View === undefined ? address.view : null, async () => {
    try {
      const { default: loadedView } = await load();
      known.set(load, loadedView);
      return loadedView;
    } catch {
      throw new Problem("gone", "Could not load this view. Reload the page.");
    }
  });
  return View === undefined ? <LoadState loaded={loaded} /> : <View address={address} />;
}
