/** The layout of a graph, from a worker; the previous one stays until the next arrives. */

import { useEffect, useRef, useState } from "react";
import type { Layout, LayoutInput } from "./input";

/** One worker for the page: it starts once, and answers in order. */
let worker: Worker | null = null;
let lastRequest = 0;

function layoutWorker(): Worker {
  worker ??= new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  return worker;
}

/** Start loading the worker before there is anything to lay out. */
export function warmUp(): void {
  layoutWorker();
}

export interface LaidOut {
  readonly input: LayoutInput;
  readonly layout: Layout;
}

export function useLayout(input: LayoutInput): LaidOut | null {
  const [laid, setLaid] = useState<LaidOut | null>(null);
  const latest = useRef(0);
  useEffect(() => {
    const from = layoutWorker();
    const number = ++lastRequest;
    latest.current = number;
    const take = (event: MessageEvent<{ readonly number: number; readonly layout: Layout }>) => {
      if (event.data.number !== latest.current) return;
      from.removeEventListener("message", take);
      setLaid({ input, layout: event.data.layout });
    };
    from.addEventListener("message", take);
    from.postMessage({ number, input });
    return () => from.removeEventListener("message", take);
  }, [input]);
  return laid;
}
