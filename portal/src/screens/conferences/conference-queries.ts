// The queries of the conference screens, and the facts of a conference that both show.

import type { Conference, ConferenceEndReason } from "@tandem/sdk";
import { client } from "../../api/client.ts";
import { dataQuery, itemsQuery } from "../../api/queries.ts";

export const NOUNS = ["conferences"];

export const conferenceQuery = (sid: string) =>
  dataQuery(["conferences", "one", sid], (options) => client.conferences.get(sid, options));

/** The most calls that a list gives at once which is read for the names of participants. */
const NAMED_MAX = 200;

/** The calls that are most likely in a conference: one request for all participants. */
export const answeredQuery = itemsQuery(["answeredCalls"], (options) =>
  client.calls.list({ status: "Answered", pageSize: NAMED_MAX, ...options }),
);

/** A participant that is not among those. Who is in a call does not change. */
export const participantCallQuery = (callSid: string) => ({
  ...dataQuery(["participantCalls", callSid], (options) => client.calls.get(callSid, options)),
  staleTime: Number.POSITIVE_INFINITY,
});

export const isLive = ({ status }: Pick<Conference, "status">): boolean => status !== "Completed";

/** How long it has been in progress, in seconds; undefined if it has not started. */
export function lengthSeconds({ startedOn, completedOn }: Conference, now: Date): number | undefined {
  if (startedOn === null) return undefined;
  const end = completedOn === null ? now.getTime() : Date.parse(completedOn);
  return Math.max(0, (end - Date.parse(startedOn)) / 1000);
}

export const participantCount = ({ participants: { length } }: Conference): string =>
  `${length} participant${length === 1 ? "" : "s"}`;

/** After "Ended". */
export const END_REASONS: Readonly<Record<ConferenceEndReason, string>> = {
  LastParticipantLeft: "when the last participant left",
  LastParticipantRemoved: "when the last participant was removed",
  EndOnExit: "when one left whose leaving ends it",
  EndOnRemoval: "when one was removed whose leaving ends it",
  Api: "by the API",
  Failed: "because its process died",
};
