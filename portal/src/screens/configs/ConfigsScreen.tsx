// MessagingConfigs: what the account's numbers send under, and what keywords are answered with.

import type { MessagingConfig } from "@tandem/sdk";
import { client } from "../../api/client.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Empty, PageHead } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { usePlace } from "../../components/place.ts";
import { Sid } from "../../components/sid.tsx";
import { type Column, Table } from "../../components/table.tsx";

const COLUMNS: readonly Column<MessagingConfig>[] = [
  { id: "name", head: "Name", cell: ({ name }) => name, phone: "first", grow: true },
  {
    id: "campaign",
    head: "Campaign",
    cell: ({ tcrCampaignId }) => tcrCampaignId ?? <span className="dim">none</span>,
    phone: "first-right",
  },
  { id: "times", head: "Sends", cell: timesOf, phone: "second" },
  { id: "keywords", head: "Further keywords", cell: keywordsOf, phone: "hidden" },
  { id: "sid", head: "Sid", cell: ({ sid }) => <Sid value={sid} />, phone: "hidden" },
];

function timesOf({ sendingTimes: times }: MessagingConfig) {
  if (times === null) return <span className="dim">at any time</span>;
  return `${times.days.join(", ")} ${times.from} to ${times.to}`;
}

function keywordsOf({ optOutKeywords, optInKeywords, helpKeywords }: MessagingConfig) {
  return [...optOutKeywords, ...optInKeywords, ...helpKeywords].join(", ");
}

export function ConfigsScreen() {
  usePlace([{ label: "MessagingConfigs" }]);
  const pages = usePages(["configs", "list"], (options) => client.messagingConfigs.list(options));
  return (
    <>
      <PageHead
        title="MessagingConfigs"
        sub="How numbers send: campaign, times, replies and keywords"
        buttons={
          <ButtonLink to="/configs/new" kind="primary" icon="number">
            Make one
          </ButtonLink>
        }
      />
      <div className="list-box">
        <Table
          {...pages}
          label="MessagingConfigs"
          columns={COLUMNS}
          keyOf={({ sid }) => sid}
          pageOf={({ sid }) => `/configs/${sid}`}
          empty={<Empty what="No MessagingConfigs yet" why="A number needs one before it can send." />}
        />
      </div>
    </>
  );
}
