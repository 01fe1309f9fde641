// Deletes a message that has left, never will, or was received, or empties its text. Its events stay in the event log
// for as long as events are kept.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { InboundMessage, OutboundMessage } from "./message.ts";
import type { InboundMessageStore, OutboundMessageStore } from "./ports.ts";

export interface RedactDeps {
  readonly outboundMessages: Pick<OutboundMessageStore, "find" | "redact" | "remove">;
  readonly inboundMessages: Pick<InboundMessageStore, "redact" | "remove">;
}

export async function redactMessage(
  { outboundMessages, inboundMessages }: RedactDeps,
  accountSid: string,
  sid: string,
): Promise<Result<OutboundMessage | InboundMessage, Problem>> {
  const isSent = sid.startsWith("OM");
  const redacted = await (isSent ? outboundMessages : inboundMessages).redact(accountSid, sid);
  return redacted ? ok(redacted) : refused(await obstacleOf(outboundMessages, accountSid, sid));
}

export async function removeMessage(
  { outboundMessages, inboundMessages }: RedactDeps,
  accountSid: string,
  sid: string,
): Promise<Result<undefined, Problem>> {
  const isRemoved = await (sid.startsWith("OM") ? outboundMessages : inboundMessages).remove(accountSid, sid);
  return isRemoved ? ok(undefined) : refused(await obstacleOf(outboundMessages, accountSid, sid));
}

async function obstacleOf(
  outboundMessages: Pick<OutboundMessageStore, "find">,
  accountSid: string,
  sid: string,
): Promise<Problem> {
  const isWaiting = sid.startsWith("OM") && (await outboundMessages.find(accountSid, sid)) !== undefined;
  if (!isWaiting) return problem("not-found", "There is no such message.");
  return problem("conflict", "The message still waits to be sent: cancel it first.");
}
