/** How exposed a value is: a sign, a word and a colour. */

import type { Exposure } from "./exposures";

const SIGNS: Readonly<Record<Exposure, string>> = {
  CLEAR: "●",
  POSSIBLE: "◐",
  PARTIAL: "◧",
  MASKED: "▧",
  INDIRECT: "○",
};
export const EXPOSURE_WORDS: Readonly<Record<Exposure, string>> = {
  CLEAR: "In the clear",
  POSSIBLE: "Possibly",
  PARTIAL: "Partly masked",
  MASKED: "Masked",
  INDIRECT: "Only as a condition",
};
const MEANINGS: Readonly<Record<Exposure, string>> = {
  CLEAR: "The values arrive unchanged, or still readable.",
  POSSIBLE: "They pass through a step that cannot be analyzed.",
  PARTIAL: "A step on the path masks them in part.",
  MASKED: "A step on the path masks them, and no later step undoes it.",
  INDIRECT: "They only affect which rows or values are chosen; they are not passed on.",
};

export function ExposureSign({ exposure }: { readonly exposure: Exposure }) {
  return (
    <span className={`exposure ${exposure.toLowerCase()}`} title={MEANINGS[exposure]}>
      <span aria-hidden="true">{SIGNS[exposure]}</span> {EXPOSURE_WORDS[exposure]}
    </span>
  );
}
