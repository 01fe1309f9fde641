// Polls a message until its outcome is known, and shows its status in the meantime.

import { setTimeout as delay } from "node:timers/promises";
import type { MessageStatus, OutboundMessage, TandemClient } from "../../../../sdk/src/index.ts";
import type { RetryingCaller } from "../../bulk/retrying-caller.ts";

const POLL_MS = 250;
const POLL_MS_MAX = 2_000;
const CLEAR_LINE = "\r\u001b[K";
const WAITING: ReadonlySet<MessageStatus> = new Set(["Queued", "Sent"]);

export interface AwaitOrder {
  readonly client: TandemClient;
  readonly caller: RetryingCaller;
  readonly sent: OutboundMessage;
  readonly waitMs: number;
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
}

/** The message in its final state, or its state after `waitMs`. */
export async function awaitOutcome(order: AwaitOrder): Promise<OutboundMessage> {
  const { caller, client, isTerminal, write } = order;
  const startedMs = performance.now();
  let message = order.sent;
  let shown: MessageStatus | undefined;
  for (let pollMs = POLL_MS; WAITING.has(message.status); pollMs = Math.min(pollMs * 1.5, POLL_MS_MAX)) {
    const passedMs = performance.now() - startedMs;
    if (isTerminal) write(`${CLEAR_LINE}${message.sid} is ${message.status}, ${Math.round(passedMs / 1000)} s`);
    else if (shown !== message.status) write(`${message.sid} is ${message.status}\n`);
    shown = message.status;
    if (passedMs >= order.waitMs) break;
    await delay(Math.min(pollMs, order.waitMs - passedMs), undefined, { signal: caller.signal });
    message = (await caller.call(() => client.messages.get(order.sent.sid, { signal: caller.signal }))).data;
  }
  if (isTerminal) write(CLEAR_LINE);
  return message;
}

export function isSettled({ status }: OutboundMessage): boolean {
  return !WAITING.has(status);
}
