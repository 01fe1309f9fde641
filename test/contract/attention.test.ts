// What needs attention: each cause is shown to the account it concerns and no other, and disappears when cleared.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { emulateInbound, listen, newMessenger, newSender, type Sender, send, UNTIL } from "./messages.ts";
import { answerOf, newNumber, take } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem();
const PERSON = "+14154740200";
/** Numbers of the sandbox's carrier: see docs/sandbox.md. */
const UNREACHABLE = "+14155550102";

interface Finding {
  readonly id: string;
  readonly cause: string;
  readonly severity: string;
  readonly what: string;
  readonly why: string;
  readonly advice: string;
  readonly count: number;
  readonly lastOn: string | null;
  readonly operation: { readonly method: string; readonly path: string } | null;
  readonly resource: { readonly kind: string; readonly id: string } | null;
  readonly accountSid?: string | null;
}

let account: TestAccount;
let other: TestAccount;
let sender: Sender;

const findingsOf = async (of: TestAccount) =>
  (await answerOf<{ items: readonly Finding[] }>(await of.call("/v1/Attention"), 200)).items;
const findingOf = async (of: TestAccount, cause: string) =>
  (await findingsOf(of)).find((found) => found.cause === cause);
const allFindings = async () =>
  (await answerOf<{ items: readonly Finding[] }>(await tandem.operator("/operator/v1/Attention"), 200)).items;

beforeAll(async () => {
  account = await newMessenger(tandem);
  other = await newAccount(tandem);
  sender = await newSender(tandem, tandem.database, account);
});
afterAll(async () => {
  expect(await findingsOf(other)).toStrictEqual([]);
});

test("nothing needs attention where all is well", async () => {
  expect(await findingsOf(account)).toStrictEqual([]);
});

describe("what needs attention is", () => {
  test("a number that lacks its config, until it has one", async () => {
    const { number } = await take(account, await newNumber(tandem));
    expect(await findingOf(account, "NumbersNotActive")).toMatchObject({
      id: "NumbersNotActive:PendingMessagingConfigAdd",
      severity: "Error",
      what: "One number is PendingMessagingConfigAdd.",
      advice: "Give the number a MessagingConfig.",
      count: 1,
      operation: { method: "PATCH", path: `/v1/Phones/${encodeURIComponent(number)}` },
      resource: { kind: "Number", id: number },
    });
    await account.call(`/v1/Phones/${encodeURIComponent(number)}`, { method: "DELETE" });
    expect(await findingOf(account, "NumbersNotActive")).toBeUndefined();
  });

  test("messages that fail with one code", async () => {
    const ear = await listen(account);
    const sent = [];
    for (const Text of ["One", "Two"]) sent.push(await send(account, { From: sender.number, To: UNREACHABLE, Text }));
    for (const { sid } of sent) await ear.statusesUntil(sid, "Failed");
    await ear.leave();
    expect(await findingOf(account, "MessagesFailed")).toMatchObject({
      severity: "Warning",
      what: "2 messages of the last hour failed with error 1003.",
      count: 2,
      operation: { method: "GET", path: expect.stringMatching(/^\/v1\/OutboundMessages\/OM\w+\/why$/) },
      resource: { kind: "Message", id: sent[1]?.sid },
    });
    expect((await allFindings()).some(({ id }) => id === "MessagesFailed:1003")).toBe(true);
  });

  test("a subscription that was switched off, and one whose receiver fails", async () => {
    const order = json("POST", { type: "OptOutChanged", url: "http://127.0.0.1:1/" });
    const { sid } = await answerOf<{ sid: string }>(await account.call("/v1/Webhooks", order), 201);
    await answerOf(await account.call(`/v1/Webhooks/${sid}/test`, { method: "POST" }), 202);
    await expect
      .poll(() => findingOf(account, "DeliveriesFailing"), UNTIL)
      .toMatchObject({ what: "The receiver at http://127.0.0.1:1/ fails.", count: 1, resource: { id: sid } });
    await tandem.database.query(
      "update webhook_subscriptions set enabled = false, disabled_reason = 'Gone.' where sid = $1",
      [sid],
    );
    expect(await findingOf(account, "SubscriptionOff")).toMatchObject({
      severity: "Error",
      why: "Gone.",
      operation: { method: "PATCH", path: `/v1/Webhooks/${sid}` },
    });
    const seen = (await allFindings()).find(({ id }) => id === `SubscriptionOff:${sid}`);
    expect(seen).toMatchObject({ accountSid: account.sid, operation: null });
    const enabled = json("PATCH", { enabled: true });
    await answerOf(await account.call(`/v1/Webhooks/${sid}`, enabled), 200);
    expect(await findingOf(account, "SubscriptionOff")).toBeUndefined();
    await account.call(`/v1/Webhooks/${sid}`, { method: "DELETE" });
  });

  test("what the operators have to decide", async () => {
    const asker = await newAccount(tandem);
    const asked = await asker.call("/v1/Account/featureRequests", json("POST", { feature: "voice" }));
    const { sid } = await answerOf<{ sid: string }>(asked, 201);
    const found = (await allFindings()).find(({ id }) => id === "FeaturesRequested:voice");
    expect(found).toMatchObject({ severity: "Warning", operation: { method: "PATCH" } });
    expect(await findingsOf(asker)).toStrictEqual([]);
    await tandem.operator(`/operator/v1/FeatureRequests/${sid}`, json("PATCH", { status: "Declined" }));
  });

  test("nobody's business without credentials", async () => {
    await problemOf(await account.call("/operator/v1/Attention"), 401);
    await problemOf(await fetch(`${tandem.url}/v1/Attention`), 401);
  });
});

describe("traffic", () => {
  interface Minute {
    readonly at: string;
    readonly sent: number;
    readonly received: number;
  }
  const minutesOf = async (of: TestAccount, query = "") =>
    (await answerOf<{ items: readonly Minute[] }>(await of.call(`/v1/Traffic${query}`), 200)).items;
  const sumOf = (minutes: readonly Minute[], what: "sent" | "received") =>
    minutes.reduce((sum, minute) => sum + minute[what], 0);

  test("has an entry for every minute, and counts no one else's", async () => {
    const before = await minutesOf(account);
    const ear = await listen(account);
    await send(account, { From: sender.number, To: PERSON, Text: "Hello" });
    await emulateInbound(account, { from: PERSON, to: [sender.number], text: "Hello back" });
    await ear.inboundUntil(({ Text }) => Text === "Hello back");
    await ear.leave();
    const after = await minutesOf(account);
    expect(after).toHaveLength(60);
    expect(after.map(({ at }) => Date.parse(at) % 60_000)).toStrictEqual(Array(60).fill(0));
    expect(sumOf(after, "sent") - sumOf(before, "sent")).toBe(1);
    expect(sumOf(after, "received") - sumOf(before, "received")).toBe(1);
    expect(sumOf(await minutesOf(other), "sent")).toBe(0);
    expect(await minutesOf(account, "?Minutes=5")).toHaveLength(5);
    await problemOf(await account.call("/v1/Traffic?Minutes=0"), 400);
  });
});
