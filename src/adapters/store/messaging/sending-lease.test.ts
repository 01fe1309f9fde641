import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { openDatabaseLine } from "../../../../test/fakes/database-line.ts";
import { newMessage as messageOf } from "../../../../test/fakes/new-message.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeIds } from "../../../base/ids.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import {
  type Assigned,
  FAILURES,
  makePlacer,
  type NewMessage,
  type Outgoing,
} from "../../../domain/messaging/index.ts";
import { type ConnectionSettings, Database } from "../engine/database.ts";
import { StoredIntake } from "./message-intake.ts";
import { outboundMessageStore } from "./outbound-messages.ts";
import { StoredSendQueue } from "./send-queue.ts";
import { SendingLease } from "./sending-lease.ts";
import { expireMessages, outgoingOf } from "./waiting-messages.ts";

const SOON = { timeout: 120_000, interval: 20 };

const store = useWebhookStore();
const leases: SendingLease[] = [];

afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.close();
  await store.db.query("delete from outbound_queue");
  await store.db.query("delete from submits");
});

/** A process that wants to send, with a log of what happened to it. */
async function newProcess(
  begin: (term: number) => Promise<void> = async () => undefined,
  settings: ConnectionSettings = store.connection,
) {
  const story: string[] = [];
  const standing = { mayHold: true };
  const holder = {
    async began(term: number) {
      story.push(`begins ${term}`);
      await begin(term);
    },
    async ended() {
      story.push("ended");
    },
    mayHold: () => standing.mayHold,
  };
  const lease = new SendingLease(settings, holder, silent);
  leases.push(lease);
  await lease.open();
  return { lease, story, standing };
}

const newTerm = async () => {
  const [row] = await store.db.query<{ term: number }>("update sending_lease set term = term + 1 returning term");
  return row?.term as number;
};

const placer = makePlacer([]);
const newQueue = () => new StoredSendQueue(store.db, placer);
const link = { name: "link", carrier: "carrier", kind: "sms", capacity: () => 1, submit: () => undefined } as const;
const SHARDS = Array.from({ length: 64 }, (_, shard) => shard);

/** What a sender would load. */
async function waitingIn(queue: StoredSendQueue): Promise<readonly Outgoing[]> {
  const found: Outgoing[] = [];
  for (const route of (await queue.ready(new Date())).routes)
    found.push(...(await queue.read((await queue.load({ route, shards: SHARDS, after: "" }, new Date())).keys)));
  return found.map((message) => ({ ...message, checkedOn: new Date() }));
}

const ids = makeIds(systemClock);
const newMessage = () => messageOf({ sid: ids.sid("OM"), accountSid: store.accountSid });

test("the next process begins when the first has ended, not before", async () => {
  const first = await newProcess();
  const second = await newProcess();
  expect([first.story.length, second.story.length]).toEqual([1, 0]);
  await first.lease.close();
  expect(first.story.at(-1)).toBe("ended");
  await expect.poll(() => second.story.length, SOON).toBe(1);
});

test("a process that may not hold the lease leaves it to the next one, and asks for it again when it may", async () => {
  const first = await newProcess();
  const second = await newProcess();
  first.standing.mayHold = false;
  await expect.poll(() => second.story.length, SOON).toBe(1);
  expect(first.story).toEqual([expect.stringMatching(/^begins /), "ended"]);
  second.standing.mayHold = false;
  await expect.poll(() => second.story.length, SOON).toBe(2);
  first.standing.mayHold = true;
  await expect.poll(() => first.story.length, SOON).toBe(3);
});

test("a term that could not be begun is followed by another", async () => {
  const first = await newProcess();
  let failures = 1;
  const second = await newProcess(async () => {
    if (failures-- > 0) throw new Error("the database went away");
  });
  await first.lease.close();
  await expect.poll(() => second.story.length, SOON).toBe(2);
  expect(new Set(second.story).size).toBe(2);
});

