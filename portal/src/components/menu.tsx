// A button that opens a short list of actions. Arrow keys move, Esc and a click elsewhere close it.

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import "./menu.css";

export interface MenuItem {
  readonly id: string;
  readonly label: ReactNode;
  readonly run: () => void;
  /** In a group of exclusive items: the selected one. */
  readonly isChosen?: boolean;
}

export interface MenuProps {
  /** What the button shows. */
  readonly children: ReactNode;
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly className: string;
  /** Where the list opens. */
  readonly place?: "below" | "above";
}

export function Menu({ children, label, items, className, place = "below" }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    list.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  };
  const move = (event: KeyboardEvent) => {
    if (event.key === "Escape" || event.key === "Tab") close();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const entries = [...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    entries[(at + step + entries.length) % entries.length]?.focus();
  };
  return (
    <div className="menu" ref={root}>
      <button
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={label}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <div
          className={`menu-list menu-${place}`}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          ref={list}
          onKeyDown={move}
        >
          {items.map((item) => (
            <MenuEntry key={item.id} item={item} onClose={close} />
          ))}
        </div>
      )}
    </div>
  );
}

function MenuEntry({ item, onClose }: { readonly item: MenuItem; readonly onClose: () => void }) {
  const press = () => {
    onClose();
    item.run();
  };
  if (item.isChosen === undefined) {
    return (
      <button type="button" role="menuitem" tabIndex={-1} onClick={press}>
        {item.label}
      </button>
    );
  }
  return (
    <button type="button" role="menuitemradio" aria-checked={item.isChosen} tabIndex={-1} onClick={press}>
      {item.label}
    </button>
  );
}
