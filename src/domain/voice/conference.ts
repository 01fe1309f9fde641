// What a conference decides, as a pure machine: (conference, input) → [conference, commands]. `LiveConference` carries
// the commands out.
//
//   Waiting → InProgress (two participants, one of whom may start it) → Completed
//
// Guarantees, for any inputs in any order: while it waits no participant speaks; a participant that is muted or on hold
// does not speak, and one on hold does not hear the others; every participant that entered leaves or is released once;
// a conference that is Completed has no participants and never goes on; it ends with its last participant, if not
// before; its recording has one segment, which begins once, while the conference is InProgress.

import type { PayloadShape } from "../events.ts";
import { type ConferenceRecording, endedProgramRecording, withNewSegment } from "./recording.ts";

export const CONFERENCE_STATUSES = ["Waiting", "InProgress", "Completed"] as const;
export type ConferenceStatus = (typeof CONFERENCE_STATUSES)[number];

export const CONFERENCE_END_REASONS = [
  "LastParticipantLeft",
  /** The API has removed it. */
  "LastParticipantRemoved",
  /** One left whose leaving ends it. */
  "EndOnExit",
  /** The API has removed such a one. */
  "EndOnRemoval",
  "Api",
  /** Its process died, or lost the database. */
  "Failed",
] as const;
export type ConferenceEndReason = (typeof CONFERENCE_END_REASONS)[number];

/** Why a participant that was not removed has left. */
export const LEAVE_REASONS = [
  /** Its call has ended. */
  "HungUp",
  /** By the star key, or because it has been in it for as long as it may. */
  "Left",
  /** Its call goes on with another program. */
  "Redirected",
] as const;
export type LeaveReason = (typeof LEAVE_REASONS)[number];

/** Why a participant is in the conference no longer; where that has ended first, why it has ended. */
export const PARTICIPANT_END_REASONS = [...LEAVE_REASONS, "Removed", ...CONFERENCE_END_REASONS] as const;
export type ParticipantEndReason = (typeof PARTICIPANT_END_REASONS)[number];

/** A call that is in the conference. */
export interface Participant {
  readonly callSid: string;
  readonly label: string | null;
  readonly muted: boolean;
  readonly hold: boolean;
  readonly startsOnEnter: boolean;
  readonly endsOnExit: boolean;
  readonly joinedOn: Date;
}

/** Where a script wants to be notified of what happens in the conference, instead of subscriptions. */
export interface ConferenceCallback {
  readonly url: string;
  readonly shape: PayloadShape;
  readonly events: readonly ConferenceEventName[];
}

export const CONFERENCE_EVENTS = [
  "Started",
  "Ended",
  "ParticipantJoined",
  "ParticipantLeft",
  "ParticipantMuted",
  "ParticipantUnmuted",
  "ParticipantHeld",
  "ParticipantUnheld",
] as const;
export type ConferenceEventName = (typeof CONFERENCE_EVENTS)[number];

/** Without a participant it is of the conference. */
export interface ConferenceHappening {
  readonly event: ConferenceEventName;
  readonly participant: Participant | null;
  /** Why the participant has left, or the conference has ended. */
  readonly reason: ParticipantEndReason | null;
  /** Whose leaving has ended the conference. */
  readonly endedBy: Participant | null;
}

export interface Conference {
  readonly sid: string;
  readonly accountSid: string;
  readonly name: string;
  readonly status: ConferenceStatus;
  readonly createdOn: Date;
  readonly startedOn: Date | null;
  readonly completedOn: Date | null;
  readonly endReason: ConferenceEndReason | null;
  /** Those who are in it, in the order in which they entered. */
  readonly participants: readonly Participant[];
  /** That of the call that entered it first. */
  readonly callback: ConferenceCallback | null;
  /** Null where no script asked for one. Runs from the start, or from the entry of the call that asked, to the end. */
  readonly recording: ConferenceRecording | null;
}

/** Whether all hear a tone when the participant enters, and when it leaves. */
export interface Beeps {
  readonly enter: boolean;
  readonly exit: boolean;
}

