// Sends the replies that receivers of inbound messages request in their answers.

import { takeFromLimit } from "../../adapters/http/core/run-operation.ts";
import type { Lookups } from "../../adapters/http/routes/lookup/lookup.ts";
import { RecipientGuards } from "../../adapters/store/messaging/recipient-guard.ts";
import { senderDirectory } from "../../adapters/store/messaging/sender-directory.ts";
import { readReplies } from "../../adapters/twilio/read-replies.ts";
import { limitOf } from "../../domain/accounts/index.ts";
import { callingCodeOf, parseNumber } from "../../domain/lookup/index.ts";
import { sendReplies } from "../../domain/messaging/index.ts";
import type { ReplySender } from "../../domain/webhooks/index.ts";
import type { Context } from "../running/part.ts";
import { carrierFinder, countryOf } from "./messaging.ts";

export function replySender({ store, clock, limits, checkUrl }: Context, lookups: Lookups): ReplySender {
  const recipientGuards = new RecipientGuards(limits, clock);
  const deps = {
    senders: senderDirectory(store.db, { ...store, countryOf, callingCodeOf }),
    carriers: carrierFinder(lookups),
    readNumber: parseNumber,
    checkUrl,
    readReplies,
    transaction: store.transaction,
    findAccount: (sid: string) => store.accounts.find(sid),
    recipientsOf: (account: Parameters<typeof limitOf>[0]) =>
      recipientGuards.under(limitOf(account, "sendToRecipient")),
    takeFromLimit: async (account: Parameters<typeof takeFromLimit>[1]) =>
      takeFromLimit({ limits }, account, "send", 1, { limitHeaders: null }),
    now: () => clock.now(),
  };
  return (answered) => sendReplies(deps, answered);
}
