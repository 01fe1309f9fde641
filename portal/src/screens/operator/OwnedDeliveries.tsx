// The webhook deliveries of an account, for support, and beside the list the attempts of one.

import { DELIVERY_STATUSES, EVENT_TYPES, type WebhookDelivery } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { Drawer } from "../../components/drawer.tsx";
import { NoneSuch } from "../../components/none-such.tsx";
import { Loaded } from "../../components/not-loaded.tsx";
import { Empty, Split } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { Attempts } from "./Attempts.tsx";
import { useChoiceFilter, useSelection, useStatusFilter, useTextFilter, useTimeFilter } from "./operator-parts.tsx";

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { id: "at", head: "Told", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
  {
    id: "status",
    head: "Status",
    cell: ({ status }) => <Status kind="delivery" value={status} />,
    phone: "first-right",
  },
  { id: "type", head: "Event", cell: ({ type }) => type, phone: "first" },
  { id: "of", head: "Of", cell: ({ resourceSid }) => <Sid value={resourceSid} />, phone: "second" },
  { id: "answer", head: "Last answer", cell: lastAnswerOf, grow: true },
  { id: "sid", head: "Sid", cell: ({ sid }) => <Sid value={sid} /> },
];

function lastAnswerOf({ attempts }: WebhookDelivery) {
  const last = attempts.at(-1);
  return last && `${last.status ?? last.failure} in ${last.ms} ms`;
}

export function OwnedDeliveries({ accountSid }: { readonly accountSid: string }) {
  const { deliveries } = operator.account(accountSid);
  const [status, statusField] = useStatusFilter(DELIVERY_STATUSES);
  const [type, typeField] = useChoiceFilter("Event", "type", EVENT_TYPES);
  const [webhook, webhookField] = useTextFilter("Webhook", "webhook");
  const [times, timeFields] = useTimeFilter();
  const filters = {
    ...times,
    ...(status && { status }),
    ...(type && { type }),
    ...(webhook && { subscriptionSid: webhook }),
  };
  const { close, table } = useSelection<WebhookDelivery>([], ({ sid }) => sid);
  const pages = usePages(
    ["webhooks", "owned", accountSid, filters],
    (options) => deliveries.list({ ...options, ...filters }),
    { keepsRows: true },
  );
  const drawer = table.selected && <OneDelivery accountSid={accountSid} sid={table.selected} onClose={close} />;
  return (
    <Split drawer={drawer}>
      <div className="operator-page">
        <div className="list-filter">
          {statusField}
          {typeField}
          {webhookField}
          {timeFields}
        </div>
        <div className="list-box operator-short">
          <Table
            {...pages}
            {...table}
            label="Deliveries of the account"
            columns={COLUMNS}
            empty={
              <NoneSuch what="No such deliveries" filters={["status", "type", "webhook", "since", "until"]}>
                <Empty
                  what="No deliveries yet"
                  why="What the account's webhooks are told shows here, with each attempt."
                />
              </NoneSuch>
            }
          />
        </div>
      </div>
    </Split>
  );
}

interface OneDeliveryProps {
  readonly accountSid: string;
  readonly sid: string;
  readonly onClose: () => void;
}

function OneDelivery({ accountSid, sid, onClose }: OneDeliveryProps) {
  const { deliveries } = operator.account(accountSid);
  const delivery = useQuery(dataQuery(["webhooks", "ownedOne", sid], (options) => deliveries.get(sid, options)));
  return (
    <Drawer label="Delivery" title="Delivery" sub={<Sid value={sid} full />} onClose={onClose}>
      <Loaded query={delivery} what="The delivery did not load">
        {(loaded) => <Attempts delivery={loaded} />}
      </Loaded>
    </Drawer>
  );
}
