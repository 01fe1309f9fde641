// Conferences and their participants in Twilio's shape.

import { z } from "zod";
import { ok, refused } from "../../base/result.ts";
import { tableOf } from "../../base/table.ts";
import type { Account } from "../../domain/accounts/index.ts";
import { invalid } from "../../domain/problems.ts";
import {
  type Conference,
  type ConferenceStatus,
  changeParticipant,
  endConference,
  type Participant,
  type RedirectCallDeps,
  removeParticipant,
} from "../../domain/voice/index.ts";
import { answerDone, answerWith } from "../http/core/outcomes.ts";
import { anyText, text } from "../http/core/schemas.ts";
import { API_VERSION, NOT_FOUND, refusing, type TwilioOperation, twilioOperation } from "./operation.ts";
import { PAGE_QUERY, pageBody, pageOf, spanOf, timeFilter, twilioDate, twilioPageRequest } from "./page.ts";

export interface TwilioConferenceDeps {
  readonly until: RedirectCallDeps["until"];
}

const STATUSES = tableOf<ConferenceStatus>({ init: "Waiting", "in-progress": "InProgress", completed: "Completed" });
const THEIR_STATUSES = tableOf({ Waiting: "init", InProgress: "in-progress", Completed: "completed" });

/** Ours → why Twilio says that it has ended. */
export const CONFERENCE_ENDS = tableOf({
  LastParticipantLeft: "last-participant-left",
  LastParticipantRemoved: "last-participant-kicked",
  EndOnExit: "participant-with-end-conference-on-exit-left",
  EndOnRemoval: "participant-with-end-conference-on-exit-kicked",
  Api: "conference-ended-via-api",
});

const pathOf = (account: Account, sid: string) => `/${API_VERSION}/Accounts/${account.sid}/Conferences/${sid}`;

function showConference(conference: Conference, account: Account): object {
  const { sid, name, status, createdOn, startedOn, completedOn, endReason } = conference;
  const uri = pathOf(account, sid);
  return {
    account_sid: account.sid,
    api_version: API_VERSION,
    call_sid_ending_conference: null,
    date_created: twilioDate(createdOn),
    date_updated: twilioDate(completedOn ?? startedOn ?? createdOn),
    friendly_name: name,
    reason_conference_ended: CONFERENCE_ENDS.get(endReason ?? "") ?? null,
    region: "us1",
    sid,
    status: THEIR_STATUSES.get(status),
    subresource_uris: { participants: `${uri}/Participants.json`, recordings: `${uri}/Recordings.json` },
    uri: `${uri}.json`,
  };
}

function showParticipant(participant: Participant, conferenceSid: string, account: Account): object {
  const { callSid, label, muted, hold, startsOnEnter, endsOnExit, joinedOn } = participant;
  return {
    account_sid: account.sid,
    call_sid: callSid,
    call_sid_to_coach: null,
    coaching: false,
    conference_sid: conferenceSid,
    date_created: twilioDate(joinedOn),
    date_updated: twilioDate(joinedOn),
    end_conference_on_exit: endsOnExit,
    hold,
    label,
    muted,
    queue_time: null,
    start_conference_on_enter: startsOnEnter,
    status: "connected",
    uri: `${pathOf(account, conferenceSid)}/Participants/${callSid}.json`,
  };
}

/** A participant is named by its call, or by its label. */
function participantNamed({ participants }: Conference, name: string): Participant | undefined {
  return participants.find(({ callSid }) => callSid === name) ?? participants.find(({ label }) => label === name);
}

const PARTICIPANT = { ConferenceSid: text(64), CallSid: text(128) };
const flag = z.boolean().optional();

