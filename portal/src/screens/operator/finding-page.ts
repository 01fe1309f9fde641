// Where an operator clears a finding, or sees who has to: the list of just what the finding counts, with its filter
// set.

import type { AnyFinding, FindingPage } from "../../components/findings.tsx";
import { tableOf } from "../../components/lookup-table.ts";

/** The screens of what each reconcile brings up to date. */
const RECONCILED = tableOf<string>({
  "import-campaigns": "/operator/campaigns",
  "activate-numbers": "/operator/accounts",
  "follow-ports": "/operator/ports",
  "remove-recordings": "/operator/recordings",
  "delete-old-records": "/operator/accounts",
});

/** Else the processes that run it. */
export const pageOfReconcile = (name: string): string => RECONCILED.get(name) ?? "/operator/nodes";
export const pageOfWay = (id: string): string => `/operator/links?${new URLSearchParams({ sel: id })}`;

export function pageOf(finding: AnyFinding): FindingPage {
  const { cause, count, firstOn, resource } = finding;
  const accountSid = "accountSid" in finding ? finding.accountSid : null;
  const id = resource?.id ?? "";
  // What distinguishes findings of one cause: an error code, a status.
  const key = finding.id.split(":")[1] ?? "";
  const inAccount = (search: Readonly<Record<string, string>>, verb: string) =>
    accountSid === null
      ? { to: "/operator/accounts", verb: "See the accounts" }
      : { to: `/operator/accounts/${accountSid}?${new URLSearchParams(search)}`, verb };
  switch (cause) {
    case "SubscriptionOff":
    case "DeliveriesFailed":
      return inAccount({ tab: "deliveries", status: "Failed", webhook: id }, "See what failed");
    case "DeliveriesFailing":
      return inAccount({ tab: "deliveries", status: "Pending", webhook: id }, "See the answers");
    case "NumbersNotActive":
      return inAccount({ tab: "numbers", status: key }, "See its numbers");
    case "MessagesFailed": {
      const since: { since?: string } = firstOn === null ? {} : { since: firstOn };
      const found = { to: `/requests/${id}`, verb: "Find one of them" };
      const list = { tab: "messages", status: "Failed", error: key, ...since, sel: id };
      return accountSid === null ? found : inAccount(list, "Read why");
    }
    case "PortException":
      return { to: `/operator/ports/${id}`, verb: "Open the order" };
    case "PortsWaiting":
      return count === 1
        ? { to: `/operator/ports/${id}`, verb: "Open the order" }
        : { to: "/operator/ports", verb: "Open the orders" };
    case "CampaignNotActive":
      return { to: `/operator/campaigns?status=${key}&sel=${id}`, verb: "Open the campaign" };
    case "CampaignsUnassigned":
      return { to: `/operator/campaigns?sel=${id}`, verb: "Open the campaign" };
    case "RecordingsFailed":
      return { to: "/operator/recordings", verb: "See the recordings" };
    case "FeaturesRequested":
      return { to: "/operator/accounts", verb: "Decide" };
    case "LinkDown":
    case "LinkStopped":
      return { to: pageOfWay(`link ${id}`), verb: "See the link" };
    case "TrunkDown":
    case "TrunkStopped":
      return { to: pageOfWay(`trunk ${id}`), verb: "See the trunk" };
    case "ReconcileFailed":
      return { to: pageOfReconcile(id), verb: "See what it is about" };
  }
}
