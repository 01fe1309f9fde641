// Light, dark, or the system's theme. Remembered in the browser.

import { SharedValue, useShared } from "../shared-value.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const REMEMBERED = "tandem.theme";
const theme = new SharedValue<Theme>(THEMES.find((known) => known === localStorage.getItem(REMEMBERED)) ?? "system");

function show(next: Theme): void {
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
}

show(theme.get());

export function setTheme(next: Theme): void {
  localStorage.setItem(REMEMBERED, next);
  show(next);
  theme.set(next);
}

export const useTheme = (): Theme => useShared(theme);
