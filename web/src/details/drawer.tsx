/** The drawer beside the view: everything about a dataset, a column, a job or a run. */
import "./drawer.css";

import { type ReactNode, useEffect, useRef } from "react";
import type { Details } from "../address/address";
import { change } from "../address/router";
import { ColumnDetails } from "./column";
import { DatasetDetails } from "./dataset";
import { JobDetails } from "./job";
import { RunDetails } from "./run";

export function Drawer({ details }: { readonly details: Details }) {
  const drawer = useRef<HTMLElement>(null);
  const key = JSON.stringify(details);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever opens something else goes on reading there
  useEffect(() => drawer.current?.focus(), [key]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest("input, textarea, select");
      if (event.key === "Escape" && !typing && !event.defaultPrevented) change({ details: null });
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  return (
    <aside className="drawer" ref={drawer} tabIndex={-1} aria-label={`Details of a ${details.of}`}>
      <button
        type="button"
        className="plain close"
        onClick={() => change({ details: null })}
        aria-label="Close details"
      >
        ✕
      </button>
      {/* Other details start fresh: text typed into the previous ones does not carry over. */}
      <div key={key}>{shown(details)}</div>
    </aside>
  );
}

function shown(details: Details): ReactNode {
  switch (details.of) {
    case "dataset":
      return <DatasetDetails dataset={details.dataset} />;
    case "column":
      return <ColumnDetails dataset={details.dataset} column={details.column} />;
    case "job":
      return <JobDetails job={details.job} />;
    case "run":
      return <RunDetails run={details.run} />;
  }
}
