// Webhooks: did my server get it? All subscriptions with their health; `?subscribe=yes` opens the form of a new one.

import type { WebhookSubscription } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Button, ButtonLink } from "../../components/button.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { Empty, PageHead, Split } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { ShortSid } from "../../components/sid.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { Health } from "./Health.tsx";
import { Subscribe } from "./Subscribe.tsx";
import { type Health as HealthFacts, healthOf, recentQuery, subscriptionsQuery } from "./webhook-queries.ts";
import "./webhooks.css";

interface Row {
  readonly subscription: WebhookSubscription;
  readonly health: HealthFacts;
}

function typesOf({ types }: WebhookSubscription): string {
  if (types.includes("*")) return "All events";
  return types.length <= 2 ? types.join(", ") : `${types[0]} and ${types.length - 1} more`;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: "url",
    head: "Address",
    cell: ({ subscription }) => (
      <Link to={`/webhooks/${subscription.sid}`} className="quiet-link mono">
        {subscription.url}
      </Link>
    ),
    grow: true,
    phone: "first",
  },
  { id: "types", head: "Events", cell: ({ subscription }) => typesOf(subscription), phone: "second" },
  { id: "health", head: "Health", cell: ({ health }) => <Health health={health} />, phone: "first-right" },
  {
    id: "success",
    head: "Last success",
    cell: ({ subscription: { lastSuccessOn } }) =>
      lastSuccessOn ? <Time at={lastSuccessOn} form="ago" /> : <span className="dim">never</span>,
    phone: "second-right",
  },
  { id: "shape", head: "Shape", cell: ({ subscription }) => subscription.payloadShape },
  { id: "sid", head: "Sid", cell: ({ subscription }) => <ShortSid value={subscription.sid} /> },
];

export function WebhooksScreen() {
  usePlace([{ label: "Webhooks" }]);
  const [{ subscribe }, change] = useSearchState();
  const subscriptions = useQuery(subscriptionsQuery);
  const recent = useQuery(recentQuery);
  // Without its deliveries a failing receiver would look fine.
  const deliveries = recent.data;
  const known = deliveries && subscriptions.data;
  const rows = (known ?? []).map((subscription) => ({
    subscription,
    health: healthOf(subscription, deliveries ?? []),
  }));
  const failing = rows.filter(({ health }) => ["failing", "switchedOff"].includes(health.word)).length;
  const open = () => change({ subscribe: "yes" }, { push: true });
  return (
    <Split drawer={subscribe && <Subscribe onClose={() => change({ subscribe: undefined })} />}>
      <section className="column webhooks-list" aria-label="All subscriptions">
        <PageHead
          title="Webhooks"
          sub={
            rows.length > 0 && (
              <span>{failing === 0 ? "All receivers answer." : `${failing} of ${rows.length} need attention.`}</span>
            )
          }
          buttons={
            <>
              <ButtonLink to="/webhooks/deliveries">All deliveries</ButtonLink>
              <Button kind={subscribe ? "quiet" : "primary"} icon="webhook" onClick={open}>
                Subscribe
              </Button>
            </>
          }
        />
        <Table
          label="Subscriptions"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ subscription }) => subscription.sid}
          pageOf={({ subscription }) => `/webhooks/${subscription.sid}`}
          source={{
            isPending: subscriptions.isPending || recent.isPending,
            error: subscriptions.error ?? recent.error,
            refetch: () => Promise.all([subscriptions.refetch(), recent.refetch()]),
          }}
          empty={
            <Empty
              what="No webhooks yet"
              why="Events are sent to addresses that you subscribe. To see them in a terminal first, and forward them to a server on your machine:"
            >
              <CommandLine words="listen --forward-to http://localhost:3000/hook" />
            </Empty>
          }
        />
      </section>
    </Split>
  );
}
