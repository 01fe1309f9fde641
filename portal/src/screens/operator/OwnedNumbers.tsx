// The numbers of an account, and why one is not Active.

import { PHONE_STATUSES, type Phone } from "@tandem/sdk";
import { operator } from "../../api/client.ts";
import { ButtonLink } from "../../components/button.tsx";
import { NoneSuch } from "../../components/none-such.tsx";
import { Empty } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useStatusFilter, useTextFilter } from "./operator-parts.tsx";

const COLUMNS: readonly Column<Phone>[] = [
  { id: "number", head: "Number", cell: ({ number }) => <PhoneNumber value={number} />, phone: "first" },
  { id: "status", head: "Status", cell: ({ status }) => <Status kind="number" value={status} />, phone: "first-right" },
  { id: "features", head: "Can", cell: ({ features }) => features.join(", "), phone: "second-right" },
  {
    id: "why",
    head: "Name, or why it is not Active",
    cell: ({ name, statusReason }) => statusReason ?? name,
    grow: true,
    phone: "second",
  },
  { id: "since", head: "Since", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, align: "right" },
];

export function OwnedNumbers({ accountSid }: { readonly accountSid: string }) {
  const [status, statusField] = useStatusFilter(PHONE_STATUSES);
  const [number, numberField] = useTextFilter("Number", "number");
  const digits = number.replace(/\D/g, "");
  const pages = usePages(
    ["phones", "owned", accountSid, status],
    (options) => operator.account(accountSid).phones.list({ ...options, ...(status && { status }) }),
    { keepsRows: true },
  );
  return (
    <div className="operator-short">
      <div className="list-filter">
        {statusField}
        {numberField}
      </div>
      <Table
        {...pages}
        rows={pages.rows.filter((phone) => phone.number.includes(digits))}
        label="Numbers of the account"
        columns={COLUMNS}
        keyOf={({ number }) => number}
        empty={
          <NoneSuch what="No such numbers" filters={["status", "number"]}>
            <Empty what="It has no numbers" why="It takes them from the inventory, where you can give it one, too.">
              <ButtonLink to="/operator/inventory" small>
                Open the inventory
              </ButtonLink>
            </Empty>
          </NoneSuch>
        }
      />
    </div>
  );
}
