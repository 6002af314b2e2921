/** Why there is no answer, in the few kinds that the page treats differently. */

export type ProblemKind =
  /** No server answered at all. */
  | "gone"
  /** It took longer than the page waits. */
  | "slow"
  /** A token is required, or another one. */
  | "token"
  /** The token lacks the scope, or this machine is not allowed. */
  | "forbidden"
  /** Not found; `candidates` are similar names. */
  | "unknown"
  /** The server is busy: try again later. */
  | "busy"
  /** The question is invalid. */
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
    /** The HTTP status; 0 if there was no answer. */
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

/** The message of an error answer; a proxy's answers need not have our form. */
export function problemFrom(status: number, body: unknown, retryAfter: string | null): Problem {
  const error = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const message = typeof error["message"] === "string" ? error["message"] : `The server answered with ${status}.`;
  const candidates = Array.isArray(error["candidates"])
    ? error["candidates"].filter((candidate) => typeof candidate === "string")
    : [];
  const seconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  return new Problem(kindOf(status), message, status, candidates, seconds);
}

/** Any error as a problem; errors of the page itself stay what they are. */
export function isProblem(error: unknown): error is Problem {
  return error instanceof Problem;
}
