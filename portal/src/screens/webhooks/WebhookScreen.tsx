// One subscription: its health, its actions, and its deliveries, filtered by the URL (`status:Failed
// type:CallRecordingCompleted since:2h`).

import { DELIVERY_STATUSES, EVENT_TYPES, type WebhookDelivery, type WebhookSubscription } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import {
  createdSince,
  type FilterField,
  type FilterTerm,
  nameOf,
  oneOf,
  SINCE_FIELD,
} from "../../components/filter.ts";
import { FilterBar } from "../../components/filter-bar.tsx";
import { Icon } from "../../components/icon.tsx";
import { Menu } from "../../components/menu.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, PageHead } from "../../components/page.tsx";
import { useFilteredPages } from "../../components/pages.ts";
import { usePlace } from "../../components/place.ts";
import { ShortSid, Sid } from "../../components/sid.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { useAction } from "../../components/use-action.ts";
import { Verdict } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";
import { DeliveryStatusMark } from "./DeliveryStatusMark.tsx";
import { Health } from "./Health.tsx";
import { ReplayAll } from "./ReplayAll.tsx";
import { Secret } from "./Secret.tsx";
import { verdictOn } from "./verdict-on.ts";
import { answerOf, healthOf, hostOf, subscriptionQuery } from "./webhook-queries.ts";
import "./webhooks.css";

const FIELDS: readonly FilterField[] = [oneOf("status", DELIVERY_STATUSES), oneOf("type", EVENT_TYPES), SINCE_FIELD];

function queryOf(terms: readonly FilterTerm[]) {
  const [status, type] = [nameOf(terms, "status", DELIVERY_STATUSES), nameOf(terms, "type", EVENT_TYPES)];
  return { ...(status && { status }), ...(type && { type }), ...createdSince(terms) };
}

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { id: "at", head: "Time", cell: ({ createdOn }) => <Time at={createdOn} form="clock" />, phone: "second-right" },
  {
    id: "type",
    head: "Event",
    cell: ({ sid, type }) => (
      <Link to={`/webhooks/deliveries/${sid}`} className="quiet-link">
        {type}
      </Link>
    ),
    phone: "first",
  },
  {
    id: "of",
    head: "Of",
    cell: ({ resourceSid, sequence }) => (
      <>
        <ShortSid value={resourceSid} /> <span className="dim">event {sequence}</span>
      </>
    ),
    phone: "second",
  },
  {
    id: "status",
    head: "Status",
    cell: (delivery) => <DeliveryStatusMark delivery={delivery} />,
    phone: "first-right",
  },
  { id: "answer", head: "Answer", cell: (delivery) => <span className="mono">{answerOf(delivery)}</span>, grow: true },
  { id: "tries", head: "Tries", cell: ({ attempts }) => attempts.length || "", align: "right" },
  {
    id: "ms",
    head: "Took",
    cell: ({ attempts }) => (attempts.length > 0 ? `${attempts.at(-1)?.ms} ms` : ""),
    align: "right",
  },
];

export function WebhookScreen() {
  const { sid = "" } = useParams({ strict: false }) as { readonly sid?: string };
  const query = useQuery(subscriptionQuery(sid));
  const { data: subscription } = query;
  const name = subscription ? hostOf(subscription.url) : `WS…${sid.slice(-6)}`;
  usePlace([
    { label: "Webhooks", to: "/webhooks" },
    { label: name, short: "Webhook" },
  ]);
  if (!subscription) return <NotLoaded query={query} what="The webhook did not load" />;
  return <SubscriptionPage subscription={subscription} />;
}

const LIST_EVERY_MS = 3000;

function SubscriptionPage({ subscription }: { readonly subscription: WebhookSubscription }) {
  const { filter, pages } = useFilteredPages({
    key: ["webhooks", "deliveries", subscription.sid],
    fields: FIELDS,
    page: (options, terms) =>
      client.deliveries.list({ subscriptionSid: subscription.sid, ...queryOf(terms), ...options }),
    textOf: (row) => `${row.sid} ${row.resourceSid} ${row.type} ${answerOf(row)}`,
    refetchInterval: LIST_EVERY_MS,
  });
  const { q } = filter;
  return (
    <section className="column webhooks-list" aria-label="What was delivered">
      <SubscriptionHead subscription={subscription} deliveries={pages.rows} />
      <FilterBar filter={filter} placeholder="status:failed  type:…  since:24h" />
      <Table
        {...pages}
        label="Deliveries"
        columns={COLUMNS}
        keyOf={({ sid }) => sid}
        pageOf={({ sid }) => `/webhooks/deliveries/${sid}`}
        empty={
          <Empty
            what={q === "" ? "Nothing delivered yet" : "No delivery is like that"}
            why={q === "" ? "Send a test to see what arrives." : undefined}
          />
        }
      />
    </section>
  );
}

