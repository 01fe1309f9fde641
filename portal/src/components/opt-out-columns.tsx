// The columns of lists of opt-outs, for the account and for operators.

import type { OptOut } from "@tandem/sdk";
import { PhoneNumber } from "./phone-number.tsx";
import type { Column } from "./table.tsx";
import { Time } from "./time.tsx";

export const OPT_OUT_COLUMNS: readonly Column<OptOut>[] = [
  { id: "at", head: "Since", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
  { id: "who", head: "Who", cell: ({ number }) => <PhoneNumber value={number} />, phone: "first" },
  {
    id: "scope",
    head: "Wants no texts from",
    cell: ({ scopeType, scope }) => (scopeType === "TcrCampaign" ? `campaign ${scope}` : <PhoneNumber value={scope} />),
    phone: "second",
  },
  {
    id: "keyword",
    head: "Wrote",
    cell: ({ keyword }) => keyword ?? <span className="dim">entered by hand</span>,
    grow: true,
  },
];

export const optOutKey = ({ number, scopeType, scope }: OptOut) => `${number} ${scopeType} ${scope}`;