test("a process that hangs loses the lease to the next one, and ends its term when it goes on", async () => {
  const line = await openDatabaseLine(store.connection);
  onTestFinished(() => line.close());
  const first = await newProcess(undefined, { connectionString: line.url, waitMs: 60_000 });
  const second = await newProcess(undefined, { ...store.connection, waitMs: 3_000 });
  line.hold("tandem sender");
  await expect.poll(() => second.story.length, { timeout: 120_000 }).toBe(1);
  expect(first.story).toHaveLength(1);
  line.release();
  await expect.poll(() => first.story.at(-1), { timeout: 120_000 }).toBe("ended");
  expect(second.story).toHaveLength(1);
});

/** What PostgreSQL shows of the sessions of senders, those with the lock first. */
const SENDERS = `
select pid, exists (select from pg_locks where pg_locks.pid = session.pid and locktype = 'advisory') as "hasLock",
       state_change::text as "activeOn"
  from pg_stat_activity as session where datname = current_database() and application_name like 'tandem sender %'`;
const senders = () => store.db.query<{ pid: number; hasLock: boolean; activeOn: string }>(SENDERS);

test("a process that was cut off keeps its term, although another one sees the lock free", async () => {
  const line = await openDatabaseLine(store.connection);
  onTestFinished(() => line.close());
  const first = await newProcess(undefined, { connectionString: line.url });
  const second = await newProcess();
  line.cut();
  await expect.poll(async () => (await senders()).filter(({ hasLock }) => hasLock), SOON).toEqual([]);
  // The other one looks twice.
  for (let look = 0; look < 2; look++) {
    const [before] = await senders();
    await expect.poll(async () => (await senders())[0]?.activeOn, SOON).not.toBe(before?.activeOn);
  }
  expect(second.story).toEqual([]);
  line.release();
  await expect.poll(async () => (await senders()).filter(({ hasLock }) => hasLock).length, SOON).toBe(1);
  expect([first.story.length, second.story.length]).toEqual([1, 0]);
});

test("one that does not come back is replaced after a few looks, and ends its term when it does", async () => {
  const line = await openDatabaseLine(store.connection);
  onTestFinished(() => line.close());
  const first = await newProcess(undefined, { connectionString: line.url });
  const second = await newProcess();
  line.cut();
  await expect.poll(() => second.story.length, SOON).toBe(1);
  line.release();
  await expect.poll(() => first.story.at(-1), SOON).toBe("ended");
});

test("a process whose session broke goes on in its term when nobody took it over", async () => {
  const { story } = await newProcess();
  const sessions =
    "select pid from pg_stat_activity where datname = current_database() and application_name like 'tandem sender %'";
  const [before] = await store.db.query<{ pid: number }>(sessions);
  await store.db.query("select pg_terminate_backend($1)", [before?.pid]);
  const again = async () => (await store.db.query<{ pid: number }>(sessions)).some(({ pid }) => pid !== before?.pid);
  await expect.poll(again, SOON).toBe(true);
  expect(story).toHaveLength(1);
});

test("a process whose term is over begins nothing", async () => {
  const [old, present] = [newQueue(), newQueue()];
  await old.beginTerm(await newTerm(), new Date());
  await present.beginTerm(await newTerm(), new Date());
  const message = newMessage();
  await new StoredIntake(store.db).accept(message);
  const messages = [outgoingOf(message)];
  expect(await waitingIn(old)).toMatchObject([{ sid: message.sid }]);
  await expect(old.begin({ number: 1, link, messages }, new Date())).rejects.toThrow("another process sends now");
  expect(await present.begin({ number: 1, link, messages }, new Date())).toEqual(new Set([message.sid]));
  expect(await present.begin({ number: 2, link, messages }, new Date()), "begun already").toEqual(new Set());
});

