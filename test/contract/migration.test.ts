// The specification's campaign migration, by plain HTTP against the running product and its sandbox: the table of
// states, rules 1 to 6, the traffic during cutover, and accounts that may not migrate.

import { expect, test } from "vitest";
import { startReceiver } from "../journeys/listen-receiver.ts";
import { json } from "../tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { emulateInbound, listen, messageOf, SEND, send, UNTIL } from "./messages.ts";
import { importsOf, migrate, newMigrant, useTandemForMigrations } from "./migrations.ts";
import { answerOf, type List, newCampaignId, newConfig, SOON, toldOf, WIDE } from "./numbers.ts";
import { decide, formOf, letter, orderData, orderThatIs, phoneOf, portIn, strangeNumbers } from "./port-orders.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandemForMigrations("0.5");

/** The deliveries to the account's subscriptions, in the order of arrival. */
async function receiverOf(account: TestAccount, type: string) {
  const receiver = await startReceiver();
  const order = { type, url: receiver.url };
  const { secret } = await answerOf<{ secret: string }>(await account.call("/v1/Webhooks", json("POST", order)), 201);
  receiver.state.secret = secret;
  return receiver;
}

const link = (account: TestAccount, id: string, messagingConfigSid: string) =>
  account.call(`/v1/TcrCampaigns/${id}`, json("PATCH", { messagingConfigSid }));

const statusIs = (account: TestAccount, number: string, status: string) =>
  expect.poll(async () => (await phoneOf(account, number)).status, SOON).toBe(status);

test("the table of states: each move of a number is reported by phoneNumberStatusChanged, at once, once and in order", async () => {
  const account = await newMigrant(tandem);
  const receiver = await receiverOf(account, "phoneNumberStatusChanged");
  const id = newCampaignId();
  const config = await newConfig(account, { name: "Not named after it" });
  const [number] = strangeNumbers(1) as [string];

  // (none) → PendingPortIn, when the request is accepted; the port itself has not started.
  const { sid: order, phones } = await portIn(account, config, [number]);
  expect(phones).toMatchObject([{ number, status: "PendingPortIn" }]);
  await receiver.until(1);

  // PendingPortIn → PendingTcrCampaignAdd, when the numbers are ported in.
  await decide(account, order, "complete");
  await receiver.until(2);

  // The status stays, because the number's MessagingConfig is not linked to the campaign.
  await answerOf(await migrate(account, id), 200);
  await expect.poll(() => importsOf(account), SOON).toEqual([`${id} NoMatch`]);
  expect(await phoneOf(account, number)).toMatchObject({ status: "PendingTcrCampaignAdd" });

  // PendingTcrCampaignAdd → Active, when both associations exist.
  await answerOf(await link(account, id, config), 200);
  await receiver.until(3);
  expect(await phoneOf(account, number)).toMatchObject({ status: "Active", statusReason: null });

  const fields = { Number: number, MessagingConfigSid: config, PortOrderSid: order };
  expect(receiver.received.map(({ type, event }) => [type, event])).toMatchObject([
    ["PhoneNumberStatusChanged", { ...fields, Sequence: 1, PreviousStatus: null, Status: "PendingPortIn" }],
    [
      "PhoneNumberStatusChanged",
      { ...fields, Sequence: 2, PreviousStatus: "PendingPortIn", Status: "PendingTcrCampaignAdd" },
    ],
    ["PhoneNumberStatusChanged", { ...fields, Sequence: 3, PreviousStatus: "PendingTcrCampaignAdd", Status: "Active" }],
  ]);
  // Everything that was stored was delivered, each under its own id.
  expect(await toldOf(account)).toHaveLength(3);
  expect(new Set(receiver.received.map((received) => received.id)).size).toBe(3);
  await receiver.close();
});

test("rules 1 to 6: a config named after the campaign, a port, a migration, and everything else by itself", async () => {
  const account = await newMigrant(tandem);
  const receiver = await receiverOf(account, "TcrCampaignImported");
  const id = newCampaignId();
  // 1. The id may be anywhere in the name.
  const config = await newConfig(account, { name: `Marketing (${id}) 2026` });
  // 2. The port is submitted with a config that is linked to nothing yet.
  const numbers = strangeNumbers(3);
  const { sid } = await portIn(account, config, numbers);
  // 3. The registry gets our upstream id.
  const { upstreamCnpId } = await answerOf<{ upstreamCnpId: string }>(await account.call("/v1/Account"), 200);
  expect(upstreamCnpId).toMatch(/^S[A-Z0-9]+$/);
  await answerOf(await migrate(account, id), 200);
  // 4. and 5. An event reports it, and it is linked to the only config that names it.
  await receiver.until(1);
  expect(receiver.received).toMatchObject([
    { event: { TcrCampaignId: id, MessagingConfigSid: config, LinkOutcome: "Linked" } },
  ]);
  expect(await answerOf(await account.call(`/v1/MessagingConfigs/${config}`), 200)).toMatchObject({
    tcrCampaignId: id,
  });
  // 6. Both associations exist, and the numbers become Active as soon as they are here.
  for (const number of numbers) expect((await phoneOf(account, number)).status).toBe("PendingPortIn");
  await decide(account, sid, "complete");
  for (const number of numbers) await statusIs(account, number, "Active");
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
});

