// Acts as the registry: the owner of a campaign migrates it to us, with a chosen outcome.

import { MIGRATION_OUTCOMES, type MigrationOutcome } from "@tandem/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Section } from "../../components/page.tsx";
import { Status } from "../../components/status.tsx";
import { toast } from "../../components/toast.tsx";
import { Problem } from "../../components/verdict.tsx";
import { MIGRATION_WORDS } from "./behaviours.ts";
import { OutcomeField } from "./OutcomeField.tsx";

export function Registry() {
  const [tcrCampaignId, setId] = useState("CABC123");
  const [outcome, setOutcome] = useState<MigrationOutcome>("accept");
  const migrating = useMutation({
    mutationFn: () => client.sandbox.migrateCampaign({ tcrCampaignId, outcome }),
    onSuccess: () => {
      toast.done(`${tcrCampaignId} migrates: ${MIGRATION_WORDS[outcome]}`);
      for (const noun of ["migrations", "campaigns"]) void queries.invalidateQueries({ queryKey: [noun] });
    },
  });
  const migrate = (event: FormEvent) => {
    event.preventDefault();
    migrating.mutate();
  };
  return (
    <Section title="Registry" aside="a campaign comes to you">
      {migrating.error && <Problem what="Not migrated" error={migrating.error} />}
      <form className="sandbox-switch" onSubmit={migrate}>
        <Field label="Campaign" hint="Made where the registry does not know it.">
          {(given) => (
            <Input {...given} className="mono" value={tcrCampaignId} onChange={(event) => setId(event.target.value)} />
          )}
        </Field>
        <OutcomeField
          outcomes={MIGRATION_OUTCOMES}
          words={MIGRATION_WORDS}
          value={outcome}
          onChange={(value) => setOutcome(value)}
        />
        <Button type="submit" busy={migrating.isPending} disabled={tcrCampaignId === ""}>
          Migrate
        </Button>
      </form>
      <Migrations />
    </Section>
  );
}

function Migrations() {
  const query = useQuery({
    queryKey: ["migrations", "sandbox"],
    queryFn: async ({ signal }) => (await client.migrations.list({ pageSize: 5, signal })).data.items,
  });
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
