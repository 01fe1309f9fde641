// Records of a span of time, as conditions of a list.

import { firstSidAt } from "../../../base/ids.ts";
import { cutoff } from "./sweeps.ts";

interface CreatedSpan {
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

/**
 * The time in a sid and `createdOn` are at most this far apart, whatever the clock did. The sid of a TwiML reply has
 * the time of its delivery instead: a reply that is first sent by a late attempt or a replay is not found by times
 * after that. A span wide enough for it would make every list read days of messages for nothing.
 */
const SLACK_MS = 600_000;

/** A sid begins with the time it was made, so a span of time is a span of sids, which are found by their index. */
export function createdWithin(prefix: "OM" | "IM" | "CA" | "CF", { createdFrom, createdTo }: CreatedSpan) {
  return {
    "sid >=": createdFrom && firstSidAt(prefix, cutoff(createdFrom, SLACK_MS)),
    "sid <": createdTo && firstSidAt(prefix, cutoff(createdTo, -SLACK_MS)),
  };
}

/** Exactly, beside what `createdWithin` says for the index. */
export function createdBetween({ createdFrom, createdTo }: CreatedSpan) {
  return { "created_at >=": createdFrom, "created_at <=": createdTo };
}
