// SMSCs and ESMEs for tests, all closed after each test.

import { vi } from "vitest";
import type { Log } from "../../src/base/log.ts";
import { Smsc, type SmscOptions } from "../../src/sandbox/smsc/smsc.ts";
import { afterThisTest } from "./closed-after.ts";
import { Esme, type EsmeOptions } from "./esme.ts";

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A timeout that no test reaches. */
export const NEVER_MS = 3_600_000;

/** From here on time passes only by `vi.advanceTimersByTime`; sockets still work. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
}

function closedInRealTime<Thing extends { close(): Promise<void> }>(thing: Thing): Thing {
  afterThisTest(() => {
    vi.useRealTimers();
    return thing.close();
  });
  return thing;
}

/** Receipts follow immediately unless set otherwise. */
export async function startSmsc(options: Partial<SmscOptions> = {}): Promise<Smsc> {
  const basics = { host: "127.0.0.1", port: 0, log: silentLog, receiptDelayMs: 0, redeliverMs: 1 };
  return closedInRealTime(await Smsc.listen({ ...basics, ...options }));
}

export async function bindTo({ port }: Pick<Smsc, "port">, options: Partial<EsmeOptions> = {}): Promise<Esme> {
  return closedInRealTime(await Esme.bind({ port, ...options }));
}
