/** What a view shows until a dataset or a column is selected, with recently opened ones. */

import type { Address } from "../address/address";
import { Link } from "../address/router";
import { recentItems } from "../search/recent";
import { addressOf, itemKey, shortLabel } from "../search/results";

export function ChooseFirst({ message, address }: { readonly message: string; readonly address: Address }) {
  const recent = recentItems().filter((item) => item.kind !== "job");
  return (
    <section className="choose">
      <p className="quiet" role="status">
        {message} Search for a dataset or a column above, or open one from the overview.
      </p>
      {recent.length === 0 ? null : (
        <>
          <h2>Recently opened</h2>
          <ul className="plain-list">
            {recent.map((item) => (
              <li key={itemKey(item)}>
                <Link to={addressOf(item, address)} className="named" title={item.dataset}>
                  <bdi>{shortLabel(item)}</bdi> <bdi className="quiet space">{item.dataset}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
