/** The details of a job. */

import { useLoaded } from "../api/loaded";
import { fullName, type TableName } from "../model/names";
import { DatasetLink, DetailsLink } from "../shell/names";
import { Copyable } from "../shell/parts";
import { RunTable } from "../shell/run_table";
import { LoadState } from "../shell/waiting";
import { failureIn, sqlIn } from "./capture";
import { type JobStory, loadJob } from "./load";
import { Description, Owners, Part, Tags, Title } from "./parts";

export function JobDetails({ job }: { readonly job: string }) {
  const loaded = useLoaded(job, (signal) => loadJob(job, { signal }));
  return (
    <>
      <LoadState loaded={loaded} />
      {loaded.value === null ? null : <Story story={loaded.value} />}
    </>
  );
}

function Story({ story }: { readonly story: JobStory }) {
  const { job, runs, reads, writes, facets, failing } = story;
  const sql = sqlIn(facets);
  const failure = failing === null ? null : failureIn(failing.facets);
  return (
    <>
      <Title kind="Job" name={job.name.name} place={job.name.namespace} />
      <Description text={job.description} />
      <Owners owners={job.owners} />
      <Tags tags={job.tags} />
      <Tables title="Reads" names={reads} />
      <Tables title="Writes" names={writes} />
      <Part title="Last error" when={failure !== null}>
        <p className="error" dir="auto">
          {failure?.message}
        </p>
        {failing === null ? null : (
          <DetailsLink details={{ of: "run", run: failing.run }}>The run that failed</DetailsLink>
        )}
      </Part>
      <Part title="Runs">
        {runs.runs.length === 0 ? (
          <p className="quiet">No runs yet.</p>
        ) : (
          <RunTable runs={runs.runs} label="Runs of the job" jobs={false} />
        )}
        {runs.cursor === null ? null : <p className="quiet">The newest {runs.runs.length} are shown.</p>}
      </Part>
      <Part title="SQL" when={sql !== ""}>
        <Copyable label="SQL of the job" text={sql} />
      </Part>
    </>
  );
}

export function Tables({ title, names }: { readonly title: string; readonly names: readonly TableName[] }) {
  return (
    <Part title={title} when={names.length > 0}>
      <ul className="plain-list">
        {names.map((name) => (
          <li key={fullName(name)}>
            <DatasetLink name={name} />
          </li>
        ))}
      </ul>
    </Part>
  );
}
