// Chips for the terms of a filter, and an input for more. The text is kept in the screen's URL, by `useSearch`.

import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { type FilterField, type FilterTerm, parseFilter, withoutTerm, withTerm } from "./filter.ts";
import { Icon } from "./icon.tsx";
import { useKeys } from "./keys.ts";
import "./filter-bar.css";

export interface FilterBarProps {
  readonly filter: {
    readonly fields: readonly FilterField[];
    /** As in the URL. */
    readonly q: string;
    readonly onFilter: (q: string) => void;
  };
  /** Example terms: `status:4xx  to:+1415*`. */
  readonly placeholder: string;
  /** Ready filters and buttons at the right. */
  readonly children?: ReactNode;
}

export function FilterBar({ filter: { fields, q, onFilter }, placeholder, children }: FilterBarProps) {
  const [draft, setDraft] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  useKeys({ "/": () => input.current?.focus() });
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (draft.trim() === "") return;
    onFilter(withTerm(q, draft));
    setDraft("");
  };
  return (
    <search className="filter-bar">
      <Icon name="filter" />
      {parseFilter(q, fields).map((term) => (
        <Chip key={term.text} term={term} onRemove={() => onFilter(withoutTerm(q, term))} />
      ))}
      <form onSubmit={add}>
        <input
          ref={input}
          className="filter-input"
          aria-label="Filter"
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          list={listId}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            const last = parseFilter(q, fields).at(-1);
            if (event.key === "Backspace" && draft === "" && last) onFilter(withoutTerm(q, last));
            if (event.key === "Escape") input.current?.blur();
          }}
        />
        <datalist id={listId}>
          {suggestionsFor(draft, fields).map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      </form>
      {children && <span className="filter-buttons">{children}</span>}
    </search>
  );
}

function suggestionsFor(draft: string, fields: readonly FilterField[]): readonly string[] {
  const field = fields.find(({ name }) => draft.replace(/^-/, "").startsWith(`${name}:`));
  if (field) return (field.values ?? []).slice(0, 30).map((value) => `${field.name}:${value}`);
  return fields.map(({ name, values }) => `${name}:${values?.[0] ?? ""}`);
}

function Chip({ term, onRemove }: { readonly term: FilterTerm; readonly onRemove: () => void }) {
  return (
    <span
      className={term.isBad ? "chip chip-bad" : "chip"}
      title={term.isBad ? "Not understood, so not used" : undefined}
    >
      {term.field && <span>{term.field}</span>} {term.isNot && "not "}
      <b>{term.value}</b>
      <button type="button" className="hovers" title="Remove" onClick={onRemove}>
        <Icon name="x" />
        <span className="vh">Remove {term.text}</span>
      </button>
    </span>
  );
}
