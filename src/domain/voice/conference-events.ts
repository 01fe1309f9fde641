// The events of a conference.

import type { NewEvent } from "../events.ts";
import type { Conference, ConferenceHappening } from "./conference.ts";

/** Goes to the callback of the conference where that wants it, and else to subscriptions. */
export function conferenceEvent(
  { sid, accountSid, name, callback }: Conference,
  { event, participant, reason, endedBy }: ConferenceHappening,
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
      StartsOnEnter: participant?.startsOnEnter ?? null,
      EndsOnExit: participant?.endsOnExit ?? null,
      Reason: reason,
      EndedBy: endedBy?.callSid ?? null,
      EndedByLabel: endedBy?.label ?? null,
    },
    ...(wanted && { callbackUrl: wanted.url, callbackShape: wanted.shape }),
  };
}
