// The outcome of a message: the verdict first, then everything that was decided and happened, then what to do.

import type { MessageTrail, OutboundMessage, WhySummary } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { copyText } from "../../components/copy.ts";
import { confirm } from "../../components/dialog.tsx";
import { useKeys } from "../../components/keys.ts";
import { tableOf } from "../../components/lookup-table.ts";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Facts } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { Shape } from "../../components/shape.tsx";
import { Sid } from "../../components/sid.tsx";
import { messageStatus } from "../../components/status.tsx";
import { messageStepWords, partsOf } from "../../components/step-words.ts";
import { Time } from "../../components/time.tsx";
import { Timeline, type TimelineEntry } from "../../components/timeline.tsx";
import { toast } from "../../components/toast.tsx";
import { type TrailOrder, trailEntries } from "../../components/trail.tsx";
import { useAction } from "../../components/use-action.ts";
import { Verdict } from "../../components/verdict.tsx";
import { Mono, Words } from "../../components/words.tsx";
import { deliveriesQuery, type Text, whyQuery } from "./message-queries.ts";

const TITLES = tableOf({
  Queued: "Where it is",
  Sent: "Where it is",
  Delivered: "How it arrived",
  Canceled: "What became of it",
});

export function Why({ text, onClose }: { readonly text: Text; readonly onClose: () => void }) {
  useKeys({ Escape: onClose });
  const title = text.sent ? (TITLES.get(messageStatus(text.sent)) ?? "Why it did not arrive") : "Received";
  return (
    <aside className="why" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <Sid value={text.sid} />
        <IconButton icon="x" label="Close, Esc" onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="why-body" tabIndex={0} aria-label={`${title}, details`}>
        {text.sent ? <SentWhy message={text.sent} /> : <ReceivedWhy text={text} />}
      </section>
    </aside>
  );
}

function SentWhy({ message }: { readonly message: OutboundMessage }) {
  const why = useQuery(whyQuery(message.sid));
  if (!why.data) return <NotLoaded query={why} what="Its history did not load" />;
  return (
    <>
      <Outcome message={message} trail={why.data} />
      <div className="why-trail">
        <Timeline entries={[...entriesOf(why.data.steps), ...waitingEntry(why.data.status)]} />
      </div>
      <div className="why-facts">
        <Facts
          facts={[
            ["From", <PhoneNumber key="from" value={message.from} />],
            ["Carrier", message.carrier ?? "not known"],
            ["Campaign", <Mono key="campaign">{message.tcrCampaignId ?? "none"}</Mono>],
            [
              "Size",
              `${message.segmentCount} ${message.segmentCount === 1 ? "segment" : "segments"}, ${message.encoding}`,
            ],
            ["Expires", <Time key="expires" at={message.expiresOn} form="day" />],
          ]}
        />
      </div>
    </>
  );
}

interface OutcomeProps {
  readonly message: OutboundMessage;
  readonly trail: MessageTrail;
}

function Outcome({ message, trail }: OutcomeProps) {
  const navigate = useNavigate();
  const status = messageStatus({ status: trail.status, errorCode: trail.errorCode });
  const again = useAction({
    run: () => {
      const { from, to, text, mediaUrls } = message;
      return client.messages.send({ from, to, ...(text && { text }), ...(mediaUrls.length > 0 && { mediaUrls }) });
    },
    nouns: ["messages"],
    onDone: ({ data }) =>
      toast.done("Sent again", { verb: "See it", run: () => void navigate({ to: `/messages/${data.sid}` }) }),
    failed: "Not sent again.",
  });
  const cancel = useAction({
    run: () => client.messages.cancel(message.sid),
    nouns: ["messages"],
    failed: "Not canceled.",
  });
  const sendAgain = async () => {
    const isSafe = status !== "Unknown";
    const question = {
      question: "Send it again?",
      cost: "It may have arrived: then they get it twice.",
      verb: "Send again",
    };
    if (isSafe || (await confirm({ ...question, refuse: "Leave it" }))) again.start();
  };
  const { what, why, advice } = answerFirst(trail);
  const tone = status === "Failed" || status === "Expired" ? "bad" : status === "Delivered" ? "ok" : "warn";
  const isCalm = ["Queued", "Sent", "Canceled"].includes(status);
  return (
    <div className={isCalm ? "why-calm" : undefined}>
      <Verdict
        tone={tone}
        what={<Words text={what} />}
        why={<Words text={why} />}
        advice={advice && <Words text={advice} />}
      >
        {status === "Queued" && (
          <Button small busy={cancel.isPending} onClick={() => cancel.start()}>
            Cancel it
          </Button>
        )}
        {!["Queued", "Sent", "Delivered"].includes(status) && (
          <Button small icon="replay" busy={again.isPending} onClick={() => void sendAgain()}>
            Send again
          </Button>
        )}
        <Button small onClick={() => void copyText(supportText(message, trail), "For support:")}>
          Copy for support
        </Button>
      </Verdict>
    </div>
  );
}

/** For a failure, the reason comes first: that it failed is already visible. */
function answerFirst({ summary, status, errorDescription }: MessageTrail): WhySummary {
  const { why } = summary;
  if (status !== "Failed" || errorDescription === null || !why.startsWith(errorDescription)) return summary;
  return { ...summary, what: errorDescription.replace(/\.$/, ""), why: why.slice(errorDescription.length).trim() };
}

/** Everything that support needs, without the text itself. */
function supportText(message: OutboundMessage, trail: MessageTrail): string {
  const { what, why } = trail.summary;
  const { steps, deliveries } = partsOf(trail.steps);
  return [
    `Message ${message.sid}: ${message.from} to ${message.to}, ${trail.status}, code ${trail.errorCode}`,
    `${what} ${why}`,
    ...steps.map(({ at, step, details }) => `${at} ${step} ${JSON.stringify(details)}`),
    ...deliveries.map(({ sid, status, attemptCount }) => `webhook ${sid}: ${status} after ${attemptCount} tries`),
  ].join("\n");
}

function ReceivedWhy({ text }: { readonly text: Text }) {
  const { data: deliveries = [] } = useQuery(deliveriesQuery(text.sid));
  const told = deliveries.toReversed().map((details) => ({ at: details.createdOn, step: "webhook", details }));
  const received: TimelineEntry = {
    id: "received",
    mark: <Shape name="done" tone="neutral" />,
    title: "Received",
    aside: <Time at={text.at} form="ms" />,
    detail: "the carrier handed it over",
  };
  return (
    <div className="why-trail">
      <Timeline entries={[received, ...entriesOf(told)]} />
    </div>
  );
}

const entriesOf = (steps: TrailOrder["steps"]) =>
  trailEntries({ steps, wordsOf: messageStepWords, linksDeliveries: true });

const WAITING = tableOf({ Queued: "Waiting to be sent", Sent: "Waiting for the carrier's receipt" });

/** The next expected step. */
function waitingEntry(status: string): readonly TimelineEntry[] {
  const title = WAITING.get(status);
  if (title === undefined) return [];
  return [{ id: "waiting", mark: <Shape name="queued" tone="neutral" />, title: <span className="dim">{title}</span> }];
}
