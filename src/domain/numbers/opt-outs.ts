// Opt-outs: which numbers want no messages from a sender or a campaign. A repeated opt-out changes nothing.

import type { Optional } from "../../base/optional.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import type { NewEvent, Outbox } from "../events.ts";

export const SCOPE_TYPES = ["SenderPhoneNumber", "TcrCampaign"] as const;
export type ScopeType = (typeof SCOPE_TYPES)[number];

export interface OptOutScope {
  readonly scopeType: ScopeType;
  /** The sender's number in E.164, or the campaign's id. */
  readonly scope: string;
}

export interface OptOut extends OptOutScope {
  /** The number that opted out, in E.164. */
  readonly number: string;
  /** The keyword of the message; null when the account entered the opt-out. */
  readonly keyword: string | null;
  readonly createdOn: Date;
}

/** A scope that changed, with the config whose subscriptions get the event. */
export interface ChangedScope extends OptOutScope {
  readonly messagingConfigSid: string | null;
}

export interface OptOutOrder {
  readonly accountSid: string;
  readonly number: string;
  readonly scopes: readonly OptOutScope[];
  readonly keyword: string | null;
}

export interface OptOutStore {
  /** Returns the scopes that are new. */
  add(order: OptOutOrder, now: Date): Promise<readonly ChangedScope[]>;
  /** Returns the scopes that existed. */
  remove(order: OptOutOrder): Promise<readonly ChangedScope[]>;
  find(accountSid: string, number: string, scope: OptOutScope): Promise<OptOut | undefined>;
  list(accountSid: string, page: PageRequest, filter: OptOutFilter): Promise<Page<OptOut>>;
}

export type OptOutFilter = Optional<Pick<OptOut, "number" | "scopeType" | "scope">>;

export interface OptOutDeps {
  readonly optOuts: OptOutStore;
  readonly outbox: Outbox;
}

/** Returns the number of new scopes. */
export async function optOut(deps: OptOutDeps, order: OptOutOrder, now: Date): Promise<number> {
  return emitChanges(deps, order, "OptedOut", await deps.optOuts.add(order, now), now);
}

/** Returns the number of scopes removed. */
export async function optIn(deps: OptOutDeps, order: OptOutOrder, now: Date): Promise<number> {
  return emitChanges(deps, order, "OptedIn", await deps.optOuts.remove(order), now);
}

async function emitChanges(
  deps: OptOutDeps,
  { accountSid, number, keyword }: OptOutOrder,
  change: "OptedOut" | "OptedIn",
  changed: readonly ChangedScope[],
  now: Date,
): Promise<number> {
  const events = changed.map(
    ({ scopeType, scope, messagingConfigSid }): NewEvent<"OptOutChanged"> => ({
      accountSid,
      type: "OptOutChanged",
      resourceSid: number,
      ...(scopeType === "SenderPhoneNumber" ? { phone: scope } : {}),
      ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
      fields: { Number: number, ScopeType: scopeType, Scope: scope, Change: change, Keyword: keyword },
    }),
  );
  await deps.outbox.emit(events, now);
  return changed.length;
}
