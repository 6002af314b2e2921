/** The two moments, or versions, to compare. */

import { type Address, type Compare, HOME } from "../address/address";
import { change, Link } from "../address/router";
import { momentText, NOW } from "../model/time";
import { AnyMoment } from "./any_moment";
import { MomentSlider } from "./moment_slider";
import type { Moment, Version } from "./moments";

/** While the user types, each key gives another moment: one step back for all. */
const REPLACE = { replace: true } as const;

interface Props {
  readonly address: Address;
  readonly compare: Compare;
  readonly moments: readonly Moment[];
  readonly versions: readonly Version[];
}

export function CompareBar({ address, compare, moments, versions }: Props) {
  const update = (parts: Partial<Compare>, how: { readonly replace?: boolean } = {}) =>
    change({ compare: { ...compare, ...parts } }, how);
  return (
    <div className="compare">
      {compare.of === "moments" ? (
        <>
          <MomentSlider
            label="Before"
            moments={moments}
            at={compare.before}
            now={false}
            onMove={(at, how) => update({ before: at ?? compare.before }, how)}
          />
          <MomentSlider
            label="After"
            moments={moments}
            at={compare.after === NOW ? null : compare.after}
            onMove={(at, how) => update({ after: at ?? NOW }, how)}
          />
          <details>
            <summary>Other times</summary>
            <AnyMoment label="Another earlier time, in UTC" onChoose={(before) => update({ before }, REPLACE)} />
            <AnyMoment label="Another later time, in UTC" onChoose={(after) => update({ after }, REPLACE)} />
          </details>
        </>
      ) : (
        <>
          <VersionChoice
            label="Before"
            value={compare.before}
            versions={versions}
            onChoose={(before) => update({ before })}
          />
          <VersionChoice
            label="After"
            value={compare.after}
            versions={versions}
            onChoose={(after) => update({ after })}
          />
        </>
      )}
      <Link to={{ ...address, compare: HOME.compare }}>Close comparison</Link>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly versions: readonly Version[];
  readonly onChoose: (id: string) => void;
}

function VersionChoice({ label, value, versions, onChoose }: ChoiceProps) {
  const known = versions.some((version) => version.id === value);
  // If one job writes all of them, its name distinguishes none.
  const jobs = new Set(versions.map((version) => version.job?.name)).size > 1;
  return (
    <label>
      <span className="slider-label">{label}</span>
      <select value={value} onChange={(event) => onChoose(event.target.value)}>
        {known ? null : <option value={value}>{value}</option>}
        {versions.map((version) => (
          <option key={version.id} value={version.id}>
            {momentText(version.us)} {jobs && version.job !== null ? `· ${version.job.name}` : ""}
          </option>
        ))}
      </select>
    </label>
  );
}
