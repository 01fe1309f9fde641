// One thing that accounts share, and how long a small account waits for it: alone, and beside a greedy account that
// fills it. The small account asks at a fixed rate, however slowly it is served.

import { type Clock, pause } from "../../src/base/clock.ts";
import { median, percentile, round } from "../load/result.ts";

export interface Part {
  /** How often the small account asks. */
  readonly everyMs: number;
  /** Resolves when the small account begins to wait; each of the promises when it is served. */
  ask(): Promise<readonly Promise<unknown>[]>;
  /** The greedy account begins. Resolves when it has filled what is shared; it keeps it full until `calm`. */
  crowd(): Promise<void>;
  /** The greedy account ends. Resolves when nothing of it is left. */
  calm(): Promise<void>;
  close(): Promise<void>;
}

/** Waiting times of the small account. */
export interface Waits {
  readonly ms: readonly number[];
  /** For so long something was asked for and nothing was served. */
  readonly isStarved: boolean;
}

export interface Round {
  readonly alone: Waits;
  readonly beside: Waits;
}

const PHASE_MS = 6_000;
export const STARVED_MS = 10_000;

export async function measureRound(part: Part, clock: Clock): Promise<Round> {
  const alone = await measureWaits(part, clock);
  await part.crowd();
  const beside = await measureWaits(part, clock);
  await part.calm();
  return { alone, beside };
}

/** Asks for a while, and then waits for what is left. What is not served by then has waited until then. */
export async function measureWaits({ ask, everyMs }: Part, clock: Clock): Promise<Waits> {
  const waiting = new Map<Promise<unknown>, number>();
  const ms: number[] = [];
  const startMs = clock.elapsedMs();
  let servedMs = startMs;
  let isStarved = false;
  const failures = new Set<string>();
  const look = () => {
    const [oldestMs] = waiting.values();
    const sinceMs = Math.max(servedMs, oldestMs ?? clock.elapsedMs());
    if (clock.elapsedMs() - sinceMs >= STARVED_MS) isStarved = true;
  };
  const watch = (served: Promise<unknown>) => {
    waiting.set(served, clock.elapsedMs());
    const end = () => {
      look();
      servedMs = clock.elapsedMs();
      ms.push(servedMs - (waiting.get(served) ?? servedMs));
      waiting.delete(served);
    };
    // What fails was not served, and goes on waiting.
    served.then(end, (fault: Error) => failures.add(fault.message));
  };
  const asking: Promise<void>[] = [];
  for (let dueMs = startMs; dueMs < startMs + PHASE_MS; dueMs += everyMs) {
    await pause(clock, Math.max(0, dueMs - clock.elapsedMs()));
    asking.push(
      ask()
        .catch((fault: Error) => [Promise.reject(fault)])
        .then((all) => all.forEach(watch)),
    );
  }
  await Promise.all(asking);
  const endMs = clock.elapsedMs() + STARVED_MS;
  while (waiting.size > 0 && clock.elapsedMs() < endMs) await pause(clock, 10);
  look();
  for (const failure of failures) console.log(`not served: ${failure}`);
  return { ms: [...ms, ...[...waiting.values()].map((sinceMs) => clock.elapsedMs() - sinceMs)], isStarved };
}

export interface PartResult {
  /** The p90 beside the greedy account over the p90 alone, medians of the rounds. */
  readonly ratio: number;
  readonly starved: boolean;
  readonly aloneMs: Percentiles;
  readonly besideMs: Percentiles;
}

interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

export function resultOf(rounds: readonly Round[]): PartResult {
  const aloneMs = percentilesOf(rounds.map(({ alone }) => alone));
  const besideMs = percentilesOf(rounds.map(({ beside }) => beside));
  const ratio = round(besideMs.p90 / aloneMs.p90);
  return { ratio, starved: rounds.some(({ beside }) => beside.isStarved), aloneMs, besideMs };
}

function percentilesOf(phases: readonly Waits[]): Percentiles {
  const middle = (share: number) => round(median(phases.map(({ ms }) => percentile(ms, share))));
  return { p50: middle(0.5), p90: middle(0.9), p99: middle(0.99) };
}
