// What stops the server: SIGINT, SIGTERM, SIGHUP, an operator, or the loss of something that it depends on.
//
// The first signal stops it in order, a further one immediately: that ends PostgreSQL, too, and then the process.
// Signals at the same moment count once: a signal to the process group reaches us directly and again through `npm
// start`. A stop that takes too long ends the process anyway, also during the start; the log reports what was not
// closed.

import type { Log } from "../../base/log.ts";
import type { StopTimes } from "../running/stop-times.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const ONE_MOMENT_MS = 1_000;
/** 128 + SIGINT, as shells report it. */
const EXIT_AT_ONCE = 130;
const EXIT_UNCLOSED = 1;

interface Closable {
  close(): Promise<void>;
}

export interface StopRequests {
  readonly requested: Promise<NodeJS.Signals | Error>;
  /** Aborted by the first request, with its reason. */
  readonly signal: AbortSignal;
  /** Called when the server lost something that it depends on. */
  readonly lost: (error: Error) => void;
  /** Called when an operator wants this process to drain; without effect once it stops. */
  readonly drain: () => void;
  /** The database that an immediate stop has to close; it may still be starting. */
  readonly endWith: (database: Promise<Closable>) => void;
  /** What a stop closes, to be reported if it does not. */
  readonly closes: (parts: { readonly unclosed: readonly string[] }) => void;
}

export function stopRequests(log: Log, { lameDuckMs, limitMs, databaseMs }: StopTimes): StopRequests {
  let resolveRequested: (reason: NodeJS.Signals | Error) => void = () => undefined;
  const requested = new Promise<NodeJS.Signals | Error>((resolve) => {
    resolveRequested = resolve;
  });
  const stopping = new AbortController();
  let database: Promise<Closable> | undefined;
  let parts: { readonly unclosed: readonly string[] } | undefined;
  const endWithDatabase = (code: number) => void closeOf(database).finally(() => process.exit(code));
  const giveUp = () => {
    log.error({ unclosed: parts?.unclosed ?? [], limitMs }, "stop not completed in time, the process ends");
    endWithDatabase(EXIT_UNCLOSED);
    setTimeout(() => process.exit(EXIT_UNCLOSED), databaseMs);
  };
  const request = (reason: NodeJS.Signals | Error) => {
    setTimeout(giveUp, reason instanceof Error ? limitMs : lameDuckMs + limitMs).unref();
    stopping.abort(reason);
    resolveRequested(reason);
  };
  let count = 0;
  let countedMs = Number.NEGATIVE_INFINITY;
  const take = (signal: NodeJS.Signals) => {
    const nowMs = performance.now();
    if (nowMs - countedMs < ONE_MOMENT_MS) return;
    countedMs = nowMs;
    count += 1;
    if (count > 2) process.exit(EXIT_AT_ONCE);
    log.info({ signal, atOnce: count === 2 }, "stop requested");
    if (count === 1) request(signal);
    else endWithDatabase(EXIT_AT_ONCE);
  };
  for (const signal of SIGNALS) process.on(signal, take);
  return {
    requested,
    signal: stopping.signal,
    lost(error) {
      log.error({ err: error }, "server lost a component that it depends on");
      request(error);
    },
    drain() {
      if (stopping.signal.aborted) return;
      log.info({}, "an operator has asked this process to drain");
      request("SIGTERM");
    },
    endWith(opening) {
      database = opening;
    },
    closes(opened) {
      parts = opened;
    },
  };
}

async function closeOf(database: Promise<Closable> | undefined): Promise<void> {
  await (await database?.catch(() => undefined))?.close().catch(() => undefined);
}
