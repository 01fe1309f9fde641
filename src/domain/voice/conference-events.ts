// The events of a conference.

import type { NewEvent } from "../events.ts";
import type { Conference, ConferenceHappening } from "./conference.ts";

/** Goes to the callback of the conference where that wants it, and else to subscriptions. */
export function conferenceEvent(
  { sid, accountSid, name, endReason, callback }: Conference,
  { event, participant }: ConferenceHappening,
  sequence?: number,
): NewEvent<"ConferenceChanged"> {
  const wanted = callback?.events.includes(event) ? callback : undefined;
  return {
    accountSid,
    type: "ConferenceChanged",
    resourceSid: sid,
    ...(sequence !== undefined && { sequence }),
    fields: {
      ConferenceSid: sid,
      Name: name,
      Event: event,
      CallSid: participant?.callSid ?? null,
      Label: participant?.label ?? null,
      Muted: participant?.muted ?? null,
      Hold: participant?.hold ?? null,
      Reason: event === "Ended" ? endReason : null,
    },
    ...(wanted && { callbackUrl: wanted.url, callbackShape: wanted.shape }),
  };
}
