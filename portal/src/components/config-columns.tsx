// The columns of lists of MessagingConfigs, for the account and for operators.

import type { MessagingConfig } from "@tandem/sdk";
import { Sid } from "./sid.tsx";
import type { Column } from "./table.tsx";

export const CONFIG_COLUMNS: readonly Column<MessagingConfig>[] = [
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

export function timesOf({ sendingTimes: times }: MessagingConfig) {
  if (times === null) return <span className="dim">at any time</span>;
  return `${times.days.join(", ")} ${times.from} to ${times.to}`;
}

export function keywordsOf({ optOutKeywords, optInKeywords, helpKeywords }: MessagingConfig) {
  return [...optOutKeywords, ...optInKeywords, ...helpKeywords].join(", ");
}
