// The shapes of a status. A disc is fine or in progress, a square ended badly, a triangle needs action, and dashes are
// not yet, or not certain. The shape is clear without its colour.

import type { ReactElement } from "react";
import type { ShapeName, Tone } from "./shape-names.ts";
import "./shape.css";

export type { ShapeName, Tone } from "./shape-names.ts";

const circle = (r: number, className: string) => <circle key={r} cx="8" cy="8" r={r} className={className} />;
const square = (at: number, rx: number, className: string) => (
  <rect key="square" x={at} y={at} width={16 - 2 * at} height={16 - 2 * at} rx={rx} className={className} />
);
const path = (d: string, className: string) => <path key={d} d={d} className={className} />;
const line = (d: string) => path(d, "shape-line");
const fill = (d: string) => path(d, "shape-fill");
const cut = (d: string) => path(d, "shape-cut");

const ring = circle(5.7, "shape-line");
const box = square(2.4, 2, "shape-line");

const SHAPES = {
  queued: [circle(5.7, "shape-line shape-dashes")],
  sent: [ring, fill("M8 4.3a3.7 3.7 0 0 1 0 7.4z")],
  pending: [ring, fill("M8 8V4.3A3.7 3.7 0 0 1 11.7 8z")],
  delivered: [circle(6.5, "shape-fill"), cut("m5.2 8.3 2 2 3.7-4.3")],
  done: [ring, line("m5.6 8.2 1.7 1.7 3-3.6")],
  failed: [square(1.8, 2.2, "shape-fill"), cut("m5.5 5.5 5 5M10.5 5.5l-5 5")],
  expired: [box, line("M8 5.2v3l1.9 1.2")],
  unknown: [
    square(2.4, 2, "shape-line shape-dashes"),
    line("M6.7 6.7c.1-.8.6-1.2 1.3-1.2s1.3.4 1.3 1.1c0 1-1.3 1-1.3 2M8 10.6v.1"),
  ],
  noAnswer: [box, line("M5.7 8h4.6")],
  busy: [box, line("m6 6 4 4M10 6l-4 4")],
  partial: [box, fill("M5 5h3v6H5z")],
  canceled: [ring, line("m4.7 11.3 6.6-6.6")],
  removed: [ring, line("M5.5 8h5")],
  active: [ring, circle(3, "shape-fill")],
  paused: [ring, line("M6.5 6v4M9.5 6v4")],
  recording: [ring, circle(3.5, "shape-fill")],
  ringing: [
    circle(2, "shape-fill"),
    line(
      "M4.7 4.5a4.9 4.9 0 0 0 0 7M11.3 4.5a4.9 4.9 0 0 1 0 7M2.6 2.7a7.6 7.6 0 0 0 0 10.6M13.4 2.7a7.6 7.6 0 0 1 0 10.6",
    ),
  ],
  act: [fill("M8 1.9 14.8 13.5a.5.5 0 0 1-.4.8H1.6a.5.5 0 0 1-.4-.8z"), cut("M8 6.3v3.5M8 11.9v.1")],
  retry: [ring, line("M8 5v3.2h2.3")],
  off: [ring],
} satisfies Record<ShapeName, readonly ReactElement[]>;

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
