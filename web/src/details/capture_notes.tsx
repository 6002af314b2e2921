/** What a capture did not see or understand, in words. */

import type { Capture } from "./capture";

export function CaptureNotes({ capture, carried }: { readonly capture: Capture | null; readonly carried: boolean }) {
  if (capture === null && !carried) return null;
  return (
    <ul className="notes">
      {carried ? <li>The last run reported no columns; the job's earlier column lineage still applies.</li> : null}
      {capture?.opaque.map(([what, times]) => (
        <li key={what}>
          <strong>opaque</strong> <code>{what}</code> ×{times}: cannot be analyzed, so it may depend on every input.
        </li>
      ))}
      {capture?.withheld.map((what) => (
        <li key={what}>
          <strong>withheld</strong> <code>{what}</code>: left out because of a limit.
        </li>
      ))}
      {capture?.lost.map(([what, times]) => (
        <li key={what}>
          <strong>lost</strong> <code>{what}</code> ×{times}: the application could not report everything.
        </li>
      ))}
    </ul>
  );
}
