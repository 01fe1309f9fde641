// Accounts that own one of everything, for tests of what another account sees of it. A tenant is complete and idle when
// it is returned: nothing of it changes any more by itself.

import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import { twilioMessageSid, twilioRecordingSid } from "../../src/adapters/twilio/names.ts";
import { twilioPhoneSid } from "../../src/adapters/twilio/phone-sid.ts";
import { json, type TandemApi } from "../tandem.ts";
import type { UsedTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import type { Kind } from "./id-places.ts";
import { emulateInbound, type InboundBody, listen, newSender, send, UNTIL } from "./messages.ts";
import { answerOf, type List, WIDE } from "./numbers.ts";
import { decide, formOf, letter, orderData, strangeNumbers } from "./port-orders.ts";
import { problemOf } from "./problem.ts";
import type { RecordedCall } from "./recordings.ts";
import { storedConference } from "./stored-conference.ts";

export interface Tenant {
  readonly account: TestAccount;
  /** In every text that the tenant has sent or received. */
  readonly mark: string;
  /** Session headers of a person who has signed in by a page. */
  readonly page: Readonly<Record<string, string>>;
  readonly ids: Readonly<Record<Kind, string>>;
}

interface World {
  readonly tandem: UsedTandem;
  /** Accepts webhooks, at any path. */
  readonly receiverUrl: string;
  /** URL of a picture. */
  readonly pictureUrl: string;
}

const PERSON = "+14154740200";
const AT_ONCE = "+14155550111";
const HANGS_UP = "+14155550107";
const LIMITS = {
  lookup: WIDE,
  lookupBatch: WIDE,
  send: WIDE,
  sendToRecipient: WIDE,
  read: WIDE,
  session: WIDE,
  write: WIDE,
  call: WIDE,
};

export async function newTenant(world: World, mark: string, person: string): Promise<Tenant> {
  const { tandem } = world;
  const account = await newAccount(tandem, { name: mark, features: ["voice", "campaignMigration"], limits: LIMITS });
  const post = async <Body>(path: string, body: object, status = 201) =>
    answerOf<Body>(await account.call(path, json("POST", body)), status);
  const sender = await newSender(tandem, tandem.database, account, { name: mark });
  const order = { type: "InboundMessageReceived", url: `${world.receiverUrl}${mark}` };
  const { sid: webhook } = await post<{ sid: string }>("/v1/Webhooks", order);
  await post("/v1/Account/tokens", {});
  await post("/v1/OptOuts", { number: person, scopeType: "SenderPhoneNumber", scope: sender.number });
  await post("/v1/OptOuts", { number: person, scopeType: "TcrCampaign", scope: sender.tcrCampaignId });
  const call = await recordedCall(account);
  // Without the mark: when another account uses the id, it is in that account's own refused requests.
  const requestId = `request-${randomUUID()}`;
  const refused = await problemOf(
    await account.call(`/v1/Webhooks/WS${mark}`, { headers: { "X-Request-Id": requestId } }),
    404,
  );
  await vi.waitFor(async () => expect(await textOf(account, "/v1/Requests")).toContain(requestId), UNTIL);
  const messages = await exchangedMessages(world, account, sender.number, mark);
  const portOrder = await heldOrder(account, sender.configSid, mark);
  const [media = ""] = /ME[0-9a-f]{32}/.exec(messages.mediaUrl) ?? [];
  const [, signature = ""] = /signature=([\w-]+)/.exec(call.url) ?? [];
  const page = await signedIn(tandem, account);
  return {
    account,
    mark,
    page,
    ids: {
      account: account.sid,
      call: call.sid,
      campaign: sender.tcrCampaignId,
      conference: await storedConference(tandem, account.sid, {
        name: mark,
        callSid: call.sid,
        recordingSid: call.recordingSid,
      }),
      config: sender.configSid,
      delivery: await firstSid(account, "/v1/Webhooks/deliveries?Type=InboundMessageReceived"),
      inbound: messages.inbound,
      media,
      outbound: messages.outbound,
      person,
      phone: sender.number,
      portOrder,
      position: await lastPosition(account),
      requestId,
      signature,
      traceId: refused.traceId,
      twilioConfig: `MG${sender.configSid.slice(2)}`,
      twilioInbound: twilioMessageSid(messages.inbound),
      twilioOutbound: twilioMessageSid(messages.outbound),
      twilioPhone: twilioPhoneSid(sender.number) ?? "",
      twilioRecording: twilioRecordingSid(call.recordingSid, 1) ?? "",
      view: await savedView(tandem, page, mark),
      webhook,
    },
  };
}

const textOf = async (account: TestAccount, path: string) => (await account.call(path)).text();

async function firstSid(account: TestAccount, path: string): Promise<string> {
  const { items } = await answerOf<List<{ sid: string }>>(await account.call(path), 200);
  return items[0]?.sid ?? "";
}

async function lastPosition(account: TestAccount): Promise<string> {
  const { items } = await answerOf<List<{ id: string }>>(await account.call("/v1/Events?PageSize=1"), 200);
  return items[0]?.id ?? "";
}

/** A call that has ended, with its recording and all its SIP messages. */
async function recordedCall(account: TestAccount) {
  const order = json("POST", { from: AT_ONCE, to: HANGS_UP, record: true });
  const { sid } = await answerOf<RecordedCall>(await account.call("/v1/Voice/Calls", order), 201);
  const path = `/v1/Voice/Calls/${sid}`;
  await vi.waitFor(async () => expect(await textOf(account, path)).toMatch(/"status":"Completed","duration/), UNTIL);
  // Each leg gets a BYE and its response.
  const goodbyes = async () => [...(await textOf(account, `${path}/sip`)).matchAll(/CSeq: \d+ BYE/g)].length;
  await vi.waitFor(async () => expect(await goodbyes()).toBeGreaterThanOrEqual(4), UNTIL);
  const { recordings } = await answerOf<RecordedCall>(await account.call(path), 200);
  return { sid, recordingSid: recordings.sid, url: recordings.segments[0]?.url ?? "" };
}

/** A delivered text, an inbound picture, and the webhook that reported it. */
async function exchangedMessages(world: World, account: TestAccount, number: string, mark: string) {
  const ear = await listen(account);
  const { sid: outbound } = await send(account, { From: number, To: PERSON, Text: mark });
  await emulateInbound(account, { from: PERSON, to: [number], text: mark, mediaUrls: [world.pictureUrl] });
  await ear.statusesUntil(outbound, "Delivered");
  const { Sid } = await ear.inboundUntil(({ Text }) => Text === mark);
  await ear.leave();
  const inbound = await answerOf<InboundBody>(await account.call(`/v1/InboundMessages/${Sid}`), 200);
  const delivered = () => textOf(account, "/v1/Webhooks/deliveries?Status=Delivered");
  await vi.waitFor(async () => expect(await delivered()).toContain(inbound.sid), UNTIL);
  return { outbound, inbound: inbound.sid, mediaUrl: inbound.mediaUrls[0] ?? "" };
}

/** A port order that waits for its owner, and so never changes. */
async function heldOrder(account: TestAccount, config: string, mark: string): Promise<string> {
  const data = orderData(config, strangeNumbers(1), { customerReference: mark });
  const form = formOf(data, [await letter()]);
  const { sid } = await answerOf<{ sid: string }>(await account.call("/v1/Phones/port-in", form), 200);
  await decide(account, sid, "exception");
  const told = () => textOf(account, "/v1/Events?Type=PortOrderStatusChanged");
  await vi.waitFor(async () => expect(await told()).toContain('"Status":"Exception"'), UNTIL);
  return sid;
}

async function signedIn(tandem: TandemApi, { sid: accountSid, token }: TestAccount): Promise<Tenant["page"]> {
  const order = json("POST", { accountSid, token });
  const headers = { ...order.headers, "X-Tandem-Session": "1" };
  const opened = await fetch(`${tandem.url}/v1/Session`, { ...order, headers });
  await answerOf(opened, 201);
  return { Cookie: (opened.headers.get("Set-Cookie") ?? "").split(";", 1)[0] ?? "", "X-Tandem-Session": "1" };
}

async function savedView({ url }: TandemApi, page: Tenant["page"], mark: string): Promise<string> {
  const { headers, ...order } = json("POST", { name: mark, address: "/messages?q=status:Failed" });
  const saved = await fetch(`${url}/v1/Session/Views`, { ...order, headers: { ...headers, ...page } });
  return (await answerOf<{ sid: string }>(saved, 201)).sid;
}

/** Rate limit counters, which expire by themselves. */
const PASSING = new Set(["rate_windows"]);

/**
 * Every row of the database that contains the tenant's ids and none of the other tenant's, without when a token was
 * last used, which is written later.
 */
export async function rowsOf(
  { database }: UsedTandem,
  { mark, ids }: Tenant,
  other: Tenant,
): Promise<readonly string[]> {
  const tables = await database.query<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1",
  );
  const { person: _, position: __, signature: ___, ...own } = ids;
  const patterns = [mark, ...Object.values(own)].map((id) => `%${id}%`);
  const rows: string[] = [];
  for (const { name } of tables) {
    if (PASSING.has(name)) continue;
    const found = await database.query<{ text: string }>(
      `select '${name} ' || (to_jsonb(entry) - 'last_used_at')::text as text from "${name}" as entry
        where entry::text like any ($1) and entry::text not like $2 and entry::text not like $3 order by 1`,
      [patterns, `%${other.account.sid}%`, `%${other.mark}%`],
    );
    rows.push(...found.map(({ text }) => text));
  }
  return rows;
}
