// The texts that an account received, for support, and beside the list the webhook deliveries of one.

import type { InboundMessage } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import { dataQuery, itemsQuery } from "../../api/queries.ts";
import { Drawer } from "../../components/drawer.tsx";
import { NoneSuch } from "../../components/none-such.tsx";
import { Loaded } from "../../components/not-loaded.tsx";
import { Empty, Split } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { Sid } from "../../components/sid.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { Attempts } from "./Attempts.tsx";
import { useSelection, useTrafficFilter } from "./operator-parts.tsx";

const COLUMNS: readonly Column<InboundMessage>[] = [
  { id: "at", head: "Received", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
  { id: "from", head: "From", cell: ({ from }) => <PhoneNumber value={from} />, phone: "first" },
  { id: "to", head: "To", cell: ({ to }) => <PhoneNumber value={to} />, phone: "first-right" },
  { id: "text", head: "Text", cell: ({ text }) => <span className="cut">{text}</span>, grow: true, phone: "second" },
  { id: "sid", head: "Sid", cell: ({ sid }) => <Sid value={sid} /> },
];

export function OwnedReceived({ accountSid }: { readonly accountSid: string }) {
  const { inbound } = operator.account(accountSid).messages;
  const [filters, fields] = useTrafficFilter();
  const { close, table } = useSelection<InboundMessage>([], ({ sid }) => sid);
  const pages = usePages(
    ["messages", "ownedInbound", accountSid, filters],
    (options) => inbound.list({ ...options, ...filters }),
    { keepsRows: true },
  );
  const drawer = table.selected && <Told accountSid={accountSid} sid={table.selected} onClose={close} />;
  return (
    <Split drawer={drawer}>
      <div className="operator-page">
        <div className="list-filter">{fields}</div>
        <div className="list-box operator-short">
          <Table
            {...pages}
            {...table}
            label="Received texts of the account"
            columns={COLUMNS}
            empty={
              <NoneSuch what="No such texts" filters={["from", "to", "since", "until"]}>
                <Empty what="No texts yet" why="Texts that people send to the account's numbers show here." />
              </NoneSuch>
            }
          />
        </div>
      </div>
    </Split>
  );
}

const TOLD_MAX = 20;

interface ToldProps {
  readonly accountSid: string;
  readonly sid: string;
  readonly onClose: () => void;
}

function Told({ accountSid, sid, onClose }: ToldProps) {
  const { messages, deliveries } = operator.account(accountSid);
  const text = useQuery(dataQuery(["messages", "ownedOne", sid], (options) => messages.inbound.get(sid, options)));
  const told = useQuery(
    itemsQuery(["messages", "ownedTold", sid], (options) =>
      deliveries.list({ resourceSid: sid, pageSize: TOLD_MAX, ...options }),
    ),
  );
  return (
    <Drawer label="Received text" title="Received text" sub={<Sid value={sid} full />} onClose={onClose}>
      <Loaded query={text} what="The text did not load">
        {(message) => <p className="operator-block">{message.text}</p>}
      </Loaded>
      <Loaded query={told} what="Who was told of it did not load">
        {(deliveries) =>
          deliveries.length === 0 ? (
            <Empty what="Nobody was told" why="No webhook of the account is subscribed to received texts." />
          ) : (
            deliveries.map((delivery) => <Attempts key={delivery.sid} delivery={delivery} />)
          )
        }
      </Loaded>
    </Drawer>
  );
}
