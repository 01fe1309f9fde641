// What happened, one entry a fact: its mark, its text, and its time on the right. A long silence is dashed. With
// `joined` one line connects the entries that belong together.

import type { ReactNode } from "react";
import { Socket } from "./patch.tsx";
import "./timeline.css";

export interface TimelineEntry {
  readonly id: string;
  /** A `<Shape>`; without one, a drawn plug. */
  readonly mark?: ReactNode;
  readonly title: ReactNode;
  /** On the right: a `<Time>`, `+ms`, or a button. */
  readonly aside?: ReactNode;
  readonly detail?: ReactNode;
  /** The entry that the page is about. */
  readonly current?: boolean;
  /** A silence: no mark, a dashed line. */
  readonly gap?: boolean;
}

export interface TimelineProps {
  readonly entries: readonly TimelineEntry[];
  readonly joined?: boolean;
  readonly tight?: boolean;
}

export function Timeline({ entries, joined = false, tight = false }: TimelineProps) {
  return (
    <ol className={`timeline${joined ? " timeline-joined" : ""}${tight ? " timeline-tight" : ""}`}>
      {entries.map(({ id, mark, title, aside, detail, current, gap }) => (
        <li key={id} className={gap ? "timeline-gap" : current ? "timeline-current" : undefined}>
          {!gap && (mark ?? <Socket plugged />)}
          {!gap && (
            <div className="timeline-head">
              <span>{title}</span>
              {aside}
            </div>
          )}
          {(gap ? title : detail) && <div className="timeline-detail">{gap ? title : detail}</div>}
        </li>
      ))}
    </ol>
  );
}
