// Where the user is: the breadcrumbs of the bar, the title of the tab, and on a phone the head with its back link. Each
// screen sets it with `usePlace`.

import { type ReactNode, useEffect, useSyncExternalStore } from "react";

export interface Crumb {
  /** For the title of the tab; shown unless `shown` is given. */
  readonly label: string;
  readonly shown?: ReactNode;
  readonly to?: string;
  /** Shown instead of the label in the head on a phone. */
  readonly short?: string;
}

let place: readonly Crumb[] = [];
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** From the widest to the page itself: `usePlace([{ label: "Calls", to: "/calls" }, { label: "CA…c07d31" }])`. */
export function usePlace(crumbs: readonly Crumb[]): void {
  const key = crumbs.map(({ label, to }) => `${label} ${to}`).join("|");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words decide, not the list that holds them
  useEffect(() => {
    place = crumbs;
    document.title = `${crumbs.at(-1)?.label ?? "Home"} · Tandem`;
    for (const listener of listeners) listener();
  }, [key]);
}

export function useCrumbs(): readonly Crumb[] {
  return useSyncExternalStore(subscribe, () => place);
}
