// DNS lookups for SIP: NAPTR and SRV records, and addresses.

import type { NaptrRecord, SrvRecord } from "node:dns";
import { Resolver } from "node:dns/promises";
import { type ResolveName, resolveName } from "../guard/resolve-name.ts";

/** A name without such records, or a server that does not answer, gives an empty list. */
export interface SipNames {
  naptr(name: string, signal: AbortSignal): Promise<readonly NaptrRecord[]>;
  srv(name: string, signal: AbortSignal): Promise<readonly SrvRecord[]>;
  addresses(name: string, signal: AbortSignal): ReturnType<ResolveName>;
}

const TIMEOUT_MS = 1000;
const TRIES = 2;

export const systemNames: SipNames = {
  naptr: (name, signal) => ask(signal, (resolver) => resolver.resolveNaptr(name)),
  srv: (name, signal) => ask(signal, (resolver) => resolver.resolveSrv(name)),
  addresses: (name, signal) => resolveName(name, signal).catch(() => []),
};

/** One resolver for each query, so that it can be cancelled alone. */
async function ask<Record>(
  signal: AbortSignal,
  question: (resolver: Resolver) => Promise<Record[]>,
): Promise<readonly Record[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const cancel = () => resolver.cancel();
  if (signal.aborted) return [];
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await question(resolver);
  } catch {
    return [];
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
