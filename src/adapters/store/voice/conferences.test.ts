import { afterEach, expect, test } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import type { Clock } from "../../../base/clock.ts";
import {
  type Conference,
  type ConferenceStatus,
  newConference,
  type Participant,
} from "../../../domain/voice/index.ts";
import { CallLease } from "./call-lease.ts";
import { conferenceStore, StoredConferences } from "./conferences.ts";

const store = useWebhookStore();
const leases: CallLease[] = [];

afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.close();
  await store.db.query("delete from conferences");
});

async function newProcess() {
  const lease = new CallLease(store.connection, silent);
  leases.push(lease);
  await lease.open();
  return lease;
}

const conferencesOf = (lease: Pick<CallLease, "id" | "living">, clock: Clock = store.clock) =>
  new StoredConferences(store.db, lease, clock);

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
