// Compares every reader of the store with the model: all items and in order, whatever the size and direction of the
// pages and the filters, and nothing of other accounts.

import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { JITTER, RETRY_DELAYS_MS } from "../../rules/webhook-retries.ts";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { outboundMessageStore } from "../../src/adapters/store/messaging/outbound-messages.ts";
import { deliveryStore } from "../../src/adapters/store/webhooks/deliveries.ts";
import { eventLog } from "../../src/adapters/store/webhooks/event-log.ts";
import type { Page, PageRequest } from "../../src/base/page.ts";
import {
  MESSAGE_STATUSES,
  type MessageFilters,
  type OutboundMessage,
  type TrailStep,
} from "../../src/domain/messaging/index.ts";
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryFilters,
  type LoggedEvent,
} from "../../src/domain/webhooks/index.ts";
import type { Chance } from "../fakes/chance.ts";
import { groupBy } from "./group-by.ts";
import { compareText, type DeliveryEntry, type EventEntry, endOf, type Model } from "./readers-model.ts";

const ALL = 100_000;
const SIZES = [1, 2, 7, 50] as const;
/** Longer lists are not read one by one. */
const ONE_BY_ONE_MAX = 25;
/** The order of steps of the same time. */
const RANKS = ["accepted", "held", "scheduled", "submit", "sent", "receipt"];

interface Judged {
  readonly db: Database;
  readonly model: Model;
  readonly accounts: readonly string[];
  readonly chance: Chance;
}

export class Readers {
  readonly #model: Model;
  readonly #accounts: readonly string[];
  readonly #chance: Chance;
  readonly #messages: ReturnType<typeof outboundMessageStore>;
  readonly #deliveries: ReturnType<typeof deliveryStore>;
  readonly #log: ReturnType<typeof eventLog>;
  /** What readers of the stream have got, by account. */
  readonly #followed = new Map<string, { position: string | undefined; events: string[] }>();
  #endOfAll: string | undefined;

  constructor({ db, model, accounts, chance }: Judged) {
    this.#model = model;
    this.#accounts = accounts;
    this.#chance = chance;
    this.#messages = outboundMessageStore(db);
    this.#deliveries = deliveryStore(db);
    this.#log = eventLog(db);
  }

  /** Before the first event, for a reader of the events of all accounts. */
  async open(): Promise<void> {
    this.#endOfAll = await this.#log.endOfAll();
  }

