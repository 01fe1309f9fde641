import { describe, expect, test } from "vitest";
import { askedWebhooks } from "../../src/adapters/store/webhooks/asked-webhooks.ts";
import { eventLog } from "../../src/adapters/store/webhooks/event-log.ts";
import { writeTwilioForm } from "../../src/adapters/twilio/webhook-parameters.ts";
import { webhookSigner } from "../../src/adapters/webhook-signer.ts";
import { CookieJar } from "../../src/base/cookie-jar.ts";
import { ok } from "../../src/base/result.ts";
import type { NewEvent } from "../../src/domain/events.ts";
import { type AskDeps, askWebhook } from "../../src/domain/webhooks/ask-webhook.ts";
import type { AskedExchange, PostOrder, PostOutcome, SubscriptionTarget } from "../../src/domain/webhooks/ports.ts";
import { useWebhookStore } from "../fakes/webhook-store.ts";

const NOW = new Date("2026-11-16T08:00:00.000Z");
const SCRIPT = "<Response><Hangup/></Response>";
const FIRST = "https://first.example/call";
const BACKUP = "https://backup.example/call";
const SIGNER = webhookSigner(async () => ok("the token"));

const SUBSCRIPTION: SubscriptionTarget = {
  sid: "WS1",
  url: FIRST,
  backupUrl: BACKUP,
  payloadShape: "A",
  secrets: ["whsec_AAAA"],
  bearer: "secret-bearer",
};

