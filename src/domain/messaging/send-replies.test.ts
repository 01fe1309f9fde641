import { expect, test } from "vitest";
import { ok, refused } from "../../base/result.ts";
import type { Account } from "../accounts/index.ts";
import { problem } from "../problems.ts";
import type { NewMessage } from "./message.ts";
import { type ReplyDeps, sendReplies } from "./send-replies.ts";

const ANSWERED = {
  accountSid: "AC1",
  deliverySid: "WH01935f1e4c7b7000a3c41f0e5d9b2a1f",
  from: "+14155550101",
  to: "+14155550100",
  answer: new TextEncoder().encode("One Two"),
};

function world(change: Partial<ReplyDeps> = {}) {
  const sent = new Map<string, NewMessage>();
  const active = { sid: "AC1", status: "Active", allowedCountries: ["US"] } as unknown as Account;
  const sender = { status: "Active", messagingConfigSid: "MC1", tcrCampaignId: null, campaignStatus: null } as const;
  const facts = { ...sender, defaultExpirySeconds: null, sendingTimes: null, sendsSms: true, sendsMms: true };
  const deps: ReplyDeps = {
    senders: {
      factsOf: async () => ({ sender: facts, optedOut: [] }),
      shortCodeOf: async () => undefined,
      countriesOf: async () => ["US"],
    },
    carriers: { find: async () => ({ type: "Wireless", carrierName: null }) },
    readNumber: (e164) => ok({ e164, callingCode: "1", country: "US" }),
    checkUrl: () => ok(undefined),
    readReplies: (answer) =>
      ok(
        new TextDecoder()
          .decode(answer)
          .split(" ")
          .map((text) => ({ text, mediaUrls: [] })),
      ),
    transaction: (work) =>
      work({
        intake: { accept: async (message) => void sent.set(message.sid, message), waitingOf: () => 0 },
        outboundMessages: { find: async (_, sid) => sent.get(sid) },
      }),
    findAccount: async () => active,
    recipientsOf: () => ({ take: async () => ok(undefined) }),
    takeFromLimit: async () => undefined,
    now: () => new Date("2026-01-01T00:00:00.000Z"),
    ...change,
  };
  return { deps, sent };
}

const texts = (sent: ReadonlyMap<string, NewMessage>) => [...sent.values()].map(({ text, to }) => `${text} to ${to}`);

test("a delivery that is tried again after its replies were stored sends none of them twice", async () => {
  const { deps, sent } = world();
  expect(await sendReplies(deps, ANSWERED)).toBeUndefined();
  expect(await sendReplies(deps, ANSWERED)).toBeUndefined();
  expect(texts(sent)).toEqual(["One to +14155550101", "Two to +14155550101"]);
  expect([...sent.keys()]).toEqual([
    "OM01935f1e4c7b7000a3c41f0e5d9b2a1f",
    // The next digit after f.
    "OM01935f1e4c7b7000a3c41f0e5d9b2a10",
  ]);
});

test("a reply that a crash kept from being stored is sent by the next try, and the others are not again", async () => {
  const { deps, sent } = world();
  await sendReplies(deps, ANSWERED);
  sent.delete("OM01935f1e4c7b7000a3c41f0e5d9b2a10");
  await sendReplies(deps, ANSWERED);
  expect(texts(sent)).toEqual(["One to +14155550101", "Two to +14155550101"]);
});

test("short codes and names get no reply, so that two programs do not write to each other", async () => {
  const { deps, sent } = world();
  for (const from of ["72975", "Tandem"])
    expect((await sendReplies(deps, { ...ANSWERED, from }))?.reason).toContain("the sender is a program");
  expect(sent.size).toBe(0);
});

test("limits of the account and of a recipient hold for replies, too, and say when they may be sent", async () => {
  const limit = { ...problem("rate-limited", "10 per 60 s are allowed."), retryAfterSeconds: 60 };
  const limited = world({ takeFromLimit: async () => limit });
  const reason = "The reply was not sent: 10 per 60 s are allowed.";
  expect(await sendReplies(limited.deps, ANSWERED)).toEqual({ reason, retryAfterSeconds: 60 });
  const recipientsOf = () => ({
    take: async () => refused({ recipient: ANSWERED.from, retryAfterSeconds: 7 }),
  });
  const flooded = world({ recipientsOf });
  expect(await sendReplies(flooded.deps, ANSWERED)).toEqual({
    reason: expect.stringContaining("Too many messages to +14155550101"),
    retryAfterSeconds: 7,
  });
  expect(limited.sent.size + flooded.sent.size).toBe(0);
});
