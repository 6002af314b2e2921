/** What a capture did not see or understand, in words. */

import type { Capture } from "./capture";

export function CaptureNotes({ capture, carried }: { readonly capture: Capture | null; readonly carried: boolean }) {
  if (capture === null && !carried) return null;
  return (
    <ul className="notes">
      {carried ? <li>The last run reported no columns; the job's earlier column lineage still applies.</li> : null}
      {capture?.opaque.map(([name, times]) => (
        <li key={name}>
          <strong>opaque</strong> <code>{name}</code> ×{times}: cannot be analyzed, so it may depend on every input.
        </li>
      ))}
      {capture?.withheld.map((name) => (
        <li key={name}>
          <strong>withheld</strong> <code>{name}</code>: left out because of a limit.
        </li>
      ))}
      {capture?.lost.map(([name, times]) => (
        <li key={name}>
          <strong>lost</strong> <code>{name}</code> ×{times}: the application could not report everything.
        </li>
      ))}
    </ul>
  );
}
