// Empties the text of a message that has left, never will, or was received. What the event log told of it stays there
// for as long as events are kept.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import type { InboundMessage, OutboundMessage } from "./message.ts";
import type { InboundMessageStore, OutboundMessageStore } from "./ports.ts";

export interface RedactDeps {
  readonly outboundMessages: Pick<OutboundMessageStore, "find" | "redact">;
  readonly inboundMessages: Pick<InboundMessageStore, "redact">;
}

export async function redactMessage(
  { outboundMessages, inboundMessages }: RedactDeps,
  accountSid: string,
  sid: string,
): Promise<Result<OutboundMessage | InboundMessage, Problem>> {
  const isSent = sid.startsWith("OM");
  const redacted = await (isSent ? outboundMessages : inboundMessages).redact(accountSid, sid);
  if (redacted) return ok(redacted);
  const isWaiting = isSent && (await outboundMessages.find(accountSid, sid)) !== undefined;
  if (!isWaiting) return refused(problem("not-found", "There is no such message."));
  return refused(problem("conflict", "The message still waits to be sent: cancel it first."));
}
