// Numbers, configs and campaigns for tests, created the way their owners create them. Campaigns are created as an
// import does it.

import { expect, vi } from "vitest";
import { campaignStore } from "../../src/adapters/store/campaigns/campaigns.ts";
import { messagingConfigStore } from "../../src/adapters/store/campaigns/messaging-configs.ts";
import { notify, SENDERS_CHANGED } from "../../src/adapters/store/engine/channels.ts";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { heldMessages } from "../../src/adapters/store/messaging/held-messages.ts";
import { phoneStore } from "../../src/adapters/store/numbers/phones.ts";
import { emitEvents } from "../../src/adapters/store/webhooks/outbox.ts";
import { type Campaign, importCampaign } from "../../src/domain/campaigns/index.ts";
import { json, type TandemApi } from "../tandem.ts";
import type { TestAccount } from "./account.ts";

/** Timeout for effects that happen in another process or in the background. */
export const SOON = { timeout: 120_000, interval: 50 };
export const WIDE = { requests: 1_000_000, windowSeconds: 10 };

export interface PhoneBody {
  readonly number: string;
  readonly status: string;
  readonly messagingConfigSid: string | null;
  readonly [member: string]: unknown;
}

export interface List<Item> {
  readonly items: readonly Item[];
  readonly searchId?: string;
}

export async function answerOf<Body>(response: Response, status: number): Promise<Body> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  return (text === "" ? undefined : JSON.parse(text)) as Body;
}

let made = 0;

/** A new number, in the inventory. */
export async function newNumber(tandem: TandemApi, prefix = "+1303556"): Promise<string> {
  const number = `${prefix}${String(++made).padStart(4, "0")}`;
  await answerOf(await tandem.operator("/operator/v1/Numbers", json("POST", { numbers: [number] })), 201);
  return number;
}

export async function take(account: TestAccount, phone: string, more: object = {}): Promise<PhoneBody> {
  return answerOf(await account.call("/v1/Phones", json("POST", { phone, ...more })), 201);
}

export async function newConfig(account: TestAccount, more: object = {}): Promise<string> {
  const order = { name: "Test", ...more };
  const config = await answerOf<{ sid: string }>(await account.call("/v1/MessagingConfigs", json("POST", order)), 201);
  return config.sid;
}

export const newCampaignId = () => `CT${String(++made).padStart(5, "0")}`;

/** Creates a campaign as the import from the registry does. */
export async function bringCampaign(
  database: Database,
  accountSid: string,
  tcrCampaignId = newCampaignId(),
): Promise<Campaign> {
  const imported = await database.transaction((unit) => {
    const sendersChanged = (sid: string) => notify(unit, SENDERS_CHANGED, sid);
    return importCampaign(
      {
        phones: phoneStore(unit, {
          known: async () => undefined,
          oldestMayChange: async () => undefined,
          sendersChanged,
        }),
        messagingConfigs: messagingConfigStore(unit, sendersChanged),
        campaigns: campaignStore(unit, sendersChanged),
        heldMessages: heldMessages(unit),
        activationMs: 0,
        outbox: { emit: (events, now) => emitEvents(unit, events, now) },
      },
      {
        tcrCampaignId,
        accountSid,
        tcrBrandId: "BTEST01",
        name: "Test campaign",
        status: "Active",
        source: "Registry",
        throughput: [{ operator: "AT&T", messageClass: "A", smsPerMinute: 4500, mmsPerMinute: 2400, brandTier: null }],
        importedOn: new Date(),
      },
    );
  });
  if (!imported.ok) throw new Error(imported.refusal.detail);
  return imported.value;
}

/**
 * Resolves when all events so far are listed. The list shows no event before every older transaction has ended, of any
 * account. So this creates one more event, a sample for a subscription of its own, which is later than all of them:
 * when it is listed, so are they.
 */
export async function whenListed({ call }: Pick<TestAccount, "call">): Promise<void> {
  const order = { type: "CallRecordingCompleted", url: "https://receiver.example/", enabled: false };
  const { sid } = await answerOf<{ sid: string }>(await call("/v1/Webhooks", json("POST", order)), 201);
  const sent = await call(`/v1/Webhooks/${sid}/test`, { method: "POST" });
  const { resourceSid } = await answerOf<{ resourceSid: string }>(sent, 202);
  await answerOf(await call(`/v1/Webhooks/${sid}`, { method: "DELETE" }), 204);
  await vi.waitFor(async () => {
    const path = "/v1/Events?PageSize=1000&Type=CallRecordingCompleted";
    const { items } = await answerOf<List<{ resourceSid: string }>>(await call(path), 200);
    expect(items.map((event) => event.resourceSid)).toContain(resourceSid);
  }, SOON);
}

/** The events of the account's numbers, oldest first: `number: before → after`. */
export async function toldOf(account: TestAccount): Promise<readonly string[]> {
  interface Event {
    readonly payload: { readonly Number: string; readonly Status: string; readonly PreviousStatus: string | null };
  }
  await whenListed(account);
  const path = "/v1/Events?PageSize=1000&OrderByDirection=Ascending&Type=PhoneNumberStatusChanged";
  const { items } = await answerOf<List<Event>>(await account.call(path), 200);
  return items.map(({ payload }) => `${payload.Number}: ${payload.PreviousStatus ?? "none"} → ${payload.Status}`);
}
