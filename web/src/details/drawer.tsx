/** The drawer beside the view: all there is to know of a dataset, a column, a job or a run. */

import type { Details } from "../address/address";

export function Drawer({ details }: { readonly details: Details }) {
  return <aside className="drawer">{details.of}</aside>;
}