test.each([
  ["no config names it", [], "NoMatch"],
  ["two configs name it", [(id: string) => `a ${id}`, (id: string) => `b ${id}`], "SeveralMatches"],
  ["its id is written in another case", [(id: string) => `x ${id.toLowerCase()}`], "NoMatch"],
] as const)("rule 5: where %s the config is attached by hand", async (_, names, outcome) => {
  const account = await newMigrant(tandem);
  const id = newCampaignId();
  const config = await newConfig(account, { name: names[0]?.(id) ?? "Other" });
  for (const name of names.slice(1)) await newConfig(account, { name: name(id) });
  const [number] = strangeNumbers(1) as [string];
  const { sid } = await portIn(account, config, [number]);
  await decide(account, sid, "complete");
  await answerOf(await migrate(account, id), 200);
  await expect.poll(() => importsOf(account), SOON).toEqual([`${id} ${outcome}`]);
  await statusIs(account, number, "PendingTcrCampaignAdd");
  await answerOf(await link(account, id, config), 200);
  await statusIs(account, number, "Active");
  expect(await importsOf(account)).toHaveLength(1);
});

test("the traffic during cutover", async () => {
  const account = await newMigrant(tandem);
  const ear = await listen(account);
  const id = newCampaignId();
  const config = await newConfig(account, { name: id });
  const [number] = strangeNumbers(1) as [string];
  const to = "+14155550100";
  const sending = (more: object = {}) =>
    account.call(SEND, json("POST", { From: number, To: to, Text: "Outbound", ...more }));

  // Port-in submitted: the previous partner carries both directions.
  const { sid } = await portIn(account, config, [number]);
  const early = await account.call(
    "/testkit/v1/Emulate/inbound-message",
    json("POST", { from: to, to: [number], text: "Too early" }),
  );
  await problemOf(early, 409);
  expect(await problemOf(await sending(), 400)).toMatchObject({ errorCode: 4, code: "sender-not-active" });
  const held = [
    await answerOf<{ sid: string; status: string }>(await sending({ HoldUntilActive: true }), 200),
    await answerOf<{ sid: string; status: string }>(await sending({ HoldUntilActive: true }), 200),
  ];

  // Port completed: the service carries inbound immediately, outbound is paused.
  await decide(account, sid, "complete");
  await orderThatIs(account, sid, "Completed");
  expect(await phoneOf(account, number)).toMatchObject({ status: "PendingTcrCampaignAdd" });
  await emulateInbound(account, { from: to, to: [number], text: "In between" });
  await ear.inboundUntil(({ Text }) => Text === "In between");
  expect(await problemOf(await sending(), 400)).toMatchObject({ errorCode: 4 });
  for (const message of held) expect(await messageOf(account, message.sid)).toMatchObject({ status: "Queued" });

  // Campaign migrated and attached: the service carries both, and held messages leave in their order.
  await answerOf(await migrate(account, id), 200);
  await statusIs(account, number, "Active");
  for (const message of held) {
    await expect.poll(async () => (await messageOf(account, message.sid)).status, UNTIL).toBe("Delivered");
  }
  const sent = await send(account, { From: number, To: to, Text: "Afterwards" });
  await expect.poll(async () => (await messageOf(account, sent.sid)).status, UNTIL).toBe("Delivered");
  await emulateInbound(account, { from: to, to: [number], text: "In the end" });
  await ear.inboundUntil(({ Text }) => Text === "In the end");
  const { items } = await answerOf<List<{ text: string }>>(
    await account.call(`/v1/InboundMessages?To=${encodeURIComponent(number)}`),
    200,
  );
  expect(items.map(({ text }) => text)).toEqual(["In the end", "In between"]);
  await ear.leave();
});

test("without the feature and without a linked campaign the port-in fails, and nothing is kept or told", async () => {
  const account = await newAccount(tandem, { limits: { read: WIDE, write: WIDE } });
  const config = await newConfig(account, { name: newCampaignId() });
  const form = formOf(orderData(config, strangeNumbers(1)), [await letter()]);
  expect(await problemOf(await account.call("/v1/Phones/port-in", form), 400)).toMatchObject({
    code: "campaign-not-linked",
    errors: { messagingConfigSid: ["It is linked to no campaign."] },
  });
  expect((await answerOf<List<object>>(await account.call("/v1/Phones"), 200)).items).toEqual([]);
  expect((await answerOf<List<object>>(await account.call("/v1/Events"), 200)).items).toEqual([]);
});

test("an account without the feature gets a refusal that says so, and can ask for it", async () => {
  const barred = await newAccount(tandem, { limits: { read: WIDE, write: WIDE } });
  const id = newCampaignId();
  await newConfig(barred, { name: id });
  const view = await answerOf<{ blockers: { code: string }[] }>(await barred.call(`/v1/Migrations/${id}`), 200);
  expect(view.blockers).toMatchObject([{ code: "FeatureOff" }]);
  const asked = await barred.call("/v1/Account/featureRequests", json("POST", { feature: "campaignMigration" }));
  expect(asked.status).toBeLessThan(300);
});
