/** What a capture did not see or understand, in words. */

import type { Capture } from "./capture";

export function CaptureNotes({ capture, carried }: { readonly capture: Capture | null; readonly carried: boolean }) {
  if (capture === null && !carried) return null;
  return (
    <ul className="notes">
      {carried ? <li>The last run said nothing of columns; what the job said before still holds.</li> : null}
      {capture?.opaque.map(([what, times]) => (
        <li key={what}>
          <strong>opaque</strong> <code>{what}</code> ×{times}: not understood, so everything may depend on it.
        </li>
      ))}
      {capture?.withheld.map((what) => (
        <li key={what}>
          <strong>withheld</strong> <code>{what}</code>: a limit kept it back.
        </li>
      ))}
      {capture?.lost.map(([what, times]) => (
        <li key={what}>
          <strong>lost</strong> <code>{what}</code> ×{times}: the application could not tell all.
        </li>
      ))}
    </ul>
  );
}
