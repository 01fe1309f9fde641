import { afterEach, expect, test } from "vitest";
import { newMessage as messageOf } from "../../../../test/fakes/new-message.ts";
import { secretBox } from "../../../../test/fakes/secret-box.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import type { Queryable } from "../engine/database.ts";
import type { NamedStatement } from "../engine/named-statements.ts";
import { StoredIntake } from "../messaging/message-intake.ts";
import { outboundMessageStore } from "../messaging/outbound-messages.ts";
import { answerStore, type Claim, claimStore, sealAnswer } from "./idempotent-answers.ts";

const store = useWebhookStore();
const box = secretBox(new Uint8Array(32));
const ANSWER = { status: 200, headers: {}, text: "{}" };
const digest = (name: string) => Buffer.from(name.padEnd(32));
const order = (key: string, request = "one", now = new Date()) => ({
  scope: store.accountSid,
  key,
  requestDigest: digest(request),
  now,
});
const newMessage = () => messageOf({ sid: store.ids.sid("OM"), accountSid: store.accountSid });

afterEach(async () => {
  for (const table of ["kept_answers", "outbound_queue"]) await store.db.query(`delete from ${table}`);
});

async function claim(key: string): Promise<Claim> {
  const outcome = await claimStore(store.db, box).claimAnswer(order(key));
  if (outcome.kind !== "claimed") throw new Error(outcome.kind);
  return outcome.claim;
}

test("of requests that come together with one key the first claims it, and the others wait or are others", async () => {
  const claims = claimStore(store.db, box);
  const outcomes = await Promise.all([
    claims.claimAnswer(order("a")),
    claims.claimAnswer(order("a")),
    claims.claimAnswer(order("a", "two")),
    claims.claimAnswer(order("b")),
  ]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(["claimed", "running", "otherRequest", "claimed"]);
});

test("a key is answered once its answer is stored, and free again once its claim is released", async () => {
  const claims = claimStore(store.db, box);
  const [kept, released] = [await claim("kept"), await claim("released")];
  expect(await answerStore(store.db, box).storeAnswer(kept, ANSWER)).toBe(true);
  await claims.releaseClaim(released);
  await claims.releaseClaim(kept);
  expect(await claims.claimAnswer(order("kept"))).toEqual({ kind: "answered", answer: ANSWER });
  expect(await claims.claimAnswer(order("kept", "two"))).toEqual({ kind: "otherRequest" });
  expect(await claims.claimAnswer(order("released"))).toMatchObject({ kind: "claimed" });
});

test("a claim without an answer is taken over after a minute, and an answer forgotten after a day", async () => {
  const claims = claimStore(store.db, box);
  const [first, answered] = [await claim("dead"), await claim("old")];
  await answerStore(store.db, box).storeAnswer(answered, ANSWER);
  const later = (ms: number) => new Date(Date.now() + ms);
  expect(await claims.claimAnswer(order("dead", "one", later(59_000)))).toEqual({ kind: "running" });
  expect(await claims.claimAnswer(order("dead", "one", later(61_000)))).toMatchObject({ kind: "claimed" });
  expect(await answerStore(store.db, box).storeAnswer(first, ANSWER)).toBe(false);
  expect(await claims.claimAnswer(order("old", "one", later(24 * 3_600_000 + 1_000)))).toMatchObject({
    kind: "claimed",
  });
});

/** The store over a database of which every answer is lost, or that cannot be reached, until it is mended. */
function troubled(trouble: "answers are lost" | "cannot be reached") {
  let isMended = false;
  const db: Queryable = {
    async query<Row extends object>(statement: string | NamedStatement, values?: readonly unknown[]) {
      if (isMended) return store.db.query<Row>(statement, values);
      if (trouble === "answers are lost") await store.db.query(statement, values);
      throw new Unavailable(trouble, { isUndone: trouble === "cannot be reached" });
    },
  };
  const mend = () => {
    isMended = true;
  };
  return { claims: claimStore(db, box), mend };
}

test("a key whose claim was stored although the answer was lost is free when the database answers again", async () => {
  const { claims, mend } = troubled("answers are lost");
  await expect(claims.claimAnswer(order("a"))).rejects.toBeInstanceOf(Unavailable);
  const other = claimStore(store.db, box);
  expect(await other.claimAnswer(order("a"))).toEqual({ kind: "running" });
  await expect(claims.releaseStrays()).rejects.toBeInstanceOf(Unavailable);
  mend();
  await claims.releaseStrays();
  const again = await other.claimAnswer(order("a"));
  expect(again).toMatchObject({ kind: "claimed" });
  await claims.releaseStrays();
  expect(await other.claimAnswer(order("a"))).toEqual({ kind: "running" });
});

test("so is one whose claim could not be released, and an answer that is stored stays", async () => {
  const { claims, mend } = troubled("cannot be reached");
  const [left, answered] = [await claim("left"), await claim("answered")];
  await claims.releaseClaim(left);
  await claims.releaseClaim(answered);
  await answerStore(store.db, box).storeAnswer(answered, ANSWER);
  mend();
  await claims.releaseStrays();
  const other = claimStore(store.db, box);
  expect(await other.claimAnswer(order("left"))).toMatchObject({ kind: "claimed" });
  expect(await other.claimAnswer(order("answered"))).toEqual({ kind: "answered", answer: ANSWER });
});

test("a claim that is committed late is released, too", async () => {
  const { claims, mend } = troubled("cannot be reached");
  const late = await claim("late");
  await store.db.query("delete from kept_answers");
  await claims.releaseClaim(late);
  mend();
  await claims.releaseStrays();
  await store.db.query(
    "insert into kept_answers (scope, key, claim_id, request_digest, claimed_at) values ($1, $2, $3, $4, now())",
    [late.scope, late.key, late.id, digest("one")],
  );
  await claims.releaseStrays();
  expect(await claims.claimAnswer(order("late"))).toMatchObject({ kind: "claimed" });
});

test("a message and its answer are stored together, beside messages without a key", async () => {
  const intake = new StoredIntake(store.db);
  const [plain, kept] = [newMessage(), newMessage()];
  const stored = await Promise.all([
    intake.accept(plain),
    intake.acceptOnce(kept, await claim("a"), sealAnswer(box, ANSWER)),
  ]);
  expect(stored).toEqual([undefined, true]);
  expect(await claimStore(store.db, box).claimAnswer(order("a"))).toEqual({ kind: "answered", answer: ANSWER });
  for (const { sid } of [plain, kept])
    expect(await outboundMessageStore(store.db).find(store.accountSid, sid)).toMatchObject({ status: "Queued" });
});

test("a message whose claim was taken over is not stored, and the others are", async () => {
  const intake = new StoredIntake(store.db);
  const lost = { ...(await claim("a")), id: "00000000-0000-4000-8000-000000000000" };
  const [late, plain] = [newMessage(), newMessage()];
  const stored = await Promise.all([
    intake.acceptOnce(late, lost, sealAnswer(box, ANSWER)),
    intake.acceptOnce(plain, await claim("b"), sealAnswer(box, ANSWER)),
  ]);
  expect(stored).toEqual([false, true]);
  expect(await outboundMessageStore(store.db).find(store.accountSid, late.sid)).toBeUndefined();
  expect(await outboundMessageStore(store.db).find(store.accountSid, plain.sid)).toBeDefined();
});
