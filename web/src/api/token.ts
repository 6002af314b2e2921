/** The token that the server wants, for as long as the tab is open; it is sent to this server only. */

const KEY = "headwater-token";
const listeners = new Set<() => void>();
let token: string | null = read();

function read(): string | null {
  // A browser may forbid storage; then the token lasts until the page is loaded anew.
  try {
    return globalThis.sessionStorage?.getItem(KEY) ?? null;
  } catch {
    return null;
  }
}

export function currentToken(): string | null {
  return token;
}

export function setToken(given: string | null): void {
  token = given;
  try {
    if (given === null) globalThis.sessionStorage?.removeItem(KEY);
    else globalThis.sessionStorage?.setItem(KEY, given);
  } catch {
    // See above.
  }
  for (const listener of [...listeners]) listener();
}

/** Be told when there is another token: what was refused may be asked again. */
export function onToken(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
