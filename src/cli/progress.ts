// Shows the progress of long work: a bar that redraws itself on a terminal, a line every few seconds in a log.

export interface ProgressOrder {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** The terminal's width: a bar that wraps could not be redrawn. */
  readonly columns: () => number;
  /** Undefined when it is not known in advance. */
  readonly total: number | undefined;
  /** Done by an earlier run. */
  readonly done: number;
  /** What is counted, such as `rows`. */
  readonly unit: string;
  readonly nowMs: () => number;
}

export interface Progress {
  advance(done: number): void;
  /** Shows why the work pauses. */
  wait(ms: number, why: string): void;
  /** Ends the line on a terminal. */
  end(): void;
}

export const STDERR = {
  write: (text: string) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  columns: () => process.stderr.columns ?? 80,
  nowMs: () => performance.now(),
} satisfies Partial<ProgressOrder>;

const REDRAW_MS = 100;
const LINE_MS = 5_000;
const BAR_WIDTH = 24;
const CLEAR_LINE = "\r\u001b[K";

export function showProgress(order: ProgressOrder): Progress {
  const { isTerminal, nowMs, total, write } = order;
  const startedMs = nowMs();
  let done = order.done;
  let shownMs = isTerminal ? Number.NEGATIVE_INFINITY : startedMs;
  const show = (note: string) => {
    shownMs = nowMs();
    const text = describe(order, done, shownMs - startedMs) + note;
    const line = total === undefined ? text : `${bar(done, total)} ${text}`;
    write(isTerminal ? CLEAR_LINE + line.slice(0, order.columns() - 1) : `${text}\n`);
  };
  return {
    advance(doneNow) {
      done = doneNow;
      if (nowMs() - shownMs >= (isTerminal ? REDRAW_MS : LINE_MS)) show("");
    },
    wait(ms, why) {
      // Short pauses are normal pacing.
      if (isTerminal || ms >= 1000) show(`; waiting ${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s ${why}`);
    },
    end() {
      if (isTerminal) {
        show("");
        write("\n");
      }
    },
  };
}

function describe({ done: doneBefore, total, unit }: ProgressOrder, done: number, elapsedMs: number): string {
  const perSecond = elapsedMs > 0 ? ((done - doneBefore) / elapsedMs) * 1000 : 0;
  const counted = total === undefined ? `${count(done)} ${unit}` : `${count(done)} of ${count(total)} ${unit}`;
  if (perSecond <= 0 || (total !== undefined && done >= total)) return counted;
  if (total === undefined) return `${counted}, ${count(Math.round(perSecond))} ${unit}/s`;
  return `${counted}, ${count(Math.round(perSecond))} ${unit}/s, ${duration((total - done) / perSecond)} left`;
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? BAR_WIDTH : Math.floor((done / total) * BAR_WIDTH);
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return `[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}] ${String(percent).padStart(3)} %`;
}

export function count(number: number): string {
  return number.toLocaleString("en-US");
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.ceil((seconds % 3600) / 60)} min`;
}
