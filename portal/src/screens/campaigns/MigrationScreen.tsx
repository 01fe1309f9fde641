// One migration: who must act next? The steps on one line, what blocks it with the form that clears it, the history of
// every number, what was checked beforehand, and which config the campaign is linked to.

import type { Migration, MigrationPreflightFinding, PortOrder } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { configsQuery } from "../../api/account-queries.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { copyText } from "../../components/copy.ts";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { PageHead, Section } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { markOf, Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { AutoLink } from "./AutoLink.tsx";
import { Blockers } from "./Blockers.tsx";
import { migrationQuery, ordersQuery } from "./campaign-queries.ts";
import { MigrationNumbers } from "./MigrationNumbers.tsx";
import { MigrationRail } from "./MigrationRail.tsx";
import { configOf, waitingFor } from "./migration-steps.ts";
import { Preflight } from "./Preflight.tsx";
import { Stepper } from "./Stepper.tsx";
import "./campaigns.css";
import "./migration.css";

export function MigrationScreen() {
  const { campaign } = useRouteParams("/migrations/$campaign");
  const shown = <span className="mono">{campaign}</span>;
  usePlace([
    { label: "Campaigns", to: "/campaigns" },
    { label: campaign, shown, short: "Migration" },
  ]);
  const query = useQuery(migrationQuery(campaign));
  if (!query.data) return <NotLoaded query={query} what="The migration did not load" />;
  return <Page migration={query.data} />;
}

function Page({ migration }: { readonly migration: Migration }) {
  const ordered = useQuery(ordersQuery(migration));
  const configs = useQuery(configsQuery);
  const orders = ordered.data;
  if (!orders) return <NotLoaded query={ordered} what="The port orders did not load" />;
  return (
    <div className="with-rail migration">
      <div className="migration-main">
        <PageHead
          title={<Title migration={migration} />}
          sub={<Sub migration={migration} orders={orders} />}
          buttons={<Buttons migration={migration} />}
        />
        <Stepper migration={migration} />
        <Blockers migration={migration} orders={orders} />
        <MigrationNumbers migration={migration} orders={orders} />
        <Section
          title="Automatic link"
          aside={<span className="hide-phone">looks for the exact id anywhere in the names of unlinked configs</span>}
        >
          <AutoLink
            campaign={migration.tcrCampaignId}
            configs={configs.data ?? migration.messagingConfigs}
            hasCome={migration.campaign !== null}
          />
        </Section>
        <Section title="Checked beforehand" count={passedOf(migration.preflight)}>
          <Preflight findings={migration.preflight} />
        </Section>
      </div>
      <MigrationRail migration={migration} orders={orders} />
    </div>
  );
}

const passedOf = (findings: readonly MigrationPreflightFinding[]) =>
  `${findings.filter(({ passed }) => passed).length} of ${findings.length} passed`;

/** The config's name without the id, and the id. */
function Title({ migration }: { readonly migration: Migration }) {
  const id = migration.tcrCampaignId;
  const name = configOf(migration)?.name.replaceAll(id, "").trim() || "Migration";
  return (
    <>
      {name} <span className="mono migration-id">{id}</span>
    </>
  );
}

function Sub({ migration, orders }: { readonly migration: Migration; readonly orders: readonly PortOrder[] }) {
  const parties = waitingFor(migration);
  const { word } = markOf("migration", migration.status);
  const count = migration.numbers.length;
  const carrier = orders.find(({ losingCarrier }) => losingCarrier !== null)?.losingCarrier;
  const begun = migration.portOrders[0]?.createdOn;
  return (
    <>
      <Status
        kind="migration"
        value={migration.status}
        word={parties.length > 0 ? `${word}: waiting for ${parties.join(", ")}` : word}
      />
      {count > 0 && (
        <span>
          {count === 1 ? "1 number" : `${count} numbers`}
          {carrier && ` from ${carrier}`}
        </span>
      )}
      {begun && (
        <span>
          begun <Time at={begun} form="day" />
        </span>
      )}
    </>
  );
}

function Buttons({ migration }: { readonly migration: Migration }) {
  const isOrdered = migration.portOrders.length > 0 || migration.status === "Completed";
  return (
    <>
      {!isOrdered && (
        <ButtonLink to={`/campaigns?move=${migration.tcrCampaignId}`} kind="primary" icon="port">
          Order the numbers
        </ButtonLink>
      )}
      <Button onClick={() => void copyText(forSupport(migration), "What support needs was")}>Copy for support</Button>
    </>
  );
}

/** The facts that support would ask for. */
function forSupport(migration: Migration): string {
  const lines = [
    `Migration of ${migration.tcrCampaignId}: ${migration.status}`,
    `Config ${migration.messagingConfigSid ?? "none"}, registry ${migration.registry?.standing ?? "not seen"}`,
    ...migration.portOrders.map(({ sid, status, reason }) => `Port order ${sid}: ${status} ${reason ?? ""}`.trim()),
    ...migration.blockers.map(({ code, says, numbers }) => `${code}: ${says} ${numbers.join(" ")}`.trim()),
  ];
  return lines.join("\n");
}
