/** Light or dark: like the system, until the user chooses. */

import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";
const KEY = "headwater-theme";
const listeners = new Set<() => void>();

function chosen(): Theme | null {
  try {
    const stored = window.localStorage.getItem(KEY);
    return stored === "light" || stored === "dark" ? stored : null;
  } catch {
    return null;
  }
}

function systems(): MediaQueryList {
  return window.matchMedia("(prefers-color-scheme: dark)");
}

export function currentTheme(): Theme {
  return chosen() ?? (systems().matches ? "dark" : "light");
}

/** Set the theme where the styles look for it. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = currentTheme();
  for (const listener of [...listeners]) listener();
}

export function chooseTheme(theme: Theme): void {
  try {
    window.localStorage.setItem(KEY, theme);
  } catch {
    // Then it lasts until the page is reloaded.
  }
  document.documentElement.dataset["theme"] = theme;
  for (const listener of [...listeners]) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      const system = systems();
      system.addEventListener("change", applyTheme);
      return () => {
        listeners.delete(listener);
        system.removeEventListener("change", applyTheme);
      };
    },
    () => (document.documentElement.dataset["theme"] === "dark" ? "dark" : "light"),
  );
}
