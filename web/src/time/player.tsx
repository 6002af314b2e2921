/** Play, pause, and steps through the moments at which something changed. */

import { useEffect, useState } from "react";
import { momentText } from "../model/time";
import { type Moment, stopBeside } from "./moments";

/** How long each stop is shown. */
const STAY_MS = 1_800;

interface Props {
  readonly stops: readonly Moment[];
  readonly at: string | null;
  /** Whether the graph of this moment is loaded: the next one waits for it. */
  readonly ready: boolean;
  readonly onStop: (moment: Moment, how: { readonly replace: boolean }) => void;
}

export function Player({ stops, at, ready, onStop }: Props) {
  const [playing, setPlaying] = useState(false);
  const back = stopBeside(stops, at, -1);
  const next = stopBeside(stops, at, 1);
  useEffect(() => {
    if (!playing || !ready) return;
    if (next === null) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => onStop(next, { replace: true }), STAY_MS);
    return () => clearTimeout(timer);
  }, [playing, ready, next, onStop]);

  const first = stops[0];
  const play = () => {
    // From the end it starts again.
    if (!playing && next === null && first !== undefined) onStop(first, { replace: false });
    setPlaying(!playing);
  };
  const step = (to: Moment | null) => {
    setPlaying(false);
    if (to !== null) onStop(to, { replace: false });
  };
  return (
    <fieldset className="player">
      <legend className="unseen">Play the history</legend>
      <button type="button" onClick={() => step(back)} disabled={back === null} title={titleOf("Back to", back)}>
        ◀ Back
      </button>
      <button type="button" onClick={play} disabled={stops.length === 0} aria-pressed={playing}>
        {playing ? "❚❚ Pause" : "▶ Play"}
      </button>
      <button type="button" onClick={() => step(next)} disabled={next === null} title={titleOf("On to", next)}>
        Next ▶
      </button>
    </fieldset>
  );
}

function titleOf(words: string, moment: Moment | null): string | undefined {
  return moment === null ? undefined : `${words} ${momentText(moment.us)}`;
}
