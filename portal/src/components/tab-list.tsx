// The tabs themselves, for `Tabs` and `CodeTabs`, by the pattern of WAI-ARIA: the list is one stop of the Tab key; the
// arrows, Home and End move within it and choose.

import { type KeyboardEvent, type ReactNode, useId } from "react";

export interface TabItem {
  /** Without spaces: it becomes part of an element's id. */
  readonly id: string;
  readonly label: ReactNode;
}

export interface TabListProps {
  readonly label: string;
  /** Of the list, and of each tab. */
  readonly className: string;
  readonly tabClass?: string;
  readonly tabs: readonly TabItem[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  /** From `useTabIds`. */
  readonly ids: TabIds;
}

export interface TabIds {
  readonly tab: (id: string) => string;
  readonly panel: (id: string) => string;
}

/** Ids by which a tab and its panel name each other. */
export function useTabIds(): TabIds {
  const base = useId();
  return { tab: (id) => `${base}-tab-${id}`, panel: (id) => `${base}-panel-${id}` };
}

/** The place that a key leads to, around the ends; undefined for other keys. */
export function placeAfter(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

export function TabList({ label, className, tabClass, tabs, chosen, onChoose, ids }: TabListProps) {
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = tabs[placeAfter(event.key, at, tabs.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    document.getElementById(ids.tab(next.id))?.focus();
    onChoose(next.id);
  };
  return (
    <div role="tablist" aria-label={label} className={className}>
      {tabs.map(({ id, label: words }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={ids.tab(id)}
          className={tabClass}
          aria-selected={id === chosen}
          aria-controls={id === chosen ? ids.panel(id) : undefined}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
          onKeyDown={move}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

export interface TabPanelProps {
  readonly ids: TabIds;
  /** Of the tab that is chosen. */
  readonly id: string;
  readonly children: ReactNode;
}

export function TabPanel({ ids, id, children }: TabPanelProps) {
  return (
    <div role="tabpanel" id={ids.panel(id)} aria-labelledby={ids.tab(id)} tabIndex={-1}>
      {children}
    </div>
  );
}
