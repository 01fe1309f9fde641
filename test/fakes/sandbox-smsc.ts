// SMSCs and ESMEs for tests, all ended after each.

import { afterEach, vi } from "vitest";
import type { Log } from "../../src/base/log.ts";
import { Smsc, type SmscOptions } from "../../src/sandbox/smsc/smsc.ts";
import { Esme, type EsmeOptions } from "./esme.ts";

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** As patient as it must be never to matter. */
export const NEVER_MS = 3_600_000;

/** From here on time passes only by `vi.advanceTimersByTime`; sockets go on. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
}

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** Receipts follow at once unless told. */
export async function startSmsc(options: Partial<SmscOptions> = {}): Promise<Smsc> {
  const basics = { host: "127.0.0.1", port: 0, log: silentLog, receiptDelayMs: 0, redeliverMs: 1 };
  const smsc = await Smsc.listen({ ...basics, ...options });
  open.push(smsc);
  return smsc;
}

export async function bindTo({ port }: Pick<Smsc, "port">, options: Partial<EsmeOptions> = {}): Promise<Esme> {
  const esme = await Esme.bind({ port, ...options });
  open.push(esme);
  return esme;
}
