// The history of a message as entries of a timeline: each step in words, silences dashed, and its webhook deliveries.

import type { WebhookDelivery } from "@tandem/sdk";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { tableOf } from "../../components/lookup-table.ts";
import { Shape, type ShapeName, type Tone } from "../../components/shape.tsx";
import { Mark } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import type { TimelineEntry } from "../../components/timeline.tsx";
import { Mono, Words } from "../../components/words.tsx";
import { duration } from "../../components/zone.ts";

interface Trail {
  readonly status: string;
  readonly steps: readonly { readonly at: string; readonly step: string; readonly details: unknown }[];
}

type Details = Readonly<Record<string, unknown>>;

interface Entry {
  readonly shape: ShapeName;
  readonly tone: Tone;
  readonly title: string;
  readonly detail?: ReactNode;
}

const SILENCE_MS = 60_000;

/** What the outcome of a submit means. */
const SUBMITS = tableOf<readonly [ShapeName, Tone, string]>({
  throttled: ["retry", "warn", "The carrier asked to slow down. Tried again a moment later."],
  deferred: ["retry", "warn", "The carrier refused it for now. Tried again later."],
  rejected: ["failed", "bad", "The carrier refused it."],
  notSent: ["retry", "warn", "It never left: the link was down."],
  unknown: ["unknown", "warn", "The answer never came, so it is not known whether the carrier has it."],
  accepted: ["done", "neutral", "The carrier took it."],
});

const said = (value: unknown): string => (value === undefined || value === null ? "" : String(value));

const mono = (value: unknown) => <Mono>{said(value)}</Mono>;

/** One reader for each step; an unknown step is shown by its name, with its details. */
const READERS = tableOf<(details: Details, count: number) => Entry>({
  accepted: ({ checks, segmentCount, encoding }) => {
    const passed = Array.isArray(checks) ? checks : [];
    const segments = segmentCount === 1 ? "1 segment" : `${said(segmentCount)} segments`;
    const size = segmentCount === undefined ? "" : `; ${segments}, ${said(encoding)}`;
    return {
      shape: "done",
      tone: "neutral",
      title: `Accepted, ${passed.length} ${passed.length === 1 ? "check" : "checks"} passed`,
      detail: `${passed.join(", ")}${size}`,
    };
  },
  held: ({ until }) => ({
    shape: "queued",
    tone: "neutral",
    title: "Held",
    detail: <Words text={`until ${said(until)}`} />,
  }),
  scheduled: ({ until }) => ({
    shape: "queued",
    tone: "neutral",
    title: "Scheduled",
    detail: <Words text={`for ${said(until)}`} />,
  }),
  submit: ({ link, kind, reason, status }, count) => {
    const [shape, tone, meaning] = SUBMITS.get(said(kind)) ?? ["off", "neutral", said(kind)];
    const code = said(status) || said(reason);
    return {
      shape,
      tone,
      title: `Try ${count}, ${said(link)}`,
      detail: (
        <>
          {code && <>{mono(code)} </>}
          {meaning}
        </>
      ),
    };
  },
  sent: ({ link, carrierIds }) => ({
    shape: "sent",
    tone: "accent",
    title: "Sent",
    detail: (
      <>
        {said(link)} took it, carrier id {mono(Array.isArray(carrierIds) ? carrierIds.join(", ") : carrierIds)}
      </>
    ),
  }),
  receipt: ({ state, errorCode }) => ({
    ...(/^delivered$/i.test(said(state)) ? { shape: "done", tone: "neutral" } : { shape: "failed", tone: "bad" }),
    title: "Receipt",
    detail: mono(`${said(state)}${errorCode === undefined ? "" : `, error ${said(errorCode)}`}`),
  }),
  delivered: ({ link }) => ({
    shape: "delivered",
    tone: "ok",
    title: "Delivered",
    detail: `reported by ${said(link)}`,
  }),
  failed: (details) => ({ ...ended(details, "Failed"), shape: details.errorCode === 3100 ? "unknown" : "failed" }),
  expired: (details) => ({ ...ended(details, "Expired"), shape: "expired" }),
  canceled: () => ({ shape: "canceled", tone: "neutral", title: "Canceled" }),
  received: () => ({ shape: "done", tone: "neutral", title: "Received", detail: "the carrier handed it over" }),
});

function ended({ errorCode, errorDescription, reason }: Details, word: string): Entry {
  const why = [said(errorDescription), said(reason)].filter(Boolean).join(" ");
  const code = said(errorCode);
  return {
    shape: "failed",
    tone: code === "3100" ? "warn" : "bad",
    title: code === "0" ? word : `${word}, ${code}`,
    detail: why,
  };
}

export function entriesOf(trail: Trail, deliveries: readonly WebhookDelivery[]): readonly TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  let before: string | undefined;
  let submits = 0;
  for (const { at, step, details } of trail.steps) {
    const silence = before === undefined ? 0 : Date.parse(at) - Date.parse(before);
    if (silence > SILENCE_MS) entries.push({ id: `gap ${at}`, gap: true, title: `${duration(silence)} without word.` });
    if (step === "submit") submits += 1;
    const read =
      READERS.get(step) ??
      (() => ({ shape: "off", tone: "neutral", title: step, detail: mono(JSON.stringify(details)) }));
    const { shape, tone, title, detail } = read((details ?? {}) as Details, submits);
    entries.push({
      id: `${entries.length} ${step}`,
      mark: <Shape name={shape} tone={tone} />,
      title,
      aside: <Time at={at} form="ms" />,
      ...(detail !== undefined && { detail }),
    });
    before = at;
  }
  return [...entries, ...deliveryEntries(deliveries), ...waitingEntry(trail.status)];
}

function deliveryEntries(deliveries: readonly WebhookDelivery[]): readonly TimelineEntry[] {
  return deliveries.toReversed().map(({ sid, status, type, attempts, attemptCount, nextAttemptOn, createdOn }) => {
    const last = attempts.at(-1);
    const isDone = status === "Delivered";
    const host = last ? new URL(last.url).host : "your server";
    const answer = last?.status ?? last?.failure ?? "not tried yet";
    const word = isDone
      ? `${answer} in ${last?.ms} ms`
      : `${answer}, ${attemptCount} ${attemptCount === 1 ? "try" : "tries"}`;
    return {
      id: sid,
      mark: <Shape name={isDone ? "done" : "retry"} tone={isDone ? "neutral" : "warn"} />,
      title: <>Webhook: {type}</>,
      aside: <Time at={last?.at ?? createdOn} form="ms" />,
      detail: (
        <>
          {mono(host)} <Mark shape={isDone ? "delivered" : "retry"} tone={isDone ? "ok" : "warn"} word={word} />
          {nextAttemptOn && !isDone && (
            <>
              , again at <Time at={nextAttemptOn} />
            </>
          )}{" "}
          <Link className="link" to={`/webhooks/deliveries/${sid}`}>
            Inspect
          </Link>
        </>
      ),
    };
  });
}

/** The next expected step. */
function waitingEntry(status: string): readonly TimelineEntry[] {
  const words: Record<string, string> = {
    Queued: "Waiting to be sent",
    Sent: "Waiting for the carrier's receipt",
  };
  const title = words[status];
  if (title === undefined) return [];
  return [{ id: "waiting", mark: <Shape name="queued" tone="neutral" />, title: <span className="dim">{title}</span> }];
}
