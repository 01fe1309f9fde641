// Port orders of all accounts: which ones wait for us?

import { type OwnedPortOrder, PORT_ORDER_STATUSES } from "@tandem/sdk";
import { operator } from "../../api/client.ts";
import { AccountLink } from "../../components/account-link.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { NoneSuch } from "../../components/none-such.tsx";
import { Empty } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useStatusFilter } from "./operator-parts.tsx";

const COLUMNS: readonly Column<OwnedPortOrder>[] = [
  { id: "sid", head: "Order", cell: ({ sid }) => <Sid value={sid} />, phone: "second-right" },
  {
    id: "status",
    head: "Status",
    cell: ({ status }) => <Status kind="portOrder" value={status} />,
    phone: "first-right",
  },
  { id: "account", head: "Account", cell: ({ accountSid }) => <AccountLink sid={accountSid} />, phone: "first" },
  { id: "numbers", head: "Numbers", cell: ({ numbers }) => <NumbersOf numbers={numbers} />, phone: "second" },
  { id: "from", head: "From", cell: ({ losingCarrier }) => losingCarrier },
  { id: "why", head: "Reason", cell: ({ reason }) => reason, grow: true },
  { id: "since", head: "Since", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, align: "right" },
];

function NumbersOf({ numbers }: Pick<OwnedPortOrder, "numbers">) {
  const [first] = numbers;
  return (
    <>
      {first && <PhoneNumber value={first.number} />} {numbers.length > 1 && `and ${numbers.length - 1} more`}
    </>
  );
}

export function PortOrdersScreen() {
  usePlace([{ label: "Port orders" }]);
  const [status, statusField] = useStatusFilter(PORT_ORDER_STATUSES);
  const pages = usePages(["ports", "owned", status], (options) =>
    operator.portOrders.list({ ...options, ...(status && { status }) }),
  );
  return (
    <ListPage title="Port orders" sub="Numbers on their way here from other carriers" filter={statusField}>
      <Table
        {...pages}
        label="Port orders"
        columns={COLUMNS}
        keyOf={({ sid }) => sid}
        pageOf={({ sid }) => `/operator/ports/${sid}`}
        empty={
          <NoneSuch what={`No order is ${status}`} filters={["status"]}>
            <Empty
              what="No port orders"
              why="Accounts place them as they move numbers here: with a campaign, or by POST /v1/Phones/port-in."
            />
          </NoneSuch>
        }
      />
    </ListPage>
  );
}
