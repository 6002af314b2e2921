/** The details of a run. */

import { useLoaded } from "../api/loaded";
import { DetailsLink, JobLink } from "../shell/names";
import { Duration, Moment, State } from "../shell/parts";
import { LoadState } from "../shell/waiting";
import { captureIn, failureIn } from "./capture";
import { CaptureNotes } from "./capture_notes";
import { Tables } from "./job";
import { loadRun, type RunStory } from "./load";
import { Part, Title } from "./parts";

export function RunDetails({ run }: { readonly run: string }) {
  const loaded = useLoaded(run, (signal) => loadRun(run, { signal }));
  return (
    <>
      <LoadState loaded={loaded} />
      {loaded.value === null ? null : <Story story={loaded.value} />}
    </>
  );
}

function Story({ story }: { readonly story: RunStory }) {
  const { run, reads, versions, partial } = story.details;
  const capture = captureIn(story.facets);
  const failure = failureIn(story.facets);
  return (
    <>
      <Title kind="Run" name={run.job?.name ?? "of an unknown job"} place={run.id} />
      <dl className="facts">
        <dt>State</dt>
        <dd>
          <State state={run.state} />
          {run.streaming ? <span className="quiet"> streaming</span> : null}
        </dd>
        <dt>Job</dt>
        <dd>
          <JobLink name={run.job} />
        </dd>
        <dt>Started</dt>
        <dd>
          <Moment us={run.started_us} />
        </dd>
        <dt>Ended</dt>
        <dd>
          <Moment us={run.ended_us} />
        </dd>
        <dt>Duration</dt>
        <dd>
          <Duration from={run.started_us} to={run.ended_us} />
        </dd>
        {run.parent === null ? null : (
          <>
            <dt>Part of</dt>
            <dd>
              <DetailsLink details={{ of: "run", run: run.parent }}>the parent run</DetailsLink>
            </dd>
          </>
        )}
      </dl>
      <Part title="Error" when={failure !== null}>
        <p className="error" dir="auto">
          {failure?.message}
        </p>
        {failure?.trace ? (
          <details>
            <summary>Stack trace</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
            <pre tabIndex={0}>{failure.trace}</pre>
          </details>
        ) : null}
      </Part>
      <Part title="Capture quality" when={capture !== null}>
        <CaptureNotes capture={capture} carried={false} />
      </Part>
      <Tables title="Read" names={reads} />
      <Tables title="Wrote" names={versions.map((version) => version.dataset)} />
      {partial ? <p className="quiet">More outputs exist than shown here.</p> : null}
    </>
  );
}
