/** The token for the server, for as long as the tab is open; it is sent to this server only. */

const KEY = "headwater-token";
const listeners = new Set<() => void>();
let token: string | null = read();

function read(): string | null {
  // A browser may forbid storage; then the token lasts until the page is reloaded.
  try {
    return globalThis.sessionStorage?.getItem(KEY) ?? null;
  } catch {
    return null;
  }
}

export function currentToken(): string | null {
  return token;
}

export function setToken(next: string | null): void {
  token = next;
  try {
    if (next === null) globalThis.sessionStorage?.removeItem(KEY);
    else globalThis.sessionStorage?.setItem(KEY, next);
  } catch {
    // See above.
  }
  for (const listener of [...listeners]) listener();
}

/** Listen for another token: refused requests may be repeated. */
export function onToken(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
