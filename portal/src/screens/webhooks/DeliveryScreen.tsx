// One delivery: did my server get it, and if not, why? Its tries, request and response side by side, the signature
// recomputed with a pasted secret, and a replay. The selected try is in the URL (`?try=3`).

import type { DeliveryWithBody, WebhookSubscription } from "@tandem/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { copyText } from "../../components/copy.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Form, TextField } from "../../components/form.tsx";
import { useKeys } from "../../components/keys.ts";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, PageHead } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { useSearchState } from "../../components/search-state.ts";
import { ShortSid, Sid } from "../../components/sid.tsx";
import { toast } from "../../components/toast.tsx";
import { Problem, Verdict } from "../../components/verdict.tsx";
import { DeliveryStatusMark } from "./DeliveryStatusMark.tsx";
import { curlOf, Exchange } from "./Exchange.tsx";
import { ReplayAll } from "./ReplayAll.tsx";
import { Tries } from "./Tries.tsx";
import { triesOf } from "./tries.ts";
import { verdictOn } from "./verdict-on.ts";
import { deliveryQuery, hostOf, subscriptionsQuery } from "./webhook-queries.ts";
import "./webhooks.css";
import "./delivery.css";

export function DeliveryScreen() {
  const { sid } = useRouteParams("/webhooks/deliveries/$sid");
  const query = useQuery(deliveryQuery(sid));
  const subscriptions = useQuery(subscriptionsQuery);
  const { data: delivery } = query;
  const subscription = subscriptions.data?.find((known) => known.sid === delivery?.subscriptionSid);
  usePlace([
    { label: "Webhooks", to: "/webhooks" },
    ...(subscription ? [{ label: hostOf(subscription.url), to: `/webhooks/${subscription.sid}` }] : []),
    { label: `WH…${sid.slice(-6)}`, shown: <ShortSid value={sid} />, short: "Delivery" },
  ]);
  if (!delivery) return <NotLoaded query={query} what="The delivery did not load" />;
  if (!subscriptions.data) return <NotLoaded query={subscriptions} what="Its subscription did not load" />;
  return <DeliveryPage key={sid} delivery={delivery} subscription={subscription} />;
}

interface PageProps {
  readonly delivery: DeliveryWithBody;
  /** Undefined if it was deleted, or if a message named the address itself. */
  readonly subscription: WebhookSubscription | undefined;
}

function DeliveryPage({ delivery, subscription }: PageProps) {
  const [search, change] = useSearchState();
  const tries = triesOf(delivery, subscription?.backupUrl ?? null);
  const chosen = tries.find(({ id }) => id === search.try) ?? tries.findLast(({ isBackup }) => !isBackup);
  const verdict = verdictOn(delivery);
  return (
    <div className="delivery">
      <DeliveryHead delivery={delivery} subscription={subscription} attempt={chosen?.attempt} />
      {verdict && (
        <div className="delivery-verdict">
          <Verdict tone={delivery.status === "Pending" ? "warn" : "bad"} {...verdict}>
            {subscription && <ReplayAll subscriptionSid={subscription.sid} />}
          </Verdict>
        </div>
      )}
      <div className="delivery-grid">
        <Tries delivery={delivery} tries={tries} chosen={chosen?.id} onChoose={(id) => change({ try: id })} />
        {chosen ? (
          <Exchange delivery={delivery} tried={chosen} />
        ) : (
          <Empty what="Not tried yet" why="It is on its way, or waits for an earlier event of the same resource." />
        )}
      </div>
    </div>
  );
}

/** The page of an event's subject. */
function addressOf(resourceSid: string): string | undefined {
  if (resourceSid.startsWith("CA")) return `/calls/${resourceSid}`;
  return /^(OM|IM)/.test(resourceSid) ? `/messages/${resourceSid}` : undefined;
}

interface HeadProps extends PageProps {
  readonly attempt: DeliveryWithBody["attempts"][number] | undefined;
}

function DeliveryHead({ delivery, subscription, attempt }: HeadProps) {
  const [isElsewhere, setElsewhere] = useState(false);
  const replay = useMutation({
    mutationFn: (url: string | undefined) => client.deliveries.replay(delivery.sid, url === undefined ? {} : { url }),
    onSuccess: async (_, url) => {
      setElsewhere(false);
      await queries.invalidateQueries({ queryKey: ["webhooks"] });
      toast.done(`On its way again${url === undefined ? "" : ` to ${hostOf(url)}`}`);
    },
    onError: (error, url) => url === undefined && toast.problem("Not replayed.", error),
  });
  useKeys({ r: () => replay.mutate(undefined) });
  const to = addressOf(delivery.resourceSid);
  const url = attempt?.url ?? subscription?.url;
  return (
    <>
      <PageHead
        title={delivery.type}
        sub={
          <>
            <DeliveryStatusMark delivery={delivery} />
            {url && <span className="mono delivery-url">{url}</span>}
            <span className="hide-phone">
              {to ? (
                <Link to={to} className="link">
                  <ShortSid value={delivery.resourceSid} />
                </Link>
              ) : (
                <Sid value={delivery.resourceSid} />
              )}
            </span>
            <span className="hide-phone">event {delivery.sequence} of it</span>
            <Link to={`/log?q=${encodeURIComponent(`trace:${delivery.resourceSid}`)}`} className="link hide-phone">
              in the log
            </Link>
          </>
        }
        buttons={
          <>
            {attempt && (
              <span className="hide-phone">
                <Button onClick={() => void copyText(curlOf(delivery, attempt), "curl")}>Copy as curl</Button>
              </span>
            )}
            <Button onClick={() => setElsewhere(true)}>Replay to…</Button>
            <Button
              kind="primary"
              icon="replay"
              hint="R"
              busy={replay.isPending && !isElsewhere}
              onClick={() => replay.mutate(undefined)}
            >
              Replay now
            </Button>
          </>
        }
      />
      {isElsewhere && (
        <Elsewhere
          isBusy={replay.isPending}
          error={replay.error}
          onReplay={(given) => replay.mutate(given)}
          onClose={() => setElsewhere(false)}
        />
      )}
    </>
  );
}

interface ElsewhereProps {
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onReplay: (url: string) => void;
  readonly onClose: () => void;
}

function Elsewhere({ isBusy, error, onReplay, onClose }: ElsewhereProps) {
  const [url, setUrl] = useState("");
  return (
    <Dialog label="Replay to another address" onClose={onClose}>
      <Form className="webhook-dialog" onSubmit={() => onReplay(url.trim())}>
        <h2>Replay to another address</h2>
        {error !== null && error !== undefined && <Problem what="Not replayed" error={error} />}
        <TextField
          label="Address"
          hint="Signed as before, without the bearer of the subscription."
          autoFocus
          type="url"
          placeholder="http://localhost:3000/tandem"
          value={url}
          onChange={setUrl}
        />
        <div className="confirm-buttons">
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="primary" type="submit" icon="replay" busy={isBusy} disabled={url.trim() === ""}>
            Replay
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
