// Light, dark, or the system's theme. Remembered in the browser.

import { useSyncExternalStore } from "react";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const REMEMBERED = "tandem.theme";
const listeners = new Set<() => void>();
let theme: Theme = THEMES.find((known) => known === localStorage.getItem(REMEMBERED)) ?? "system";

function show(): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

show();

export function setTheme(next: Theme): void {
  theme = next;
  localStorage.setItem(REMEMBERED, next);
  show();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => theme);
}
