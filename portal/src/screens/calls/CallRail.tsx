// Beside a call: its facts, its audio quality, its webhook deliveries, what was decided, and the same call from code.

import type { Call, CallEndedBy, CallLeg, CallTrail, WebhookDelivery } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSession } from "../../api/session.ts";
import { legOf } from "../../components/call-parties.ts";
import { callerOf } from "../../components/client-lines.ts";
import { CodeTabs } from "../../components/code.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Facts } from "../../components/page.tsx";
import { Sid } from "../../components/sid.tsx";
import { Mark } from "../../components/status.tsx";
import { callStepWords, partsOf, type StepWords } from "../../components/step-words.ts";
import { Time } from "../../components/time.tsx";
import { Words } from "../../components/words.tsx";
import { duration } from "../../components/zone.ts";
import { isLive, outcomeOf, toldQuery } from "./call-queries.ts";
import { callSnippets } from "./call-snippets.ts";
import { factsOf } from "./leg-layout.ts";
import { stopwatch } from "./sip-rows.ts";

interface RailProps {
  readonly call: Call;
  readonly trail: CallTrail | undefined;
}

export function CallRail({ call, trail }: RailProps) {
  const session = useSession();
  const order = {
    from: call.from,
    to: call.to,
    callerId: call.callerId,
    ...(call.recordings && { record: true }),
    ...(hasKeyPress(trail) && { requireKeyPress: true }),
  };
  return (
    <aside className="rail call-rail" aria-label="About this call">
      <section>
        <h2>Call</h2>
        <Facts facts={callFacts(call, trail)} />
      </section>
      {call.legs.some(({ media }) => media !== null) && <Sound call={call} />}
      <Deliveries call={call} />
      {trail && <Steps call={call} trail={trail} />}
      {call.direction === "Outbound" && (
        <section>
          <h2>Do the same from code</h2>
          <CodeTabs label="Language" tabs={callSnippets(callerOf(session), order)} />
        </section>
      )}
    </aside>
  );
}

const hasKeyPress = (trail: CallTrail | undefined) => trail?.steps.some(({ step }) => step === "keyPressed") === true;

function callFacts(call: Call, trail: CallTrail | undefined): readonly (readonly [string, ReactNode])[] {
  const sipCode = call.legs.find((leg) => leg.sipCode !== null)?.sipCode;
  const pressed = trail?.steps.find(({ step }) => step === "keyPressed");
  const answered = legOf(call, "First")?.answeredOn;
  const facts: (readonly [string, ReactNode])[] = [
    ["Sid", <Sid key="sid" value={call.sid} />],
    ["Direction", call.direction],
    ["Started", <Time key="started" at={call.createdOn} form="ms" />],
  ];
  if (call.durationSeconds !== null && call.answeredOn !== null) facts.push(["Talked", spoken(call.durationSeconds)]);
  if (!isLive(call)) {
    const code = sipCode && (
      <>
        , <span className="mono">sip {sipCode}</span>
      </>
    );
    facts.push([
      "End",
      <span key="end">
        {outcomeOf(call)}
        {code}
      </span>,
    ]);
    if (call.endedBy !== null) facts.push(["Ended by", ENDED_BY[call.endedBy]]);
  }
  if (pressed && answered) {
    facts.push(["Key press", `asked, came after ${duration(Date.parse(pressed.at) - Date.parse(answered))}`]);
  }
  return facts;
}

const ENDED_BY: Readonly<Record<CallEndedBy, string>> = {
  First: "the first party",
  Second: "the second party",
  Api: "the hang-up operation",
  Service: "Tandem",
};

/** 3 min 44 s. */
function spoken(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}

type Media = NonNullable<CallLeg["media"]>;

const SOUND: readonly (readonly [string, (media: Media) => string])[] = [
  ["Codec", ({ codec }) => codec],
  ["Lost", ({ packetsLost, packetsReceived }) => `${lostPercent(packetsLost, packetsReceived).toFixed(2)} %`],
  ["Jitter", ({ jitterMs }) => `${Math.round(jitterMs)} ms`],
  ["Quality", ({ mos }) => `${mos.toFixed(1)} of 4.5`],
  ["Media", ({ secure }) => (secure ? "SRTP" : "RTP")],
];

const lostPercent = (lost: number, received: number) => (100 * lost) / Math.max(1, lost + received);

