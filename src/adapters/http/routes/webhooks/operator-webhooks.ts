// The operator's view of the subscriptions of all accounts: which were switched off, and why.

import { z } from "zod";
import { ok } from "../../../../base/result.ts";
import type { Subscription } from "../../../../domain/webhooks/index.ts";
import { type Operation, operatorOperation } from "../../core/operation.ts";
import { listBody, listOf, listQuery, pageRequestOf, text } from "../../core/schemas.ts";
import { SUBSCRIPTIONS, showSubscription, subscriptionSchema } from "./webhooks.ts";

const owned = z
  .strictObject({ ...subscriptionSchema.shape, accountSid: z.string() })
  .meta({ id: "OwnedWebhookSubscription" });

const show = (subscription: Subscription) => ({
  ...showSubscription(subscription),
  accountSid: subscription.accountSid,
});

export function operatorWebhookOperations(): readonly Operation[] {
  return [
    operatorOperation({
      id: "listAllWebhooks",
      sdk: "webhooks.list",
      command: {
        name: "operator webhooks list",
        about: "List the subscriptions of all accounts; --enabled no finds those that were switched off, and why.",
        options: {
          "--account <sid>": ["AccountSid", "of this account"],
          "--enabled <answer>": ["Enabled", "yes or no", { kind: "yesOrNo" }],
        },
        shows: SUBSCRIPTIONS,
      },
      tag: "Operator",
      summary: "List subscriptions of all accounts",
      description:
        "`Enabled=false` with a `disabledReason`: switched off by a 410 or by five days of nothing but failures.",
      method: "GET",
      path: "/Webhooks",
      writes: false,
      query: listQuery({ AccountSid: text(64).optional(), Enabled: z.boolean().optional() }),
      answers: { 200: { description: "A page of subscriptions.", body: listOf("OwnedWebhookList", owned) } },
      refusals: [],
      async handle({ query }, unit) {
        const filter = { accountSid: query.AccountSid, enabled: query.Enabled };
        return ok({ status: 200, body: listBody(await unit.subscriptions.list(filter, pageRequestOf(query)), show) });
      },
    }),
  ];
}
