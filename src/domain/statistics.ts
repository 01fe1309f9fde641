// How many messages, calls and deliveries of an account ended how, by the hour or the day in which they were made.

export const STATISTICS_KINDS = ["Messages", "Calls", "Deliveries"] as const;
export type StatisticsKind = (typeof STATISTICS_KINDS)[number];

export const STATISTICS_STEPS = ["Hour", "Day"] as const;
export type StatisticsStep = (typeof STATISTICS_STEPS)[number];

const HOUR_MS = 3_600_000;

/** A day is one of UTC. */
export const STEP_MS: Readonly<Record<StatisticsStep, number>> = { Hour: HOUR_MS, Day: 24 * HOUR_MS };

/** The longest span of a question: it bounds what is read for an answer. */
export const SPAN_MS_MAX: Readonly<Record<StatisticsStep, number>> = {
  Hour: 31 * STEP_MS.Day,
  Day: 366 * STEP_MS.Day,
};

/** At most so many counts in one answer. */
export const COUNTS_MAX = 20_000;

export interface StatisticsQuestion {
  readonly kind: StatisticsKind;
  /** The beginning of a step. */
  readonly from: Date;
  /** The end of a step. */
  readonly to: Date;
  readonly step: StatisticsStep;
}

export interface StatisticsCount {
  /** When the hour or the day begins. */
  readonly from: Date;
  /** The status of a message or a delivery; why a call ended, or its status until then. */
  readonly outcome: string;
  /** Of messages, the recipient's, where it is known. */
  readonly carrier: string | null;
  readonly count: number;
}

export interface Statistics {
  /** What ended before is counted; null: nothing was counted yet. */
  readonly countedUntil: Date | null;
  /** Sorted; one more than `COUNTS_MAX` where there are more. */
  readonly counts: readonly StatisticsCount[];
}

export interface StatisticsStore {
  of(accountSid: string, question: StatisticsQuestion): Promise<Statistics>;
}

/** The whole steps in which the span lies. */
export function wholeSteps(step: StatisticsStep, from: Date, to: Date): Pick<StatisticsQuestion, "from" | "to"> {
  const ms = STEP_MS[step];
  const start = Math.floor(from.getTime() / ms) * ms;
  const end = Math.max(Math.ceil(to.getTime() / ms) * ms, start + ms);
  return { from: new Date(start), to: new Date(end) };
}
