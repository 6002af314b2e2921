/** Runs as a table, with links to their details and to those of their jobs. */

import type { components } from "../api/schema";
import { DetailsLink, JobLink } from "./names";
import { Duration, Moment, State } from "./parts";

export type Run = components["schemas"]["HeadwaterRun"];

interface RunTableProps {
  readonly runs: readonly Run[];
  readonly label: string;
  /** Left out if all belong to one job. */
  readonly jobs?: boolean;
}

export function RunTable({ runs, label, jobs = true }: RunTableProps) {
  return (
    <table aria-label={label} className="runs">
      <thead>
        <tr>
          <th scope="col">State</th>
          {jobs ? <th scope="col">Job</th> : null}
          <th scope="col">Started (UTC)</th>
          <th scope="col" className="number took">
            Duration
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>
              <DetailsLink details={{ of: "run", run: run.id }}>
                <State state={run.state} />
              </DetailsLink>
            </td>
            {jobs ? (
              <td className="cut">
                <JobLink name={run.job} />
              </td>
            ) : null}
            <td>
              <Moment us={run.started_us} />
            </td>
            <td className="number took">
              <Duration from={run.started_us} to={run.ended_us} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
