// What needs attention in the account, or in the whole service. Counted beside the navigation, listed on Home.

import type { Finding, OperatorFinding } from "@tandem/sdk";
import { queryOptions } from "@tanstack/react-query";
import { client, operator } from "./client.ts";
import type { Session } from "./session.ts";

const EVERY_MS = 30_000;

export const attentionQuery = (kind: Session["kind"]) =>
  queryOptions({
    queryKey: ["attention", kind],
    queryFn: async ({ signal }): Promise<readonly (Finding | OperatorFinding)[]> => {
      const { oversight } = kind === "Operator" ? operator : client;
      return (await oversight.attention({ signal })).data.items;
    },
    refetchInterval: EVERY_MS,
  });

/** Which entry of the navigation a finding belongs to, by its cause. */
export const NOUN_OF_CAUSE: Readonly<Record<Finding["cause"], string>> = {
  SubscriptionOff: "Webhook",
  DeliveriesFailing: "Webhook",
  DeliveriesFailed: "Webhook",
  NumbersNotActive: "Phone",
  PortException: "PortOrder",
  PortsWaiting: "PortOrder",
  CampaignNotActive: "Campaign",
  CampaignsUnassigned: "Campaign",
  RecordingsFailed: "Call",
  MessagesFailed: "Message",
  FeaturesRequested: "FeatureRequest",
  LinkDown: "Link",
  LinkStopped: "Link",
  TrunkDown: "Link",
  TrunkStopped: "Link",
  ReconcileFailed: "Reconcile",
};
