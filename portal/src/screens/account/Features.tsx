// The features that the account may use, and requests for the others.

import { FEATURES, type Feature, type OwnAccount } from "@tandem/sdk";
import { useMutation } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Mark } from "../../components/status.tsx";
import { toast } from "../../components/toast.tsx";

const WORDS: Record<Feature, string> = {
  voice: "Calls and recordings",
  campaignMigration: "Moving campaigns with their numbers here",
};

export function Features({ account }: { readonly account: OwnAccount }) {
  const ask = useMutation({
    mutationFn: (feature: Feature) => client.account.requestFeature(feature),
    onSuccess: ({ data }) => toast.done(`Asked for ${data.feature}. The operator decides.`),
    onError: (error) => toast.problem("Not asked for.", error),
  });
  return (
    <ul className="account-features">
      {FEATURES.map((feature) => (
        <li key={feature}>
          <span>
            {WORDS[feature]} <span className="mono dim">{feature}</span>
          </span>
          {account.features.includes(feature) ? (
            <Mark shape="active" tone="ok" word="On" />
          ) : (
            <Button small busy={ask.isPending && ask.variables === feature} onClick={() => ask.mutate(feature)}>
              Ask for it
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
