// Refused requests: stored in batches independently of the requests, deleted when they are old, and searched. And the
// searches of accounts and operators, which also find what requests made.

import type { RefusalLog } from "../../adapters/http/core/refusal-log.ts";
import { accountSearchOperations } from "../../adapters/http/routes/operations/account-search.ts";
import { type SearchDeps, searchOperations } from "../../adapters/http/routes/operations/operator-search.ts";
import { operatorRequestOperations, requestOperations } from "../../adapters/http/routes/requests/requests.ts";
import { sweepRefusedRequests } from "../../adapters/store/accounts/refused-requests.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";

export const requestsApi: Api<SearchDeps> = {
  account: [...requestOperations, ...accountSearchOperations],
  operator: [...operatorRequestOperations, ...searchOperations],
};

const KEEP_MS = 1_000;
const SWEEP_MS = 60_000;

export function openRequests({ store, clock, log, metrics }: Context, refusals: RefusalLog): Part {
  const keep = async () => {
    try {
      await refusals.flush((requests) => store.refusedRequests.keep(requests));
    } finally {
      metrics.refusalsDropped(refusals.takeDropped());
    }
  };
  return {
    name: "requests",
    operations: servedApi(requestsApi, { countries: () => store.directory.countries() }),
    tasks: [
      { name: "keep refused requests", everyMs: KEEP_MS, ignoresClock: true, run: keep },
      { name: "sweep refused requests", everyMs: SWEEP_MS, run: () => sweepRefusedRequests(store.db, clock.now()) },
    ],
    close: () => keep().catch((error: Error) => log.warn({ reason: error.message }, "refused requests not kept")),
  };
}
