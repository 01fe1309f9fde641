// Port orders of all accounts: which ones wait for us?

import { type OwnedPortOrder, PORT_ORDER_STATUSES, type PortOrderStatus } from "@tandem/sdk";
import { useNavigate } from "@tanstack/react-router";
import { operator } from "../../api/client.ts";
import { AccountLink } from "../../components/account-link.tsx";
import { Empty, PageHead } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { Choice, usePages } from "./operator-parts.tsx";

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
  const navigate = useNavigate();
  const [{ status }, change] = useSearchState();
  const known = PORT_ORDER_STATUSES.find((each) => each === status);
  const { rows, source, onEnd } = usePages(["ports", "owned", known], (options) =>
    operator.portOrders.list({ ...options, ...(known && { status: known }) }),
  );
  return (
    <div className="operator-page">
      <PageHead title="Port orders" sub="Numbers on their way here from other carriers" />
      <div className="operator-filter">
        <Choice<PortOrderStatus>
          label="Status"
          none="All"
          values={PORT_ORDER_STATUSES}
          value={known ?? ""}
          onChange={(next) => change({ status: next || undefined })}
        />
      </div>
      <div className="operator-list">
        <Table
          label="Port orders"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ sid }) => sid}
          onOpen={({ sid }) => void navigate({ to: `/operator/ports/${sid}` })}
          source={source}
          empty={
            <Empty
              what={known ? `No order is ${known}` : "No port orders"}
              why={known ? "Choose another status." : "Accounts place them as they move numbers here."}
            />
          }
          onEnd={onEnd}
        />
      </div>
    </div>
  );
}
