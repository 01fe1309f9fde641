import { afterEach, expect, test } from "vitest";
import { newCall } from "../../../../test/fakes/new-call.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import type { Clock } from "../../../base/clock.ts";
import {
  type Conference,
  type ConferenceRecording,
  type ConferenceStatus,
  endedProgramRecording,
  newConference,
  newRecording,
  type Participant,
  withClosedSegment,
  withNewSegment,
} from "../../../domain/voice/index.ts";
import { CallLease } from "./call-lease.ts";
import { callStore } from "./calls.ts";
import { conferenceStore, StoredConferences, sweepConferences } from "./conferences.ts";
import { leftSegments } from "./recordings.ts";

const store = useWebhookStore();
const HOST = "here";
const leases: CallLease[] = [];

afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.close();
  await store.db.query("delete from conferences");
  await store.db.query("delete from calls");
});

async function newProcess() {
  const lease = new CallLease(store.connection, silent);
  leases.push(lease);
  await lease.open();
  return lease;
}

const conferencesOf = (lease: Pick<CallLease, "id" | "living">, clock: Clock = store.clock) =>
  new StoredConferences(store.db, lease, clock, { rawHost: HOST });

function conference(name: string, createdOn = store.clock.now()): Conference {
  const sid = store.ids.sid("CF");
  return newConference({ sid, accountSid: store.accountSid, name, callback: null }, createdOn);
}

const statusOf = async ({ sid }: Conference): Promise<ConferenceStatus | undefined> =>
  (await conferenceStore(store.db).find(store.accountSid, sid))?.status;

const later = (ms: number) => new Date(store.clock.now().getTime() + ms);

test("a conference that opens while others are looked through is not ended", async () => {
  const lease = await newProcess();
  const conferences = conferencesOf(lease);
  const [lost, opening] = [conference("lost", later(-1_000)), conference("opening")];
  expect(await conferences.open(lost, [lost.sid])).toBe("opened");
  const looking = conferencesOf({
    id: lease.id,
    async living() {
      // After the sids were listed, and before the conferences are looked through.
      expect(await conferences.open(opening, [opening.sid])).toBe("opened");
      return lease.living();
    },
  });
  await looking.endAbandoned(store.clock.now(), []);
  expect([await statusOf(lost), await statusOf(opening)]).toEqual(["Completed", "Waiting"]);
});

test("of a conference of a dead process it is told that its participants have left, and then that it has ended", async () => {
  const died = await newProcess();
  const theirs = conferencesOf(died);
  const empty = conference("dying");
  const one = { label: null, muted: false, hold: false, startsOnEnter: true, endsOnExit: false };
  const participants: readonly Participant[] = [
    { ...one, callSid: "CA1", joinedOn: later(0) },
    { ...one, callSid: "CA2", joinedOn: later(0), label: "guest" },
  ];
  await theirs.open(empty, [empty.sid]);
  expect(await theirs.save({ ...empty, status: "InProgress", participants }, [])).toBe(true);
  await died.close();
  await conferencesOf(await newProcess()).endAbandoned(later(0), []);
  const events = await store.db.query<{ fields: Readonly<Record<string, unknown>> }>(
    "select fields from events where resource_sid = $1 order by sequence",
    [empty.sid],
  );
  expect(events.map(({ fields }) => fields)).toMatchObject([
    { Event: "ParticipantLeft", CallSid: "CA1", Reason: "Failed" },
    { Event: "ParticipantLeft", CallSid: "CA2", Label: "guest" },
    { Event: "Ended", CallSid: null, Reason: "Failed" },
  ]);
  const ended = await conferenceStore(store.db).find(store.accountSid, empty.sid);
  expect(ended).toMatchObject({ status: "Completed", endReason: "Failed", participants: [], completedOn: later(0) });
  expect(await theirs.save({ ...empty, status: "InProgress", participants }, [])).toBe(false);
});

/** A recording that a call asked for, which has ended long ago. */
async function newRecordingOf(conferenceSid: string): Promise<ConferenceRecording> {
  const call = newCall({ sid: store.ids.sid("CA"), accountSid: store.accountSid });
  const scope = { phone: "+14155550100", messagingConfigSid: null, eventsTold: 6 };
  await callStore(store.db).insert({ call, scope, ringSeconds: 30, maxSeconds: 60 } as never);
  await store.db.query("update calls set status = 'Completed', completed_at = $2 where sid = $1", [
    call.sid,
    later(-600_000),
  ]);
  const sid = store.ids.sid("RE");
  const callback = { url: `https://t/${conferenceSid}`, shape: "Twilio" } as const;
  return { ...newRecording(sid), source: "Conference", callback, callSid: call.sid };
}

