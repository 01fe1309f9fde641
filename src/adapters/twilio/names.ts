// How Twilio's clients and handlers name what is ours: sids, status words and error codes, for webhooks and for the API
// in Twilio's shape. Sids are converted back without a table. A sid of ours is a UUIDv7, whose version (the 13th hex
// digit, always 7) carries no information, so it holds what Twilio's prefix does not distinguish:
//
//   OM…7… ⇄ SM…7…     IM…7… ⇄ SM…8…     LG…7… ⇄ CA…8… (what Dial makes is a call of its own at Twilio)
//   RE…7…, segment n ⇄ RE…: n - 1 is added to the version; its sixteens are in the first digit, 0 until the year 2527
//
// Anything that is not a sid of ours is left unchanged.

import { tableOf } from "../../base/table.ts";

const OURS = /^[A-Z]{2}0[0-9a-f]{11}7[0-9a-f]{19}$/;
const VERSION_AT = 2 + 12;

/** `first` and `version` replace the first and the 13th hex digit. */
function renamed(sid: string, prefix: string, first: string, version: string): string {
  return prefix + first + sid.slice(3, VERSION_AT) + version + sid.slice(VERSION_AT + 1);
}

export function twilioMessageSid(sid: string): string {
  return OURS.test(sid) ? renamed(sid, "SM", "0", sid.startsWith("IM") ? "8" : "7") : sid;
}

/** Undefined when it is not a message's sid. `MM` is accepted too: clients may know a message with media by it. */
export function messageSidOf(twilioSid: string): string | undefined {
  const [, version] = /^[SM]M0[0-9a-f]{11}([78])[0-9a-f]{19}$/.exec(twilioSid) ?? [];
  return version === undefined ? undefined : renamed(twilioSid, version === "7" ? "OM" : "IM", "0", "7");
}

/** Twilio's sid of the call that Dial makes: our second leg. */
export function twilioDialedCallSid(legSid: string): string {
  return OURS.test(legSid) ? renamed(legSid, "CA", "0", "8") : legSid;
}

/** The leg that is a call of its own at Twilio; undefined for any other sid. */
export function dialedLegOf(twilioSid: string): string | undefined {
  return /^CA0[0-9a-f]{11}8[0-9a-f]{19}$/.test(twilioSid) ? renamed(twilioSid, "LG", "0", "7") : undefined;
}

/** The number of segments of a recording that can have a sid at Twilio. */
const SEGMENTS_MAX = 256;

/** A segment, counted from 1, is a recording at Twilio; the first has the recording's own sid. Undefined beyond 256. */
export function twilioRecordingSid(sid: string, index: number): string | undefined {
  if (index < 1 || index > SEGMENTS_MAX) return undefined;
  if (!OURS.test(sid)) return sid;
  const place = index - 1;
  return renamed(sid, "RE", (place >> 4).toString(16), ((7 + place) & 15).toString(16));
}

export function recordingSegmentOf(twilioSid: string): { readonly sid: string; readonly index: number } | undefined {
  const [, first, version] = /^RE([0-9a-f])[0-9a-f]{11}([0-9a-f])[0-9a-f]{19}$/.exec(twilioSid) ?? [];
  if (first === undefined || version === undefined) return undefined;
  const ones = (Number.parseInt(version, 16) + 9) & 15;
  return { sid: renamed(twilioSid, "RE", "0", "7"), index: Number.parseInt(first, 16) * 16 + ones + 1 };
}

const MESSAGE_STATUSES = tableOf<string>({
  Queued: "queued",
  Sent: "sent",
  Delivered: "delivered",
  Expired: "failed",
  Canceled: "canceled",
});

/** `failed`: it was never sent. `undelivered`: a carrier accepted it and did not deliver it. */
export function twilioMessageStatus(status: string, wasSent: boolean): string {
  return MESSAGE_STATUSES.get(status) ?? (wasSent ? "undelivered" : "failed");
}

/** At Twilio an answered call is completed, whatever ended it; these are the others. */
const UNANSWERED = tableOf<string>({
  NoAnswer: "no-answer",
  Busy: "busy",
  Rejected: "busy",
  Canceled: "canceled",
  HungUp: "canceled",
  Failed: "failed",
  ScriptUnavailable: "failed",
  ScriptInvalid: "failed",
});

const CALL_STATUSES = tableOf<string>({
  Started: "queued",
  Ringing: "ringing",
  Answered: "in-progress",
});

/** Of a party that Dial has called: one that answered and was not connected, because it declined, has not answered. */
export function twilioDialStatus(endReason: string, wasAnswered: boolean, wasConnected: boolean): string {
  if (wasAnswered && !wasConnected) return UNANSWERED.get(endReason) ?? "no-answer";
  return twilioCallStatus("Completed", endReason, wasAnswered);
}

export function twilioCallStatus(status: string, endReason: string | null, wasAnswered: boolean): string {
  const living = CALL_STATUSES.get(status);
  if (living !== undefined) return living;
  return wasAnswered || endReason === null ? "completed" : (UNANSWERED.get(endReason) ?? "completed");
}

/** Our codes for messages → Twilio's; a code without a counterpart becomes 30008, Twilio's unknown error. */
const ERROR_CODES: Readonly<Record<number, number>> = {
  1: 21212,
  2: 21606,
  3: 30034,
  4: 21606,
  5: 30034,
  6: 21606,
  1001: 21211,
  1002: 21610,
  1003: 30003,
  1004: 30006,
  1005: 21408,
  2001: 21602,
  2002: 21617,
  2003: 21609,
  2004: 30036,
  2005: 21609,
  2006: 30019,
  3002: 30007,
  3003: 30007,
  3005: 30001,
  3015: 30034,
  3016: 30034,
  3017: 30034,
  3019: 30002,
};
const UNKNOWN_ERROR = 30008;

/** Null for 0, which is not an error. */
export function twilioErrorCode(code: number): number | null {
  return code === 0 ? null : (ERROR_CODES[code] ?? UNKNOWN_ERROR);
}
