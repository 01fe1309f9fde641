// The status of a delivery, with a countdown to its next try.

import type { WebhookDelivery } from "@tandem/sdk";
import { Status } from "../../components/status.tsx";
import { useNow } from "../../components/use-now.ts";
import { duration, talkTime } from "../../components/zone.ts";
import { triesOf } from "./tries.ts";

export function DeliveryStatusMark({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { status, attempts, nextAttemptOn } = delivery;
  if (status !== "Pending" || attempts.length === 0) return <Status kind="delivery" value={status} />;
  return <Retrying number={(triesOf(delivery, null).at(-1)?.number ?? 0) + 1} at={nextAttemptOn} />;
}

function Retrying({ number, at }: { readonly number: number; readonly at: string | null }) {
  return <Status kind="delivery" value="Retrying" word={`Try ${number} ${useCountdown(at)}`} />;
}

const COUNTED_MS = 3_600_000;

/** "in 3:12", "in 2 h", "now". */
export function useCountdown(at: string | null): string {
  const ms = (at === null ? 0 : Date.parse(at)) - useNow(1000).getTime();
  if (ms <= 0) return "now";
  return `in ${ms < COUNTED_MS ? talkTime(Math.ceil(ms / 1000)) : duration(ms)}`;
}
