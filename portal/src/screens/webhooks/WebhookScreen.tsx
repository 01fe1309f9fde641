// One subscription: its health, its actions, and its deliveries, filtered by the URL (`status:Failed
// type:CallRecordingCompleted since:2h`).

import { DELIVERY_STATUSES, EVENT_TYPES, type WebhookDelivery, type WebhookSubscription } from "@tandem/sdk";
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { confirm, Dialog } from "../../components/dialog.tsx";
import { type FilterField, type FilterTerm, parseFilter, sinceOf } from "../../components/filter.ts";
import { FilterBar } from "../../components/filter-bar.tsx";
import { Icon } from "../../components/icon.tsx";
import { Menu } from "../../components/menu.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, PageHead } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { ShortSid, Sid } from "../../components/sid.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { Verdict } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";
import { DeliveryStatusMark } from "./DeliveryStatusMark.tsx";
import { Health } from "./Health.tsx";
import { ReplayAll } from "./ReplayAll.tsx";
import { Secret } from "./Secret.tsx";
import { verdictOn } from "./verdict-on.ts";
import { answerOf, healthOf, hostOf, subscriptionQuery } from "./webhook-queries.ts";
import "./webhooks.css";

const known = <Name extends string>(names: readonly Name[], value: string | undefined) =>
  names.find((name) => name.toLowerCase() === value?.toLowerCase());

const FIELDS: readonly FilterField[] = [
  { name: "status", values: DELIVERY_STATUSES, isValid: (value) => known(DELIVERY_STATUSES, value) !== undefined },
  { name: "type", values: EVENT_TYPES, isValid: (value) => known(EVENT_TYPES, value) !== undefined },
  { name: "since", values: ["1h", "24h", "7d"], isValid: (value) => sinceOf(value, new Date()) !== undefined },
];

function queryOf(terms: readonly FilterTerm[]) {
  const valueFor = (name: string) => terms.find(({ field, isBad }) => field === name && !isBad)?.value;
  const [status, type] = [known(DELIVERY_STATUSES, valueFor("status")), known(EVENT_TYPES, valueFor("type"))];
  const since = valueFor("since");
  const sinceDate = since === undefined ? undefined : sinceOf(since, new Date());
  return {
    ...(status && { status }),
    ...(type && { type }),
    ...(sinceDate && { createdOnFrom: sinceDate.toISOString() }),
  };
}

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { id: "at", head: "Time", cell: ({ createdOn }) => <Time at={createdOn} form="clock" />, phone: "second-right" },
  {
    id: "type",
    head: "Event",
    cell: ({ sid, type }) => (
      <Link to={`/webhooks/deliveries/${sid}`} className="webhooks-url">
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
  const [{ q = "" }, change] = useSearchState();
  const navigate = useNavigate();
  const terms = parseFilter(q, FIELDS);
  const query = useInfiniteQuery({
    queryKey: ["webhooks", "deliveries", subscription.sid, q],
    queryFn: async ({ signal, pageParam }) => {
      const filter = { subscriptionSid: subscription.sid, ...queryOf(terms) };
      return (await client.deliveries.list({ ...filter, ...(pageParam && { searchId: pageParam }), signal })).data;
    },
    initialPageParam: "",
    getNextPageParam: ({ searchId }) => searchId,
    placeholderData: keepPreviousData,
    refetchInterval: LIST_EVERY_MS,
  });
  const words = terms.filter(({ field }) => field === undefined).map(({ value }) => value.toLowerCase());
  const rows = (query.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter((row) => {
      const said = `${row.sid} ${row.resourceSid} ${row.type} ${answerOf(row)}`.toLowerCase();
      return words.every((word) => said.includes(word));
    });
  return (
    <section className="webhooks-list" aria-label="What was delivered">
      <SubscriptionHead subscription={subscription} deliveries={rows} />
      <FilterBar
        fields={FIELDS}
        value={q}
        onChange={(next) => change({ q: next })}
        placeholder="status:failed  type:…  since:24h"
      />
      <Table
        label="Deliveries"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ sid }) => sid}
        onOpen={({ sid }) => void navigate({ to: `/webhooks/deliveries/${sid}` })}
        source={query}
        empty={
          <Empty
            what={q === "" ? "Nothing delivered yet" : "No delivery is like that"}
            why={q === "" ? "Send a test to see what arrives." : undefined}
          />
        }
        onEnd={() => query.hasNextPage && !query.isFetching && void query.fetchNextPage()}
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
        buttons={<Deeds subscription={subscription} />}
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

function Deeds({ subscription }: { readonly subscription: WebhookSubscription }) {
  const { sid, enabled } = subscription;
  const navigate = useNavigate();
  const [secret, setSecret] = useState<string>();
  const refresh = () => queries.invalidateQueries({ queryKey: ["webhooks"] });
  const test = useMutation({
    mutationFn: async () => (await client.webhooks.test(sid)).data,
    onSuccess: async (delivery) => {
      await refresh();
      toast.done("Test sent", {
        verb: "See it",
        run: () => void navigate({ to: `/webhooks/deliveries/${delivery.sid}` }),
      });
    },
    onError: (error) => toast.problem("No test sent.", error),
  });
  const turn = useMutation({
    mutationFn: (isOn: boolean) => client.webhooks.change(sid, { enabled: isOn }),
    onSuccess: async (_, isOn) => {
      await refresh();
      toast.done(isOn ? "Switched on" : "Switched off", { verb: "Undo", run: () => turn.mutate(!isOn) });
    },
    onError: (error) => toast.problem("Not changed.", error),
  });
  const rotate = useMutation({
    mutationFn: async () => (await client.webhooks.rotateSecret(sid)).data,
    onSuccess: (rotated) => setSecret(rotated.secret),
    onError: (error) => toast.problem("No new secret.", error),
  });
  const remove = useMutation({
    mutationFn: () => client.webhooks.remove(sid),
    onSuccess: async () => {
      await navigate({ to: "/webhooks" });
      await refresh();
      toast.done("Deleted");
    },
    onError: (error) => toast.problem("Not deleted.", error),
  });
  const askToRemove = async () => {
    const cost = "What waits for it is canceled. Its deliveries can still be replayed to another address.";
    if (await confirm({ question: "Delete this webhook?", cost, verb: "Delete webhook" })) remove.mutate();
  };
  return (
    <>
      <Button kind="primary" icon="send" busy={test.isPending} disabled={!enabled} onClick={() => test.mutate()}>
        Send a test
      </Button>
      <Button busy={turn.isPending} onClick={() => turn.mutate(!enabled)}>
        {enabled ? "Switch off" : "Switch on"}
      </Button>
      <div className="webhook-menu">
        <Menu
          label="More"
          className="button button-quiet button-icon"
          items={[
            { id: "rotate", label: "Make a new secret", run: () => rotate.mutate() },
            { id: "delete", label: "Delete this webhook…", run: () => void askToRemove() },
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