test("what it accepts is sent by the one whose term it is", async () => {
  const [over, now] = [await newTerm(), await newTerm()];
  const present = newQueue();
  await present.beginTerm(now, new Date());
  const intake = new StoredIntake(store.db);
  const { sender, story } = newSender();
  intake.handTo({ term: () => over, sender });
  const message = newMessage();
  await intake.accept(message);
  expect(story).toEqual([["drop", message.sid]]);
  expect(await waitingIn(present)).toMatchObject([{ sid: message.sid }]);
});

test("what leaves as soon as it is accepted is of unknown outcome when its sender dies, and cannot be canceled", async () => {
  const term = await newTerm();
  const intake = new StoredIntake(store.db);
  const { sender, story } = newSender();
  intake.handTo({ term: () => term, sender });
  const [message, later] = [newMessage(), { ...newMessage(), dueOn: new Date(Date.now() + 60_000) }];
  await Promise.all([intake.accept(message), intake.accept(later)]);
  expect(story).toEqual([["leave", message.sid]]);
  const messages = outboundMessageStore(store.db);
  expect(await messages.cancel(store.accountSid, message.sid, new Date())).toBeUndefined();
  expect(await newQueue().beginTerm(await newTerm(), new Date())).toBe(1);
  expect(await store.db.query("select from submits")).toEqual([]);
  expect(await messages.find(store.accountSid, message.sid)).toMatchObject({
    status: "Failed",
    errorCode: FAILURES.unknownOutcome.code,
  });
  expect(await messages.find(store.accountSid, later.sid)).toMatchObject({ status: "Queued" });
});

test("a message of which nobody knows whether it was stored is given back if it was", async () => {
  const term = await newTerm();
  const queue = newQueue();
  await queue.beginTerm(term, new Date());
  const intake = new StoredIntake(new AnswersLost({ ...store.connection, waitMs: 60_000 }, silent));
  const { sender, story } = newSender();
  intake.handTo({ term: () => term, sender });
  const message = newMessage();
  await expect(intake.accept(message)).rejects.toBeInstanceOf(Unavailable);
  expect(story).toEqual([["drop", message.sid]]);
  expect(await waitingIn(queue), "stored as leaving").toEqual([]);
  const owned = await queue.owned();
  expect(owned).toEqual([{ id: "1", version: "" }]);
  await queue.giveBackStrays(owned);
  expect((await waitingIn(queue)).map(({ sid }) => sid)).toEqual([message.sid]);
  expect(await queue.owned()).toEqual([]);
});

test("nothing is given back in a term that is over", async () => {
  const queue = newQueue();
  await queue.beginTerm(await newTerm(), new Date());
  await new StoredIntake(store.db).accept(newMessage());
  const [message] = (await waitingIn(queue)) as [Outgoing];
  await queue.begin({ number: 7, link, messages: [message] }, new Date());
  await newTerm();
  await queue.giveBack([7]);
  expect([await waitingIn(queue), (await queue.owned()).length]).toEqual([[], 1]);
});

test("a message that waits again is not of unknown outcome when its sender dies, although its submit is on record", async () => {
  const queue = newQueue();
  await queue.beginTerm(await newTerm(), new Date());
  const intake = new StoredIntake(store.db);
  for (let made = 0; made < 2; made++) await intake.accept(newMessage());
  const messages = (await waitingIn(queue)).map((message) => ({ ...message, checkedOn: new Date() }));
  const [untaken, other] = messages as [Outgoing, Outgoing];
  await queue.begin({ number: 1, link, messages }, new Date());
  const settled = {
    message: untaken,
    submit: 1,
    link,
    outcome: { kind: "throttled" },
    leftOn: new Date(),
    at: new Date(),
  } as const;
  await queue.settle([settled], [], new Date());
  await queue.settle([settled], [], new Date());
  const next = newQueue();
  expect(await next.beginTerm(await newTerm(), new Date())).toBe(1);
  expect(await waitingIn(next)).toMatchObject([{ sid: untaken.sid }]);
  const lost = await outboundMessageStore(store.db).find(store.accountSid, other.sid);
  expect(lost).toMatchObject({ status: "Failed", errorCode: FAILURES.unknownOutcome.code, link: "link" });
});