export const twilioConferenceOperations: readonly TwilioOperation<TwilioConferenceDeps>[] = [
  twilioOperation({
    id: "twilioListConferences",
    client: "conferences.list",
    summary: "List conferences",
    route: "GET /Conferences.json",
    query: {
      ...PAGE_QUERY,
      FriendlyName: text(128, 0).optional(),
      Status: anyText(64).optional(),
      ...timeFilter("DateCreated"),
      ...refusing("DateUpdated DateUpdated< DateUpdated>"),
    },
    async handle({ account, query }, { conferences }) {
      const request = twilioPageRequest(query);
      if (!request.ok) return request;
      const status = query.Status === undefined ? undefined : STATUSES.get(query.Status);
      if (query.Status !== undefined && !status)
        return refused(invalid({ Status: [`Status is ${[...STATUSES.keys()].join(", ")}.`] }));
      const { from: createdFrom, to: createdTo } = spanOf(query, "DateCreated");
      const filters = { status, name: query.FriendlyName, createdFrom, createdTo };
      const page = await conferences.list(account.sid, request.value, filters);
      const list = { noun: "conferences", path: "/Conferences.json" };
      return ok({ status: 200, body: pageBody(account, list, query, page, (one) => showConference(one, account)) });
    },
  }),
  twilioOperation({
    id: "twilioFetchConference",
    client: "conferences(sid).fetch",
    summary: "A conference",
    route: "GET /Conferences/{Sid}.json",
    params: { Sid: text(64) },
    async handle({ account, params }, { conferences }) {
      const found = await conferences.find(account.sid, params.Sid);
      return found ? ok({ status: 200, body: showConference(found, account) }) : NOT_FOUND;
    },
  }),
  twilioOperation({
    id: "twilioUpdateConference",
    client: "conferences(sid).update",
    summary: "End a conference",
    differs: "`Status` is `completed`. The programs of its calls go on.",
    route: "POST /Conferences/{Sid}.json",
    writes: false,
    params: { Sid: text(64) },
    body: { Status: anyText(64).optional(), ...refusing("AnnounceUrl AnnounceMethod") },
    async handle({ account, params: { Sid: sid }, body: { Status } }, { conferences }, { until }) {
      if (Status !== "completed") return refused(invalid({ Status: ["Status is completed."] }));
      const ended = await endConference({ conferences, until }, { accountSid: account.sid, sid });
      return answerWith(ended, (one) => showConference(one, account));
    },
  }),
  twilioOperation({
    id: "twilioListParticipants",
    client: "conferences(sid).participants.list",
    summary: "List the participants of a conference",
    route: "GET /Conferences/{ConferenceSid}/Participants.json",
    params: { ConferenceSid: text(64) },
    query: { ...PAGE_QUERY, Muted: flag, Hold: flag, ...refusing("Coaching") },
    async handle({ account, params: { ConferenceSid }, query }, { conferences }) {
      const request = twilioPageRequest(query);
      if (!request.ok) return request;
      const found = await conferences.find(account.sid, ConferenceSid);
      if (!found) return NOT_FOUND;
      const { Muted = null, Hold = null } = query;
      const isSo = ({ muted, hold }: Participant) => (Muted ?? muted) === muted && (Hold ?? hold) === hold;
      const named = found.participants.filter(isSo).map((one) => ({ ...one, sid: one.callSid }));
      const page = pageOf(named, request.value);
      const list = { noun: "participants", path: `/Conferences/${ConferenceSid}/Participants.json` };
      const show = (one: Participant) => showParticipant(one, ConferenceSid, account);
      return ok({ status: 200, body: pageBody(account, list, query, page, show) });
    },
  }),
  twilioOperation({
    id: "twilioFetchParticipant",
    client: "conferences(sid).participants(sid).fetch",
    summary: "A participant, by its call or its label",
    route: "GET /Conferences/{ConferenceSid}/Participants/{CallSid}.json",
    params: PARTICIPANT,
    async handle({ account, params: { ConferenceSid, CallSid } }, { conferences }) {
      const conference = await conferences.find(account.sid, ConferenceSid);
      const found = conference && participantNamed(conference, CallSid);
      return found ? ok({ status: 200, body: showParticipant(found, ConferenceSid, account) }) : NOT_FOUND;
    },
  }),
  twilioOperation({
    id: "twilioUpdateParticipant",
    client: "conferences(sid).participants(sid).update",
    summary: "Mute a participant, or put it on hold",
    differs: "On hold it hears music of this server.",
    route: "POST /Conferences/{ConferenceSid}/Participants/{CallSid}.json",
    writes: false,
    params: PARTICIPANT,
    body: {
      Muted: flag,
      Hold: flag,
      ...refusing(
        "HoldUrl HoldMethod AnnounceUrl AnnounceMethod WaitUrl WaitMethod BeepOnExit EndConferenceOnExit Coaching CallSidToCoach",
      ),
    },
    async handle({ account, params: { ConferenceSid: sid, CallSid }, body }, { conferences }, { until }) {
      const place = { accountSid: account.sid, sid };
      const conference = await conferences.find(account.sid, sid);
      const found = conference && participantNamed(conference, CallSid);
      if (!found) return NOT_FOUND;
      const change = { muted: body.Muted, hold: body.Hold };
      return answerWith(await changeParticipant({ conferences, until }, place, found.callSid, change), (one) =>
        showParticipant(one, sid, account),
      );
    },
  }),
  twilioOperation({
    id: "twilioDeleteParticipant",
    client: "conferences(sid).participants(sid).remove",
    summary: "Remove a participant",
    differs: "The program of its call goes on.",
    route: "DELETE /Conferences/{ConferenceSid}/Participants/{CallSid}.json",
    writes: false,
    params: PARTICIPANT,
    async handle({ account, params: { ConferenceSid: sid, CallSid } }, { conferences }, { until }) {
      const conference = await conferences.find(account.sid, sid);
      const found = conference && participantNamed(conference, CallSid);
      if (!found) return NOT_FOUND;
      const place = { accountSid: account.sid, sid };
      return answerDone(await removeParticipant({ conferences, until }, place, found.callSid));
    },
  }),
];
