// Deliveries of an account with their attempts: what was sent where, and what was answered.

import type { WebhookDelivery } from "@tandem/sdk";
import { Shape } from "../../components/shape.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { Timeline } from "../../components/timeline.tsx";

type Attempt = WebhookDelivery["attempts"][number];

const isTaken = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300;

export function Attempts({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { type, status, attempts, nextAttemptOn } = delivery;
  const tried = attempts.map((attempt, at) => ({
    id: String(at),
    mark: isTaken(attempt) ? <Shape name="done" tone="ok" /> : <Shape name="failed" tone="bad" />,
    title: `${attempt.status ?? attempt.failure ?? "No answer"} in ${attempt.ms} ms`,
    aside: <Time at={attempt.at} form="day" />,
    detail: (
      <>
        <span className="mono">{attempt.url}</span>
        {attempt.answer && <pre className="mono operator-answer">{attempt.answer}</pre>}
      </>
    ),
  }));
  const next = nextAttemptOn && {
    id: "next",
    mark: <Shape name="queued" tone="neutral" />,
    title: "Tried again",
    aside: <Time at={nextAttemptOn} form="day" />,
  };
  return (
    <div className="operator-trail">
      <p className="row">
        <Status kind="delivery" value={status} />
        <span className="mono">{type}</span>
      </p>
      <Timeline entries={next ? [...tried, next] : tried} />
    </div>
  );
}
