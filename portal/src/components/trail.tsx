// The steps of a `why` as entries of a timeline: each in words, long silences dashed, then its webhook deliveries.

import type { WebhookDelivery } from "@tandem/sdk";
import { Link } from "@tanstack/react-router";
import { Shape } from "./shape.tsx";
import { Mark } from "./status.tsx";
import { partsOf, type StepWords } from "./step-words.ts";
import { Time } from "./time.tsx";
import type { TimelineEntry } from "./timeline.tsx";
import { Mono, Words } from "./words.tsx";
import { duration } from "./zone.ts";

interface Step {
  readonly at: string;
  readonly step: string;
  readonly details: unknown;
}

export interface TrailOrder {
  readonly steps: readonly Step[];
  readonly wordsOf: (step: string, details: unknown) => StepWords;
  /** For accounts: a delivery has a page of its own. */
  readonly linksDeliveries?: boolean;
}

const SILENCE_MS = 60_000;

export function trailEntries({ steps: all, wordsOf, linksDeliveries = false }: TrailOrder): readonly TimelineEntry[] {
  const { steps, deliveries } = partsOf(all);
  const entries: TimelineEntry[] = [];
  let before: string | undefined;
  for (const { at, step, details } of steps) {
    const silence = before === undefined ? 0 : Date.parse(at) - Date.parse(before);
    if (silence > SILENCE_MS) entries.push({ id: `gap ${at}`, gap: true, title: `${duration(silence)} without word.` });
    const { shape, tone, title, code, detail } = wordsOf(step, details);
    entries.push({
      id: `${entries.length} ${step}`,
      mark: <Shape name={shape} tone={tone} />,
      title,
      aside: <Time at={at} form="ms" />,
      ...((code ?? detail) !== undefined && {
        detail: (
          <>
            {code && (
              <>
                <Mono>{code}</Mono>{" "}
              </>
            )}
            {detail && <Words text={detail} />}
          </>
        ),
      }),
    });
    before = at;
  }
  return [...entries, ...deliveries.map((delivery) => deliveryEntry(delivery, linksDeliveries))];
}

/** The delivery of an event, with its last answer. */
export function deliveryEntry(delivery: WebhookDelivery, isLinked: boolean): TimelineEntry {
  const { sid, status, type, attempts, attemptCount, nextAttemptOn, createdOn } = delivery;
  const last = attempts.at(-1);
  const isDone = status === "Delivered";
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
        <Mono>{last ? new URL(last.url).host : "your server"}</Mono>{" "}
        <Mark shape={isDone ? "delivered" : "retry"} tone={isDone ? "ok" : "warn"} word={word} />
        {nextAttemptOn && !isDone && (
          <>
            , again at <Time at={nextAttemptOn} />
          </>
        )}
        {isLinked && (
          <>
            {" "}
            <Link className="link" to={`/webhooks/deliveries/${sid}`}>
              Inspect
            </Link>
          </>
        )}
      </>
    ),
  };
}
