// Where an operator clears a finding, or sees who has to.

import type { AnyFinding, FindingPage } from "../../components/findings.tsx";
import { tableOf } from "../../components/lookup-table.ts";

/** The screens of what each reconcile brings up to date. */
const RECONCILED = tableOf<string>({
  "import-campaigns": "/operator/campaigns",
  "activate-numbers": "/operator/accounts",
  "follow-ports": "/operator/ports",
  "remove-recordings": "/operator/recordings",
});

export function pageOf(finding: AnyFinding): FindingPage {
  const { cause, resource } = finding;
  const accountSid = "accountSid" in finding ? finding.accountSid : null;
  const id = resource?.id ?? "";
  const inAccount = (search: string, verb: string) =>
    accountSid === null
      ? { to: "/operator/accounts", verb: "See the accounts" }
      : { to: `/operator/accounts/${accountSid}?${search}`, verb };
  switch (cause) {
    case "SubscriptionOff":
    case "DeliveriesFailed":
      return inAccount("tab=deliveries&status=Failed", "See what failed");
    case "DeliveriesFailing":
      return inAccount("tab=deliveries&status=Pending", "See the answers");
    case "NumbersNotActive":
      return inAccount("tab=numbers", "See its numbers");
    case "MessagesFailed":
      return inAccount(`tab=messages&sel=${id}`, "Read why");
    case "PortException":
    case "PortsWaiting":
      return id === ""
        ? { to: "/operator/ports", verb: "Open the orders" }
        : { to: `/operator/ports/${id}`, verb: "Open the order" };
    case "CampaignNotActive":
    case "CampaignsUnassigned":
      return { to: `/operator/campaigns?sel=${id}`, verb: "Open the campaign" };
    case "RecordingsFailed":
      return { to: "/operator/recordings", verb: "See the recordings" };
    case "FeaturesRequested":
      return { to: "/operator/accounts", verb: "Decide" };
    case "LinkDown":
    case "LinkStopped":
      return { to: `/operator/links?sel=link+${id}`, verb: "See the link" };
    case "TrunkDown":
    case "TrunkStopped":
      return { to: `/operator/links?sel=trunk+${id}`, verb: "See the trunk" };
    case "ReconcileFailed":
      return { to: RECONCILED.get(id) ?? "/log", verb: "See what it is about" };
  }
}
