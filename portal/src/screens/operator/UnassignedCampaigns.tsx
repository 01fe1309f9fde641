// Campaigns of the registry whose account is not known: an operator assigns them.

import type { UnassignedCampaign } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Section } from "../../components/page.tsx";
import { useAction } from "../../components/use-action.ts";
import { AccountChoice, useIsAdmin } from "./operator-parts.tsx";

const unassignedQuery = itemsQuery(["campaigns", "unassigned"], (options) => operator.campaigns.unassigned(options));

/** Renders nothing if every campaign has an account. */
export function UnassignedCampaigns() {
  const query = useQuery(unassignedQuery);
  const { data } = query;
  if (query.error && !data) return <NotLoaded query={query} what="Unassigned campaigns did not load" />;
  if (!data || data.length === 0) return null;
  return (
    <Section title="Whose are these?" count={data.length}>
      <ul className="operator-rows">
        {data.map((campaign) => (
          <Unassigned key={campaign.tcrCampaignId} campaign={campaign} />
        ))}
      </ul>
    </Section>
  );
}

function Unassigned({
  campaign: { tcrCampaignId, name, standing, namedBy },
}: {
  readonly campaign: UnassignedCampaign;
}) {
  const isAdmin = useIsAdmin();
  const [account, setAccount] = useState(namedBy[0] ?? "");
  const assign = useAction({
    run: () => operator.campaigns.assign(tcrCampaignId, { accountSid: account }),
    nouns: ["campaigns", "migrations"],
    done: () => `${tcrCampaignId} is assigned.`,
    failed: "Not assigned.",
  });
  return (
    <li>
      <b className="mono strong">{tcrCampaignId}</b>
      <span className="mid">
        {name ?? "no name"}, {standing}
      </span>
      {isAdmin && (
        <span className="row">
          <AccountChoice value={account} onChange={setAccount} none="Choose the account" />
          <Button busy={assign.isPending} disabled={account === ""} onClick={() => assign.start()}>
            Assign it
          </Button>
        </span>
      )}
    </li>
  );
}
