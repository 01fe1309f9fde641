// Where the user is: the breadcrumbs of the bar, the title of the tab, and on a phone the head with its back link. Each
// screen sets it with `usePlace`.

import { type ReactNode, useEffect } from "react";
import { SharedValue, useShared } from "../shared-value.ts";

export interface Crumb {
  /** For the title of the tab; shown unless `shown` is given. */
  readonly label: string;
  readonly shown?: ReactNode;
  readonly to?: string;
  /** Shown instead of the label in the head on a phone. */
  readonly short?: string;
}

const place = new SharedValue<readonly Crumb[]>([]);

/** From the widest to the page itself: `usePlace([{ label: "Calls", to: "/calls" }, { label: "CA…c07d31" }])`. */
export function usePlace(crumbs: readonly Crumb[]): void {
  const key = crumbs.map(({ label, to }) => `${label} ${to}`).join("|");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words decide, not the list that holds them
  useEffect(() => {
    document.title = `${crumbs.at(-1)?.label ?? "Home"} · Tandem`;
    place.set(crumbs);
  }, [key]);
}

export function useCrumbs(): readonly Crumb[] {
  return useShared(place);
}
