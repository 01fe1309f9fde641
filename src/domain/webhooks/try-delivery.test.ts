import { expect, test } from "vitest";
import { ok } from "../../base/result.ts";
import { ExchangeSample } from "./exchange-sample.ts";
import type { ClaimedDelivery, PostOrder, PostOutcome, ReplySender } from "./ports.ts";
import { tryDelivery } from "./try-delivery.ts";

const NOW = new Date("2026-01-01T00:00:00.000Z");
const HOUR = 3_600_000;

const MESSAGE = {
  Sid: "IM1",
  From: "+14155550101",
  To: "+14155550100",
  Text: "Hi",
  MediaUrls: [],
  AdditionalRecipients: [],
};

const DELIVERY: ClaimedDelivery = {
  sid: "WH1",
  createdOn: NOW,
  entry: 1,
  attempt: 1,
  url: null,
  payloadShape: null,
  isWanted: true,
  event: { accountSid: "AC1", type: "OptOutChanged", resourceSid: "OO1", sequence: 1, fields: {}, createdOn: NOW },
  subscription: {
    sid: "WS1",
    url: "https://receiver.example/",
    backupUrl: "https://backup.example/",
    payloadShape: "A",
    secrets: ["whsec_AAAA"],
    bearer: "secret-bearer",
    failingSince: null,
  },
};

const INBOUND: ClaimedDelivery = {
  ...DELIVERY,
  event: { ...DELIVERY.event, type: "InboundMessageReceived", resourceSid: "IM1", fields: MESSAGE },
  subscription: { ...DELIVERY.subscription, payloadShape: "Twilio" },
};

const attempt = (delivery: ClaimedDelivery, ...outcomes: readonly Partial<PostOutcome>[]) =>
  attemptWith(async ({ deliverySid }) => ({ reason: `asked by ${deliverySid}` }), delivery, ...outcomes);

async function attemptWith(
  reply: ReplySender,
  delivery: ClaimedDelivery,
  ...outcomes: readonly Partial<PostOutcome>[]
) {
  const posts: PostOrder[] = [];
  const left = [...outcomes];
  const tried = await tryDelivery(
    {
      poster: {
        async post(order) {
          posts.push(order);
          return {
            status: 500,
            failure: null,
            ms: 1,
            answer: new Uint8Array(),
            isCut: false,
            contentType: null,
            retryAfterMs: undefined,
            ...left.shift(),
          };
        },
      },
      signer: { sign: async () => ok({}) },
      writeForm: () => ({ Type: "x" }),
      reply,
      now: () => NOW,
      chance: () => 0.5,
      sample: new ExchangeSample(),
    },
    delivery,
  );
  return { tried, posts, waitMs: (tried.settled.nextAttemptOn?.getTime() ?? 0) - NOW.getTime() };
}

test("the pause that the first URL asks for is kept, though the backup URL asks for none", async () => {
  const { waitMs } = await attempt(DELIVERY, { status: 429, retryAfterMs: HOUR }, { status: 500 });
  expect(waitMs).toBe(HOUR);
});

test("a subscription that nothing can be sent to fails an attempt with the reason, and is tried again", async () => {
  const fault = "the secret cannot be decrypted";
  const { tried, posts, waitMs } = await attempt({ ...DELIVERY, subscription: { ...DELIVERY.subscription, fault } });
  expect(posts).toEqual([]);
  expect(tried.settled).toMatchObject({ status: "Pending", attempts: [{ failure: fault }, { failure: fault }] });
  expect(waitMs).toBeGreaterThan(0);
});

test("of two pauses the longer is kept", async () => {
  const { waitMs } = await attempt(
    DELIVERY,
    { status: 429, retryAfterMs: HOUR },
    { status: 503, retryAfterMs: 2 * HOUR },
  );
  expect(waitMs).toBe(2 * HOUR);
});

test("a receiver that is gone is not gone round by way of the backup URL", async () => {
  const { tried, posts } = await attempt(DELIVERY, { status: 410 });
  expect(posts).toHaveLength(1);
  expect(tried).toMatchObject({ outcome: "switchOff", switchOff: expect.stringContaining("410") });
});

