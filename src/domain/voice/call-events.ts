// The events of a call, made of its record.

import type { NewEvent } from "../events.ts";
import { type Call, type CallStatus, durationSeconds, type LegName, legOf } from "./call.ts";
import type { CallScope } from "./ports.ts";

type Scope = Pick<CallScope, "phone" | "messagingConfigSid">;

export function statusEvent(
  call: Call,
  { phone, messagingConfigSid }: Scope,
  { name, status, sequence }: { readonly name: LegName; readonly status: CallStatus; readonly sequence: number },
): NewEvent<"CallStatusChangedWebhook"> {
  const leg = legOf(call, name);
  const isOver = status === "Completed";
  return {
    accountSid: call.accountSid,
    type: "CallStatusChangedWebhook",
    resourceSid: call.sid,
    sequence,
    phone,
    ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
    fields: {
      CallSid: call.sid,
      LegSid: leg?.sid ?? "",
      Leg: name,
      Direction: call.direction,
      From: leg?.from ?? call.from,
      To: leg?.to ?? call.to,
      Status: status,
      DurationSeconds: leg && isOver ? durationSeconds(leg) : null,
      EndReason: isOver ? (leg?.endReason ?? null) : null,
    },
  };
}

/** The first event of its call. */
export function receivedEvent(
  call: Call,
  { phone, messagingConfigSid }: Scope,
): NewEvent<"InboundCallReceivedWebhook"> {
  return {
    accountSid: call.accountSid,
    type: "InboundCallReceivedWebhook",
    resourceSid: call.sid,
    sequence: 1,
    phone,
    ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
    fields: { CallSid: call.sid, LegSid: legOf(call, "First")?.sid ?? "", From: call.from, To: call.to },
  };
}
