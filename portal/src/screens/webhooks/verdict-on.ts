// What an undelivered delivery means, why, and what to do, by the last response of its receiver. Pure.

import type { WebhookDelivery } from "@tandem/sdk";
import { tableOf } from "../../components/lookup-table.ts";

export interface DeliveryVerdict {
  readonly what: string;
  readonly why: string;
  readonly advice: string;
}

const SAFE = "The event is safe here and is tried again by itself.";
const RETRY = "Bring the receiver back. What waits goes by itself, in order; or replay it now.";

const FAILURES = tableOf<readonly [what: string, advice: string]>({
  connect: ["Nothing listens at this address: the connection was refused", "Start the receiver, or mend its address."],
  dns: ["The name of the receiver has no address", "Mend the name in the URL, or its DNS."],
  tls: ["The receiver's TLS does not work", "Mend its certificate: it must be valid for this name."],
  timeout: ["The receiver took longer than 15 seconds", "Answer 2xx at once, and do the work afterwards."],
  reset: ["The receiver closed the connection without an answer", RETRY],
  "refused-address": [
    "Webhooks may not be sent to this address",
    "Use a public address, or have the operator allow it.",
  ],
});

export function verdictOn({ status, attempts }: WebhookDelivery): DeliveryVerdict | undefined {
  const last = attempts.findLast((attempt) => attempt.status !== null) ?? attempts.at(-1);
  if (!last || status === "Delivered") return undefined;
  const isOver = status !== "Pending";
  const why = isOver ? "It is not tried again by itself; it can be replayed as long as it is kept." : SAFE;
  if (last.status === null) {
    const kind = /^[a-z-]+/.exec(last.failure ?? "")?.[0] ?? "";
    const [what, advice] = FAILURES.get(kind) ?? ["The receiver could not be reached", RETRY];
    return { what, why: `${last.failure ?? "There was no answer"}. ${why}`, advice };
  }
  return { ...wordsOn(last.status), why: `${retryAfter(last)}${why}` };
}

function retryAfter({ answerHeaders }: WebhookDelivery["attempts"][number]): string {
  const header = answerHeaders?.find(({ name }) => name.toLowerCase() === "retry-after");
  return header ? `Retry-After: ${header.value} is honoured. ` : "";
}

function wordsOn(status: number): Pick<DeliveryVerdict, "what" | "advice"> {
  if (status >= 500 || status === 429) {
    return { what: `Your receiver is overloaded or down: it answers ${status}`, advice: RETRY };
  }
  if (status === 401 || status === 403) {
    return {
      what: `Your receiver refuses it: it answers ${status}`,
      advice: "See whether it verifies with the right secret, over the raw body: try the secret below.",
    };
  }
  if (status === 404 || status === 405) {
    return { what: `Nothing takes it at this address: ${status}`, advice: "Mend the path of the URL, or the route." };
  }
  if (status === 410)
    return { what: "Your receiver wants no more events: 410", advice: "Switch it on again when it does." };
  if (status >= 300 && status < 400) {
    return {
      what: `Your receiver redirects: ${status}`,
      advice: "Subscribe the final address: redirects are not followed.",
    };
  }
  return {
    what: `Your receiver does not accept it: it answers ${status}`,
    advice: "Read its answer below, and mend the receiver.",
  };
}