/** One message, being sent by a first sender as submit 1, and what that may still do when the next one takes over. */
async function beginOne() {
  const queue = newQueue();
  await queue.beginTerm(await newTerm(), new Date());
  await new StoredIntake(store.db).accept(newMessage());
  const [message] = (await waitingIn(queue)) as [Outgoing];
  await queue.begin({ number: 1, link, messages: [message] }, new Date());
  const untaken = (submit: number) => ({
    message,
    submit,
    link,
    outcome: { kind: "throttled" } as const,
    leftOn: new Date(),
    at: new Date(),
  });
  const statusOf = async () => (await outboundMessageStore(store.db).find(store.accountSid, message.sid))?.status;
  return { queue, message, untaken, statusOf };
}

test("a message that no carrier took, when its sender has just lost the lease, is of unknown outcome and not lost", async () => {
  const { queue, untaken, statusOf } = await beginOne();
  const next = await newTerm();
  await queue.settle([untaken(1)], [1], new Date());
  expect(await newQueue().beginTerm(next, new Date())).toBe(1);
  expect(await statusOf()).toBe("Failed");
});

test("a message that came back from an earlier submit is of unknown outcome when its sender dies in a later one", async () => {
  const { queue, message, untaken, statusOf } = await beginOne();
  await queue.settle([untaken(1)], [1], new Date());
  await queue.begin({ number: 2, link, messages: [message] }, new Date());
  // A statement that was thought lost is carried out late.
  await queue.settle([untaken(1)], [1], new Date());
  const next = newQueue();
  expect(await next.beginTerm(await newTerm(), new Date())).toBe(1);
  expect([await statusOf(), await waitingIn(next)]).toEqual(["Failed", []]);
});

test("the record of a submit goes with the last of its messages", async () => {
  const queue = newQueue();
  await queue.beginTerm(await newTerm(), new Date());
  await new StoredIntake(store.db).accept(newMessage());
  const [message] = (await waitingIn(queue)) as [Outgoing];
  await queue.begin({ number: 3, link, messages: [message] }, new Date());
  expect(await queue.owned()).toEqual([{ id: "3", version: "" }]);
  await queue.settle(
    [
      {
        message,
        submit: 1,
        link,
        outcome: { kind: "accepted", carrierIds: ["7"] },
        leftOn: new Date(),
        at: new Date(),
      },
    ],
    [3],
    new Date(),
  );
  expect(await queue.owned()).toEqual([]);
});

test("one that has expired is not begun, and expires", async () => {
  const message = newMessage();
  const late = new Date(message.expiresOn.getTime() + 1);
  const queue = newQueue();
  await queue.beginTerm(await newTerm(), new Date());
  await new StoredIntake(store.db).accept(message);
  const messages = [{ ...outgoingOf(message), checkedOn: late }];
  expect(await queue.begin({ number: 1, link, messages }, late)).toEqual(new Set());
  await expireMessages(store.db, late);
  expect(await outboundMessageStore(store.db).find(store.accountSid, message.sid)).toMatchObject({ status: "Expired" });
});

test("one that is found outside the sending times waits until they begin", async () => {
  const message = newMessage();
  const config = store.ids.sid("MC");
  await store.db.query(
    `insert into messaging_configs (sid, account_sid, name, sending_times, default_expiry_seconds, created_at)
     values ($1, $2, 'never', '{"timeZone":"UTC","days":[],"from":"09:00","to":"17:00"}', 60, now())`,
    [config, store.accountSid],
  );
  await store.db.query(
    `insert into phones (number, account_sid, status, features, messaging_config_sid, created_at, updated_at)
     values ($1, $2, 'Active', '{SMS}', $3, now(), now())`,
    [message.from, store.accountSid, config],
  );
  onTestFinished(async () => void (await store.db.query("delete from phones")));
  const queue = newQueue();
  await queue.beginTerm(await newTerm(), new Date());
  await new StoredIntake(store.db).accept(message);
  const messages = [{ ...outgoingOf(message), checkedOn: new Date(0) }];
  expect(await queue.begin({ number: 1, link, messages }, new Date())).toEqual(new Set());
  expect(await waitingIn(queue)).toEqual([]);
  expect(
    await store.db.query("select is_ready, due_at = expires_at as is_last from outbound_queue where sid = $1", [
      message.sid,
    ]),
  ).toEqual([{ is_ready: false, is_last: true }]);
});

