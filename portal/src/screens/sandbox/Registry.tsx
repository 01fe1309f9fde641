// Acts as the registry: the owner of a campaign migrates it to us, with a chosen outcome.

import { MIGRATION_OUTCOMES, type MigrationOutcome } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Form, TextField } from "../../components/form.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Section } from "../../components/page.tsx";
import { Status } from "../../components/status.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import { MIGRATION_WORDS } from "./behaviours.ts";
import { OutcomeField } from "./OutcomeField.tsx";

export function Registry() {
  const [tcrCampaignId, setId] = useState("CABC123");
  const [outcome, setOutcome] = useState<MigrationOutcome>("accept");
  const migrating = useAction({
    run: () => client.sandbox.migrateCampaign({ tcrCampaignId, outcome }),
    nouns: ["migrations", "campaigns"],
    done: () => `${tcrCampaignId} migrates: ${MIGRATION_WORDS[outcome]}`,
  });
  return (
    <Section title="Registry" aside="a campaign comes to you">
      {migrating.error && <Problem what="Not migrated" error={migrating.error} />}
      <Form className="sandbox-switch" onSubmit={migrating.start}>
        <TextField
          label="Campaign"
          hint="Made where the registry does not know it."
          className="mono"
          value={tcrCampaignId}
          onChange={setId}
        />
        <OutcomeField outcomes={MIGRATION_OUTCOMES} words={MIGRATION_WORDS} value={outcome} onChange={setOutcome} />
        <Button type="submit" busy={migrating.isPending} disabled={tcrCampaignId === ""}>
          Migrate
        </Button>
      </Form>
      <Migrations />
    </Section>
  );
}

const migrationsQuery = itemsQuery(["migrations", "sandbox"], (options) =>
  client.migrations.list({ pageSize: 5, ...options }),
);

function Migrations() {
  const query = useQuery(migrationsQuery);
  if (!query.data) return <NotLoaded query={query} what="The migrations did not load" rows={1} />;
  return (
    <ul className="sandbox-rows">
      {query.data.map(({ tcrCampaignId, status }) => (
        <li key={tcrCampaignId}>
          <Link className="link mono" to={`/migrations/${tcrCampaignId}`}>
            {tcrCampaignId}
          </Link>
          <Status kind="migration" value={status} />
        </li>
      ))}
    </ul>
  );
}
