/** The versions of a dataset, newest first: see the moment, the provenance of one, or what it changed. */

import { useState } from "react";
import { type Address, HOME } from "../address/address";
import { Link } from "../address/router";
import { isoOf, momentText } from "../model/time";
import { JobLink } from "../shell/names";
import type { Version } from "./moments";

interface Props {
  readonly address: Address;
  readonly versions: readonly Version[];
  /** Load older ones, if there are any. */
  readonly onOlder: (() => void) | null;
}

/** This many are shown at a time: each is a handful of elements. */
const AT_A_TIME = 25;

export function VersionList({ address, versions, onOlder }: Props) {
  const [most, setMost] = useState(AT_A_TIME);
  const more = () => {
    setMost(most + AT_A_TIME);
    if (versions.length <= most + AT_A_TIME) onOlder?.();
  };
  if (versions.length === 0) return <p className="quiet">No versions: no run has written it.</p>;
  return (
    <>
      <ol className="versions">
        {versions.slice(0, most).map((version, place) => (
          <li key={version.id} aria-current={isChosen(address, version) ? "true" : undefined}>
            <div className="version-head">
              <time dateTime={isoOf(version.us)}>{momentText(version.us)}</time>
              {version.in_force ? <span className="chip good">current</span> : null}
              {version.carried ? <span className="chip warn">carried</span> : null}
              {version.lifecycle === null ? null : <span className="chip">{version.lifecycle.toLowerCase()}</span>}
            </div>
            <div className="version-job" title={version.id}>
              <JobLink name={version.job} />
              {version.name === null ? null : <bdi className="quiet one-line">{version.name}</bdi>}
            </div>
            <VersionLinks address={address} version={version} before={versions[place + 1] ?? null} />
          </li>
        ))}
      </ol>
      {versions.length <= most && onOlder === null ? null : (
        <button type="button" onClick={more}>
          Older versions
        </button>
      )}
    </>
  );
}

function isChosen({ version, compare }: Address, row: Version): boolean {
  return version === row.id || compare?.before === row.id || compare?.after === row.id;
}

interface LinksProps {
  readonly address: Address;
  readonly version: Version;
  readonly before: Version | null;
}

function VersionLinks({ address, version, before }: LinksProps) {
  const bare = { ...address, asOf: null, version: null, compare: HOME.compare };
  const when = momentText(version.us);
  return (
    <div className="version-links">
      <Link to={{ ...bare, asOf: isoOf(version.us) }} aria-label={`As of ${when}`}>
        As of
      </Link>
      <Link to={{ ...bare, version: version.id }} aria-label={`Provenance of the version of ${when}`}>
        Provenance
      </Link>
      {before === null ? null : (
        <Link
          to={{ ...bare, compare: { of: "versions", before: before.id, after: version.id } }}
          aria-label={`Compare the version of ${when} with the previous one`}
        >
          Compare with previous
        </Link>
      )}
    </div>
  );
}
