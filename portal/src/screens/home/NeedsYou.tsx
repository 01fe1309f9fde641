// What needs the account's attention, each with its page. The advice for failed messages is to read why; their button
// already says that.

import { type AnyFinding, type FindingPage, Findings } from "../../components/findings.tsx";

/** The page for a finding, by its resource. */
function pageOf({ resource, cause }: AnyFinding): FindingPage | undefined {
  switch (resource?.kind) {
    case "Subscription":
      return { to: `/webhooks/${resource.id}`, verb: "Inspect" };
    case "Number":
      return { to: `/numbers/${resource.id}`, verb: "See why" };
    case "Campaign":
      return { to: `/migrations/${resource.id}`, verb: "See the next step" };
    case "Call":
      return { to: `/calls/${resource.id}`, verb: "Open the call" };
    case "Message":
      return { to: `/messages/${resource.id}`, verb: "Read why" };
    case "PortOrder":
      return { to: "/numbers", verb: "Open the numbers" };
    default:
      return cause === "MessagesFailed" ? { to: "/messages?q=status:Failed", verb: "See them" } : undefined;
  }
}

const isAdvised = ({ cause }: AnyFinding) => cause !== "MessagesFailed";

export function NeedsYou({ findings }: { readonly findings: readonly AnyFinding[] }) {
  return <Findings findings={findings} pageOf={pageOf} isAdvised={isAdvised} />;
}
