// The outcome of a request, by its id, as an account or an operator sees it.

import { type OwnedRequestOutcome, type RequestOutcome, TandemError } from "@tandem/sdk";
import { queryOptions } from "@tanstack/react-query";
import { client, operator } from "../api/client.ts";
import type { Session } from "../api/session.ts";

export type Outcome = RequestOutcome | OwnedRequestOutcome;
export type Made = Outcome["made"][number];
export type Refused = Outcome["refused"][number];

/** Null if no request has that id. Operators may search within an account. */
export const outcomeQuery = (kind: Session["kind"], id: string, accountSid: string | undefined) =>
  queryOptions({
    queryKey: ["requests", "one", kind, accountSid, id],
    queryFn: async ({ signal }): Promise<Outcome | null> => {
      const owned = accountSid === undefined ? operator.requests : operator.account(accountSid).requests;
      try {
        return (await (kind === "Operator" ? owned : client.requests).get(id, { signal })).data;
      } catch (error) {
        if (error instanceof TandemError && error.status === 404) return null;
        throw error;
      }
    },
  });

/** The account of a record, where the response includes it. */
export const ownerOf = (record: Made | Refused): string | null => ("accountSid" in record ? record.accountSid : null);

/** The page of what a request created, for an account. */
const PAGES: Partial<Record<Made["kind"], string>> = {
  Message: "/messages/",
  Call: "/calls/",
  Subscription: "/webhooks/",
};

/** Below the account, for an operator. */
const TABS: Partial<Record<Made["kind"], string>> = { Message: "?tab=messages&sel=", Call: "?tab=calls&sel=" };

export function pageOf({ kind, sid }: Made, accountSid: string | null): string | undefined {
  if (accountSid === null) return PAGES[kind] && `${PAGES[kind]}${sid}`;
  if (kind === "PortOrder") return `/operator/ports/${sid}`;
  const account = `/operator/accounts/${accountSid}`;
  return TABS[kind] ? `${account}${TABS[kind]}${sid}` : account;
}
