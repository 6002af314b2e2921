/** What a component loads: the value stays while a newer one is loading, and when that fails. */

import { useCallback, useEffect, useRef, useState } from "react";
import { isProblem, Problem } from "./problem";
import { onToken } from "./token";

/** After this long, tell the user that it takes a while. */
const SLOW_MS = 3_000;

export interface Loaded<T> {
  /** The last value that was loaded, perhaps for another key. */
  readonly value: T | null;
  /** Whether it belongs to the current key. */
  readonly fresh: boolean;
  readonly loading: boolean;
  readonly slow: boolean;
  readonly problem: Problem | null;
  readonly retry: () => void;
}

interface State<T> {
  readonly value: T | null;
  readonly of: string | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
  readonly slow: boolean;
}

/**
 * Load something by its key; null loads nothing. Another key aborts the current load. `load` is called for a new key
 * only: the key must determine whatever it reads.
 */
export function useLoaded<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>({ value: null, of: null, problem: null, loading: false, slow: false });
  const [tries, setTries] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const refused = state.problem?.kind === "token";

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks for the same key again
  useEffect(() => {
    if (key === null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => setState((now) => ({ ...now, slow: true })), SLOW_MS);
    setState((now) => ({ ...now, loading: true, slow: false, problem: null }));
    latest
      .current(abort.signal)
      .then(
        (value) => ({ value, of: key, problem: null }),
        (error: unknown) => ({ problem: isProblem(error) ? error : new Problem("fault", String(error)) }),
      )
      .then((change) => {
        clearTimeout(timer);
        if (!abort.signal.aborted) setState((now) => ({ ...now, ...change, loading: false, slow: false }));
      });
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, tries]);

  const retry = useCallback(() => setTries((count) => count + 1), []);
  useEffect(() => (refused ? onToken(retry) : undefined), [refused, retry]);
  const { of, ...shown } = state;
  return { ...shown, fresh: of === key, retry };
}
