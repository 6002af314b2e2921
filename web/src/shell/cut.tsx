/** An answer that a limit cut says so, and offers more as long as there is more. */

import type { Address } from "../address/address";
import { Link } from "../address/router";
import { DEFAULT_LIMIT } from "../api/neighbourhood";

const TIMES = 4;
/** Beyond this a browser has too much to hold. */
const MOST = 100_000;

interface Props {
  readonly partial: boolean;
  readonly address: Address;
  /** How many the answer has: fewer than requested means that the server gives no more. */
  readonly count?: number;
}

export function Cut({ partial, address, count }: Props) {
  if (!partial) return null;
  const limit = address.limit ?? DEFAULT_LIMIT;
  const more = limit < MOST && (count === undefined || count >= limit);
  return (
    <p className="note" role="status">
      The limit was reached. This is the nearest part.{" "}
      {more ? (
        <Link to={{ ...address, limit: limit * TIMES }}>Load more</Link>
      ) : (
        "This is the server's maximum. Ask about one column, or raise max_result_nodes on the server."
      )}
    </p>
  );
}