interface HeadProps {
  readonly subscription: WebhookSubscription;
  readonly deliveries: readonly WebhookDelivery[];
}

function SubscriptionHead({ subscription, deliveries }: HeadProps) {
  const health = healthOf(subscription, deliveries);
  const verdict = health.word === "failing" && health.last ? verdictOn(health.last) : undefined;
  const { types, backupUrl, payloadShape, disabledReason } = subscription;
  return (
    <>
      <PageHead
        title={<span className="webhook-title">{subscription.url}</span>}
        sub={
          <>
            <Health health={health} />
            <span>{types.includes("*") ? "All events" : types.join(", ")}</span>
            <span>shape {payloadShape}</span>
            {backupUrl && (
              <span className="cut">
                backup <span className="mono">{backupUrl}</span>
              </span>
            )}
            <Sid value={subscription.sid} />
          </>
        }
        buttons={<Actions subscription={subscription} />}
      />
      {disabledReason && (
        <Verdict
          tone="bad"
          what="It was switched off"
          why={<Words text={disabledReason} />}
          advice="Mend the receiver, switch it on again, and replay what was missed."
        >
          <ReplayAll subscriptionSid={subscription.sid} />
        </Verdict>
      )}
      {verdict && (
        <Verdict tone="warn" {...verdict}>
          <ReplayAll subscriptionSid={subscription.sid} />
        </Verdict>
      )}
    </>
  );
}

function Actions({ subscription }: { readonly subscription: WebhookSubscription }) {
  const { sid, enabled } = subscription;
  const navigate = useNavigate();
  const [secret, setSecret] = useState<string>();
  const test = useAction({
    run: () => client.webhooks.test(sid),
    nouns: ["webhooks"],
    onDone: ({ data }) =>
      toast.done("Test sent", { verb: "See it", run: () => void navigate({ to: `/webhooks/deliveries/${data.sid}` }) }),
    failed: "No test sent.",
  });
  const turn = useAction({
    run: (isOn: boolean) => client.webhooks.change(sid, { enabled: isOn }),
    nouns: ["webhooks"],
    onDone: (_, isOn) =>
      toast.done(isOn ? "Switched on" : "Switched off", { verb: "Undo", run: () => turn.start(!isOn) }),
    failed: "Not changed.",
  });
  const rotate = useAction({
    run: () => client.webhooks.rotateSecret(sid),
    onDone: ({ data }) => setSecret(data.secret),
    failed: "No new secret.",
  });
  const remove = useAction({
    ask: () => ({
      question: "Delete this webhook?",
      cost: "What waits for it is canceled. Its deliveries can still be replayed to another address.",
      verb: "Delete webhook",
    }),
    run: async () => {
      await client.webhooks.remove(sid);
      await navigate({ to: "/webhooks" });
    },
    nouns: ["webhooks"],
    done: () => "Deleted",
    failed: "Not deleted.",
  });
  return (
    <>
      <Button kind="primary" icon="send" busy={test.isPending} disabled={!enabled} onClick={() => test.start()}>
        Send a test
      </Button>
      <Button busy={turn.isPending} onClick={() => turn.start(!enabled)}>
        {enabled ? "Switch off" : "Switch on"}
      </Button>
      <div className="menu-right">
        <Menu
          label="More"
          className="button button-quiet button-icon"
          items={[
            { id: "rotate", label: "Make a new secret", run: () => rotate.start() },
            { id: "delete", label: "Delete this webhook…", run: () => remove.start() },
          ]}
        >
          <Icon name="dots" />
          <span className="vh">More</span>
        </Menu>
      </div>
      {secret && <NewSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function NewSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog label="New secret" onClose={onClose}>
      <div className="webhook-dialog">
        <h2>New secret</h2>
        <p className="mid">For 24 hours webhooks are signed with the replaced one, too.</p>
        <Secret secret={secret}>
          <Button kind="primary" onClick={onClose}>
            I have kept it
          </Button>
        </Secret>
      </div>
    </Dialog>
  );
}