test("a replay to another URL goes there alone, without the bearer, and when that is gone only the replay has failed", async () => {
  const { tried, posts } = await attempt({ ...DELIVERY, url: "https://elsewhere.example/" }, { status: 410 });
  expect(posts.map(({ url }) => url)).toEqual(["https://elsewhere.example/"]);
  expect(posts[0]?.headers).not.toHaveProperty("authorization");
  expect(tried).toMatchObject({ outcome: "failed", isElsewhere: true, settled: { status: "Failed" } });
  expect(tried).not.toHaveProperty("switchOff");
});

test("what is not wanted any more is canceled without a word to anyone", async () => {
  const { tried, posts } = await attempt({ ...DELIVERY, isWanted: false });
  expect(posts).toEqual([]);
  expect(tried).toMatchObject({ outcome: "canceled", settled: { status: "Canceled", attempts: [] } });
});

test("of an answer the first 4 KiB are kept, as text that can be stored", async () => {
  const answer = new TextEncoder().encode(`a\u0000b${"c".repeat(5000)}`);
  const { tried } = await attempt(DELIVERY, { status: 200, answer });
  expect(tried.settled.attempts[0]?.answer).toBe(`a\ufffdb${"c".repeat(4093)}`);
});

test("a delivery may have a shape of its own, and a subscription's holds otherwise", async () => {
  const typeFor = async (payloadShape: ClaimedDelivery["payloadShape"]) => {
    const { posts } = await attempt({ ...DELIVERY, url: "https://callback.example/", payloadShape }, { status: 200 });
    return posts[0]?.headers["content-type"];
  };
  expect(await typeFor("Twilio")).toBe("application/x-www-form-urlencoded");
  expect(await typeFor("B")).toBe("application/json");
  expect(await typeFor(null)).toBe("application/json");
});

test("a subscription that is asked by GET gets the form in its query; its backup is posted", async () => {
  const subscription = { ...DELIVERY.subscription, payloadShape: "Twilio", method: "GET" } as const;
  const { posts } = await attempt({ ...DELIVERY, subscription }, { status: 500 }, { status: 200 });
  expect(posts).toMatchObject([
    { url: "https://receiver.example/?Type=x", method: "GET", body: "" },
    { url: "https://backup.example/", body: "Type=x" },
  ]);
  expect(posts[1]).toHaveProperty("method", "POST");
});

test("only the answer of the subscription's own receiver to an inbound message asks for replies", async () => {
  const notes = async (change: Partial<ClaimedDelivery>, status = 200) => {
    const { tried } = await attempt({ ...INBOUND, ...change }, { status }, { status });
    return tried.settled.attempts.map(({ failure }) => failure);
  };
  expect(await notes({})).toEqual(["asked by WH1"]);
  expect(await notes({ url: "https://another.example/" })).toEqual([null]);
  expect(await notes({ event: { ...INBOUND.event, resourceSid: "EV1" } })).toEqual([null]);
  expect(await notes({ subscription: DELIVERY.subscription })).toEqual([null]);
  expect(await notes({ event: DELIVERY.event })).toEqual([null]);
  expect(await notes({}, 500)).toEqual([null, null]);
});

test("a delivery whose reply has to wait is repeated after the wait, and says nothing against its receiver", async () => {
  const reply: ReplySender = async () => ({ reason: "limited", retryAfterSeconds: 60 });
  const failingSince = new Date(NOW.getTime() - 200 * HOUR);
  const delivery = { ...INBOUND, subscription: { ...INBOUND.subscription, failingSince } };
  const { tried, posts, waitMs } = await attemptWith(reply, delivery, { status: 200 });
  expect(posts).toHaveLength(1);
  expect(tried).toMatchObject({
    outcome: "delivered",
    settled: { status: "Pending", attempts: [{ failure: "limited" }] },
  });
  expect(waitMs).toBe(60_000);
  const last = await attemptWith(reply, { ...delivery, attempt: 11 }, { status: 200 });
  expect(last.tried.settled).toMatchObject({ status: "Delivered", nextAttemptOn: null });
});
