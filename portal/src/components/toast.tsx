// Short notes at the bottom right: what was done, for six seconds; what failed or is offered, until it is closed. Never
// the only record of anything.

import type { ReactNode } from "react";
import { SharedValue, useShared } from "../shared-value.ts";
import { IconButton } from "./button.tsx";
import { Shape } from "./shape.tsx";
import { wordsOf } from "./verdict.tsx";
import "./toast.css";

interface Action {
  readonly verb: string;
  readonly run: () => void;
}

interface Note {
  readonly id: number;
  readonly tone: "ok" | "bad";
  readonly what: string;
  readonly why?: string;
  readonly traces?: string;
  readonly action?: Action;
}

const SHOWN_MS = 6000;
const NOTES_MAX = 4;

const notes = new SharedValue<readonly Note[]>([]);
let lastId = 0;

function add(note: Omit<Note, "id">): number {
  const id = ++lastId;
  notes.set([...notes.get(), { ...note, id }].slice(-NOTES_MAX));
  return id;
}

const close = (id: number) => notes.set(notes.get().filter((note) => note.id !== id));

export const toast = {
  /** "Replayed to hooks.example: 200 in 61 ms", with a possible action: Undo, See it. */
  done(what: string, action?: Action): void {
    const id = add({ tone: "ok", what, ...(action && { action }) });
    window.setTimeout(() => close(id), SHOWN_MS);
  },
  /** Stays until it is taken or closed. */
  offered(what: string, action: Action): void {
    add({ tone: "ok", what, action });
  },
  failed(what: string, why: string): void {
    add({ tone: "bad", what, why });
  },
  /** For anything that a call threw. `what`: "Not sent." */
  problem(what: string, error: unknown): void {
    const { why, traces } = wordsOf(error);
    add({ tone: "bad", what, why, traces });
  },
};

/** Rendered once, in the shell. `children`: notes that come and go by themselves. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const shown = useShared(notes);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {children}
      {shown.map((note) => (
        <div key={note.id} className="toast">
          <Shape name={note.tone === "ok" ? "delivered" : "failed"} tone={note.tone} />
          <span className="toast-words">
            {note.why ? <b className="strong">{note.what}</b> : note.what} {note.why}{" "}
            {note.traces && <span className="mono dim">{note.traces}</span>}
          </span>
          {note.action && (
            <button
              type="button"
              className="link toast-action"
              onClick={() => {
                note.action?.run();
                close(note.id);
              }}
            >
              {note.action.verb}
            </button>
          )}
          <IconButton icon="x" label="Close this note" onClick={() => close(note.id)} />
        </div>
      ))}
    </div>
  );
}
