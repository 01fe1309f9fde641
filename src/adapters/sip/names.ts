// DNS lookups for SIP: NAPTR and SRV records, and addresses.

import type { NaptrRecord, SrvRecord } from "node:dns";
import { Resolver } from "node:dns/promises";
import { type ResolveName, resolveName } from "../guard/resolve-name.ts";

export interface SipNames {
  /** Empty: the name has no such records. Undefined: no server said so. */
  naptr(name: string, signal: AbortSignal): Promise<readonly NaptrRecord[] | undefined>;
  srv(name: string, signal: AbortSignal): Promise<readonly SrvRecord[] | undefined>;
  /** Throws with the reason when there is none. */
  readonly addresses: ResolveName;
}

const TIMEOUT_MS = 400;
const TRIES = 2;
/** Codes for a name without such records. */
const NONE = new Set(["ENOTFOUND", "ENODATA"]);

export const systemNames: SipNames = {
  naptr: (name, signal) => ask(signal, (resolver) => resolver.resolveNaptr(name)),
  srv: (name, signal) => ask(signal, (resolver) => resolver.resolveSrv(name)),
  addresses: resolveName,
};

/** One resolver for each query, so that it can be cancelled alone. */
async function ask<Record>(
  signal: AbortSignal,
  question: (resolver: Resolver) => Promise<Record[]>,
): Promise<readonly Record[] | undefined> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const cancel = () => resolver.cancel();
  if (signal.aborted) return undefined;
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await question(resolver);
  } catch (error) {
    return NONE.has(String((error as NodeJS.ErrnoException).code)) ? [] : undefined;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
