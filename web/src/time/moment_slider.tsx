/** A slider over the moments of writes; ticks are tall where the column changed. */

import { useRef } from "react";
import { momentWords } from "../model/time";
import { type Moment, placeOf } from "./moments";

interface Props {
  readonly label: string;
  readonly moments: readonly Moment[];
  /** The selected moment; null is now. */
  readonly at: string | null;
  /** `replace`: it is still the same drag. */
  readonly onMove: (at: string | null, how: { readonly replace: boolean }) => void;
  /** Whether the slider goes beyond the last moment. */
  readonly now?: boolean;
}

export function MomentSlider({ label, moments, at, onMove, now = true }: Props) {
  const moving = useRef(false);
  const last = now ? moments.length : moments.length - 1;
  const place = Math.min(Math.max(placeOf(moments, at), 0), Math.max(last, 0));
  const move = (to: number) => {
    // One drag, or one series of keys, is one step back.
    onMove(moments[to]?.at ?? null, { replace: moving.current });
    moving.current = true;
  };
  const letGo = () => {
    moving.current = false;
  };
  const moment = at === null ? "now" : `${momentWords(at)} UTC`;
  return (
    <div className="slider">
      <label>
        <span className="slider-label">{label}</span>
        <input
          type="range"
          min={0}
          max={Math.max(last, 0)}
          step={1}
          value={place}
          disabled={last <= 0}
          aria-valuetext={moment}
          onChange={(event) => move(Number(event.target.value))}
          onPointerDown={letGo}
          onBlur={letGo}
        />
      </label>
      <output className="slider-moment">{moment}</output>
      <Ticks moments={moments} last={last} />
    </div>
  );
}

/** More ticks could not be distinguished. */
const MOST_TICKS = 200;

function Ticks({ moments, last }: { readonly moments: readonly Moment[]; readonly last: number }) {
  if (last <= 0) return null;
  const shown = moments.length > MOST_TICKS ? moments.filter((moment) => moment.changes.length > 0) : moments;
  return (
    <svg className="ticks" viewBox={`0 0 ${last} 6`} preserveAspectRatio="none" aria-hidden="true">
      {shown.slice(-MOST_TICKS).map((moment) => {
        const x = placeOf(moments, moment.at);
        const changed = moment.changes.length > 0;
        return <line key={moment.us} x1={x} x2={x} y1={0} y2={changed ? 6 : 3} className={changed ? "changed" : ""} />;
      })}
    </svg>
  );
}
