// The browser's own modal dialog, which keeps focus inside, closes on Esc and returns focus. `confirm` asks before an
// action that cannot be undone; everything else is done immediately, with an Undo.

import { type ReactNode, useEffect, useRef } from "react";
import { SharedValue, useShared } from "../shared-value.ts";
import { Button } from "./button.tsx";
import "./dialog.css";

export interface DialogProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `top` is near the top of the page, like the palette. */
  readonly place?: "middle" | "top";
  readonly role?: "dialog" | "alertdialog";
}

/** Is open while it is rendered. */
export function Dialog({ label, onClose, children, place = "middle", role = "dialog" }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog; the click is one beside it
    <dialog
      ref={element}
      className={`dialog dialog-${place}`}
      role={role === "alertdialog" ? role : undefined}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
      {children}
    </dialog>
  );
}

export interface Question {
  /** "Delete this call and its 2 recordings?" */
  readonly question: string;
  /** What will be lost. */
  readonly cost: string;
  /** On the button: "Delete call". */
  readonly verb: string;
  /** On the other button: "Keep". */
  readonly refuse?: string;
}

interface Asked extends Question {
  readonly answer: (isYes: boolean) => void;
}

const asked = new SharedValue<Asked | undefined>(undefined);

/** Resolves to true when the user confirms. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isYes: boolean) => {
      asked.set(undefined);
      resolve(isYes);
    };
    asked.set({ ...question, answer });
  });
}

/** Rendered once, in the shell. */
export function ConfirmPlace() {
  const now = useShared(asked);
  if (!now) return null;
  return (
    <Dialog label={now.question} role="alertdialog" onClose={() => now.answer(false)}>
      <div className="confirm">
        <p className="strong">{now.question}</p>
        <p className="mid">{now.cost}</p>
        <div className="confirm-buttons">
          <Button onClick={() => now.answer(false)}>{now.refuse ?? "Keep"}</Button>
          <Button kind="destroy" onClick={() => now.answer(true)}>
            {now.verb}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
