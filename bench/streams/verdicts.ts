// What figures of streams amount to: whether so many streams were held, and what has grown over the minutes of a long
// run.

import { median } from "../load/result.ts";
import type { Percentiles } from "../media/phones.ts";
import type { StreamFigures } from "./measure.ts";

/** The end of a run with many streams. */
export interface Minute {
  readonly sent: number;
  readonly received: number;
  readonly toProgramMs: Percentiles;
  readonly fromProgramMs: Percentiles;
  /** Sound that the program sent and that was not played at the end of the minute: of all streams, and the worst. */
  readonly waitingMs: { readonly mean: number; readonly most: number };
  readonly rssMb: { readonly server: number; readonly media: number };
}

/** Streams that cannot keep up lose no sound at first: it waits. */
const DELAY_MS_MAX = 250;
const ANSWERED_MIN = 0.99;
/** A frame. */
const MORE_MS = 20;
/** What a collector of garbage leaves for later. */
const MORE_MEMORY = 1.1;
const MORE_MB = 8;

export function isHeld({
  lossPercent,
  delayMs,
  answered,
}: Pick<StreamFigures, "lossPercent" | "delayMs" | "answered">): boolean {
  return lossPercent <= 0 && delayMs.p99 <= DELAY_MS_MAX && answered >= ANSWERED_MIN;
}

/** The names of what was more in the last third of the minutes than in the first. The first minute is the program's. */
export function grown(minutes: readonly Minute[]): readonly string[] {
  const settled = minutes.slice(1);
  const third = Math.max(1, Math.floor(settled.length / 3));
  const ends = (figure: (minute: Minute) => number) =>
    [median(settled.slice(0, third).map(figure)), median(settled.slice(-third).map(figure))] as const;
  const isLater = (figure: (minute: Minute) => number) => {
    const [first, last] = ends(figure);
    return last > first + MORE_MS;
  };
  const isLarger = (figure: (minute: Minute) => number) => {
    const [first, last] = ends(figure);
    return last > first * MORE_MEMORY + MORE_MB;
  };
  const names: Readonly<Record<string, boolean>> = {
    toProgramMs: isLater(({ toProgramMs }) => toProgramMs.p50) || isLater(({ toProgramMs }) => toProgramMs.p99),
    fromProgramMs:
      isLater(({ fromProgramMs }) => fromProgramMs.p50) || isLater(({ fromProgramMs }) => fromProgramMs.p99),
    waitingMs: isLater(({ waitingMs }) => waitingMs.mean),
    serverMemory: isLarger(({ rssMb }) => rssMb.server),
    mediaMemory: isLarger(({ rssMb }) => rssMb.media),
  };
  return Object.keys(names).filter((name) => names[name]);
}
