// The features that the account may use, and requests for the others.

import { FEATURES, type Feature, type OwnAccount } from "@tandem/sdk";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Mark } from "../../components/status.tsx";
import { useAction } from "../../components/use-action.ts";

const WORDS: Record<Feature, string> = {
  voice: "Calls and recordings",
  campaignMigration: "Moving campaigns with their numbers here",
};

export function Features({ account }: { readonly account: OwnAccount }) {
  const ask = useAction({
    run: (feature: Feature) => client.account.requestFeature(feature),
    done: ({ data }) => `Asked for ${data.feature}. The operator decides.`,
    failed: "Not asked for.",
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
            <Button small busy={ask.isPending && ask.variables === feature} onClick={() => ask.start(feature)}>
              Ask for it
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
