import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { ask, askMany, get, setBase } from "./client";
import { setToken } from "./token";

let server: Server | null = null;

afterEach(() => {
  setToken(null);
  server?.closeAllConnections();
  server?.close();
  server = null;
});

/** A server that answers as a test wants it to; returns the requests that came. */
async function answering(answer: (request: IncomingMessage, reply: ServerResponse, count: number) => void) {
  const requests: IncomingMessage[] = [];
  server = createServer((request, reply) => {
    requests.push(request);
    answer(request, reply, requests.length);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  setBase(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return requests;
}

function say(reply: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  reply.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
}

test.each([
  [400, "bad"],
  [401, "token"],
  [403, "forbidden"],
  [404, "unknown"],
  [413, "bad"],
  [500, "fault"],
  [504, "slow"],
])("%i is a problem of the kind %s, with the server's words", async (status, kind) => {
  await answering((_, reply) => say(reply, status, { code: status, message: "Why.", candidates: ["n/a", 7] }));
  await expect(ask("stats", {})).rejects.toMatchObject({ kind, status, message: "Why.", candidates: ["n/a"] });
});

test("requests to a busy server are retried, up to three times", async () => {
  const requests = await answering((_, reply) => say(reply, 429, { message: "Later." }, { "Retry-After": "0" }));
  await expect(ask("stats", {})).rejects.toMatchObject({ kind: "busy", retryAfter: 0 });
  expect(requests).toHaveLength(3);
});

test("a long Retry-After is not waited for without the user", async () => {
  const requests = await answering((_, reply) => say(reply, 503, {}, { "Retry-After": "30" }));
  await expect(ask("stats", {})).rejects.toMatchObject({ kind: "busy", retryAfter: 30 });
  expect(requests).toHaveLength(1);
});

test("an answer that is not JSON is a fault", async () => {
  await answering((_, reply) => say(reply, 200, "<html>"));
  await expect(ask("stats", {})).rejects.toMatchObject({ kind: "fault" });
  server?.close();
  await answering((_, reply) => say(reply, 502, "<html>"));
  await expect(ask("stats", {})).rejects.toMatchObject({ kind: "fault", status: 502 });
});

test("without an answer, the server is gone", async () => {
  setBase("http://127.0.0.1:9");
  await expect(ask("stats", {})).rejects.toMatchObject({ kind: "gone", status: 0 });
});

test("an aborted question is not a problem of the server", async () => {
  await answering(() => undefined);
  const abort = new AbortController();
  const answer = ask("stats", {}, { signal: abort.signal });
  abort.abort();
  await expect(answer).rejects.toMatchObject({ name: "AbortError" });
});

test("the token is sent as Bearer; without one there is no header", async () => {
  const requests = await answering((_, reply) => say(reply, 200, { answer: {} }));
  await ask("stats", {});
  setToken("hw_a_b");
  await ask("stats", {});
  expect(requests.map((request) => request.headers.authorization)).toEqual([undefined, "Bearer hw_a_b"]);
});

test("names in paths are encoded, whatever they hold", async () => {
  const requests = await answering((_, reply) => say(reply, 200, {}));
  await get(["api", "v1", "namespaces", "s3://b", "jobs", "a b?#%"], { type: "run" });
  expect(requests[0]?.url).toBe("/api/v1/namespaces/s3%3A%2F%2Fb/jobs/a%20b%3F%23%25?type=run");
});

test("of many questions, the first that has no answer is raised", async () => {
  const error = { code: 404, message: "There is no dataset.", candidates: ["n/a"] };
  await answering((_, reply) => say(reply, 200, { results: [{ answer: { events: 1 } }, { error }] }));
  const answers = askMany([{ question: "jobs" }, { question: "dataset", dataset: "x" }]);
  await expect(answers).rejects.toMatchObject({ kind: "unknown", candidates: ["n/a"] });
});
