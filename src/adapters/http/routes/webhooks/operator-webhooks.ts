// The operator's view of the subscriptions of all accounts: which were switched off, and why.

import { z } from "zod";
import type { Subscription } from "../../../../domain/webhooks/index.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import { answerPage } from "../../core/outcomes.ts";
import { listOf, listQuery, pageRequestOf, text } from "../../core/schemas.ts";
import { SUBSCRIPTIONS, showSubscription, subscriptionSchema } from "./webhooks.ts";

const owned = z
  .strictObject({ ...subscriptionSchema.shape, accountSid: z.string() })
  .meta({ id: "OwnedWebhookSubscription" });

const show = (subscription: Subscription) => ({
  ...showSubscription(subscription),
  accountSid: subscription.accountSid,
});

export const operatorWebhookOperations = tagged("Operator", [
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
    summary: "List subscriptions of all accounts",
    description:
      "`Enabled=false` with a `disabledReason`: switched off by a 410 or by five days of nothing but failures.",
    route: "GET /Webhooks",
    query: listQuery({ AccountSid: text(64).optional(), Enabled: z.boolean().optional() }),
    answers: { 200: { description: "A page of subscriptions.", body: listOf("OwnedWebhookList", owned) } },
    async handle({ query }, unit) {
      const filter = { accountSid: query.AccountSid, enabled: query.Enabled };
      return answerPage(await unit.subscriptions.list(filter, pageRequestOf(query)), show);
    },
  }),
]);