describe("loading", () => {
  const acceptFor = async (accountSid: string, count: number, rest: Partial<NewMessage> = {}) => {
    const sids: string[] = [];
    for (let made = 0; made < count; made++) {
      const message = { ...newMessage(), accountSid, ...rest };
      sids.push(message.sid);
      await new StoredIntake(store.db).accept(message);
    }
    return sids;
  };

  test("brings the first messages of every account, the most urgent first", async () => {
    const queue = newQueue();
    await queue.beginTerm(await newTerm(), new Date());
    const low = await acceptFor("AC1", 2, { priority: "Low" });
    const urgent = await acceptFor("AC1", 2, { priority: "Urgent" });
    const other = await acceptFor("AC2", 1);
    expect((await waitingIn(queue)).map(({ sid }) => sid)).toEqual([...urgent, ...low, ...other]);
  });

  test("goes on after an account, and only in the given shards", async () => {
    const queue = newQueue();
    await queue.beginTerm(await newTerm(), new Date());
    await acceptFor("AC1", 1);
    const [sid] = await acceptFor("AC2", 1);
    const [route] = (await queue.ready(new Date())).routes as [string];
    const [message] = await waitingIn(queue);
    const { shard } = placer.placeOf(message as Outgoing);
    const now = new Date();
    expect((await queue.load({ route, shards: [shard], after: "AC1" }, now)).keys).toEqual([
      { accountSid: "AC2", sid },
    ]);
    expect((await queue.load({ route, shards: [(shard + 1) % 64], after: "" }, now)).keys).toEqual([]);
  });

  test("of accounts by name brings theirs alone", async () => {
    const queue = newQueue();
    await queue.beginTerm(await newTerm(), new Date());
    await acceptFor("AC1", 1);
    const [first, second] = [await acceptFor("AC2", 2), await acceptFor("AC3", 1)];
    const { routes, isMore } = await queue.ready(new Date());
    const [route] = routes as [string];
    const found = await queue.load({ route, shards: SHARDS, accounts: ["AC2", "AC3", "AC4"] }, new Date());
    expect(found.keys.map(({ sid }) => sid)).toEqual([...first, ...second]);
    expect([found.perAccount, found.last, isMore]).toEqual([682, undefined, false]);
  });

  test("finds messages that waited under other rules", async () => {
    const queue = newQueue();
    await queue.beginTerm(await newTerm(), new Date());
    const [sid] = await acceptFor("AC1", 1);
    expect(await waitingIn(queue)).toHaveLength(1);
    const rules = [{ senders: [], destinations: ["+1"], carriers: [], to: [{ carrier: "a", weight: 1 }] }];
    const changed = new StoredSendQueue(store.db, makePlacer(rules));
    expect((await waitingIn(changed)).map((message) => message.sid)).toEqual([sid]);
    const rows = await store.db.query<{ route: string }>("select route from outbound_queue");
    expect(makePlacer(rules).routes).toContain(rows[0]?.route);
  });

  test("leaves out what is not due yet, until it is", async () => {
    const queue = newQueue();
    await queue.beginTerm(await newTerm(), new Date());
    const [sid] = await acceptFor("AC1", 1, { dueOn: new Date(Date.now() + 60_000) });
    expect(await waitingIn(queue)).toEqual([]);
    const [route] = (await queue.ready(new Date(Date.now() + 61_000))).routes as [string];
    const found = await queue.load({ route, shards: SHARDS, after: "" }, new Date());
    expect(found.keys).toEqual([{ accountSid: "AC1", sid }]);
  });
});

