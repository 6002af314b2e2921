/** How exposed a value is: a sign, a word and a colour. */

import type { Exposure } from "./exposures";

const SIGNS: Readonly<Record<Exposure, string>> = { CLEAR: "●", POSSIBLE: "◐", MASKED: "▧", INDIRECT: "○" };
export const EXPOSURE_WORDS: Readonly<Record<Exposure, string>> = {
  CLEAR: "In the clear",
  POSSIBLE: "Possibly",
  MASKED: "Masked",
  INDIRECT: "Only as a condition",
};
const MEANINGS: Readonly<Record<Exposure, string>> = {
  CLEAR: "The values arrive as they are, or such that they can be read.",
  POSSIBLE: "They go through something opaque: nobody says what comes out of it.",
  MASKED: "A step on the way masks them.",
  INDIRECT: "They only decide on rows or values, and are not passed on.",
};

export function ExposureSign({ exposure }: { readonly exposure: Exposure }) {
  return (
    <span className={`exposure ${exposure.toLowerCase()}`} title={MEANINGS[exposure]}>
      <span aria-hidden="true">{SIGNS[exposure]}</span> {EXPOSURE_WORDS[exposure]}
    </span>
  );
}
