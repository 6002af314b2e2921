/** A slider over the moments at which something was written; ticks are high where the column changed. */

import { useRef } from "react";
import { momentWords } from "../model/time";
import { type Moment, placeOf } from "./moments";

interface Props {
  readonly label: string;
  readonly moments: readonly Moment[];
  /** The moment looked at; null is now. */
  readonly at: string | null;
  /** `replace`: it is still the same drag. */
  readonly onMove: (at: string | null, how: { readonly replace: boolean }) => void;
  /** Whether one may go behind the last moment. */
  readonly now?: boolean;
}

export function MomentSlider({ label, moments, at, onMove, now = true }: Props) {
  const taken = useRef(false);
  const last = now ? moments.length : moments.length - 1;
  const place = Math.min(Math.max(placeOf(moments, at), 0), Math.max(last, 0));
  const move = (to: number) => {
    // One drag, or one stay of the keyboard, is one step back.
    onMove(moments[to]?.at ?? null, { replace: taken.current });
    taken.current = true;
  };
  const letGo = () => {
    taken.current = false;
  };
  const said = at === null ? "now" : `${momentWords(at)} UTC`;
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
          aria-valuetext={said}
          onChange={(event) => move(Number(event.target.value))}
          onPointerDown={letGo}
          onBlur={letGo}
        />
      </label>
      <output className="slider-said">{said}</output>
      <Ticks moments={moments} last={last} />
    </div>
  );
}

/** So many can be told apart. */
const MOST_TICKS = 200;

function Ticks({ moments, last }: { readonly moments: readonly Moment[]; readonly last: number }) {
  if (last <= 0) return null;
  const shown = moments.length > MOST_TICKS ? moments.filter((one) => one.changes.length > 0) : moments;
  return (
    <svg className="ticks" viewBox={`0 0 ${last} 6`} preserveAspectRatio="none" aria-hidden="true">
      {shown.slice(-MOST_TICKS).map((one) => {
        const x = placeOf(moments, one.at);
        const changed = one.changes.length > 0;
        return <line key={one.us} x1={x} x2={x} y1={0} y2={changed ? 6 : 3} className={changed ? "changed" : ""} />;
      })}
    </svg>
  );
}
