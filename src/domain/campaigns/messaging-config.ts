// A MessagingConfig: how the numbers that belong to it send, and under which campaign.

import type { Readable } from "../../base/readable.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { FieldErrors } from "../problems.ts";

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** When messages may leave: on these days between two times of day. */
export interface SendingTimes {
  /** IANA, such as America/New_York. */
  readonly timeZone: string;
  readonly days: readonly (typeof WEEKDAYS)[number][];
  /** `HH:MM`; when it is later than `to`, sending ends on the following day. */
  readonly from: string;
  readonly to: string;
}

export interface MessagingConfig {
  readonly sid: string;
  readonly accountSid: string;
  readonly name: string;
  readonly tcrCampaignId: string | null;
  /** Null: at any time. */
  readonly sendingTimes: SendingTimes | null;
  readonly defaultExpirySeconds: number;
  /** Null: our default text. */
  readonly optOutReply: string | null;
  readonly optInReply: string | null;
  readonly helpReply: string | null;
  /** Keywords in addition to the usual ones. */
  readonly optOutKeywords: readonly string[];
  readonly optInKeywords: readonly string[];
  readonly helpKeywords: readonly string[];
  readonly createdOn: Date;
}

export const NAME_LENGTH_MAX = 64;
export const REPLY_LENGTH_MAX = 320;
export const KEYWORDS_MAX = 20;
export const KEYWORD_LENGTH_MAX = 32;
export const EXPIRY_SECONDS = { min: 60, max: 172_800, default: 14_400 } as const;

/** Normalises the time zone and the order of the days; refuses with faults by field. */
export function readSendingTimes(given: SendingTimes): Result<SendingTimes, FieldErrors> {
  const faults = sendingTimesFaults(given);
  const timeZone = timeZoneOf(given.timeZone);
  if (timeZone === undefined || Object.keys(faults).length > 0) return refused(faults);
  const days = WEEKDAYS.filter((day) => given.days.includes(day));
  return ok({ timeZone, days, from: given.from, to: given.to });
}

/** Finds the faults in what could be read. */
export function sendingTimesFaults({ timeZone, from, to }: Readable<SendingTimes>): FieldErrors {
  const faults: Record<string, string[]> = {};
  if (timeZone !== undefined && timeZoneOf(timeZone) === undefined) {
    faults["sendingTimes.timeZone"] = ["There is no such time zone; one is written America/New_York."];
  }
  if (from !== undefined && from === to) faults["sendingTimes.to"] = ["Sending would never be allowed."];
  return faults;
}

function timeZoneOf(name: string): string | undefined {
  // An offset (+02:00) is refused: it has no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
