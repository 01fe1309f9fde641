// What the API returns for a round's messages and for their events.

import { expect } from "vitest";
import { whenListed } from "../contract/numbers.ts";
import type { InboundEvent, InboundRecord, OutboundRecord, StatusEvent } from "./messages-verdict.ts";

/** Calls the API of one server as the account. */
export type Caller = (path: string, init?: RequestInit) => Promise<Response>;

interface ListedEvent<Payload> {
  readonly resourceSid: string;
  readonly createdOn: string;
  readonly payload: Payload;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly searchId?: string;
}

const OUTBOUND = "/messaging/v1/OutboundMessages";
const INBOUND = "/messaging/v1/InboundMessages";
const SETTLED = { timeout: 120_000, interval: 100 };

/** Resolves when no message waits to be sent, and none for its receipt. */
export async function whenSettled(call: Caller): Promise<void> {
  const still = async (status: string) => {
    const { items } = await pageOf<OutboundRecord>(call, `${OUTBOUND}?Status=${status}&PageSize=3`);
    return items.map(({ sid, text }) => `${sid} ${text}`);
  };
  await expect.poll(() => still("Queued"), SETTLED).toEqual([]);
  await expect.poll(() => still("Sent"), SETTLED).toEqual([]);
}

/** Resolves when receipts have been matched to all messages that arrived, although submit responses were lost. */
export async function whenRescued(call: Caller, arrived: () => ReadonlySet<string>): Promise<void> {
  const inDoubt = async () => {
    const { items } = await pageOf<OutboundRecord>(call, `${OUTBOUND}?ErrorCode=3100&PageSize=1000`);
    const texts = arrived();
    return items.filter(({ text }) => texts.has(text)).map(({ sid, text }) => `${sid} ${text}`);
  };
  await expect.poll(inDoubt, SETTLED).toEqual([]);
}

export async function outboundSince(call: Caller, since: Date) {
  return {
    records: await listAll<OutboundRecord>(call, `${OUTBOUND}?CreatedOnFrom=${since.toISOString()}`),
    events: (await eventsSince<StatusEvent>(call, "OutboundMessageStatusChanged", since)).map(({ payload }) => payload),
  };
}

export async function inboundSince(call: Caller, since: Date) {
  const events = await eventsSince<{ readonly Text: string }>(call, "InboundMessageReceived", since);
  return {
    records: await listAll<InboundRecord>(call, `${INBOUND}?CreatedOnFrom=${since.toISOString()}`),
    events: events.map(({ resourceSid, payload }): InboundEvent => ({ sid: resourceSid, text: payload.Text })),
  };
}

async function eventsSince<Payload>(call: Caller, type: string, since: Date) {
  const isOld = ({ createdOn }: ListedEvent<Payload>) => new Date(createdOn) < since;
  await whenListed({ call });
  const events = await listAll(call, `/v1/Events?Type=${type}`, isOld);
  return events.filter((event) => !isOld(event));
}

/** The newest first, page by page, until an item is older than the round. */
async function listAll<Item>(
  call: Caller,
  path: string,
  isOld: (item: Item) => boolean = () => false,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let next: string | undefined = ""; next !== undefined; ) {
    const page: Page<Item> = await pageOf(call, `${path}&PageSize=1000${next}`);
    all.push(...page.items);
    next = page.searchId === undefined || page.items.some(isOld) ? undefined : `&SearchId=${page.searchId}`;
  }
  return all;
}

async function pageOf<Item>(call: Caller, path: string): Promise<Page<Item>> {
  const answer = await call(path);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text) as Page<Item>;
}
