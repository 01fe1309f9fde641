// Conferences: which there are and who is in them, and how participants are muted, put on hold and removed.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import {
  CONFERENCE_END_REASONS,
  CONFERENCE_STATUSES,
  type Conference,
  changeParticipant,
  endConference,
  type Participant,
  type RecordingUrl,
  removeParticipant,
} from "../../../../domain/voice/index.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import { answerDone, answerFound, answerPage, answerWith } from "../../core/outcomes.ts";
import { listOf, listQuery, pageRequestOf, sidParams, text, timestamp } from "../../core/schemas.ts";
import type { CallRouteDeps } from "./calls.ts";
import { conferenceRecordingSchema, showConferenceRecording } from "./recording-schemas.ts";

type ConferenceDeps = Pick<CallRouteDeps, "until" | "recordingUrl">;

const participantSchema = z
  .strictObject({
    callSid: z.string().describe("The call that is in the conference."),
    label: z.string().nullable().describe("As the script names it."),
    muted: z.boolean(),
    hold: z.boolean().describe("It hears music, and the others do not hear it."),
    joinedOn: timestamp,
  })
  .meta({ id: "ConferenceParticipant" });

const conferenceSchema = z
  .strictObject({
    sid: z.string(),
    name: z.string(),
    status: z
      .enum(CONFERENCE_STATUSES)
      .meta({ id: "ConferenceStatus" })
      .describe("Waiting until there are two participants, one of whom may start it."),
    createdOn: timestamp,
    startedOn: timestamp.nullable(),
    completedOn: timestamp.nullable(),
    endReason: z.enum(CONFERENCE_END_REASONS).meta({ id: "ConferenceEndReason" }).nullable(),
    participants: z.array(participantSchema).describe("Those who are in it, in the order in which they entered."),
    recordings: z
      .array(conferenceRecordingSchema)
      .describe("One where a script asked for that: it belongs to the call that did so first."),
  })
  .meta({ id: "Conference" });

const CONFERENCES = [{ table: members("Sid = sid, Name = name, Status = status, Begun = createdOn, End = endReason") }];
const CONFERENCE = [
  {
    fields: members("Sid = sid, Name = name, Status = status, Begun = createdOn, Started = startedOn, End = endReason"),
  },
  {
    of: "participants",
    table: members("Call = callSid, Label = label, Muted = muted, On hold = hold, Joined = joinedOn"),
  },
  {
    of: "recordings",
    table: members("Recording = sid, Call = callSid, Status = status, Seconds = durationSeconds"),
  },
];

const PARTICIPANT = [{ fields: members("Call = callSid, Label = label, Muted = muted, On hold = hold") }];

const participantParams = z.strictObject({ sid: text(64), callSid: text(64) });
const change = z
  .strictObject({ muted: z.boolean().optional(), hold: z.boolean().optional() })
  .meta({ id: "ParticipantChange" });

const PLACE = { "<sid>": "the conference", "<callSid>": "the call that is in it" };
const NOT_REACHED = "What the process that has the conference does not do within 5 seconds is answered by 503.";

function showParticipant({ callSid, label, muted, hold, joinedOn }: Participant): object {
  return { callSid, label, muted, hold, joinedOn };
}

function showConference(
  { accountSid: _, callback: __, participants, recording, ...conference }: Conference,
  urlOf: RecordingUrl,
): object {
  const recordings = recording ? [showConferenceRecording(recording, urlOf)] : [];
  return { ...conference, participants: participants.map(showParticipant), recordings };
}

