// Keyboard shortcuts of the page: `useKeys({ j: next, "g l": openLog })`. They do nothing while the user types in a
// field or a menu is open, or with Ctrl, Alt or ⌘ held (except names that begin with `mod+`). Those of one character
// can be switched off.

import { useEffect, useRef } from "react";
import { SharedValue, useShared } from "../shared-value.ts";

export type KeyTable = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** The name of the `mod+` key on this platform. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

const SEQUENCE_MS_MAX = 900;

const REMEMBERED = "tandem.keys";
const single = new SharedValue(localStorage.getItem(REMEMBERED) !== "off");

/** Whether keys of one character do something: speech input types them by accident (WCAG 2.1.4). */
export const useSingleKeys = (): boolean => useShared(single);

export function setSingleKeys(isOn: boolean): void {
  localStorage.setItem(REMEMBERED, isOn ? "on" : "off");
  single.set(isOn);
}

/** What has the keys while it is open. */
const OPEN = "dialog[open], [role=menu]";

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Enter and Space belong to a button or a link that has the focus. */
function isPress(event: KeyboardEvent): boolean {
  const isOwn = event.target instanceof HTMLElement && /^(BUTTON|A|SUMMARY)$/.test(event.target.tagName);
  return isOwn && (event.key === "Enter" || event.key === " ");
}

export function useKeys(table: KeyTable): void {
  const current = useRef(table);
  current.current = table;
  useEffect(() => {
    let before = "";
    let beforeAt = 0;
    const press = (event: KeyboardEvent) => {
      const hasModifier = event.metaKey || event.ctrlKey;
      const key = hasModifier ? `mod+${event.key.toLowerCase()}` : event.key;
      const isFree = hasModifier || key === "Escape" || !(isTyping(event.target) || event.altKey);
      // The focused element may have used the key: arrows move within tabs and lists.
      if (event.defaultPrevented) return;
      if (!isFree || isPress(event) || (document.querySelector(OPEN) && !hasModifier)) return;
      if (key.length === 1 && !single.get()) return;
      const isSequence = before !== "" && event.timeStamp - beforeAt < SEQUENCE_MS_MAX;
      const run = (isSequence ? current.current[`${before} ${key}`] : undefined) ?? current.current[key];
      [before, beforeAt] = [key, event.timeStamp];
      if (!run) return;
      event.preventDefault();
      run(event);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
