// Sending and following messages by plain HTTP, for tests of messaging.

import { expect } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { json, type TandemApi } from "../tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { openStream } from "./event-stream.ts";
import { answerOf, bringCampaign, newConfig, newNumber, take, WIDE } from "./numbers.ts";

export interface MessageBody {
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly errorCode: number;
  readonly segmentCount: number;
  readonly createdOn: string;
  readonly sendAt: string | null;
  readonly sentOn: string | null;
  readonly deliveredOn: string | null;
  readonly expiresOn: string;
  readonly [member: string]: unknown;
}

export interface InboundBody {
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  readonly additionalRecipients: readonly string[];
  readonly text: string;
  readonly mediaUrls: readonly string[];
  readonly segmentCount: number;
  readonly conversationMetadata: string | null;
  readonly createdOn: string;
}

export interface Trail {
  readonly summary: { readonly what: string; readonly why: string; readonly advice: string | null };
  readonly sid: string;
  readonly status: string;
  readonly errorCode: number;
  readonly errorDescription: string | null;
  readonly steps: readonly {
    readonly at: string;
    readonly step: string;
    readonly details: Readonly<Record<string, unknown>>;
  }[];
}

export const SEND = "/messaging/v1/OutboundMessages";
export const UNTIL = { timeout: 120_000, interval: 100 };

/** A form, encoded as browsers and curl's --data-urlencode encode it. */
export function form(fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[]): RequestInit {
  const entries = (Array.isArray(fields) ? fields : Object.entries(fields)) as readonly [string, string][];
  return rawForm(new URLSearchParams(entries as [string, string][]).toString());
}

export function rawForm(body: string | Uint8Array<ArrayBuffer>): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body };
}

/** An account whose limits do not slow tests down. */
export function newMessenger(tandem: TandemApi, order: object = {}): Promise<TestAccount> {
  const limits = { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE };
  return newAccount(tandem, { limits, ...order });
}

export interface Sender {
  readonly number: string;
  readonly configSid: string;
  readonly tcrCampaignId: string;
}

/** An Active local number of +1, on a config of its own, linked to a campaign of its own. */
export async function newSender(
  tandem: TandemApi,
  database: Database,
  account: TestAccount,
  config: object = {},
): Promise<Sender> {
  const { tcrCampaignId } = await bringCampaign(database, account.sid);
  const configSid = await newConfig(account, { tcrCampaignId, ...config });
  const { number, status } = await take(account, await newNumber(tandem), { messagingConfigSid: configSid });
  expect(status).toBe("Active");
  return { number, configSid, tcrCampaignId };
}

export async function send(account: TestAccount, order: object): Promise<MessageBody> {
  return answerOf(await account.call(SEND, json("POST", order)), 200);
}

export async function messageOf(account: TestAccount, sid: string): Promise<MessageBody> {
  return answerOf(await account.call(`${SEND}/${sid}`), 200);
}

export async function whyOf(account: TestAccount, sid: string): Promise<Trail> {
  return answerOf(await account.call(`${SEND}/${sid}/why`), 200);
}

/** A sending time for which a message waits until `moveDue`. */
export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Makes a waiting message due now. */
export const moveDue = (database: Database, sid: string) => comeNow(database, sid, "due_at");

/** Makes a waiting message expire now. */
export const moveExpiry = (database: Database, sid: string) => comeNow(database, sid, "expires_at");

async function comeNow(database: Database, sid: string, column: string): Promise<void> {
  const rows = await database.query(`update outbound_queue set ${column} = now() where sid = $1 returning sid`, [sid]);
  expect(rows, "it has not left yet").toHaveLength(1);
}

/** Simulates a message from a handset, by the sandbox's test kit. */
export async function emulateInbound(account: TestAccount, message: object): Promise<void> {
  const answer = await account.call("/testkit/v1/Emulate/inbound-message", json("POST", message));
  expect(await answerOf(answer, 200)).toStrictEqual({ done: true });
}

export interface HeardEvent {
  readonly type: string;
  readonly resourceSid: string;
  readonly createdOn: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An account's events as they arrive, from the moment it is opened. */
export interface Ear {
  readonly heard: readonly HeardEvent[];
  /** The first event that matches, past or future. */
  until(isWanted: (event: HeardEvent) => boolean): Promise<HeardEvent>;
  /** Resolves with the statuses of a message, in order, once it has reached one of `last`. */
  statusesUntil(sid: string, ...last: readonly string[]): Promise<readonly string[]>;
  inboundUntil(isWanted: (payload: HeardEvent["payload"]) => boolean): Promise<HeardEvent["payload"]>;
  leave(): Promise<void>;
}

export async function listen(account: TestAccount): Promise<Ear> {
  const begunAt = Date.now();
  const stream = await openStream(account.call, "/v1/Events/stream");
  const heard: HeardEvent[] = [];
  const waiting = new Set<() => void>();
  const reading = (async () => {
    for (;;) {
      const event = await stream.next().catch(() => undefined);
      if (!event) return;
      // A stream starts after the last settled event, so it may also send events from before it was opened.
      if (Date.parse(event.data.createdOn) < begunAt) continue;
      heard.push(event.data);
      for (const look of waiting) look();
    }
  })();
  const until: Ear["until"] = (isWanted) =>
    new Promise((resolve) => {
      const look = () => {
        const found = heard.find(isWanted);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const statusesOf = (sid: string) =>
    heard.filter(({ resourceSid }) => resourceSid === sid).map(({ payload }) => String(payload.Status));
  return {
    heard,
    until,
    async statusesUntil(sid, ...last) {
      await until(({ resourceSid, payload }) => resourceSid === sid && last.includes(String(payload.Status)));
      return statusesOf(sid);
    },
    inboundUntil: async (isWanted) =>
      (await until(({ type, payload }) => type === "InboundMessageReceived" && isWanted(payload))).payload,
    async leave() {
      await stream.leave();
      await reading;
    },
  };
}
