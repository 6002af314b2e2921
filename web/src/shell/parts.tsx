/** Small parts that several views share: times, states, text to copy. */

import { useEffect, useState } from "react";
import { durationText, isoOf, momentText } from "../model/time";

const COPIED_MS = 1_500;
const TO_THE_MINUTE = "2025-05-14 06:35".length;

export function Moment({ us }: { readonly us: number | null }) {
  if (us === null) return <span className="quiet">–</span>;
  const text = momentText(us);
  return (
    <time dateTime={isoOf(us)} title={`${text} UTC`}>
      {text.slice(0, TO_THE_MINUTE)}
    </time>
  );
}

/** How long something took; unknown for a run with a single event. */
export function Duration({ from, to }: { readonly from: number | null; readonly to: number | null }) {
  const known = from !== null && to !== null && to > from;
  return <span className="number">{known ? durationText(to - from) : "–"}</span>;
}

const STATES: Readonly<Record<string, { readonly kind: string; readonly label: string }>> = {
  COMPLETE: { kind: "good", label: "completed" },
  FAIL: { kind: "bad", label: "failed" },
  ABORT: { kind: "warn", label: "aborted" },
};

/** How a run ended; one that has not ended is running. */
export function State({ state }: { readonly state: string | null }) {
  const { kind, label } = (state === null ? null : STATES[state]) ?? { kind: "open", label: state ?? "running" };
  return <span className={`state ${kind}`}>{label}</span>;
}

export function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <div className="copyable">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <button type="button" onClick={() => copy(text).then(setCopied)} aria-label={`Copy: ${label}`}>
        {copied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByHand(text);
  }
}

/** Browsers have a clipboard for HTTPS and this machine only; elsewhere the old API works. */
function copyByHand(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