/** What a script requests of a conference. */
export interface ConferenceOrder {
  readonly name: string;
  readonly label: string | null;
  readonly muted: boolean;
  readonly beeps: Beeps;
  readonly startsOnEnter: boolean;
  readonly endsOnExit: boolean;
  readonly participantsMax: number;
  /** The sound that is heard until it starts; undefined: music of ours; null: silence. */
  readonly waitUrl?: string | null | undefined;
  readonly callback?: Omit<ConferenceCallback, "shape"> | undefined;
  /** It is recorded, once; the URL is notified when that is ready, instead of subscriptions. */
  readonly recording?: { readonly callbackUrl?: string | undefined } | undefined;
}

export type ConferenceInput =
  | {
      readonly kind: "enter";
      readonly participant: Participant;
      readonly beeps: boolean;
      /** Begins where there is none yet. */
      readonly recording?: ConferenceRecording | undefined;
    }
  | { readonly kind: "leave"; readonly callSid: string; readonly beeps: boolean; readonly reason: LeaveReason }
  | {
      readonly kind: "change";
      readonly callSid: string;
      readonly muted?: boolean | undefined;
      readonly hold?: boolean | undefined;
    }
  /** Its call goes on with what follows the conference. */
  | { readonly kind: "remove"; readonly callSid: string }
  | { readonly kind: "end"; readonly reason: ConferenceEndReason };

type Leaving = ConferenceInput & { readonly kind: "leave" | "remove" };

/** What a participant is part of: it hears the others, or music on hold, or what it waits with. */
export interface ConferencePart {
  readonly speaks: boolean;
  readonly hears: "others" | "hold" | "wait";
}

export type ConferenceCommand =
  | ({ readonly do: "connect"; readonly callSid: string } & ConferencePart)
  | { readonly do: "beep"; readonly tone: "enter" | "exit" }
  /** The participant is in the conference no longer, and its call goes on. */
  | { readonly do: "release"; readonly callSid: string }
  /** The segment of its recording begins. */
  | { readonly do: "record" }
  | { readonly do: "end" };

export type ConferenceStep = readonly [Conference, readonly ConferenceCommand[]];

export const PARTICIPANTS_MAX = 50;
/** Of an account at the same time. */
export const CONFERENCES_MAX = 20;
export const CONFERENCE_NAME_MAX = 128;
/** With so many participants it starts, if one of them may start it. */
const STARTS_WITH = 2;

export type NewConference = Pick<Conference, "sid" | "accountSid" | "name" | "callback">;

export function newConference(order: NewConference, at: Date): Conference {
  const { sid, accountSid, name, callback } = order;
  const open = { startedOn: null, completedOn: null, endReason: null, participants: [], recording: null };
  return { sid, accountSid, name, callback, status: "Waiting", createdOn: at, ...open };
}

export function stepConference(before: Conference, input: ConferenceInput, at: Date): ConferenceStep {
  if (before.status === "Completed") return [before, []];
  const [after, commands] = decide(before, input, at);
  const started = startedIfDue(after, at);
  const [recorded, recording] = recordedIfDue(started, at);
  return [recorded, [...commands, ...connections(before, recorded), ...recording]];
}

function decide(before: Conference, input: ConferenceInput, at: Date): ConferenceStep {
  switch (input.kind) {
    case "enter": {
      if (participantOf(before, input.participant.callSid)) return [before, []];
      const participants = [...before.participants, input.participant];
      const entered = { ...before, participants, recording: before.recording ?? input.recording ?? null };
      return [entered, input.beeps ? [{ do: "beep", tone: "enter" }] : []];
    }
    case "leave":
      return leave(before, input, input.beeps ? [{ do: "beep", tone: "exit" }] : [], at);
    case "remove": {
      if (!participantOf(before, input.callSid)) return [before, []];
      const [left, commands] = leave(before, input, [], at);
      return [left, [{ do: "release", callSid: input.callSid }, ...commands]];
    }
    case "change":
      return [changed(before, input), []];
    case "end":
      return complete(before, input.reason, at);
    default:
      return input satisfies never;
  }
}

/** What is done where the others go on. */
function leave(
  before: Conference,
  { kind, callSid }: Leaving,
  goesOn: readonly ConferenceCommand[],
  at: Date,
): ConferenceStep {
  const leaver = participantOf(before, callSid);
  if (!leaver) return [before, []];
  const left = { ...before, participants: before.participants.filter((one) => one !== leaver) };
  const isRemoved = kind === "remove";
  if (leaver.endsOnExit) return complete(left, isRemoved ? "EndOnRemoval" : "EndOnExit", at);
  if (left.participants.length > 0) return [left, goesOn];
  return complete(left, isRemoved ? "LastParticipantRemoved" : "LastParticipantLeft", at);
}

