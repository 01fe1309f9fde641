// Looks a number up: operator's override → our own number → fresh cached answer → live providers → embedded table.
//
// Guarantees: a possible number is always answered; a provider delays the answer by its own deadline at most; when the
// store fails, overrides and cached answers are missing, but the lookup is answered. The store is asked before the
// cache of this process, so that an override just set by any process takes effect immediately.

import { type ParsedNumber, parseNumber } from "../../../rules/numbers/parse-number.ts";
import type { Reading } from "../../../rules/reading.ts";
import type { Clock } from "../../base/clock.ts";
import { andThen, type MaybePromise } from "../../base/maybe-promise.ts";
import { ok } from "../../base/result.ts";
import type { AnswerCache, CachedAnswer } from "./answer-cache.ts";
import { decideByFinding, decideByTable, type Found, type Placed } from "./decide.ts";
import type { GuardedProvider, Unavailable } from "./guarded-provider.ts";
import type { LookupAnswer } from "./number-info.ts";
import type { KnownAnswer, KnownAnswers, NumberingTable } from "./ports.ts";

const STALE_MS_MAX = 7 * 24 * 3600 * 1000;

export interface LookupDeps {
  readonly clock: Clock;
  readonly known: KnownAnswers;
  readonly table: NumberingTable;
  /** Asked in this order, each only for the calling codes it serves. */
  readonly providers: readonly GuardedProvider[];
  readonly recent: AnswerCache;
  /** Reports failures of the store and of providers to logs and metrics. Must not throw. */
  readonly onFault: (fault: LookupFault) => void;
}

export type LookupFault =
  | { readonly kind: "store"; readonly action: "find" | "remember"; readonly error: unknown }
  | { readonly kind: "provider"; readonly provider: string; readonly why: Unavailable["why"]; readonly detail: string };

export function lookUpNumber(deps: LookupDeps, input: string): MaybePromise<Reading<LookupAnswer>> {
  const parsed = parseNumber(input);
  return parsed.ok ? andThen(answerFor(deps, parsed.value), ok) : parsed;
}

/** Synchronous where neither the store nor a provider has to be asked. */
export function answerFor(deps: LookupDeps, number: ParsedNumber): MaybePromise<LookupAnswer> {
  return andThen(findKnown(deps, number.e164), (known) => answerWith(deps, number, known));
}

function answerWith(
  deps: LookupDeps,
  number: ParsedNumber,
  known: KnownAnswer | undefined,
): MaybePromise<LookupAnswer> {
  if (known && known.kind !== "cached") return known.answer;
  const remembered = newest(known, deps.providers.length > 0 ? deps.recent.find(number.e164) : undefined);
  if (remembered?.expiresAt && remembered.expiresAt > deps.clock.now()) return remembered.answer;

  const own: Placed = { number, holder: deps.table.holderOf(number.e164) };
  if (deps.providers.length === 0) return byTable(deps, own);
  const serving = deps.providers.filter((provider) => serves(provider, number.callingCode));
  if (serving.length === 0) return byTable(deps, own);
  return askProviders(deps, own, serving, remembered?.answer);
}

function findKnown(deps: LookupDeps, number: string): MaybePromise<KnownAnswer | undefined> {
  const known = deps.known.find(number);
  if (!(known instanceof Promise)) return known;
  return known.catch((error: unknown) => {
    deps.onFault({ kind: "store", action: "find", error });
    return undefined;
  });
}

async function askProviders(
  deps: LookupDeps,
  own: Placed,
  serving: readonly GuardedProvider[],
  stale: LookupAnswer | undefined,
): Promise<LookupAnswer> {
  let everyoneAnswered = true;
  for (const provider of serving) {
    const finding = await provider.ask(own.number.e164);
    if (finding.kind === "found") {
      const answer = byFinding(deps, own, provider, finding);
      remember(deps, answer, provider.cacheSeconds);
      return answer;
    }
    if (finding.kind === "unavailable") {
      everyoneAnswered = false;
      const { why, detail } = finding;
      deps.onFault({ kind: "provider", provider: provider.name, why, detail });
    }
  }
  const table = byTable(deps, own);
  if (everyoneAnswered) {
    remember(deps, table, Math.min(...serving.map((provider) => provider.negativeCacheSeconds)));
    return table;
  }
  return stale && isWorthKeeping(stale, deps.clock.now()) ? stale : table;
}

/** An expired finding of a provider beats the table, which does not know ported numbers, unless it is too old. */
function isWorthKeeping(stale: LookupAnswer, now: Date): boolean {
  return stale.source !== "table" && now.getTime() - stale.asOf.getTime() < STALE_MS_MAX;
}

function byTable(deps: LookupDeps, own: Placed): LookupAnswer {
  return { info: decideByTable(own), source: "table", asOf: own.holder?.asOf ?? deps.table.asOf };
}

function byFinding(deps: LookupDeps, own: Placed, provider: GuardedProvider, found: Found): LookupAnswer {
  const info = decideByFinding(
    own,
    found,
    found.routingNumber === undefined ? undefined : place(deps, found.routingNumber),
  );
  const ported = isPorted(own, provider, found);
  return { info, source: provider.source, asOf: deps.clock.now(), ...(ported === undefined ? {} : { ported }) };
}

/** RFC 4694 4: `npdi` alone means that the database was queried and has no routing number. */
function isPorted({ number }: Placed, { source }: GuardedProvider, found: Found): boolean | undefined {
  if (found.routingNumber !== undefined) return found.routingNumber !== number.e164;
  return source !== "http" && found.carrierName === undefined ? false : undefined;
}

function place(deps: LookupDeps, routingNumber: string): Placed | undefined {
  const parsed = parseNumber(routingNumber);
  if (!parsed.ok) return undefined;
  return { number: parsed.value, holder: deps.table.holderOf(parsed.value.e164) };
}

/** Not awaited: the lookup does not need its result, and a lost entry only costs another query. */
function remember(deps: LookupDeps, answer: LookupAnswer, seconds: number): void {
  if (!(seconds > 0)) return;
  const expiresAt = new Date(deps.clock.now().getTime() + seconds * 1000);
  deps.recent.keep({ answer, expiresAt });
  writeDown(deps, answer, expiresAt).catch((error: unknown) =>
    deps.onFault({ kind: "store", action: "remember", error }),
  );
}

async function writeDown(deps: LookupDeps, answer: LookupAnswer, expiresAt: Date): Promise<void> {
  await deps.known.remember(answer, expiresAt);
}

function newest(
  known: KnownAnswer | undefined,
  recent: CachedAnswer | undefined,
): Omit<KnownAnswer, "kind"> | undefined {
  if (!known?.expiresAt) return recent;
  return recent && recent.expiresAt > known.expiresAt ? recent : known;
}

function serves(provider: GuardedProvider, callingCode: string): boolean {
  return provider.callingCodes.length === 0 || provider.callingCodes.includes(callingCode);
}
