// A deadline, a concurrency limit and a circuit breaker around a live provider.
//
// Guarantees: `ask` never throws and always settles by the deadline; at most `concurrencyMax` requests are under way
// (one more gets "busy" immediately: a queue could outlive the deadline); after `failuresMax` failures in a row the
// breaker opens for `coolDownMs`, then a single request probes whether the provider is back.
// Not guaranteed: that a provider stops working when its signal aborts; its late answer is dropped.

import type { Clock } from "../../base/clock.ts";
import type { LiveFinding, LiveProvider } from "./ports.ts";

export type GuardedFinding = LiveFinding | Unavailable;

export interface Unavailable {
  readonly kind: "unavailable";
  readonly why: "deadline" | "busy" | "open" | "failed";
  readonly detail: string;
}

export type GuardedProvider = Omit<LiveProvider, "ask" | "deadlineMs" | "concurrencyMax"> & {
  /** The state of the circuit breaker, for health pages and metrics. */
  state(): "closed" | "open" | "half-open";
  ask(number: string): Promise<GuardedFinding>;
};

export interface GuardOptions {
  readonly clock: Clock;
  /** Failures in a row that open the breaker. */
  readonly failuresMax: number;
  readonly coolDownMs: number;
}

export function guardProvider(provider: LiveProvider, options: GuardOptions): GuardedProvider {
  const breaker = newBreaker(options);
  let underWay = 0;

  async function ask(number: string): Promise<GuardedFinding> {
    // The concurrency limit comes first: a refused request must not use up the breaker's probe.
    if (underWay >= provider.concurrencyMax) {
      return unavailable("busy", `${provider.name} has ${underWay} questions under way`);
    }
    const pass = breaker.enter();
    if (!pass) return unavailable("open", `${provider.name} failed too often and is left alone for a while`);
    underWay++;
    const finding = await askWithin(provider, number, options.clock);
    underWay--;
    if (finding.kind === "unavailable") pass.failed();
    else pass.succeeded();
    return finding;
  }

  const { name, source, callingCodes, cacheSeconds, negativeCacheSeconds } = provider;
  return { name, source, callingCodes, cacheSeconds, negativeCacheSeconds, state: breaker.state, ask };
}

/** The provider's answer, its failure or the deadline, whichever comes first. */
function askWithin(provider: LiveProvider, number: string, clock: Clock): Promise<GuardedFinding> {
  const { promise, resolve } = settledOnce<GuardedFinding>();
  const abort = new AbortController();
  const cancelDeadline = clock.after(provider.deadlineMs, () => {
    resolve(unavailable("deadline", `${provider.name} did not answer within ${provider.deadlineMs} ms`));
    abort.abort();
  });
  const failed = (error: unknown) => resolve(unavailable("failed", `${provider.name}: ${messageOf(error)}`));
  const answered = (finding: LiveFinding) => {
    if (finding?.kind === "found" || finding?.kind === "notFound") resolve(finding);
    else failed("the answer is neither found nor notFound");
  };
  try {
    // Both outcomes have a callback, however late they come, so there is no unhandled rejection.
    provider.ask(number, abort.signal).then(answered, failed);
  } catch (error) {
    failed(error);
  }
  return promise.finally(cancelDeadline);
}

interface Pass {
  succeeded(): void;
  failed(): void;
}

/** An answer to a request that entered before the last change of state (`generation`) is ignored. */
function newBreaker({ clock, failuresMax, coolDownMs }: GuardOptions) {
  let failures = 0;
  let openUntilMs: number | undefined;
  let isProbing = false;
  let generation = 0;

  function move(nextOpenUntilMs: number | undefined): void {
    openUntilMs = nextOpenUntilMs;
    failures = 0;
    isProbing = false;
    generation++;
  }

  function enter(): Pass | undefined {
    if (openUntilMs !== undefined) {
      if (isProbing || clock.elapsedMs() < openUntilMs) return undefined;
      isProbing = true;
    }
    const isProbe = isProbing;
    const entered = generation;
    return {
      succeeded() {
        if (entered !== generation) return;
        if (isProbe) move(undefined);
        else failures = 0;
      },
      failed() {
        if (entered !== generation) return;
        failures++;
        if (isProbe || failures >= failuresMax) move(clock.elapsedMs() + coolDownMs);
      },
    };
  }

  function state(): "closed" | "open" | "half-open" {
    if (openUntilMs === undefined) return "closed";
    return isProbing ? "half-open" : "open";
  }

  return { enter, state };
}

function settledOnce<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function unavailable(why: Unavailable["why"], detail: string): Unavailable {
  return { kind: "unavailable", why, detail };
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  // Not everything thrown can be made a string: String(Object.create(null)) throws.
  return typeof error === "string" ? error : "it threw something that is no error";
}
