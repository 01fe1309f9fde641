// Carrier lookup: the numbering table, cached answers and live providers.

import { fileURLToPath } from "node:url";
import { makeProvider } from "../../adapters/directory/provider-config.ts";
import { type LookupRouteDeps, type Lookups, lookupOperations } from "../../adapters/http/routes/lookup/lookup.ts";
import { overrideOperations } from "../../adapters/http/routes/lookup/operator-overrides.ts";
import type { Metrics } from "../../adapters/metrics.ts";
import { loadNumberingTable, placesIn } from "../../adapters/numbering-file.ts";
import { SipRedirectServers } from "../../adapters/sip/redirect-servers.ts";
import { knownAnswers, sweepLookupCache } from "../../adapters/store/lookup/known-answers.ts";
import type { Log } from "../../base/log.ts";
import { andThen } from "../../base/maybe-promise.ts";
import { ok } from "../../base/result.ts";
import {
  answerFor,
  describeNumber,
  guardProvider,
  type LookupDeps,
  type LookupFault,
  lookUpNumber,
  lookUpNumbers,
  newAnswerCache,
  parseNumber,
} from "../../domain/lookup/index.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";

const SWEEP_MS = 60_000;
const RECENT_MAX = 50_000;
const FAILURES_MAX = 5;
const COOL_DOWN_MS = 10_000;

const BUILT_NUMBERING = fileURLToPath(new URL("./numbering.bin", import.meta.url));
const BUILT_PLACES = fileURLToPath(new URL("./places.bin", import.meta.url));

export const lookupApi: Api<LookupRouteDeps> = { lookup: lookupOperations, operator: overrideOperations };

export interface LookupPart extends Part {
  readonly lookups: Lookups;
  readonly tableAsOf: Date;
  readonly providerNames: readonly string[];
}

export function openLookup({ config, clock, log, metrics, store }: Context): LookupPart {
  const table = loadNumberingTable(config.settings.TANDEM_NUMBERING_FILE ?? BUILT_NUMBERING);
  const { lookup, sip } = config.file;
  const redirects = sip && new SipRedirectServers({ sources: sip.sourceAddresses, clock, log });
  const providers = lookup.providers.map((provider) => makeProvider(provider, { secret: config.secret, redirects }));
  const lookupDeps: LookupDeps = {
    clock,
    table,
    known: knownAnswers(store.db, {
      ownCarrierName: config.settings.TANDEM_CARRIER_NAME,
      mayKnow: (number) => store.numbers.mayHave(number),
      hasProviders: providers.length > 0,
    }),
    providers: providers.map((provider) =>
      guardProvider(provider, { clock, failuresMax: FAILURES_MAX, coolDownMs: COOL_DOWN_MS }),
    ),
    recent: newAnswerCache(RECENT_MAX),
    onFault: (fault) => reportFault(fault, log, metrics),
  };
  const places = placesIn(BUILT_PLACES);
  const lookups: Lookups = {
    async details(text) {
      const number = parseNumber(text);
      if (!number.ok) return number;
      const answer = await answerFor(lookupDeps, number.value);
      metrics.lookup(answer.source);
      return ok(describeNumber(places, number.value, answer, clock.now()));
    },
    one: (number) =>
      andThen(lookUpNumber(lookupDeps, number), (answer) => {
        if (answer.ok) metrics.lookup(answer.value.source);
        return answer;
      }),
    async many(numbers, country) {
      const items = await lookUpNumbers(lookupDeps, numbers, country);
      return items.map((item) => {
        if (item.kind === "refused") return { number: item.number, error: item.error };
        metrics.lookup(item.answer.source);
        return item.answer;
      });
    },
  };
  return {
    name: "lookup",
    operations: servedApi(lookupApi, { lookups }),
    tasks: [{ name: "sweep lookup cache", everyMs: SWEEP_MS, run: () => sweepLookupCache(store.db, clock.now()) }],
    lookups,
    tableAsOf: table.asOf,
    providerNames: providers.map((provider) => provider.name),
    async close() {
      await Promise.all(providers.map((provider) => provider.close()));
      await redirects?.close();
    },
  };
}

function reportFault(fault: LookupFault, log: Log, metrics: Metrics): void {
  if (fault.kind === "provider") {
    metrics.providerFailed(fault.provider, fault.why);
    log.debug({ provider: fault.provider, why: fault.why, detail: fault.detail }, "lookup provider gave no answer");
  } else {
    log.warn({ action: fault.action, err: fault.error }, "lookup continued without the database");
  }
}
