// The shapes of a status. A disc is fine or in progress, a square ended badly, a triangle needs action, and dashes are
// not yet, or not certain. The shape is clear without its colour.

import type { ReactNode } from "react";
import "./shape.css";

const ring = <circle cx="8" cy="8" r="5.7" className="shape-line" />;
const box = <rect x="2.4" y="2.4" width="11.2" height="11.2" rx="2" className="shape-line" />;
const fullBox = <rect x="1.8" y="1.8" width="12.4" height="12.4" rx="2.2" className="shape-fill" />;

const SHAPES = {
  queued: <circle cx="8" cy="8" r="5.7" className="shape-line shape-dashes" />,
  sent: (
    <>
      {ring}
      <path d="M8 4.3a3.7 3.7 0 0 1 0 7.4z" className="shape-fill" />
    </>
  ),
  pending: (
    <>
      {ring}
      <path d="M8 8V4.3A3.7 3.7 0 0 1 11.7 8z" className="shape-fill" />
    </>
  ),
  delivered: (
    <>
      <circle cx="8" cy="8" r="6.5" className="shape-fill" />
      <path d="m5.2 8.3 2 2 3.7-4.3" className="shape-cut" />
    </>
  ),
  done: (
    <>
      {ring}
      <path d="m5.6 8.2 1.7 1.7 3-3.6" className="shape-line" />
    </>
  ),
  failed: (
    <>
      {fullBox}
      <path d="m5.5 5.5 5 5M10.5 5.5l-5 5" className="shape-cut" />
    </>
  ),
  expired: (
    <>
      {box}
      <path d="M8 5.2v3l1.9 1.2" className="shape-line" />
    </>
  ),
  unknown: (
    <>
      <rect x="2.4" y="2.4" width="11.2" height="11.2" rx="2" className="shape-line shape-dashes" />
      <path d="M6.7 6.7c.1-.8.6-1.2 1.3-1.2s1.3.4 1.3 1.1c0 1-1.3 1-1.3 2M8 10.6v.1" className="shape-line" />
    </>
  ),
  noAnswer: (
    <>
      {box}
      <path d="M5.7 8h4.6" className="shape-line" />
    </>
  ),
  busy: (
    <>
      {box}
      <path d="m6 6 4 4M10 6l-4 4" className="shape-line" />
    </>
  ),
  partial: (
    <>
      {box}
      <path d="M5 5h3v6H5z" className="shape-fill" />
    </>
  ),
  canceled: (
    <>
      {ring}
      <path d="m4.7 11.3 6.6-6.6" className="shape-line" />
    </>
  ),
  removed: (
    <>
      {ring}
      <path d="M5.5 8h5" className="shape-line" />
    </>
  ),
  active: (
    <>
      {ring}
      <circle cx="8" cy="8" r="3" className="shape-fill" />
    </>
  ),
  paused: (
    <>
      {ring}
      <path d="M6.5 6v4M9.5 6v4" className="shape-line" />
    </>
  ),
  recording: (
    <>
      {ring}
      <circle cx="8" cy="8" r="3.5" className="shape-fill" />
    </>
  ),
  ringing: (
    <>
      <circle cx="8" cy="8" r="2" className="shape-fill" />
      <path
        d="M4.7 4.5a4.9 4.9 0 0 0 0 7M11.3 4.5a4.9 4.9 0 0 1 0 7M2.6 2.7a7.6 7.6 0 0 0 0 10.6M13.4 2.7a7.6 7.6 0 0 1 0 10.6"
        className="shape-line"
      />
    </>
  ),
  act: (
    <>
      <path d="M8 1.9 14.8 13.5a.5.5 0 0 1-.4.8H1.6a.5.5 0 0 1-.4-.8z" className="shape-fill" />
      <path d="M8 6.3v3.5M8 11.9v.1" className="shape-cut" />
    </>
  ),
  retry: (
    <>
      {ring}
      <path d="M8 5v3.2h2.3" className="shape-line" />
    </>
  ),
  off: ring,
} satisfies Record<string, ReactNode>;

export type ShapeName = keyof typeof SHAPES;

/** `ok` and `accent` colour the shape alone; `warn` and `bad` also colour the word beside it. */
export type Tone = "ok" | "accent" | "neutral" | "warn" | "bad" | "recording";

export interface ShapeProps {
  readonly name: ShapeName;
  readonly tone: Tone;
  readonly large?: boolean;
  /** Only where no word is beside the shape. */
  readonly label?: string;
}

export function Shape({ name, tone, large = false, label }: ShapeProps) {
  const className = `shape tone-${tone}${large ? " shape-large" : ""}`;
  if (label === undefined) {
    return (
      <svg className={className} viewBox="0 0 16 16" aria-hidden="true">
        {SHAPES[name]}
      </svg>
    );
  }
  return (
    <svg className={className} viewBox="0 0 16 16" role="img" aria-label={label}>
      {SHAPES[name]}
    </svg>
  );
}
