// Waits until it is known what became of a message, with a line that tells how it stands.

import { setTimeout as delay } from "node:timers/promises";
import type { MessageStatus, OutboundMessage, TandemClient } from "../../../../sdk/src/index.ts";
import type { PatientCaller } from "../../bulk/patient-caller.ts";

const LOOK_MS = 250;
const LOOK_MS_MAX = 2_000;
const CLEAR_LINE = "\r\u001b[K";
const WAITING: ReadonlySet<MessageStatus> = new Set(["Queued", "Sent"]);

export interface AwaitOrder {
  readonly client: TandemClient;
  readonly caller: PatientCaller;
  readonly sent: OutboundMessage;
  readonly waitMs: number;
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
}

/** The message as it is in the end, or when the time is over. */
export async function awaitOutcome(order: AwaitOrder): Promise<OutboundMessage> {
  const { caller, client, isTerminal, write } = order;
  const startedMs = performance.now();
  let message = order.sent;
  let told: MessageStatus | undefined;
  for (let lookMs = LOOK_MS; WAITING.has(message.status); lookMs = Math.min(lookMs * 1.5, LOOK_MS_MAX)) {
    const passedMs = performance.now() - startedMs;
    if (isTerminal) write(`${CLEAR_LINE}${message.sid} is ${message.status}, ${Math.round(passedMs / 1000)} s`);
    else if (told !== message.status) write(`${message.sid} is ${message.status}\n`);
    told = message.status;
    if (passedMs >= order.waitMs) break;
    await delay(Math.min(lookMs, order.waitMs - passedMs), undefined, { signal: caller.signal });
    message = (await caller.call(() => client.messages.get(order.sent.sid, { signal: caller.signal }))).data;
  }
  if (isTerminal) write(CLEAR_LINE);
  return message;
}

export function isSettled({ status }: OutboundMessage): boolean {
  return !WAITING.has(status);
}
