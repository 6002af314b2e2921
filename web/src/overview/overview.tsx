/** The first screen. */

import { ask } from "../api/client";
import { useLoaded } from "../api/loaded";
import { LoadState } from "../shell/waiting";

export function Overview() {
  const stats = useLoaded("stats", (signal) => ask("stats", {}, { signal }));
  return (
    <>
      <h1>Overview</h1>
      <LoadState loaded={stats} />
      {stats.value === null ? null : <p>{stats.value.datasets} datasets</p>}
    </>
  );
}
