// Statistics: every process counts what has happened, one at a time, and removes counts that are too old.

import { type StatisticsDeps, statisticsOperations } from "../../adapters/http/routes/accounts/statistics.ts";
import { cutoff } from "../../adapters/store/engine/sweeps.ts";
import { foldStatistics, sweepStatistics } from "../../adapters/store/fold-statistics.ts";
import { STEP_MS } from "../../domain/statistics.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";

const FOLD_MS = 1_000;
const SWEEP_MS = 3_600_000;
/** Longer than the longest span of a question. */
const KEPT_DAYS = 400;

export const statisticsApi: Api<StatisticsDeps> = { account: statisticsOperations };

export function openStatistics({ store, clock }: Context): Part {
  return {
    name: "statistics",
    operations: servedApi(statisticsApi, { now: () => clock.now() }),
    tasks: [
      // By ids and transactions: no clock is asked.
      { name: "count statistics", everyMs: FOLD_MS, ignoresClock: true, run: () => foldStatistics(store.db) },
      {
        name: "sweep statistics",
        everyMs: SWEEP_MS,
        run: () => sweepStatistics(store.db, cutoff(clock.now(), KEPT_DAYS * STEP_MS.Day)),
      },
    ],
  };
}