test("what the database refuses for want of room is not looked for", async () => {
  const term = await newTerm();
  const intake = new StoredIntake(new Full(store.connection, silent));
  const { sender, story } = newSender();
  intake.handTo({ term: () => term, sender });
  const message = newMessage();
  await expect(intake.accept(message)).rejects.toBeInstanceOf(Unavailable);
  expect(story).toEqual([["drop", message.sid]]);
});

test("a message that cannot be stored is not looked for", async () => {
  const term = await newTerm();
  const intake = new StoredIntake(store.db);
  const { sender, story } = newSender();
  intake.handTo({ term: () => term, sender });
  const message = newMessage();
  await intake.accept(message);
  await expect(intake.accept(message)).rejects.toThrow("duplicate key");
  expect(story).toEqual([
    ["leave", message.sid],
    ["drop", message.sid],
  ]);
});

test("the oldest message that waits is known by a count: neither one that is being sent, nor one that is not due", async () => {
  const queue = newQueue();
  await queue.beginTerm(await newTerm(), new Date());
  const intake = new StoredIntake(store.db);
  const now = new Date();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const acceptDue = async (dueOn: Date) => {
    const message = { ...newMessage(), createdOn: ago(3_600_000), dueOn };
    await intake.accept(message);
    return message;
  };
  await acceptDue(ago(9_000));
  const [sending] = (await waitingIn(queue)) as [Outgoing];
  await queue.begin({ number: 1, link, messages: [{ ...sending, checkedOn: now }] }, now);
  await acceptDue(new Date(now.getTime() + 60_000));
  await intake.count(now);
  expect(intake.depth).toEqual({ due: 0, later: 1, oldestDueOn: undefined });
  await acceptDue(ago(5_000));
  await acceptDue(ago(7_000));
  await intake.count(now);
  // Messages that are due when they are accepted wait from their creation on.
  expect(intake.depth).toEqual({ due: 2, later: 1, oldestDueOn: ago(3_600_000) });
});

test("a NUL in a carrier's answer is written down as what stands for it", async () => {
  const queue = newQueue();
  await queue.beginTerm(await newTerm(), new Date());
  await new StoredIntake(store.db).accept(newMessage());
  const [message] = (await waitingIn(queue)) as [Outgoing];
  const outcome = {
    kind: "rejected",
    failure: FAILURES.unknownOutcome,
    reason: "554 no\0way",
    carrierIds: [],
  } as const;
  await queue.settle([{ message, submit: 1, link, outcome, leftOn: new Date(), at: new Date() }], [], new Date());
  const [row] = await store.db.query("select status, status_reason from outbound_messages where sid = $1", [
    message.sid,
  ]);
  expect(row).toEqual({ status: "Failed", status_reason: "554 no\ufffdway" });
});

/** A sender with a link that accepts everything, and a log of the calls made to it. */
function newSender() {
  const story: (readonly [string, ...string[]])[] = [];
  const tell = (what: string) => (assigned: readonly Assigned[]) =>
    void story.push([what, ...assigned.map(({ message: { sid } }) => sid)]);
  const sender = {
    assign: (messages: readonly Outgoing[]) =>
      messages.map((message) => ({ message, place: placer.placeOf(message), submit: { number: 1, link } })),
    leave: tell("leave"),
    drop: tell("drop"),
  };
  return { sender, story };
}

/** A database whose disk is full. */
class Full extends Database {
  override async query<Row extends object>(): Promise<Row[]> {
    await super.query("do $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$");
    throw new Error("it was not full");
  }
}

/** Executes every statement, and loses its answer. */
class AnswersLost extends Database {
  override async query<Row extends object>(...statement: Parameters<Database["query"]>): Promise<Row[]> {
    await super.query(...statement);
    await this.close();
    throw new Unavailable("Connection terminated unexpectedly");
  }
}
