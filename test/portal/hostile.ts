// An account in which every text from untrusted sources is an attempt to run a script, for journeys that view it in the
// portal.

import { hash, randomInt } from "node:crypto";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { DiskMedia } from "../../src/adapters/attachments/disk-media.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { emulateInbound, listen, newSender, type Sender, send, UNTIL } from "../contract/messages.ts";
import { answerOf, type List, WIDE } from "../contract/numbers.ts";
import { formOf, letter, orderData, strangeNumbers } from "../contract/port-orders.ts";
import { storedConference } from "../contract/stored-conference.ts";
import { type HealthyReceiver, startHealthy } from "../faults/webhook-receivers.ts";
import { json } from "../tandem.ts";
import type { UsedTandem } from "../use-tandem.ts";

const MARKUP = "<img src=x onerror=window.ran=1>";

/** `what` names the place where it was planted. */
export const hostile = (what: string) => `${what} ${MARKUP}`;

export interface HostileAccount {
  readonly account: TestAccount;
  readonly sender: Sender;
  readonly person: string;
  readonly outbound: string;
  readonly inbound: string;
  readonly call: string;
  readonly conference: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly portOrder: string;
  /** Files that a carrier delivered. */
  readonly media: { readonly svg: string; readonly html: string; readonly js: string };
  readonly close: () => Promise<void>;
}

const LIMITS = { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE, call: WIDE, lookup: WIDE };

export async function newHostileAccount(tandem: UsedTandem): Promise<HostileAccount> {
  const features = ["voice", "campaignMigration"];
  const account = await newAccount(tandem, { name: hostile("account"), features, limits: LIMITS });
  const person = `+1415474${randomInt(1_000, 10_000)}`;
  const config = { name: hostile("config"), helpReply: hostile("help") };
  const sender = await newSender(tandem, tandem.database, account, config);
  await tandem.database.query("update tcr_campaigns set name = $2 where tcr_campaign_id = $1", [
    sender.tcrCampaignId,
    hostile("campaign"),
  ]);
  const name = json("PATCH", { name: hostile("number") });
  await answerOf(await account.call(`/v1/Phones/${sender.number}`, name), 200);
  const override = { type: "Wireless", status: "Active", carrierName: hostile("carrier"), note: hostile("note") };
  const at = `/operator/v1/LookupOverrides/${person}`;
  expect((await tandem.operator(at, json("PUT", override))).status).toBeLessThan(300);
  const receiver = await startHealthy({
    answer: () => ({
      status: 500,
      headers: { "content-type": "text/html", "x-note": hostile("header") },
      body: hostile("answer"),
    }),
  });
  const texts = await exchange(account, sender, person, receiver);
  return {
    account,
    sender,
    person,
    ...texts,
    call: await plantedCall(tandem, account),
    conference: await storedConference(tandem, account.sid, { name: hostile("conference") }),
    portOrder: await plantedOrder(account, sender.configSid),
    media: await plantedMedia(tandem, account, texts.inbound),
    async close() {
      await tandem.operator(at, { method: "DELETE" });
      await receiver.close();
    },
  };
}

/** A text in each direction, and a webhook whose receiver responds with a page. */
async function exchange(account: TestAccount, { number }: Sender, person: string, receiver: HealthyReceiver) {
  const url = `${receiver.url}?q=<img/src=x/onerror=window.ran=1>`;
  const order = json("POST", { type: "InboundMessageReceived", url });
  const { sid: webhook } = await answerOf<{ sid: string }>(await account.call("/v1/Webhooks", order), 201);
  const ear = await listen(account);
  const message = { From: number, To: person, Text: hostile("sent"), ConversationMetadata: hostile("metadata") };
  const { sid: outbound } = await send(account, message);
  await emulateInbound(account, { from: person, to: [number], text: hostile("received") });
  await ear.statusesUntil(outbound, "Delivered");
  const { Sid } = await ear.inboundUntil(() => true);
  await ear.leave();
  const deliveries = async () => {
    const path = "/v1/Webhooks/deliveries";
    return (await answerOf<List<{ sid: string; attemptCount: number }>>(await account.call(path), 200)).items;
  };
  await vi.waitFor(async () => expect((await deliveries())[0]?.attemptCount).toBeGreaterThan(0), UNTIL);
  const [delivery] = await deliveries();
  return { webhook, outbound, inbound: String(Sid), delivery: delivery?.sid ?? "" };
}

/** Callers choose their display name themselves. */
async function plantedCall(tandem: UsedTandem, account: TestAccount): Promise<string> {
  const order = json("POST", { from: "+14155550101", to: "+14155550100" });
  const { sid } = await answerOf<{ sid: string }>(await account.call("/v1/Voice/Calls", order), 201);
  const told = async () => (await account.call(`/v1/Voice/Calls/${sid}/sip`)).text();
  await vi.waitFor(async () => expect(await told()).toContain("ACK sip"), UNTIL);
  await tandem.database.query(
    "update sip_messages set text = replace(text, 'From: ', 'From: \"' || $2 || '\" ') where call_sid = $1",
    [sid, hostile("caller")],
  );
  return sid;
}

async function plantedOrder(account: TestAccount, configSid: string): Promise<string> {
  const subscriber = { type: "Business", name: hostile("subscriber"), authorizedPerson: hostile("person") };
  const more = { subscriber, losingCarrier: hostile("losing"), customerReference: hostile("reference") };
  const data = orderData(configSid, strangeNumbers(1), more);
  const form = formOf(data, [{ bytes: await letter(), name: `${hostile("letter")}.pdf` }]);
  return (await answerOf<{ sid: string }>(await account.call("/v1/Phones/port-in", form), 200)).sid;
}

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran=1"><script>window.ran=1</script></svg>`;
const HTML = `<!doctype html><body><script>window.ran=1</script>${MARKUP}`;

/** As a carrier delivers them: the carrier's content types are kept. */
async function plantedMedia(tandem: UsedTandem, account: TestAccount, inbound: string) {
  const files = DiskMedia.beside(join(tandem.dataDir, "media"));
  const keep = async (text: string, contentType: string) => {
    const bytes = Buffer.from(text);
    const digest = hash("sha256", bytes, "hex");
    await files.put(digest, bytes);
    const [row] = await tandem.database.query<{ sid: string }>(
      `insert into media_files (sid, account_sid, content_type, name, size_bytes, sha256, created_at)
       values ('ME' || replace(gen_random_uuid()::text, '-', ''), $1, $2, $3, $4, $5, now()) returning sid`,
      [account.sid, contentType, hostile("file"), bytes.length, digest],
    );
    return row?.sid ?? "";
  };
  const [svg, html] = [await keep(SVG, "image/svg+xml"), await keep(HTML, "text/html")];
  const js = await keep("window.ran = 1;", "application/javascript");
  const media = [
    { sid: svg, contentType: "image/svg+xml" },
    { sid: html, contentType: "text/html" },
  ];
  await tandem.database.query("update inbound_messages set media = $2::json where sid = $1", [
    inbound,
    JSON.stringify(media),
  ]);
  return { svg, html, js };
}