function complete(before: Conference, endReason: ConferenceEndReason, at: Date): ConferenceStep {
  const released = before.participants.map(({ callSid }): ConferenceCommand => ({ do: "release", callSid }));
  const recording = before.recording && endedProgramRecording(before.recording);
  const ended = { ...before, status: "Completed", completedOn: at, endReason, participants: [], recording } as const;
  return [ended, [...released, { do: "end" }]];
}

function changed(before: Conference, { callSid, muted, hold }: ConferenceInput & { readonly kind: "change" }) {
  const change = (one: Participant): Participant => ({ ...one, muted: muted ?? one.muted, hold: hold ?? one.hold });
  const participants = before.participants.map((one) => (one.callSid === callSid ? change(one) : one));
  return { ...before, participants };
}

function startedIfDue(conference: Conference, at: Date): Conference {
  const { status, participants } = conference;
  const isDue = participants.length >= STARTS_WITH && participants.some(({ startsOnEnter }) => startsOnEnter);
  return status === "Waiting" && isDue ? { ...conference, status: "InProgress", startedOn: at } : conference;
}

function recordedIfDue(conference: Conference, at: Date): ConferenceStep {
  const { status, recording } = conference;
  if (status !== "InProgress" || !recording || recording.segments.length > 0) return [conference, []];
  const begun = { ...recording, ...withNewSegment(recording, at) };
  return [{ ...conference, recording: begun }, [{ do: "record" }]];
}

/** Of those whose part is another than before. */
function connections(before: Conference, after: Conference): readonly ConferenceCommand[] {
  return after.participants.flatMap((one): readonly ConferenceCommand[] => {
    const was = participantOf(before, one.callSid);
    const [old, part] = [was && partOf(before, was), partOf(after, one)];
    const isSame = old?.speaks === part.speaks && old.hears === part.hears;
    return isSame ? [] : [{ do: "connect", callSid: one.callSid, ...part }];
  });
}

/** What has happened from one state to the next by this input, in order. */
export function happenings(
  before: Conference,
  after: Conference,
  input: ConferenceInput,
): readonly ConferenceHappening[] {
  const of = (event: ConferenceEventName, participant: Participant | null = null) => ({
    ...{ event, participant },
    reason: event === "ParticipantLeft" ? reasonOf(after, participant, input) : null,
    endedBy: null,
  });
  const leaver = "callSid" in input ? participantOf(before, input.callSid) : undefined;
  const changes = after.participants.flatMap((one) => {
    const was = participantOf(before, one.callSid);
    if (!was) return [of("ParticipantJoined", one)];
    return [
      ...(was.muted === one.muted ? [] : [of(one.muted ? "ParticipantMuted" : "ParticipantUnmuted", one)]),
      ...(was.hold === one.hold ? [] : [of(one.hold ? "ParticipantHeld" : "ParticipantUnheld", one)]),
    ];
  });
  const left = before.participants
    .filter(({ callSid }) => !participantOf(after, callSid))
    .toSorted((one, other) => Number(other === leaver) - Number(one === leaver));
  return [
    ...changes,
    ...left.map((one) => of("ParticipantLeft", one)),
    ...(before.startedOn === null && after.startedOn !== null ? [of("Started")] : []),
    ...(before.completedOn === null && after.completedOn !== null
      ? [{ ...of("Ended"), reason: after.endReason, endedBy: leaver ?? null }]
      : []),
  ];
}

function reasonOf(
  { endReason }: Conference,
  participant: Participant | null,
  input: ConferenceInput,
): ParticipantEndReason | null {
  if (!("callSid" in input) || input.callSid !== participant?.callSid) return endReason;
  if (input.kind === "leave") return input.reason;
  return input.kind === "remove" ? "Removed" : null;
}

export function partOf({ status }: Conference, { muted, hold }: Participant): ConferencePart {
  if (hold) return { speaks: false, hears: "hold" };
  if (status !== "InProgress") return { speaks: false, hears: "wait" };
  return { speaks: !muted, hears: "others" };
}

export function participantOf({ participants }: Conference, callSid: string): Participant | undefined {
  return participants.find((one) => one.callSid === callSid);
}
