// Changes a conference under way: mutes participants, puts them on hold, removes them, and ends it. The process that
// has the conference does it. A request that does not reach it is not carried out later.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Problem, problem } from "../problems.ts";
import { type Conference, type Participant, participantOf } from "./conference.ts";
import type { AskedOfConference, ConferenceStore } from "./ports.ts";
import type { RedirectCallDeps } from "./redirect-call.ts";

interface ChangeConferenceDeps {
  readonly conferences: Pick<ConferenceStore, "find" | "ask">;
  readonly until: RedirectCallDeps["until"];
}

/** Whose conference it is. */
interface ConferencePlace {
  readonly accountSid: string;
  readonly sid: string;
}

type ParticipantChange = Pick<AskedOfConference, "muted" | "hold">;

const NOT_REACHED: Problem = {
  ...problem("call-not-reached", "The process that has the conference has not done it: ask again."),
  retryAfterSeconds: 5,
};
const NOT_FOUND = refused(problem("not-found"));

export async function changeParticipant(
  deps: ChangeConferenceDeps,
  place: ConferencePlace,
  callSid: string,
  change: ParticipantChange,
): Promise<Result<Participant, Problem>> {
  const found = (conference: Conference | undefined) => conference && participantOf(conference, callSid);
  const isDone = (conference: Conference | undefined) => {
    const one = found(conference);
    return !one || ((change.muted ?? one.muted) === one.muted && (change.hold ?? one.hold) === one.hold);
  };
  const seen = await asked(deps, place, { callSid, ...change }, isDone);
  const participant = found(seen);
  if (!participant) return NOT_FOUND;
  return isDone(seen) ? ok(participant) : refused(NOT_REACHED);
}

export async function removeParticipant(
  deps: ChangeConferenceDeps,
  place: ConferencePlace,
  callSid: string,
): Promise<Result<void, Problem>> {
  const isIn = (conference: Conference | undefined) =>
    conference !== undefined && participantOf(conference, callSid) !== undefined;
  if (!isIn(await deps.conferences.find(place.accountSid, place.sid))) return NOT_FOUND;
  const seen = await asked(deps, place, { callSid, isRemoved: true }, (conference) => !isIn(conference));
  return isIn(seen) ? refused(NOT_REACHED) : ok(undefined);
}

/** One that has ended is returned as it is. */
export async function endConference(
  deps: ChangeConferenceDeps,
  place: ConferencePlace,
): Promise<Result<Conference, Problem>> {
  const isOver = (conference: Conference | undefined) => conference?.status === "Completed" || conference === undefined;
  const seen = await asked(deps, place, {}, isOver);
  if (!seen) return NOT_FOUND;
  return isOver(seen) ? ok(seen) : refused(NOT_REACHED);
}

/** Returns what was seen last: where nothing is to be done, at once. */
async function asked(
  { conferences, until }: ChangeConferenceDeps,
  { accountSid, sid }: ConferencePlace,
  what: Omit<AskedOfConference, "conferenceSid">,
  isDone: (conference: Conference | undefined) => boolean,
): Promise<Conference | undefined> {
  const look = () => conferences.find(accountSid, sid);
  const found = await look();
  if (isDone(found)) return found;
  await conferences.ask({ conferenceSid: sid, ...what });
  return until(look, isDone);
}
