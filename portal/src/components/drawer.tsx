// Shows one item while the list stays: 432 px wide beside it, the whole page on a phone. Esc closes it and returns
// focus.

import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "./button.tsx";
import { useKeys } from "./keys.ts";
import "./drawer.css";

export interface DrawerProps {
  readonly label: string;
  readonly title: ReactNode;
  /** Below the title: time and kind. */
  readonly sub?: ReactNode;
  /** Left of Close: Newer, Older. */
  readonly buttons?: ReactNode;
  readonly footer?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Drawer({ label, title, sub, buttons, footer, onClose, children }: DrawerProps) {
  const before = useRef<Element | null>(null);
  useEffect(() => {
    before.current = document.activeElement;
    return () => {
      if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
    };
  }, []);
  useKeys({ Escape: onClose });
  return (
    <aside className="drawer" aria-label={label}>
      <header>
        <div>
          <h2>{title}</h2>
          {sub && <p>{sub}</p>}
        </div>
        <span className="drawer-buttons">
          {buttons}
          <IconButton icon="x" label="Close, Esc" onClick={onClose} />
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="drawer-body" tabIndex={0} aria-label={`${label}, details`}>
        {children}
      </section>
      {footer && <footer>{footer}</footer>}
    </aside>
  );
}
