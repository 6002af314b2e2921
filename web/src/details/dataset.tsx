/** The details of a dataset. */

import { lineageOf } from "../address/address";
import { Link } from "../address/router";
import { useLoaded } from "../api/loaded";
import { fullName, shortName } from "../model/names";
import { DetailsLink, JobLink } from "../shell/names";
import { Moment } from "../shell/parts";
import { LoadState } from "../shell/waiting";
import { captureIn } from "./capture";
import { CaptureNotes } from "./capture_notes";
import { type DatasetStory, loadDataset } from "./load";
import { Description, Owners, Part, Tags, Title } from "./parts";
import { SchemaTree } from "./schema_tree";

export function DatasetDetails({ dataset }: { readonly dataset: string }) {
  const loaded = useLoaded(dataset, (signal) => loadDataset(dataset, { signal }));
  return (
    <>
      <LoadState loaded={loaded} />
      {loaded.value === null ? null : <Story story={loaded.value} />}
    </>
  );
}

function Story({ story }: { readonly story: DatasetStory }) {
  const { dataset, versions, traced, facets } = story;
  const full = fullName(dataset.name);
  const listed = dataset.columns.filter((column) => column.listed);
  const known = listed.filter((column) => traced.has(column.path)).length;
  return (
    <>
      <Title kind="Dataset" name={shortName(dataset.name.name)} place={full} />
      <p>
        <Link to={lineageOf(full)}>Show lineage</Link>
      </p>
      <Description text={dataset.description} />
      <Part title="Capture quality">
        {versions.versions.length === 0 ? (
          <p className="quiet">No known run writes it: it is a source.</p>
        ) : (
          <p>
            The origin of {known} of {listed.length} columns is known.
          </p>
        )}
        <CaptureNotes capture={captureIn(facets)} carried={versions.versions[0]?.carried ?? false} />
      </Part>
      <Owners owners={dataset.owners} />
      <Tags tags={dataset.tags} />
      <Part title={`Schema (${listed.length})`} when={dataset.columns.length > 0}>
        <SchemaTree dataset={full} columns={dataset.columns} traced={traced} />
      </Part>
      <Part title="Versions and runs" when={versions.versions.length > 0}>
        <Versions story={story} />
      </Part>
      <Part title="Other names" when={dataset.aliases.length > 0}>
        <ul className="plain-list">
          {dataset.aliases.map((alias) => (
            <li key={fullName(alias)}>
              <bdi>{fullName(alias)}</bdi>
            </li>
          ))}
        </ul>
      </Part>
    </>
  );
}

function Versions({ story }: { readonly story: DatasetStory }) {
  const { versions } = story.versions;
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Written (UTC)</th>
            <th scope="col">Job</th>
            <th scope="col">How</th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <tr key={version.id}>
              <td>
                {version.run === null ? (
                  <Moment us={version.us} />
                ) : (
                  <DetailsLink details={{ of: "run", run: version.run }}>
                    <Moment us={version.us} />
                  </DetailsLink>
                )}
              </td>
              <td className="cut">
                <JobLink name={version.job} />
              </td>
              <td>
                {(version.lifecycle ?? "write").toLowerCase().replaceAll("_", " ")}
                {version.in_force ? <span className="state good"> now</span> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {story.versions.cursor === null ? null : <p className="quiet">The newest {versions.length} are shown.</p>}
    </>
  );
}
