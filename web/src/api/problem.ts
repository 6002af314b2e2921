/** Why there is no answer, in the few kinds that the page treats differently. */

export type ProblemKind =
  /** No server answered at all. */
  | "gone"
  /** It took longer than the page waits. */
  | "slow"
  /** A token is needed, or another one. */
  | "token"
  /** The token is not for this, or this machine is not let in. */
  | "forbidden"
  /** Not found; `candidates` are near. */
  | "unknown"
  /** The server is busy: come again. */
  | "busy"
  /** The question cannot be asked so. */
  | "bad"
  /** The server failed. */
  | "fault";

const BAD_REQUEST = 400;
const KINDS: Readonly<Record<number, ProblemKind>> = {
  401: "token",
  403: "forbidden",
  404: "unknown",
  408: "busy",
  429: "busy",
  503: "busy",
  504: "slow",
};

export class Problem extends Error {
  constructor(
    readonly kind: ProblemKind,
    message: string,
    /** HTTP's; 0 where there was no answer. */
    readonly status = 0,
    readonly candidates: readonly string[] = [],
    /** Seconds that the server asks to wait. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = "Problem";
  }
}

export function kindOf(status: number): ProblemKind {
  return KINDS[status] ?? (status >= BAD_REQUEST && status < 500 ? "bad" : "fault");
}

/** What an error answer says; a proxy's answers need not be ours. */
export function problemFrom(status: number, body: unknown, retryAfter: string | null): Problem {
  const said = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const message = typeof said["message"] === "string" ? said["message"] : `The server answered with ${status}.`;
  const candidates = Array.isArray(said["candidates"])
    ? said["candidates"].filter((one) => typeof one === "string")
    : [];
  const seconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  return new Problem(kindOf(status), message, status, candidates, seconds);
}

/** Any error as a problem; what is thrown by the page itself stays what it is. */
export function isProblem(error: unknown): error is Problem {
  return error instanceof Problem;
}
