/** The one place that fetches: the token, the time limit, waiting when the server asks to, errors of one type. */

import { isProblem, Problem, problemFrom } from "./problem";
import type { paths } from "./schema";
import { currentToken } from "./token";

/** How long an answer may take; a server ends a question by itself after 30 seconds, unless set otherwise. */
const PATIENCE_MS = 45_000;
/** How often to retry a busy server before telling the user, and how long a wait to accept for that. */
const TRIES = 3;
const LONGEST_WAIT_S = 2;

export interface Asking {
  readonly signal?: AbortSignal | undefined;
}

type Prefix = "/api/v1/questions/";
type Asked = Extract<keyof paths, `${Prefix}${string}`>;
/** The server's own questions, by name. */
export type QuestionName = Asked extends `${Prefix}${infer Name}` ? Exclude<Name, "batch"> : never;
type Operation<N extends QuestionName> = paths[`${Prefix}${N}`]["post"];
export type QuestionBody<N extends QuestionName> = Operation<N>["requestBody"]["content"]["application/json"];
type Reply<N extends QuestionName> = Operation<N>["responses"][200]["content"]["application/json"];
export type AnswerTo<N extends QuestionName> = Reply<N>["answer"];
/** One of several questions that are answered from one moment of the store. */
export type OneOfMany = { [N in QuestionName]: { readonly question: N } & QuestionBody<N> }[QuestionName];

let base = "";

/** Where the server is; in a browser, below the path under which a proxy publishes it. */
export function setBase(url: string): void {
  base = url;
}

/** The answer to one of the server's questions; throws a Problem. */
export async function ask<N extends QuestionName>(
  question: N,
  parts: QuestionBody<N>,
  asking: Asking = {},
): Promise<AnswerTo<N>> {
  const reply = (await send("POST", `/api/v1/questions/${question}`, parts, asking)) as Reply<N>;
  return reply.answer;
}

/**
 * The answers to several questions, from one moment of the store; throws the first one's Problem if it has no answer.
 */
export async function askMany<const Questions extends readonly OneOfMany[]>(
  questions: Questions,
  asking: Asking = {},
): Promise<{ -readonly [Place in keyof Questions]: AnswerTo<Questions[Place]["question"]> }> {
  const reply = (await send("POST", "/api/v1/questions/batch", { questions }, asking)) as {
    results: readonly { answer?: unknown; error?: { code: number } | null }[];
  };
  const answers = reply.results.map((result) => {
    if (result.error) throw problemFrom(result.error.code, result.error, null);
    return result.answer;
  });
  return answers as { -readonly [Place in keyof Questions]: AnswerTo<Questions[Place]["question"]> };
}

/** The JSON at a path of the server; `segments` are encoded, so names may contain anything. */
export async function get<T>(segments: readonly string[], query: Record<string, string> = {}, asking: Asking = {}) {
  const search = new URLSearchParams(query).toString();
  const path = `/${segments.map(encodeURIComponent).join("/")}`;
  return (await send("GET", search ? `${path}?${search}` : path, undefined, asking)) as T;
}

async function send(method: string, path: string, body: unknown, asking: Asking): Promise<unknown> {
  for (let tried = 1; ; tried++) {
    try {
      return await sendOnce(method, path, body, asking);
    } catch (error) {
      const wait = isProblem(error) && error.kind === "busy" ? (error.retryAfter ?? 1) : null;
      if (wait === null || wait > LONGEST_WAIT_S || tried === TRIES) throw error;
      await pause(wait * 1000, asking.signal);
    }
  }
}

async function sendOnce(method: string, path: string, body: unknown, asking: Asking): Promise<unknown> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const signal = asking.signal ? AbortSignal.any([asking.signal, patience]) : patience;
  const token = currentToken();
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token !== null) headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const init: RequestInit = { method, headers, signal, credentials: "same-origin" };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(`${base}${path}`, init);
    const answer = await readJson(response);
    if (!response.ok) throw problemFrom(response.status, answer, response.headers.get("retry-after"));
    return answer;
  } catch (error) {
    if (isProblem(error) || asking.signal?.aborted) throw error;
    if (patience.aborted) throw new Problem("slow", "The server did not answer in time.");
    throw new Problem("gone", "It may be down or unreachable. You are seeing what was loaded before.");
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok)
      throw new Problem("fault", "The page cannot read the server's answer. Reload the page.", response.status);
    return null;
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
