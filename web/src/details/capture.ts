/**
 * How well a run was captured: what its facets say was not seen or not understood. Pure, for any contents of a facet.
 */

export interface Capture {
  /** What was answered by "everything may depend on it", and how often. */
  readonly opaque: readonly (readonly [what: string, times: number])[];
  readonly withheld: readonly string[];
  readonly lost: readonly (readonly [what: string, times: number])[];
}

type Facets = Readonly<Record<string, unknown>>;

/** What the capture reports about itself; null if nothing, which is the best case. */
export function captureIn(facets: Facets): Capture | null {
  const facet = record(facets["headwater_capture"]);
  const capture = {
    opaque: counts(facet["opaque"]),
    withheld: Array.isArray(facet["withheld"]) ? facet["withheld"].map(String) : [],
    lost: counts(facet["lost"]),
  };
  return capture.opaque.length + capture.withheld.length + capture.lost.length > 0 ? capture : null;
}

export interface Failure {
  readonly message: string;
  readonly trace: string;
}

/** Why a run failed, if its errorMessage facet says so. */
export function failureIn(facets: Facets): Failure | null {
  const facet = record(facets["errorMessage"]);
  const text = (name: string) => (typeof facet[name] === "string" ? facet[name] : "");
  return text("message") === "" ? null : { message: text("message"), trace: text("stackTrace") };
}

export function sqlIn(facets: Facets): string {
  const query = record(facets["sql"])["query"];
  return typeof query === "string" ? query : "";
}

function counts(value: unknown): readonly (readonly [string, number])[] {
  return Object.entries(record(value)).flatMap(([name, times]) =>
    typeof times === "number" ? [[name, times] as const] : [],
  );
}

function record(value: unknown): Facets {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Facets) : {};
}
