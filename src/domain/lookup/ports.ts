// What the lookup needs from outside.

import type { MaybePromise } from "../../base/maybe-promise.ts";
import type { LookupAnswer, LookupSource, MessagingStatus, PhoneType } from "./number-info.ts";

/** What the store knows of a number: an operator's override, our own number, or a cached live answer. */
export interface KnownAnswers {
  /** `cached` answers are returned with their age; the caller decides whether they are fresh enough. */
  find(number: string): MaybePromise<KnownAnswer | undefined>;
  remember(answer: LookupAnswer, expiresAt: Date): Promise<void>;
}

export interface KnownAnswer {
  readonly kind: "override" | "own" | "cached";
  readonly answer: LookupAnswer;
  /** Only `cached` answers expire. */
  readonly expiresAt?: Date;
}

/** Where carrier or type is absent, the numbering table's entry for `routingNumber` (an LRN) decides it. */
export type LiveFinding =
  | {
      readonly kind: "found";
      readonly carrierName?: string;
      readonly type?: PhoneType;
      readonly status?: MessagingStatus;
      /** E.164 with the leading plus. */
      readonly routingNumber?: string;
    }
  | { readonly kind: "notFound" };

/** An external source. An error or the signal's abort counts as a failure of the provider, never of the lookup. */
export interface LiveProvider {
  readonly name: string;
  readonly source: Extract<LookupSource, "enum" | "http" | "sip">;
  /** Calling codes served, without the plus; empty means all. */
  readonly callingCodes: readonly string[];
  readonly deadlineMs: number;
  readonly concurrencyMax: number;
  /** How long a finding and a "not found" are cached. */
  readonly cacheSeconds: number;
  readonly negativeCacheSeconds: number;
  ask(number: string, signal: AbortSignal): Promise<LiveFinding>;
}

/** Asks SIP redirect servers about a number. */
export interface RedirectServers {
  /**
   * The server's final answer. Rejects when none arrives within `waitMs` or before the signal's abort, and when the
   * server rings or answers the call, which is then ended immediately.
   */
  ask(question: RedirectQuestion, signal: AbortSignal): Promise<RedirectAnswer>;
}

export interface RedirectQuestion {
  /** `host`, `host:port` or `[v6]:port`. */
  readonly server: string;
  readonly transport: "udp" | "tcp" | "tls";
  /** The user part of the URI that is called. */
  readonly user: string;
  readonly waitMs: number;
}

export interface RedirectAnswer {
  readonly status: number;
  /** The URIs of its Contacts, those with the highest q first. */
  readonly contacts: readonly string[];
}

/** The holder of the block of a number, by the embedded table. */
export interface BlockHolder {
  readonly carrierName: string;
  /** `undefined`: the table does not know the line type there; the numbering plan decides. */
  readonly lineType: PhoneType | "Pager" | undefined;
  readonly asOf: Date;
}

/** The areas in which numbers are given out. */
export interface Places {
  placeOf(number: string): string | undefined;
}

export interface NumberingTable {
  /** The date of the newest source. */
  readonly asOf: Date;
  holderOf(number: string): BlockHolder | undefined;
}
