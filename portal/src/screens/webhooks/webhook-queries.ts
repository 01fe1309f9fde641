// The queries of the webhook screens, and the health of a subscription, by its latest deliveries. The stream has no
// events for deliveries: their lists are polled while they are shown.

import type { WebhookDelivery, WebhookSubscription } from "@tandem/sdk";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { dataQuery, itemsQuery } from "../../api/queries.ts";
import { tableOf } from "../../components/lookup-table.ts";

const LISTS_EVERY_MS = 5000;
const PENDING_EVERY_MS = 2000;
const RECENT = 200;

export const subscriptionsQuery = {
  ...itemsQuery(["webhooks", "list"], (options) => client.webhooks.list({ pageSize: 200, ...options })),
  refetchInterval: LISTS_EVERY_MS,
};

export const subscriptionQuery = (sid: string) => ({
  ...dataQuery(["webhooks", "one", sid], (options) => client.webhooks.get(sid, options)),
  refetchInterval: LISTS_EVERY_MS,
});

/** The latest deliveries of all subscriptions, from which their health is derived. */
export const recentQuery = {
  ...itemsQuery(["webhooks", "recent"], (options) => client.deliveries.list({ pageSize: RECENT, ...options })),
  refetchInterval: LISTS_EVERY_MS,
};

/**
 * How many deliveries of a subscription wait or were given up. 0 while none of them was attempted: they are just being
 * sent.
 */
export const waitingQuery = (subscriptionSid: string) =>
  queryOptions({
    queryKey: ["webhooks", "waiting", subscriptionSid],
    queryFn: async ({ signal }) => {
      const filter = { subscriptionSid, pageSize: 100, signal };
      const [pending, failed] = await Promise.all([
        client.deliveries.list({ ...filter, status: "Pending" }),
        client.deliveries.list({ ...filter, status: "Failed" }),
      ]);
      const items = [...pending.data.items, ...failed.data.items];
      const hasMore = [pending, failed].some(({ data }) => data.searchId !== undefined);
      return { count: items.some(({ attempts }) => attempts.length > 0) ? items.length : 0, hasMore };
    },
    refetchInterval: LISTS_EVERY_MS,
  });

export const deliveryQuery = (sid: string) =>
  queryOptions({
    queryKey: ["webhooks", "delivery", sid],
    queryFn: async ({ signal }) => (await client.deliveries.get(sid, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.status === "Pending" ? PENDING_EVERY_MS : false),
  });

export type HealthWord = "fine" | "failing" | "off" | "switchedOff" | "quiet";

export interface Health {
  readonly word: HealthWord;
  /** Deliveries that wait for their next try. */
  readonly waiting: number;
  readonly last: WebhookDelivery | undefined;
}

/** `deliveries` are the newest first, of any subscription. */
export function healthOf(subscription: WebhookSubscription, deliveries: readonly WebhookDelivery[]): Health {
  const own = deliveries.filter(({ subscriptionSid }) => subscriptionSid === subscription.sid);
  const tried = own.filter(({ attempts }) => attempts.length > 0);
  const waiting = tried.filter(({ status }) => status === "Pending").length;
  const last = tried[0];
  if (!subscription.enabled)
    return { word: subscription.disabledReason === null ? "off" : "switchedOff", waiting, last };
  if (last === undefined) return { word: subscription.lastSuccessOn === null ? "quiet" : "fine", waiting, last };
  return { word: last.status === "Delivered" ? "fine" : "failing", waiting, last };
}

/** "503", "connection refused": the outcome of a delivery's last attempt. */
export function answerOf(delivery: WebhookDelivery | undefined): string | undefined {
  const last = delivery?.attempts.findLast(({ status }) => status !== null) ?? delivery?.attempts.at(-1);
  return last && attemptWord(last);
}

const FAILURES = tableOf({
  connect: "refused",
  dns: "no address",
  tls: "TLS failed",
  timeout: "no answer",
  reset: "cut off",
  "refused-address": "not allowed",
  "too-large": "too long",
  protocol: "no HTTP",
  "bad-url": "bad URL",
});

export function attemptWord({ status, failure }: WebhookDelivery["attempts"][number]): string {
  if (status !== null) return String(status);
  return FAILURES.get(/^[a-z-]+/.exec(failure ?? "")?.[0] ?? "") ?? "failed";
}

/** The host of a URL, which is enough to recognize it. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
