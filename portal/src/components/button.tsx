// Buttons: one filled button a screen (`kind="primary"`), the rest quiet. A button's label is a verb.

import { Link } from "@tanstack/react-router";
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import "./button.css";

interface Look {
  readonly kind?: "primary" | "quiet" | "danger" | "destroy";
  readonly small?: boolean;
  readonly icon?: IconName;
  /** The keyboard shortcut that does the same. */
  readonly hint?: string;
}

export interface ButtonProps extends Look, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Under way: cannot be pressed again. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

const classOf = ({ kind = "quiet", small = false }: Look) => `button button-${kind}${small ? " button-small" : ""}`;

export function Button({ kind, small, icon, hint, busy = false, disabled, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ ...(kind && { kind }), ...(small && { small }) })}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <span className="button-busy" /> : icon && <Icon name={icon} />}
      {children}
      {hint && <KeyHint keys={hint} />}
    </button>
  );
}

function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className="button-hint hide-phone" aria-hidden="true">
      {keys}
    </span>
  );
}

/** A link that looks like a button. `to` is an address of the portal, filters included. */
export function ButtonLink({
  to,
  icon,
  children,
  ...look
}: Look & { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link to={to} className={classOf(look)}>
      {icon && <Icon name={icon} />}
      {children}
      {look.hint && <KeyHint keys={look.hint} />}
    </Link>
  );
}

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  /** What it does, with its key where it has one: "Close, Esc". */
  readonly label: string;
  /** With a frame, beside other buttons. */
  readonly framed?: boolean;
  readonly danger?: boolean;
}

export function IconButton({ icon, label, framed = false, danger = false, ...rest }: IconButtonProps) {
  const framedClass = `button button-small button-icon ${danger ? "button-danger" : "button-quiet"}`;
  return (
    <button type="button" title={label} {...rest} className={framed ? framedClass : "button-ghost"}>
      <Icon name={icon} />
      <span className="vh">{label}</span>
    </button>
  );
}
