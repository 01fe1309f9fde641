// One subscription: its health, its actions, and its deliveries.

import type { WebhookDelivery, WebhookSubscription } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { Menu } from "../../components/menu.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { PageHead } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { Sid } from "../../components/sid.tsx";
import { toast } from "../../components/toast.tsx";
import { useAction } from "../../components/use-action.ts";
import { Verdict } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";
import { DeliveryList } from "./DeliveryList.tsx";
import { Health } from "./Health.tsx";
import { ReplayAll } from "./ReplayAll.tsx";
import { Secret } from "./Secret.tsx";
import { verdictOn } from "./verdict-on.ts";
import { healthOf, hostOf, subscriptionQuery } from "./webhook-queries.ts";
import "./webhooks.css";

export function WebhookScreen() {
  const { sid } = useRouteParams("/webhooks/$sid");
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

function SubscriptionPage({ subscription }: { readonly subscription: WebhookSubscription }) {
  return (
    <DeliveryList
      subscriptionSid={subscription.sid}
      head={(deliveries) => <SubscriptionHead subscription={subscription} deliveries={deliveries} />}
      why="Send a test to see what arrives."
    />
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