const begun = (recording: ConferenceRecording) => ({ ...recording, ...withNewSegment(recording, later(0)) });
const recordingOf = async ({ sid }: Conference) =>
  (await conferenceStore(store.db).find(store.accountSid, sid))?.recording;
const deleted = async ({ callSid }: ConferenceRecording) => callStore(store.db).remove(store.accountSid, callSid);

async function newRecorded() {
  const lease = await newProcess();
  const conferences = conferencesOf(lease);
  const opened = conference("recorded");
  await conferences.open(opened, [opened.sid]);
  const recording = await newRecordingOf(opened.sid);
  const underWay: Conference = { ...opened, status: "InProgress", startedOn: later(0), recording: begun(recording) };
  expect(await conferences.save(underWay, [])).toBe(true);
  return { lease, conferences, underWay, recording: begun(recording) };
}

test("a recording is stored with its conference and its call, which cannot be deleted while it goes on", async () => {
  const { conferences, underWay, recording } = await newRecorded();
  const found = await recordingOf(underWay);
  expect(found).toEqual(recording);
  const list = await conferenceStore(store.db).list(store.accountSid, { size: 5, direction: "Descending" }, {});
  expect(list.items.map((one) => one.recording?.sid)).toEqual([recording.sid]);
  const call = await callStore(store.db).find(store.accountSid, recording.callSid);
  expect(call).toMatchObject({ recording: null, programRecordings: [{ sid: recording.sid, source: "Conference" }] });
  expect(await deleted(recording)).toBe("active");
  // Its call has ended, and the conference goes on.
  expect(await leftSegments(store.db, HOST, later(60_000))).toEqual([]);
  const closed = endedProgramRecording({ ...recording, ...withClosedSegment(recording, 1, 8_000) });
  const over: Conference = { ...underWay, status: "Completed", completedOn: later(0), recording: closed };
  expect(await conferences.save(over, [])).toBe(true);
  expect(await recordingOf(underWay)).toEqual(closed);
  expect(await deleted(recording)).toBe("removed");
  expect(await recordingOf(underWay)).toBeNull();
});

test("a recording goes with its conference, which is kept until it is finished", async () => {
  const { conferences, underWay, recording } = await newRecorded();
  const closed = endedProgramRecording({ ...recording, ...withClosedSegment(recording, 1, 8_000) });
  const over: Conference = { ...underWay, status: "Completed", completedOn: later(0), recording: closed };
  expect(await conferences.save(over, [])).toBe(true);
  const calls = callStore(store.db);
  const segments = (conferenceSid: string, callSid?: string) =>
    calls.segments(store.accountSid, { size: 5, direction: "Descending" }, { conferenceSid, callSid });
  const shown = [{ recordingSid: recording.sid, conferenceSid: over.sid, callSid: recording.callSid }];
  expect((await segments(over.sid)).items).toMatchObject(shown);
  expect((await segments(over.sid, recording.callSid)).items).toMatchObject(shown);
  expect((await segments(over.sid, "CA-of-another")).items).toEqual([]);
  expect((await segments("CF-of-another")).items).toEqual([]);
  const inTwoDays = later(2 * 86_400_000);
  expect(await sweepConferences(store.db, inTwoDays, 1)).toBe(0);
  await store.db.query("update call_recordings set status = 'Completed' where sid = $1", [recording.sid]);
  expect(await sweepConferences(store.db, inTwoDays, 1)).toBe(1);
  expect((await calls.find(store.accountSid, recording.callSid))?.programRecordings).toEqual([]);
  const removed = await store.db.query("delete from removed_segments returning raw_file as file");
  expect(removed).toContainEqual({ file: `${recording.sid}-1.ulaw2` });
});

test("a recording of a dead process is ended with its conference, and its segment is closed where its file is", async () => {
  const { lease, underWay, recording } = await newRecorded();
  leases.splice(leases.indexOf(lease), 1);
  await lease.close();
  await conferencesOf(await newProcess()).endAbandoned(later(0), []);
  expect(await recordingOf(underWay)).toMatchObject({ status: "Processing", segments: [{ samples: null }] });
  const left = await leftSegments(store.db, HOST, later(60_000));
  expect(left).toMatchObject([{ recordingSid: recording.sid, index: 1, rawFile: `${recording.sid}-1.ulaw2` }]);
});

test("a conference that is recorded goes on when the call is gone that asked for it", async () => {
  const conferences = conferencesOf(await newProcess());
  const opened = conference("gone");
  await conferences.open(opened, [opened.sid]);
  const recording = await newRecordingOf(opened.sid);
  expect(await deleted(recording)).toBe("removed");
  const underWay: Conference = { ...opened, status: "InProgress", startedOn: later(0), recording: begun(recording) };
  expect(await conferences.save(underWay, [])).toBe(true);
  expect(await recordingOf(underWay)).toBeNull();
});
