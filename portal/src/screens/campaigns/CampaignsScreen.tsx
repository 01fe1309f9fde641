// Campaigns: those that are here and those being moved, with who must act next; `?move=C…` begins a move.

import type { MessagingConfig, MigrationSummary, Phone, TcrCampaign } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { accountQuery, configsQuery } from "../../api/account-queries.ts";
import { ButtonLink } from "../../components/button.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { campaignsQuery, migrationsQuery, phonesQuery } from "./campaign-queries.ts";
import { MoveCampaign } from "./MoveCampaign.tsx";
import { waitingFor } from "./migration-steps.ts";
import "./campaigns.css";

export function CampaignsScreen() {
  const [{ move }] = useSearchState();
  return move === undefined ? <CampaignList /> : <MoveCampaign campaign={move === "new" ? "" : move} />;
}

/** A campaign that is here, being moved, or both. */
interface Row {
  readonly id: string;
  readonly campaign: TcrCampaign | undefined;
  readonly migration: MigrationSummary | undefined;
  readonly config: MessagingConfig | undefined;
  readonly numbers: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: "id", head: "Campaign", cell: ({ id }) => <CampaignLink id={id} />, phone: "first" },
  {
    id: "status",
    head: "Status",
    cell: ({ campaign }) =>
      campaign ? <Status kind="campaign" value={campaign.status} /> : <span className="dim">not here yet</span>,
    phone: "hidden",
  },
  {
    id: "move",
    head: "Move",
    cell: ({ migration }) => migration && <Status kind="migration" value={migration.status} />,
    phone: "first-right",
  },
  { id: "waits", head: "Waiting for", cell: ({ migration }) => migration && waitWords(migration), phone: "hidden" },
  {
    id: "config",
    head: "Config",
    cell: ({ config }) => config?.name ?? <span className="dim">none</span>,
    grow: true,
    phone: "second",
  },
  {
    id: "numbers",
    head: "Numbers",
    cell: ({ numbers }) => (numbers === 1 ? "1 number" : `${numbers} numbers`),
    align: "right",
    phone: "second-right",
  },
];

function CampaignLink({ id }: { readonly id: string }) {
  return (
    <Link to={`/migrations/${encodeURIComponent(id)}`} className="mono strong">
      {id}
    </Link>
  );
}

function waitWords(migration: MigrationSummary) {
  const parties = waitingFor(migration);
  return parties.length === 0 ? <span className="dim">done</span> : parties.join(", ");
}

function CampaignList() {
  usePlace([{ label: "Campaigns" }]);
  const campaigns = useQuery(campaignsQuery);
  const migrations = useQuery(migrationsQuery);
  const configs = useQuery(configsQuery);
  const phones = useQuery(phonesQuery);
  const cnpId = useQuery(accountQuery).data?.upstreamCnpId;
  const rows = useMemo(() => {
    const [here, moving, named, counted] = [campaigns.data, migrations.data, configs.data, phones.data];
    return here && moving && named && counted ? rowsOf(here, moving, named, counted) : [];
  }, [campaigns.data, migrations.data, configs.data, phones.data]);
  const sources = [campaigns, migrations, configs, phones];
  return (
    <ListPage
      title="Campaigns"
      sub={
        <>
          <span>10DLC campaigns and the numbers that send under them</span>
          {cnpId && (
            <span>
              our CNP id in the registry is <span className="mono strong">{cnpId}</span>
            </span>
          )}
        </>
      }
      buttons={
        <ButtonLink to="/campaigns?move=new" kind="primary" icon="campaign">
          Move a campaign here
        </ButtonLink>
      }
    >
      <Table
        label="Campaigns"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        pageOf={({ id }) => `/migrations/${encodeURIComponent(id)}`}
        source={{
          isPending: sources.some(({ isPending }) => isPending),
          error: sources.find(({ error }) => error)?.error,
          refetch: () => Promise.all(sources.map(({ refetch }) => refetch())),
        }}
        empty={<NoCampaigns />}
      />
    </ListPage>
  );
}

function NoCampaigns() {
  return (
    <Empty what="No campaigns yet" why="A campaign of the registry comes with its numbers while they are in use.">
      <CommandLine words="campaigns migrate CABC123 +13035550123 --dry-run" />
    </Empty>
  );
}

/** Campaigns that wait for an action come first. */
const ORDER = ["Blocked", "UnderWay", "Planned", "PartiallyCompleted", "Completed"];

function rowsOf(
  campaigns: readonly TcrCampaign[],
  migrations: readonly MigrationSummary[],
  configs: readonly MessagingConfig[],
  phones: readonly Phone[],
): readonly Row[] {
  const here = new Map(campaigns.map((campaign) => [campaign.tcrCampaignId, campaign]));
  const moving = new Map(migrations.map((migration) => [migration.tcrCampaignId, migration]));
  const named = new Map(configs.map((config) => [config.sid, config]));
  const counts = new Map<string, number>();
  for (const { messagingConfigSid: sid } of phones) if (sid !== null) counts.set(sid, (counts.get(sid) ?? 0) + 1);
  const rows = [...new Set([...moving.keys(), ...here.keys()])].map((id) => {
    const [campaign, migration] = [here.get(id), moving.get(id)];
    const sid = campaign?.messagingConfigSid ?? migration?.messagingConfigSid ?? "";
    return { id, campaign, migration, config: named.get(sid), numbers: counts.get(sid) ?? 0 };
  });
  const place = ({ migration }: Row) => ORDER.indexOf(migration?.status ?? "Completed");
  return rows.sort((one, other) => place(one) - place(other) || one.id.localeCompare(other.id));
}