function call(callSid: string, accountSid = "AC1"): NewEvent<"InboundCallReceivedWebhook"> {
  return {
    accountSid,
    type: "InboundCallReceivedWebhook",
    resourceSid: callSid,
    fields: { CallSid: callSid, LegSid: "LG1", From: "+14155550101", To: "+14155550100" },
    phone: "+14155550100",
  };
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** Responses of the receivers by URL; a receiver without an entry responds with a script. */
function poster(answers: Readonly<Record<string, Partial<PostOutcome>>>) {
  const posts: PostOrder[] = [];
  return {
    posts,
    async post(order: PostOrder): Promise<PostOutcome> {
      posts.push(order);
      const well = { status: 200, failure: null, ms: 7, answer: bytes(SCRIPT), isCut: false };
      return { ...well, contentType: "application/xml", retryAfterMs: undefined, ...answers[order.url] };
    },
  };
}

const NO_ANSWER = { status: null, failure: "timeout: There was no answer within 5000 ms.", answer: new Uint8Array() };

describe("with a subscription in hand", () => {
  async function ask(
    answers: Readonly<Record<string, Partial<PostOutcome>>>,
    subscription: SubscriptionTarget | undefined = SUBSCRIPTION,
  ) {
    const records: AskedExchange[] = [];
    const receivers = poster(answers);
    const deps: AskDeps = {
      asked: {
        find: async () => subscription,
        record: async (exchange) => void records.push(exchange),
        recordUnsubscribed: () => Promise.reject(new Error("somebody was subscribed")),
      },
      record: (write) => write(),
      poster: receivers,
      signer: SIGNER,
      writeForm: writeTwilioForm,
      newDeliverySid: () => "WH1",
      now: () => NOW,
    };
    const outcome = await askWebhook(deps, call("CA1"), new CookieJar());
    return { outcome, posts: receivers.posts, urls: receivers.posts.map(({ url }) => url), records };
  }

  test("a receiver that answers within five seconds is the answer, and no one else is asked", async () => {
    const { outcome, urls, posts, records } = await ask({});
    const body = bytes(SCRIPT);
    expect(outcome).toEqual({
      kind: "answered",
      body,
      contentType: "application/xml",
      payloadShape: "A",
      deliverySid: "WH1",
      document: { url: FIRST, method: "POST" },
      fallback: { url: BACKUP, method: "POST" },
    });
    expect(urls).toEqual([FIRST]);
    expect(posts[0]).toMatchObject({ deadlineMs: 5000, keepBytes: 16_384 });
    expect(JSON.parse(posts[0]?.body ?? "")).toEqual({
      WebhookSid: "WH1",
      EventDate: NOW.toISOString(),
      Sequence: 1,
      ...call("CA1").fields,
    });
    expect(posts[0]?.headers).toMatchObject({
      "webhook-id": "WH1",
      "x-event-type": "InboundCallReceivedWebhook",
      authorization: "Bearer secret-bearer",
    });
    expect(records).toMatchObject([{ subscriptionSid: "WS1", deliverySid: "WH1", isAnswered: true }]);
    expect(records[0]?.attempts).toHaveLength(1);
  });

  test.each([
    ["is silent", NO_ANSWER],
    ["fails", { status: 500 }],
    ["redirects", { status: 302 }],
    ["is gone", { status: 410 }],
    ["answers more than can be read", { isCut: true }],
  ])("when the first URL %s the backup URL is asked at once, with five seconds of its own", async (_how, first) => {
    const { outcome, urls, posts, records } = await ask({ [FIRST]: first });
    expect(outcome.kind).toBe("answered");
    expect(urls).toEqual([FIRST, BACKUP]);
    expect(posts[1]?.deadlineMs).toBe(5000);
    expect(posts[1]?.headers["webhook-id"]).toBe(posts[0]?.headers["webhook-id"]);
    expect(records[0]).toMatchObject({ isAnswered: true, attempts: [{ url: FIRST }, { url: BACKUP, status: 200 }] });
  });

  test("an answer that is too long is no answer, and the record says why", async () => {
    const { outcome, records } = await ask({ [FIRST]: { isCut: true }, [BACKUP]: { isCut: true } });
    expect(outcome).toMatchObject({ kind: "unanswered", reason: expect.stringContaining("longer than 16384 bytes") });
    expect(records[0]).toMatchObject({ isAnswered: false });
    for (const attempt of records[0]?.attempts ?? []) {
      expect(attempt).toMatchObject({ status: 200, failure: expect.stringContaining("longer") });
    }
  });

  test("when neither answers, the last failure is the reason", async () => {
    const { outcome, urls } = await ask({ [FIRST]: { status: 503 }, [BACKUP]: NO_ANSWER });
    expect(outcome).toEqual({ kind: "unanswered", reason: NO_ANSWER.failure, deliverySid: "WH1" });
    expect(urls).toEqual([FIRST, BACKUP]);
    const other = await ask({ [FIRST]: { status: 503 } }, { ...SUBSCRIPTION, backupUrl: null });
    expect(other.outcome).toMatchObject({ kind: "unanswered", reason: "The receiver answered 503." });
    expect(other.urls).toEqual([FIRST]);
  });

  test("an empty answer is an answer: what it means is for its reader to say", async () => {
    const { outcome, urls } = await ask({ [FIRST]: { status: 204, answer: new Uint8Array(), contentType: null } });
    expect(outcome).toMatchObject({ kind: "answered", body: new Uint8Array(), contentType: null });
    expect(urls).toEqual([FIRST]);
  });
});

test("when nobody is subscribed nobody is asked, and the event is recorded all the same", async () => {
  const unheard: NewEvent[] = [];
  const receivers = poster({});
  const outcome = await askWebhook(
    {
      asked: {
        find: async () => undefined,
        record: () => Promise.reject(new Error("nobody was asked")),
        recordUnsubscribed: async (event) => void unheard.push(event),
      },
      record: (write) => write(),
      poster: receivers,
      signer: SIGNER,
      writeForm: writeTwilioForm,
      newDeliverySid: () => "WH1",
      now: () => NOW,
    },
    call("CA1"),
    new CookieJar(),
  );
  expect(outcome).toEqual({
    kind: "unanswered",
    reason: "Nobody is subscribed to this event.",
    deliverySid: null,
  });
  expect(receivers.posts).toEqual([]);
  expect(unheard.map((event) => event.resourceSid)).toEqual(["CA1"]);
});

describe("with the store", () => {
  const store = useWebhookStore();

  const type = "InboundCallReceivedWebhook" as const;

  function ask(callSid: string, answers: Readonly<Record<string, Partial<PostOutcome>>> = {}) {
    const receivers = poster(answers);
    const deps: AskDeps = {
      asked: askedWebhooks(store.db, store.box, store.clock),
      record: (write) => write(),
      poster: receivers,
      signer: SIGNER,
      writeForm: writeTwilioForm,
      newDeliverySid: () => store.ids.sid("WH"),
      now: store.clock.now,
    };
    return askWebhook(deps, call(callSid, store.accountSid), new CookieJar()).then((outcome) => ({
      outcome,
      posts: receivers.posts,
    }));
  }

  const deliveriesOf = async (resourceSid: string) =>
    (await store.deliveries.list(store.accountSid, { size: 5, direction: "Ascending" }, { resourceSid })).items;

  test("the narrowest subscription that is switched on is asked", async () => {
    expect((await ask("CAnobody")).outcome).toMatchObject({ kind: "unanswered", deliverySid: null });
    await store.subscribe({ types: ["*"], url: "https://all.example/" });
    expect((await ask("CAnobody")).outcome).toMatchObject({ kind: "unanswered", deliverySid: null });
    expect(await deliveriesOf("CAnobody")).toEqual([]);
    await store.subscribe({ types: ["OptOutChanged", type], url: "https://account.example/" });
    await store.subscribe({ type, url: "https://off.example/", phone: "+14155550100", enabled: false });
    await store.subscribe({ type, url: "https://other.example/", phone: "+14155550199" });
    expect((await ask("CAwide")).posts.map(({ url }) => url)).toEqual(["https://account.example/"]);
    await store.subscribe({ type, url: FIRST, phone: "+14155550100", backupUrl: BACKUP, bearer: "secret-bearer" });
    const { posts } = await ask("CAnarrow");
    expect(posts.map(({ url, headers }) => [url, headers.authorization])).toEqual([[FIRST, "Bearer secret-bearer"]]);
  });

  test("the exchange shows among the deliveries with both attempts, is over, and is reported in the log", async () => {
    const { outcome } = await ask("CAfailed", { [FIRST]: NO_ANSWER, [BACKUP]: { status: 500, answer: bytes("no") } });
    expect(outcome).toMatchObject({ kind: "unanswered" });
    const [delivery, ...rest] = await deliveriesOf("CAfailed");
    expect(rest).toEqual([]);
    expect(delivery).toMatchObject({
      sid: outcome.deliverySid,
      type,
      status: "Failed",
      sequence: 1,
      attemptCount: 2,
      nextAttemptOn: null,
      attempts: [
        { url: FIRST, status: null, failure: NO_ANSWER.failure, answer: null },
        { url: BACKUP, status: 500, failure: null, answer: "no" },
      ],
    });
    const last = delivery?.attempts.at(-1);
    expect(delivery?.finishedOn?.getTime()).toBe(Number(last?.at) + Number(last?.ms));
    expect((await ask("CAanswered")).outcome.kind).toBe("answered");
    expect(await deliveriesOf("CAanswered")).toMatchObject([{ status: "Delivered", attemptCount: 1 }]);
    const log = eventLog(store.db);
    const logged = async () =>
      (await log.after(store.accountSid, undefined, 100)).map(({ resourceSid }) => resourceSid);
    await expect.poll(logged, { timeout: 120_000 }).toEqual(expect.arrayContaining(["CAfailed", "CAanswered"]));
    // No caller waits for it any more, so it is not retried.
    await store.dispatch();
    expect(store.posts).toEqual([]);
  });
});
