// Drawn sockets, plugs and cables. They mean "connected" and nothing else.

import type { ReactNode } from "react";
import "./patch.css";

export function Socket({ plugged = false, bad = false }: { readonly plugged?: boolean; readonly bad?: boolean }) {
  return <span className={`socket${plugged ? " socket-plugged" : ""}${bad ? " socket-bad" : ""}`} />;
}

export interface PatchProps {
  /** `ringing`: not answered yet; `cut`: down; `none`: nothing plugged in. */
  readonly state: "connected" | "ringing" | "cut" | "none";
  readonly left?: ReactNode;
  readonly right?: ReactNode;
  /** On the cable, such as how long a call has lasted. */
  readonly children?: ReactNode;
}

export function Patch({ state, left, right, children }: PatchProps) {
  return (
    <div className={`patch patch-${state}`}>
      {left && <div className="patch-end">{left}</div>}
      <Socket plugged={state !== "none"} />
      <span className="cable" />
      {children && <span className="patch-middle num">{children}</span>}
      {children && <span className="cable" />}
      <Socket plugged={state === "connected"} bad={state === "cut"} />
      {right && <div className="patch-end">{right}</div>}
    </div>
  );
}

/** A lamp marks something live. */
export function Lamp({ lit = true }: { readonly lit?: boolean }) {
  return <span className={lit ? "lamp" : "lamp lamp-off"} />;
}
