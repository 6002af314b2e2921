/** From the browser's address to ours and back: one store over the history API, and links that use it. */

import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useSyncExternalStore } from "react";
import { type Address, parseAddress, printAddress } from "./address";

/** The path under which a proxy publishes the server; in development there is none. */
export const ROOT = rootOf(typeof document === "undefined" ? "" : (document.documentElement.dataset["root"] ?? ""));

function rootOf(written: string): string {
  return written.startsWith("{") ? "" : written;
}

const listeners = new Set<() => void>();
let last: { readonly href: string; readonly address: Address } | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}

/** The current address; the same object for as long as it stays the same. */
export function currentAddress(): Address {
  const { href, pathname, search } = window.location;
  if (last?.href !== href) last = { href, address: parseAddress(pathname.slice(ROOT.length), search) };
  return last.address;
}

export function useAddress(): Address {
  return useSyncExternalStore(subscribe, currentAddress);
}

export function hrefOf(address: Address): string {
  return `${ROOT}${printAddress(address)}`;
}

/** Show another address. `replace` adds no history entry, for changes while the user drags or types. */
export function go(to: Address, how: { readonly replace?: boolean } = {}): void {
  const href = hrefOf(to);
  if (how.replace) window.history.replaceState(null, "", href);
  else if (href !== hrefOf(currentAddress())) window.history.pushState(null, "", href);
  for (const listener of [...listeners]) listener();
}

/** Show the same address with some parts changed. */
export function change(parts: Partial<Address>, how: { readonly replace?: boolean } = {}): void {
  go({ ...currentAddress(), ...parts }, how);
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: Address;
  readonly children: ReactNode;
}

/** A link within the page: it can be opened in a new tab and copied like any other. */
export function Link({ to, children, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a {...rest} href={hrefOf(to)} onClick={follow}>
      {children}
    </a>
  );
}
