// Attaches a campaign to the MessagingConfig of a number that has none: by hand, where no name matched.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { configsQuery } from "../../api/account-queries.ts";
import { client } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Form, SelectField } from "../../components/form.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";

const CAMPAIGNS_MAX = 1000;

const campaignsQuery = itemsQuery(["campaigns", "of-numbers"], (options) =>
  client.campaigns.list({ pageSize: CAMPAIGNS_MAX, ...options }),
);

export function LinkCampaign({ configSid }: { readonly configSid: string }) {
  const config = useQuery(configsQuery).data?.find(({ sid }) => sid === configSid);
  const campaigns = useQuery(campaignsQuery);
  const [chosen, setChosen] = useState("");
  const link = useAction({
    run: () => client.campaigns.change(chosen, { messagingConfigSid: configSid }),
    nouns: ["campaigns", "configs", "phones", "migrations"],
    done: () => "Linked.",
  });
  const free = (campaigns.data ?? []).filter(({ messagingConfigSid }) => messagingConfigSid === null);
  if (!config || config.tcrCampaignId !== null || free.length === 0) return null;
  return (
    <Form className="number-form" onSubmit={link.start}>
      <SelectField
        label="Campaign"
        hint={`${config.name} is linked to none. Every number of it sends under the one that you choose.`}
        value={chosen}
        onChange={setChosen}
        options={[
          ["", "Choose one"],
          ...free.map(({ tcrCampaignId: id, name }) => [id, name ? `${id}, ${name}` : id] as const),
        ]}
      />
      {link.error && <Problem what="Not linked" error={link.error} />}
      <Button type="submit" busy={link.isPending} disabled={chosen === ""}>
        Link it
      </Button>
    </Form>
  );
}
