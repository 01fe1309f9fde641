// An account requests a feature; the operator grants or declines it.

import type { Ids } from "../../base/ids.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { Account, Feature } from "./account.ts";
import type { AccountStore, FeatureRequest, FeatureRequestStore } from "./ports.ts";

export interface FeatureDeps {
  readonly accounts: AccountStore;
  readonly featureRequests: FeatureRequestStore;
  readonly ids: Ids;
  readonly now: Date;
}

/** Requesting the same feature twice makes one request. */
export async function requestFeature(
  deps: FeatureDeps,
  account: Account,
  feature: Feature,
): Promise<Result<FeatureRequest, Problem>> {
  const locked = await deps.accounts.findLocked(account.sid);
  if (locked?.features.includes(feature)) return refused(problem("conflict", `${feature} is switched on already.`));
  const open = await deps.featureRequests.findOpen(account.sid, feature);
  if (open) return ok(open);
  const request: FeatureRequest = {
    sid: deps.ids.sid("FR"),
    accountSid: account.sid,
    feature,
    status: "Open",
    createdOn: deps.now,
    decidedOn: null,
  };
  await deps.featureRequests.insert(request);
  return ok(request);
}

export async function decideFeatureRequest(
  deps: Omit<FeatureDeps, "ids">,
  sid: string,
  decision: "Granted" | "Declined",
): Promise<Result<FeatureRequest, Problem>> {
  const request = await deps.featureRequests.find(sid);
  if (!request) return refused(problem("not-found"));
  if (!(await deps.featureRequests.decide(sid, decision, deps.now))) {
    return refused(problem("conflict", `The request was ${request.status.toLowerCase()} already.`));
  }
  if (decision === "Granted") {
    const account = await deps.accounts.findLocked(request.accountSid);
    if (account && !account.features.includes(request.feature)) {
      await deps.accounts.change(account.sid, { features: [...account.features, request.feature] });
    }
  }
  return ok({ ...request, status: decision, decidedOn: deps.now });
}
