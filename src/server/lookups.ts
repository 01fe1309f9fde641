// The lookup with everything it needs: table, store, guarded providers, metrics.

import { makeProvider } from "../adapters/directory/provider-config.ts";
import type { Lookups } from "../adapters/http/routes/lookup/lookup.ts";
import type { Metrics } from "../adapters/metrics.ts";
import { loadNumberingTable } from "../adapters/numbering-file.ts";
import { knownAnswers } from "../adapters/store/lookup/known-answers.ts";
import type { OpenStore } from "../adapters/store/store.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import {
  guardProvider,
  type LookupDeps,
  type LookupFault,
  lookUpNumber,
  lookUpNumbers,
  newAnswerCache,
} from "../domain/lookup/index.ts";
import type { Config } from "./config.ts";

const RECENT_MAX = 50_000;
const FAILURES_MAX = 5;
const COOL_DOWN_MS = 10_000;

export interface LookupPart {
  readonly lookups: Lookups;
  readonly tableAsOf: Date;
  readonly providerNames: readonly string[];
  close(): Promise<void>;
}

export function openLookups(
  deps: { readonly store: OpenStore; readonly clock: Clock; readonly log: Log; readonly metrics: Metrics },
  config: Config,
  numberingFile: string,
): LookupPart {
  const { clock, log, metrics, store } = deps;
  const table = loadNumberingTable(numberingFile);
  const providers = config.file.lookup.providers.map((provider) => makeProvider(provider, { secret: config.secret }));
  const lookupDeps: LookupDeps = {
    clock,
    table,
    known: knownAnswers(store.db, {
      ownCarrierName: config.settings.TANDEM_CARRIER_NAME,
      mayKnow: (number) => store.numbers.mayKnow(number),
      hasProviders: providers.length > 0,
    }),
    providers: providers.map((provider) =>
      guardProvider(provider, { clock, failuresMax: FAILURES_MAX, coolDownMs: COOL_DOWN_MS }),
    ),
    recent: newAnswerCache(RECENT_MAX),
    onFault: (fault) => reportFault(fault, log, metrics),
  };
  return {
    lookups: {
      async one(number) {
        const answer = await lookUpNumber(lookupDeps, number);
        if (answer.ok) metrics.lookup(answer.value.source);
        return answer;
      },
      async many(numbers) {
        const items = await lookUpNumbers(lookupDeps, numbers);
        return items.map((item) => {
          if (item.kind === "refused") return { number: item.number, error: item.error };
          metrics.lookup(item.answer.source);
          return item.answer;
        });
      },
    },
    tableAsOf: table.asOf,
    providerNames: providers.map((provider) => provider.name),
    async close() {
      await Promise.all(providers.map((provider) => provider.close()));
    },
  };
}

function reportFault(fault: LookupFault, log: Log, metrics: Metrics): void {
  if (fault.kind === "provider") {
    metrics.providerFailed(fault.provider, fault.why);
    log.debug({ provider: fault.provider, why: fault.why, detail: fault.detail }, "lookup provider gave no answer");
  } else {
    log.warn({ action: fault.action, err: fault.error }, "lookup went on without the store");
  }
}