export const conferenceOperations = tagged<ConferenceDeps>("Conferences", [
  accountOperation({
    id: "listConferences",
    sdk: "conferences.list",
    command: {
      name: "conferences list",
      about: "List conferences, the newest first.",
      options: { "--status <status>": ["Status"], "--name <name>": ["Name", "of this name"] },
      isLimited: true,
      shows: CONFERENCES,
    },
    summary: "List conferences",
    route: "GET /Voice/Conferences",
    isSeenByOperators: true,
    query: listQuery({ Status: z.enum(CONFERENCE_STATUSES).optional(), Name: text(128).optional() }),
    answers: { 200: { description: "A page of conferences.", body: listOf("ConferenceList", conferenceSchema) } },
    handle: async ({ account, query }, { conferences }, { recordingUrl }) =>
      answerPage(
        await conferences.list(account.sid, pageRequestOf(query), { status: query.Status, name: query.Name }),
        (one) => showConference(one, recordingUrl),
      ),
  }),
  accountOperation({
    id: "getConference",
    sdk: "conferences.get",
    command: {
      name: "conferences show",
      about: "Show a conference with those who are in it.",
      arguments: { "<sid>": "the conference" },
      shows: CONFERENCE,
    },
    summary: "A conference with its participants",
    route: "GET /Voice/Conferences/{sid}",
    isSeenByOperators: true,
    params: sidParams,
    answers: { 200: { description: "The conference.", body: conferenceSchema } },
    refusals: ["not-found"],
    handle: async ({ account, params }, { conferences }, { recordingUrl }) =>
      answerFound(await conferences.find(account.sid, params.sid), (one) => showConference(one, recordingUrl)),
  }),
  accountOperation({
    id: "endConference",
    sdk: "conferences.end",
    command: {
      name: "conferences end",
      about: "End a conference. The programs of its calls go on.",
      arguments: { "<sid>": "the conference" },
      shows: CONFERENCE,
    },
    summary: "End a conference",
    description: `The programs of its calls go on. One that has ended is answered as it is. ${NOT_REACHED}`,
    route: "POST /Voice/Conferences/{sid}/end",
    writes: false,
    params: sidParams,
    answers: { 200: { description: "The conference, ended.", body: conferenceSchema } },
    refusals: ["not-found", "call-not-reached"],
    handle: async ({ account, params: { sid } }, { conferences }, { until, recordingUrl }) =>
      answerWith(await endConference({ conferences, until }, { accountSid: account.sid, sid }), (one) =>
        showConference(one, recordingUrl),
      ),
  }),
  accountOperation({
    id: "changeParticipant",
    sdk: "conferences.change",
    command: [
      {
        name: "conferences mute",
        about: "Let the others not hear a participant.",
        arguments: PLACE,
        sets: { muted: true },
        shows: PARTICIPANT,
      },
      {
        name: "conferences unmute",
        about: "Let the others hear a participant again.",
        arguments: PLACE,
        sets: { muted: false },
        shows: PARTICIPANT,
      },
      {
        name: "conferences hold",
        about: "Put a participant on hold: it hears music.",
        arguments: PLACE,
        sets: { hold: true },
        shows: PARTICIPANT,
      },
      {
        name: "conferences unhold",
        about: "Bring a participant back from hold.",
        arguments: PLACE,
        sets: { hold: false },
        shows: PARTICIPANT,
      },
    ],
    summary: "Mute a participant, or put it on hold",
    description: `On hold it hears music, and the others do not hear it. ${NOT_REACHED}`,
    route: "PATCH /Voice/Conferences/{sid}/participants/{callSid}",
    writes: false,
    params: participantParams,
    body: change,
    answers: { 200: { description: "The participant.", body: participantSchema } },
    refusals: ["not-found", "call-not-reached"],
    handle: async ({ account, params: { sid, callSid }, body }, { conferences }, { until }) =>
      answerWith(
        await changeParticipant({ conferences, until }, { accountSid: account.sid, sid }, callSid, body),
        showParticipant,
      ),
  }),
  accountOperation({
    id: "removeParticipant",
    sdk: "conferences.remove",
    command: {
      name: "conferences remove",
      about: "Remove a participant. The program of its call goes on.",
      arguments: PLACE,
      done: "removed",
      shows: [{ say: "{<callSid>} is removed." }],
    },
    summary: "Remove a participant",
    description: `The program of its call goes on. ${NOT_REACHED}`,
    route: "DELETE /Voice/Conferences/{sid}/participants/{callSid}",
    writes: false,
    params: participantParams,
    answers: { 204: { description: "It is removed." } },
    refusals: ["not-found", "call-not-reached"],
    handle: async ({ account, params: { sid, callSid } }, { conferences }, { until }) =>
      answerDone(await removeParticipant({ conferences, until }, { accountSid: account.sid, sid }, callSid)),
  }),
]);