  /** Learns what the store may choose, and checks that it chose within its bounds. */
  async learnDeliveries(): Promise<void> {
    for (const accountSid of this.#accounts) await this.#learnDeliveries(accountSid);
  }

  async check(): Promise<void> {
    await this.learnDeliveries();
    for (const accountSid of this.#accounts) {
      await this.#learnEvents(accountSid);
      await this.#checkMessages(accountSid);
      await this.#checkEvents(accountSid);
      await this.#checkDeliveries(accountSid);
      await this.#follow(accountSid);
    }
    if (this.#endOfAll !== undefined) await this.#checkAllEvents(this.#endOfAll);
  }

  async #learnEvents(accountSid: string): Promise<void> {
    const wanted = this.#model.events.filter((event) => event.accountSid === accountSid);
    const request: PageRequest = { size: ALL, direction: "Ascending" };
    let found: readonly LoggedEvent[] = [];
    const read = async () => {
      found = (await this.#log.list(accountSid, request, undefined)).items;
      return found.length;
    };
    // What was stored becomes visible when all older transactions have ended, such as PostgreSQL's own maintenance.
    await expect.poll(read, { interval: 20 }).toBe(wanted.length);
    // Stored together: in any order, except for events of one resource.
    let at = 0;
    for (const group of groupBy(wanted, ({ operation }) => operation).values()) {
      const stored = found.slice(at, at + group.length);
      expectSame(stored.map(shownEvent).sort(byResource), group.map(shownEvent).sort(byResource), "stored events");
      for (const events of groupBy(stored, ({ resourceSid }) => resourceSid).values())
        expect(events.map(({ sequence }) => sequence)).toEqual(
          events.map(({ sequence }) => sequence).toSorted(byNumber),
        );
      at += group.length;
    }
    const byKey = new Map(wanted.map((event) => [keyOf(event), event]));
    for (const event of found) {
      const entry = byKey.get(keyOf(event)) as EventEntry;
      expect(entry.position ?? event.position).toBe(event.position);
      entry.position = event.position;
    }
    expect(found.map(({ position }) => position).toSorted(byPosition)).toEqual(found.map(({ position }) => position));
  }

  async #learnDeliveries(accountSid: string): Promise<void> {
    const wanted = this.#model.deliveries.filter((delivery) => delivery.accountSid === accountSid);
    const { items } = await this.#deliveries.list(accountSid, { size: ALL, direction: "Ascending" }, {});
    const byKey = new Map(wanted.map((delivery) => [deliveryKeyOf(delivery), delivery]));
    expect(items.map(deliveryKeyOf).sort()).toEqual([...byKey.keys()].sort());
    for (const item of items) learnDelivery(byKey.get(deliveryKeyOf(item)) as DeliveryEntry, item);
    // Sids begin with their time.
    expect(items.map(({ createdOn }) => +createdOn).toSorted(byNumber)).toEqual(
      items.map(({ createdOn }) => +createdOn),
    );
  }

  async #checkMessages(accountSid: string): Promise<void> {
    const all = this.#model.messagesOf(accountSid);
    for (const filters of this.#messageFilters(all))
      await this.#checkPages(
        `messages ${JSON.stringify(filters)}`,
        (page) => this.#messages.list(accountSid, page, filters),
        all.filter((message) => matches(message, filters)),
        shownMessage,
      );
    for (const { sid } of this.#some(all)) {
      expect(shownMessage((await this.#messages.find(accountSid, sid)) as OutboundMessage)).toEqual(
        shownMessage(this.#model.entryOf(sid).row),
      );
      expect(shownTrail(await this.#messages.trail(accountSid, sid), true)).toEqual(
        shownTrail(this.#model.trailOf(sid), false),
      );
      const other = this.#accounts.find((one) => one !== accountSid) as string;
      expect(await this.#messages.find(other, sid)).toBeUndefined();
      expect(await this.#messages.trail(other, sid)).toEqual([]);
      await this.#checkPages(
        `deliveries of ${sid}`,
        (page) => this.#deliveries.list(accountSid, page, { resourceSid: sid }),
        this.#model.deliveriesOf(accountSid, { resourceSid: sid }),
        shownDelivery,
      );
    }
  }

  #messageFilters(all: readonly OutboundMessage[]): readonly MessageFilters[] {
    const one = this.#one(all);
    const other = this.#one(all);
    if (!one || !other) return [{}];
    const span = [one.createdOn, other.createdOn].toSorted((some, more) => +some - +more);
    return this.#threeOf<MessageFilters>([
      {},
      { status: this.#chance.oneOf(MESSAGE_STATUSES) },
      { status: one.status, from: one.from },
      { to: one.recipients.at(-1) as string },
      { errorCode: one.errorCode },
      { createdFrom: span[0] as Date, createdTo: span[1] as Date },
      { createdFrom: one.createdOn, status: other.status },
    ]);
  }

  async #checkEvents(accountSid: string): Promise<void> {
    const all = this.#eventsOf(accountSid);
    for (const type of [undefined, this.#one(all)?.type])
      await this.#checkPages(
        `events ${type}`,
        (page) => this.#log.list(accountSid, page, type),
        all.filter((event) => type === undefined || event.type === type),
        shownLogged,
      );
    expect(await this.#log.end(accountSid)).toBe(all.at(-1)?.position ?? "0-0");
    const from = this.#chance.integer(0, all.length + 1);
    const limit = this.#chance.oneOf(SIZES);
    const after = await this.#log.after(accountSid, all[from - 1]?.position, limit);
    expectSame(after.map(shownLogged), all.slice(from, from + limit).map(shownLogged), `events after ${from}`);
  }

  /** A reader of the stream goes on from where it was. */
  async #follow(accountSid: string): Promise<void> {
    const reader = this.#followed.get(accountSid) ?? { position: undefined, events: [] };
    this.#followed.set(accountSid, reader);
    const limit = this.#chance.oneOf(SIZES);
    for (let got: number = limit; got === limit; ) {
      const events = await this.#log.after(accountSid, reader.position, limit);
      got = events.length;
      reader.events.push(...events.map(keyOf));
      reader.position = events.at(-1)?.position ?? reader.position;
    }
    const all = this.#eventsOf(accountSid).map(keyOf);
    // What was dropped since had been read before.
    expect(new Set(reader.events).size).toBe(reader.events.length);
    expect(reader.events.slice(reader.events.length - all.length)).toEqual(all);
  }

  async #checkAllEvents(since: string): Promise<void> {
    const all = this.#model.events.toSorted((one, other) => byPosition(positionOf(one), positionOf(other)));
    const limit = this.#chance.oneOf(SIZES);
    const found: LoggedEvent[] = [];
    for (let position = since; ; ) {
      const events = await this.#log.ofAllAfter(position, limit);
      found.push(...events.filter(({ accountSid }) => this.#accounts.includes(accountSid)));
      position = events.at(-1)?.position ?? position;
      if (events.length < limit) break;
    }
    expectSame(found.map(shownLogged), all.map(shownLogged), "events of all accounts");
    const { items } = await this.#log.listAll({ size: ALL, direction: "Ascending" }, undefined);
    const listed = items.filter(({ accountSid }) => this.#accounts.includes(accountSid));
    expectSame(listed.map(shownLogged).toSorted(byKeyText), all.map(shownLogged).toSorted(byKeyText), "listed events");
  }

  async #checkDeliveries(accountSid: string): Promise<void> {
    const all = this.#model.deliveriesOf(accountSid);
    const one = this.#one(all);
    const other = this.#one(all);
    const filters = this.#threeOf<DeliveryFilters>(
      one && other
        ? [
            {},
            { status: this.#chance.oneOf(DELIVERY_STATUSES) },
            { status: one.status, type: one.type },
            { subscriptionSid: one.subscriptionSid },
            { resourceSid: one.resourceSid, status: other.status },
            { from: one.createdOn },
            { to: one.createdOn, subscriptionSid: other.subscriptionSid },
          ]
        : [{}],
    );
    for (const filter of filters)
      await this.#checkPages(
        `deliveries ${JSON.stringify(filter)}`,
        (page) => this.#deliveries.list(accountSid, page, filter),
        this.#model.deliveriesOf(accountSid, filter),
        shownDelivery,
      );
    for (const delivery of this.#some(all)) {
      const sid = delivery.sid as string;
      expect(shownDelivery((await this.#deliveries.find(accountSid, sid)) as Delivery)).toEqual(
        shownDelivery(delivery),
      );
      const event = await this.#deliveries.eventOf(accountSid, sid);
      expect(event && shownEvent(event)).toEqual(shownEvent(delivery.event));
      const stranger = this.#accounts.find((some) => some !== accountSid) as string;
      expect(await this.#deliveries.find(stranger, sid)).toBeUndefined();
      expect(await this.#deliveries.eventOf(stranger, sid)).toBeUndefined();
    }
  }

  /** Reads all pages in one direction, and one page back. */
  async #checkPages<Item, Entry>(
    what: string,
    fetch: (page: PageRequest) => Promise<Page<Item>>,
    all: readonly Entry[],
    shown: (item: Item | Entry) => unknown,
  ): Promise<void> {
    const size = all.length > ONE_BY_ONE_MAX ? this.#chance.oneOf([7, 50]) : this.#chance.oneOf(SIZES);
    const direction = this.#chance.oneOf<PageRequest["direction"]>(["Ascending", "Descending"]);
    const back = direction === "Ascending" ? "Descending" : "Ascending";
    const expected = (direction === "Ascending" ? all : all.toReversed()).map(shown);
    const turnsAt = this.#chance.integer(0, all.length);
    let after: string | undefined;
    for (let at = 0; ; at += size) {
      const page = await fetch({ size, direction, ...(after === undefined ? {} : { after }) });
      expectSame(page.items.map(shown), expected.slice(at, at + size), what);
      if (turnsAt >= at && turnsAt < at + size && page.first !== undefined) {
        const before = await fetch({ size, direction: back, after: page.first });
        expect(before.items.map(shown), `${what}, back`).toEqual(
          expected.slice(Math.max(0, at - size), at).toReversed(),
        );
      }
      expect(page.next !== undefined, `${what}: whether there are more`).toBe(at + size < all.length);
      if (page.next === undefined) return;
      after = page.next;
    }
  }

  #eventsOf(accountSid: string): readonly EventEntry[] {
    return this.#model.events
      .filter((event) => event.accountSid === accountSid)
      .toSorted((one, other) => byPosition(positionOf(one), positionOf(other)));
  }

  #one<Item>(items: readonly Item[]): Item | undefined {
    return items.length === 0 ? undefined : this.#chance.oneOf(items as readonly [Item]);
  }

  #some<Item>(items: readonly Item[]): readonly Item[] {
    return items.filter(() => this.#chance.happens(4 / items.length));
  }

  #threeOf<Item>(items: readonly Item[]): readonly Item[] {
    return items.filter(() => this.#chance.happens(3 / items.length));
  }
}

/** What the store may choose of a delivery: its sid, the time of a retry, and when it is canceled. */
function learnDelivery(entry: DeliveryEntry, found: Delivery): void {
  entry.sid ??= found.sid;
  if (entry.status === "Pending" && found.status === "Canceled") {
    expect(entry.mayEndOn).toContainEqual(found.finishedOn);
    Object.assign(entry, { status: "Canceled", nextAttemptOn: null, finishedOn: found.finishedOn });
  } else if (entry.retriedSince) {
    const since = entry.retriedSince.getTime();
    const delayMs = RETRY_DELAYS_MS[entry.tries - 1] as number;
    if (found.status === "Failed") {
      // Its subscription was switched off by this attempt.
      Object.assign(entry, { status: "Failed", nextAttemptOn: null, finishedOn: endOf(entry.attempts) });
    } else {
      expect(Number(found.nextAttemptOn)).toBeGreaterThanOrEqual(since + Math.floor(delayMs * (1 - JITTER)));
      expect(Number(found.nextAttemptOn)).toBeLessThanOrEqual(since + delayMs * (1 + JITTER));
      entry.nextAttemptOn = found.nextAttemptOn;
    }
  }
  entry.retriedSince = undefined;
  entry.mayEndOn.length = 0;
  expectSame(shownDelivery(found), shownDelivery(entry), `delivery ${found.sid}`);
}

/** `toEqual` takes long for lists of many items, so it only shows the difference. */
function expectSame(found: unknown, wanted: unknown, what: string): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found, what).toEqual(wanted);
}

function shownMessage(message: OutboundMessage) {
  const { sid, accountSid, from, to, recipients, text, mediaUrls, status, statusReason, segmentCount } = message;
  const { encoding, carrier, messagingConfigSid, tcrCampaignId, priority, errorCode, errorDescription } = message;
  const { createdOn, sendAt, sentOn, deliveredOn, expiresOn } = message;
  return {
    ...{ sid, accountSid, from, to, recipients, text, mediaUrls, status, statusReason, segmentCount },
    ...{ encoding, carrier, messagingConfigSid, tcrCampaignId, priority, errorCode, errorDescription },
    ...{ createdOn, sendAt, sentOn, deliveredOn, expiresOn },
  };
}

function shownEvent({ accountSid, type, resourceSid, sequence, fields, createdOn }: Omit<LoggedEvent, "position">) {
  return { accountSid, type, resourceSid, sequence, fields, createdOn };
}

function shownLogged(event: LoggedEvent | EventEntry) {
  return { ...shownEvent(event), position: event.position };
}

function shownDelivery(delivery: Delivery | DeliveryEntry) {
  const { sid, subscriptionSid, type, resourceSid, sequence, status, nextAttemptOn, createdOn } = delivery;
  const { finishedOn, payloadShape, attempts } = delivery;
  const attemptCount = "attemptCount" in delivery ? delivery.attemptCount : attempts.length;
  return {
    ...{ sid, subscriptionSid, type, resourceSid, sequence, status, nextAttemptOn, createdOn },
    ...{ finishedOn, payloadShape, attempts, attemptCount },
  };
}

/** As JSON, in their order; those of the same time and kind in the order of their text. */
function shownTrail(steps: readonly TrailStep[], isRead: boolean): readonly string[] {
  const rank = ({ step }: TrailStep) => (RANKS.includes(step) ? RANKS.indexOf(step) : RANKS.length);
  const text = ({ at, step, details: { checks: _, ...details } }: TrailStep) =>
    JSON.stringify([at, step, Object.entries(JSON.parse(JSON.stringify(details))).sort()]);
  const byTime = (one: TrailStep, other: TrailStep) => +one.at - +other.at || rank(one) - rank(other);
  if (isRead) expect(steps.toSorted(byTime)).toEqual(steps);
  return steps.toSorted((one, other) => byTime(one, other) || compareText(text(one), text(other))).map(text);
}

function matches(message: OutboundMessage, { status, from, to, errorCode, createdFrom, createdTo }: MessageFilters) {
  return (
    (status === undefined || message.status === status) &&
    (from === undefined || message.from === from) &&
    (to === undefined || message.recipients.includes(to)) &&
    (errorCode === undefined || message.errorCode === errorCode) &&
    (createdFrom === undefined || message.createdOn >= createdFrom) &&
    (createdTo === undefined || message.createdOn <= createdTo)
  );
}

interface Keyed {
  readonly resourceSid: string;
  readonly sequence: number;
}

const keyOf = ({ resourceSid, sequence }: Keyed) => `${resourceSid} ${String(sequence).padStart(6, "0")}`;
const deliveryKeyOf = (delivery: Keyed & { readonly subscriptionSid: string }) =>
  `${delivery.subscriptionSid} ${keyOf(delivery)}`;
const byResource = (one: Keyed, other: Keyed) => compareText(keyOf(one), keyOf(other));
const byKeyText = (one: Keyed & { accountSid: string }, other: Keyed & { accountSid: string }) =>
  compareText(`${one.accountSid} ${keyOf(one)}`, `${other.accountSid} ${keyOf(other)}`);
const byNumber = (one: number, other: number) => one - other;
const positionOf = ({ position }: EventEntry) => position as string;

function byPosition(one: string, other: string): number {
  const [oneXid, oneId] = one.split("-").map(BigInt) as [bigint, bigint];
  const [otherXid, otherId] = other.split("-").map(BigInt) as [bigint, bigint];
  const difference = oneXid - otherXid || oneId - otherId;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
