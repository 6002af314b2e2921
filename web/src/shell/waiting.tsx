/** What is shown while something loads, and when it fails: in place, with a button to try again. */

import { type FormEvent, useState } from "react";
import { Link, useAddress } from "../address/router";
import type { Loaded } from "../api/loaded";
import type { Problem, ProblemKind } from "../api/problem";
import { setToken } from "../api/token";

const TITLES: Readonly<Record<ProblemKind, string>> = {
  gone: "Cannot reach the server",
  slow: "The server is taking too long",
  token: "The server requires a token",
  forbidden: "Not allowed",
  unknown: "Not found",
  busy: "The server is busy",
  bad: "Invalid request",
  fault: "The server failed",
};

export function Waiting({ slow = false }: { readonly slow?: boolean }) {
  return (
    <p className="waiting" role="status">
      {slow ? "Still waiting for the server…" : "Loading…"}
    </p>
  );
}

/** The state of something that loads; empty once it is loaded. What is already drawn may stay beside it. */
export function LoadState({ loaded }: { readonly loaded: Loaded<unknown> }) {
  if (loaded.problem !== null) return <Trouble problem={loaded.problem} retry={loaded.retry} />;
  if (loaded.loading && (loaded.value === null || loaded.slow)) return <Waiting slow={loaded.slow} />;
  return null;
}

export function Trouble({ problem, retry }: { readonly problem: Problem; readonly retry: () => void }) {
  return (
    <section className="trouble" role="alert" data-kind={problem.kind}>
      <h2>{TITLES[problem.kind]}</h2>
      <p dir="auto">{problem.message}</p>
      {problem.retryAfter === null ? null : <p>Try again in {problem.retryAfter} s.</p>}
      {problem.candidates.length === 0 ? null : (
        <>
          <p>Closest names:</p>
          <ul>
            {problem.candidates.map((name) => (
              <li key={name}>
                <Candidate name={name} />
              </li>
            ))}
          </ul>
        </>
      )}
      {problem.kind === "token" ? (
        <TokenForm />
      ) : (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </section>
  );
}

/** A similar name: for a dataset, a link to it. */
function Candidate({ name }: { readonly name: string }) {
  const address = useAddress();
  if (address.dataset === null || address.column !== null || address.details !== null) return <bdi>{name}</bdi>;
  return (
    <Link to={{ ...address, dataset: name }}>
      <bdi>{name}</bdi>
    </Link>
  );
}

function TokenForm() {
  const [text, setText] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") setToken(text.trim());
  };
  return (
    <form onSubmit={send} className="token">
      <label>
        Token{" "}
        <input
          type="password"
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder="hw_…"
          autoComplete="off"
        />
      </label>
      <button type="submit">Use token</button>
      <p className="hint">
        <code>headwater token create --scope read --name me</code> creates one. It is kept until you close this tab.
      </p>
    </form>
  );
}
