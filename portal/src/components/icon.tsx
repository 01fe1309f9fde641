// The icons of navigation and buttons, drawn on 16 units in the colour of the text beside them.

import type { ReactElement } from "react";
import "./icon.css";

const circle = (cx: number, cy: number, r: number, isFilled = false) => (
  <circle key={`${cx} ${cy}`} cx={cx} cy={cy} r={r} fill={isFilled ? "currentColor" : undefined} />
);
const box = (x: number, y: number, width: number, height: number, rx: number) => (
  <rect key="box" x={x} y={y} width={width} height={height} rx={rx} />
);

/** Paths by their commands, and other shapes. */
const DRAWINGS = {
  account: [circle(6, 8, 3), "M9 8h4.8M12 8v2.2"],
  api: ["m5.5 5-3 3 3 3M10.5 5l3 3-3 3M9 3.5 7 12.5"],
  audit: ["M4 2.5h8v11l-2-1.3-2 1.3-2-1.3-2 1.3zM6 5.5h4M6 8h4"],
  back: ["M10 3.5 5.5 8l4.5 4.5"],
  bookmark: ["M4.5 2.5h7v11L8 10.8l-3.5 2.7z"],
  box: ["M2.5 5 8 2.5 13.5 5v6L8 13.5 2.5 11zM2.5 5 8 7.5 13.5 5M8 7.5v6"],
  call: [
    "M5.6 2.6 3.6 3c-.5.1-.8.5-.8 1 .2 4.9 4.2 8.9 9.1 9.2.5 0 1-.3 1.1-.8l.4-2-2.6-1.3-1.3 1.3A8 8 0 0 1 5.6 6.5l1.3-1.3z",
  ],
  campaign: ["M3.5 13.5v-11M3.5 3h8.8l-1.8 2.9 1.8 2.9H3.5"],
  chart: ["M2.5 13.5h11M4.5 11V8.5M8 11V3M11.5 11V6"],
  chev: ["m6 3.5 4.5 4.5L6 12.5"],
  clip: ["M12.5 7.3 8 11.8a2.7 2.7 0 0 1-3.8-3.8l5-5a1.8 1.8 0 0 1 2.6 2.6l-5 5a.9.9 0 0 1-1.3-1.3l4.5-4.5"],
  clock: [circle(8, 8, 5.5), "M8 5v3.2l2 1.3"],
  copy: [box(5.5, 5.5, 8, 8, 1.2), "M10.5 5.5V3.3a.8.8 0 0 0-.8-.8H3.3a.8.8 0 0 0-.8.8v6.4c0 .4.4.8.8.8h2.2"],
  dots: [circle(3.5, 8, 0.6, true), circle(8, 8, 0.6, true), circle(12.5, 8, 0.6, true)],
  down: ["M3.5 6 8 10.5 12.5 6"],
  download: ["M8 2.5v7.5M5 7.2 8 10.2l3-3M3 13.3h10"],
  event: ["M9 2 3.5 9H8l-1 5 5.5-7H8z"],
  filter: ["M2.5 4h11M4.5 8h7M6.5 12h3"],
  hangup: ["M2.2 9.2c3.2-3.2 8.4-3.2 11.6 0l-1.6 1.9-2.5-1V8.4a7 7 0 0 0-3.4 0v1.7l-2.5 1z"],
  help: [circle(8, 8, 5.7), "M6.4 6.3c.1-1 .8-1.5 1.7-1.5s1.6.6 1.6 1.4c0 1.3-1.7 1.3-1.7 2.6M8 11v.2"],
  home: ["M2.5 7.2 8 2.8l5.5 4.4v5.3a.8.8 0 0 1-.8.8H9.8V9.6H6.2v3.7H3.3a.8.8 0 0 1-.8-.8z"],
  in: ["M12 4 4.5 11.5M4.3 6.5v5.2h5.2"],
  link: [
    "M6.7 9.3a2.5 2.5 0 0 0 3.6 0l2.2-2.2a2.5 2.5 0 0 0-3.6-3.6l-.9.9M9.3 6.7a2.5 2.5 0 0 0-3.6 0L3.5 8.9a2.5 2.5 0 0 0 3.6 3.6l.9-.9",
  ],
  links: [circle(3.7, 8, 1.9), circle(12.3, 8, 1.9, true), "M5.6 8h4.8"],
  log: ["M2.5 4h2M2.5 8h2M2.5 12h2M7 4h6.5M7 8h6.5M7 12h4"],
  lookup: [circle(7, 7, 4.3), "m10.3 10.3 3.2 3.2M5.3 7h3.4"],
  menu: ["M2.5 4.5h11M2.5 8h11M2.5 11.5h11"],
  message: ["M2.5 3.5h11v7.2H7.2L4.3 13v-2.3H2.5z"],
  mic: [box(6, 2, 4, 7, 2), "M3.7 7.5a4.3 4.3 0 0 0 8.6 0M8 11.8V14"],
  node: [box(2.5, 3, 11, 4, 0.8), box(2.5, 9, 11, 4, 0.8), "M5 5v.1M5 11v.1"],
  number: ["M6.3 2.5 5 13.5M11 2.5 9.7 13.5M3 5.8h10.5M2.5 10.2H13"],
  out: ["M4 12l7.5-7.5M6.5 4.3h5.2v5.2"],
  pause: [<path key="drawn" d="M5.3 3.3v9.4M10.7 3.3v9.4" strokeWidth="2" />],
  people: [
    circle(6, 5.5, 2.3),
    "M2 13c.3-2.4 1.9-3.7 4-3.7s3.7 1.3 4 3.7M10.6 3.5a2.2 2.2 0 0 1 0 4M12 9.6c1.2.5 1.9 1.7 2.1 3.4",
  ],
  phone: [box(4.5, 1.8, 7, 12.4, 1.5), "M7.2 11.9h1.6"],
  play: [<path key="drawn" d="M4.5 3v10l8-5z" fill="currentColor" strokeLinejoin="round" />],
  port: ["M8 2.5v7M5.2 6.8 8 9.6l2.8-2.8M2.8 10.5v2.2a.8.8 0 0 0 .8.8h8.8a.8.8 0 0 0 .8-.8v-2.2"],
  replay: ["M3 8a5 5 0 1 0 1.6-3.7M3 2.8v2.7h2.7"],
  route: [circle(3.5, 3.8, 1.5), circle(12.5, 12.2, 1.5), "M5 3.8h4.3a2 2 0 0 1 0 4.2H6.7a2.1 2.1 0 0 0 0 4.2H11"],
  search: [circle(7, 7, 4.3), "m10.3 10.3 3.2 3.2"],
  send: ["M2.8 3 13.5 8 2.8 13l1.5-5zM4.3 8h4.5"],
  sip: ["M3.5 2.5v11M12.5 2.5v11M3.5 5.5h7.8M9.5 3.7l1.8 1.8-1.8 1.8M12.5 10.5H4.7M6.5 8.7 4.7 10.5l1.8 1.8"],
  sun: [
    circle(8, 8, 2.8),
    "M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1",
  ],
  up: ["M3.5 10 8 5.5l4.5 4.5"],
  webhook: [circle(4, 11.5, 2), circle(12, 11.5, 2), circle(8, 4.5, 2), "M7 6.3 4.9 9.7M9 6.3l2.1 3.4M6 11.5h4"],
  x: ["m4 4 8 8M12 4l-8 8"],
} satisfies Record<string, readonly (string | ReactElement)[]>;

export type IconName = keyof typeof DRAWINGS;

export interface IconProps {
  readonly name: IconName;
  readonly small?: boolean;
}

/** Decoration beside a word: screen readers skip it. */
export function Icon({ name, small = false }: IconProps) {
  return (
    <svg className={small ? "icon icon-small" : "icon"} viewBox="0 0 16 16" aria-hidden="true">
      {DRAWINGS[name].map((part) => (typeof part === "string" ? <path key={part} d={part} /> : part))}
    </svg>
  );
}

export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6 14v-2.5a6 6 0 0 1 12 0V14" fill="none" stroke="currentColor" strokeWidth="2" />
      <circle cx="6" cy="17" r="3" fill="none" stroke="currentColor" strokeWidth="2" />
      <circle cx="18" cy="17" r="4" fill="var(--plug)" />
    </svg>
  );
}