function Sound({ call }: { readonly call: Call }) {
  const legs = (["First", "Second"] as const).map((name) => legOf(call, name)?.media ?? undefined);
  return (
    <section>
      <h2>Sound</h2>
      <table className="sound">
        <thead>
          <tr>
            <td />
            <th scope="col">First leg</th>
            <th scope="col">Second leg</th>
          </tr>
        </thead>
        <tbody>
          {SOUND.map(([name, read]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{legs[0] ? read(legs[0]) : "none"}</td>
              <td>{legs[1] ? read(legs[1]) : "none"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Deliveries({ call }: { readonly call: Call }) {
  const query = useQuery(toldQuery(call));
  const deliveries = query.data ?? [];
  return (
    <section>
      <h2>Webhook deliveries</h2>
      {!query.data && <NotLoaded query={query} what="The deliveries did not load" rows={1} />}
      {query.data && deliveries.length === 0 && (
        <p className="dim">
          No subscription.{" "}
          <Link to="/webhooks?subscribe=yes" className="link">
            Subscribe
          </Link>
        </p>
      )}
      <ol className="call-deliveries">
        {namedDeliveries(call, deliveries).map(({ delivery, plug, name }) => (
          <li key={delivery.sid}>
            <b className={plug === undefined ? "plug plug-other" : "plug"}>{plug ?? initialOf(delivery)}</b>
            <Link to={`/webhooks/deliveries/${delivery.sid}`} className="cut quiet-link">
              {name}
            </Link>
            <DeliveryMark delivery={delivery} />
            <span className="dim num">{triesOf(delivery)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const initialOf = ({ type }: WebhookDelivery) => (type === "CallRecordingCompleted" ? "R" : "I");

/** The events of a call are numbered in order; the n-th status change is the n-th fact of the timeline. */
function namedDeliveries(call: Call, deliveries: readonly WebhookDelivery[]) {
  const facts = factsOf(call);
  const changes = deliveries.filter(({ type }) => type === "CallStatusChangedWebhook");
  const sequences = [...new Set(changes.map(({ sequence }) => sequence))].sort((one, other) => one - other);
  return deliveries
    .toSorted((one, other) => one.sequence - other.sequence || one.sid.localeCompare(other.sid))
    .map((delivery) => {
      const isChange = delivery.type === "CallStatusChangedWebhook";
      const fact = isChange ? facts[sequences.indexOf(delivery.sequence)] : undefined;
      if (fact) return { delivery, plug: fact.number, name: `${fact.leg} leg ${fact.word}` };
      const name = delivery.type === "CallRecordingCompleted" ? "Recording completed" : delivery.type;
      return { delivery, plug: undefined, name };
    });
}

/** The response to the last attempt. */
function DeliveryMark({ delivery }: { readonly delivery: WebhookDelivery }) {
  const last = delivery.attempts.findLast(({ status }) => status !== null) ?? delivery.attempts.at(-1);
  const word = last ? String(last.status ?? "failed") : "waits";
  if (delivery.status === "Delivered") return <Mark shape="delivered" tone="ok" word={word} />;
  if (delivery.status === "Pending")
    return <Mark shape={last ? "retry" : "queued"} tone={last ? "warn" : "neutral"} word={word} />;
  return <Mark shape="failed" tone="bad" word={word} />;
}

function triesOf({ attempts }: WebhookDelivery): string {
  const last = attempts.at(-1);
  if (!last) return "";
  return attempts.length === 1 ? `${last.ms} ms` : `${attempts.length} tries`;
}

const sentenceOf = ({ title, code, detail }: StepWords) =>
  [title, [code, detail].filter(Boolean).join(" ")].filter(Boolean).join(": ");

/** What was decided and what happened, in words: the text alternative to the graphics. */
function Steps({ call, trail }: { readonly call: Call; readonly trail: CallTrail }) {
  const start = Date.parse(call.createdOn);
  const { steps } = partsOf(trail.steps);
  return (
    <section>
      <h2>Step by step</h2>
      <ol className="call-steps">
        {steps.map(({ at, step, details }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added
          <li key={index}>
            <span className="mono dim">{stopwatch(Date.parse(at) - start)}</span>
            <span>
              <Words text={sentenceOf(callStepWords(step, details))} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
