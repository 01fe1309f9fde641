// The webhooks of a generated history: subscriptions that come, go and are switched off, events of several resources,
// deliveries that receivers accept or refuse, with retries and replays.

import { ATTEMPTS_MAX, isSuccess } from "../../rules/webhook-retries.ts";
import { askedWebhooks } from "../../src/adapters/store/webhooks/asked-webhooks.ts";
import { emitEvents } from "../../src/adapters/store/webhooks/outbox.ts";
import { EVENT_SAMPLES, type EventType, type NewEvent } from "../../src/domain/events.ts";
import {
  type Attempt,
  DELIVERY_STATUSES,
  type DeliveryFilters,
  ORDER_WAIT_MS,
  type PostOrder,
  type PostOutcome,
} from "../../src/domain/webhooks/index.ts";
import { answered } from "../fakes/webhook-store.ts";
import { type DeliveryEntry, endOf, type SubscriptionEntry } from "./readers-model.ts";
import { CONFIGS, HOUR, mustHold, NUMBERS, type ReadersWorld, SECOND, TEXTS } from "./readers-world.ts";

const TYPES = ["OptOutChanged", "PhoneNumberStatusChanged", "CallStatusChangedWebhook", "TcrCampaignImported"] as const;
const PAUSES_MS = [0, 6 * SECOND, 65 * SECOND, 660 * SECOND, 7 * HOUR, 30 * HOUR] as const;
const ANSWER_MAX = 4_096;
const REPLAYED_MAX = 10_000;

/** How receivers answer for the time being. */
const MOODS = [
  [200, 204],
  [200, 500, 301, 410],
  [503, 500],
] as const;

interface SeenPost {
  readonly order: PostOrder;
  readonly outcome: PostOutcome;
  readonly at: Date;
}

export class WebhookHistory {
  readonly #world: ReadersWorld;
  readonly #learn: () => Promise<void>;
  #resources: string[] = [];
  #statuses: readonly number[] = MOODS[0];
  #seen: SeenPost[] = [];
  /** Subscriptions whose own URLs have failed since it was last looked whether they are switched off. */
  readonly #failing = new Set<SubscriptionEntry>();

  /** `learn` learns the sids that the store chose for deliveries, and their state. */
  constructor(world: ReadersWorld, learn: () => Promise<void>) {
    this.#world = world;
    this.#learn = learn;
    world.store.receiveBy((order) => {
      const outcome = this.#answer();
      this.#seen.push({ order, outcome, at: world.now });
      return outcome;
    });
  }

  #answer(): PostOutcome {
    const { chance } = this.#world;
    const status = chance.oneOf(this.#statuses as [number]);
    const isSilent = status === 503 && chance.happens(0.5);
    const text = chance.oneOf(["", "ok", "żółw", "x".repeat(5_000)]);
    return answered(status, {
      ms: chance.integer(1, 50),
      ...(isSilent ? { status: null, failure: "no answer" } : { answer: new TextEncoder().encode(text) }),
    });
  }

  async subscribe(): Promise<void> {
    const { chance, model, store, now } = this.#world;
    const types = chance.oneOf<readonly (EventType | "*")[]>([
      ["*"],
      ["OutboundMessageStatusChanged"],
      ["OutboundMessageStatusChanged", "OptOutChanged"],
      ["CallStatusChangedWebhook", "InboundCallReceivedWebhook"],
    ]);
    const scope = chance.oneOf<Pick<Partial<SubscriptionEntry>, "phone" | "messagingConfigSid">>([
      {},
      {},
      { phone: chance.oneOf(NUMBERS) },
      { messagingConfigSid: chance.oneOf(CONFIGS) },
    ]);
    const subscription = await store.subscribe({
      ...{ accountSid: this.#world.anAccount(), types, payloadShape: chance.oneOf(["A", "B"]), createdOn: now },
      url: `https://receiver.example/${chance.integer(0, 1_000)}`,
      backupUrl: chance.happens(0.2) ? "https://backup.example/" : null,
      ...scope,
    });
    model.subscriptions.push({ ...subscription, isCallback: false, isRemoved: false });
  }

  async changeSubscription(): Promise<void> {
    const { chance, store, now } = this.#world;
    const subscription = this.#aSubscription(this.#world.anAccount());
    if (!subscription) return;
    const { accountSid, sid } = subscription;
    if (chance.happens(0.3)) {
      mustHold(await store.subscriptions.remove(accountSid, sid, now), `whether ${sid} can be removed`);
      subscription.isRemoved = true;
      return;
    }
    subscription.enabled = !subscription.enabled;
    await store.subscriptions.change(accountSid, sid, { enabled: subscription.enabled });
  }

  #aSubscription(accountSid: string): SubscriptionEntry | undefined {
    const own = this.#world.model.subscriptions.filter(
      (one) => one.accountSid === accountSid && !one.isCallback && !one.isRemoved,
    );
    return own.length === 0 ? undefined : this.#world.chance.oneOf(own as [SubscriptionEntry]);
  }

  /** Events of other resources than messages, of several accounts together. */
  async emit(count = this.#world.chance.integer(1, 6)): Promise<void> {
    const { model, store, now } = this.#world;
    const events = Array.from({ length: count }, () => this.#newEvent());
    await emitEvents(store.db, events, now);
    for (const event of events) model.emit(event, now);
  }

  #newEvent(): NewEvent {
    const { chance } = this.#world;
    const accountSid = this.#world.anAccount();
    const type = chance.oneOf(TYPES);
    const tested = chance.happens(0.1) ? this.#aSubscription(accountSid) : undefined;
    return {
      ...{ accountSid, type, resourceSid: this.#aResource(accountSid, type) },
      fields: { ...EVENT_SAMPLES[type], Number: chance.oneOf(TEXTS) } as NewEvent["fields"],
      ...(chance.happens(0.3) ? { phone: chance.oneOf(NUMBERS) } : {}),
      ...(chance.happens(0.3) ? { messagingConfigSid: chance.oneOf(CONFIGS) } : {}),
      ...(tested ? { onlyTo: tested.sid } : {}),
    };
  }

  /** Accounts may use the same ids for their resources. */
  #aResource(accountSid: string, type: EventType): string {
    const { chance, store } = this.#world;
    if (this.#resources.length < 2 || chance.happens(0.2)) this.#resources.push(store.ids.sid("CA"));
    const isShared = chance.happens(0.5);
    return `${type} ${isShared ? "" : accountSid} ${chance.oneOf(this.#resources as [string])}`;
  }

  /** Events are numbered by those that are stored: of resources whose events are dropped there are no more. */
  forgetResources(): void {
    this.#resources = [];
  }

  /** A webhook whose answer was awaited: its event, delivery and attempts are stored when it is over. */
  async ask(): Promise<void> {
    const { chance, model, store, now: createdOn } = this.#world;
    const type = "InboundCallReceivedWebhook";
    const accountSid = this.#world.anAccount();
    const subscription = this.#aSubscription(accountSid);
    if (!subscription) return;
    const { sid: subscriptionSid, url } = subscription;
    const fields = EVENT_SAMPLES[type];
    const event: NewEvent = { accountSid, type, fields, resourceSid: this.#aResource(accountSid, type) };
    const attempts = Array.from({ length: chance.integer(1, 3) }, () =>
      attemptOf({ url, outcome: answered(chance.oneOf([200, 503])), at: createdOn }),
    );
    this.#world.pass(chance.integer(0, 1_000));
    const sid = store.ids.sid("WH");
    const isAnswered = chance.happens(0.7);
    const exchange = { event, subscriptionSid, deliverySid: sid, createdOn, attempts, isAnswered };
    await askedWebhooks(store.db, store.box, store.clock).record(exchange);
    const stored = model.store(event, createdOn);
    model.deliveries.push({
      ...{ sid, accountSid, event: stored, attempts, subscriptionSid, type, createdOn, payloadShape: null },
      ...{ resourceSid: event.resourceSid, sequence: stored.sequence, status: isAnswered ? "Delivered" : "Failed" },
      ...{
        nextAttemptOn: null,
        finishedOn: endOf(attempts),
        url: null,
        endpoint: subscriptionSid,
        isForced: false,
        tries: 1,
      },
      ...{ mayEndOn: [], wasReplayedUntried: false },
    });
  }

  /** Replays by sids or by filters, to their own URL or to another one. */
  async replay(): Promise<void> {
    const { chance, model, store, now } = this.#world;
    const accountSid = this.#world.anAccount();
    await this.#learn();
    const known = model.deliveriesOf(accountSid);
    if (known.length === 0) return;
    const one = chance.oneOf(known as [DeliveryEntry]);
    const filters = chance.oneOf<DeliveryFilters>([
      { status: chance.oneOf(DELIVERY_STATUSES) },
      { status: "Failed", from: one.createdOn },
      { type: one.type, to: one.createdOn },
      { resourceSid: one.resourceSid },
      { subscriptionSid: one.subscriptionSid },
      {},
    ]);
    const sids = this.#world.some(known, 0.2).map(({ sid }) => sid as string);
    const order = {
      ...(chance.happens(0.5) ? { sids, filters: {} } : { filters }),
      url: chance.happens(0.3) ? "https://elsewhere.example/" : null,
      now,
      limit: chance.oneOf([3, REPLAYED_MAX]),
    };
    const count = await store.deliveries.replay(accountSid, order);
    mustHold(count === model.replay(accountSid, order), `how many deliveries ${JSON.stringify(order)} replays`);
  }

  /** Delivers what is due after a while. */
  async dispatch(): Promise<void> {
    const { chance } = this.#world;
    this.#statuses = chance.oneOf<readonly number[]>(MOODS);
    this.#world.pass(chance.oneOf(PAUSES_MS));
    await this.#deliver();
  }

  /** Delivers what waited for an earlier event of its resource: a worker holds that for a minute at most. */
  async settle(): Promise<void> {
    this.#statuses = MOODS[0];
    this.#world.pass(ORDER_WAIT_MS);
    await this.#deliver();
  }

  /** Receivers accept everything that still waits. */
  async drain(): Promise<void> {
    this.#statuses = MOODS[0];
    for (let days = 0; days < 4; days++) {
      this.#world.pass(25 * HOUR);
      await this.#deliver();
    }
  }

  async #deliver(): Promise<void> {
    const { model, store, now } = this.#world;
    await this.#learn();
    for (const delivery of model.deliveries)
      if (delivery.status === "Pending" && !model.isWanted(delivery)) delivery.mayEndOn.push(now);
    await store.dispatch();
    const attempts = new Map<string, SeenPost[]>();
    for (const post of this.#seen.splice(0)) {
      const sid = String(post.order.headers["webhook-id"]);
      attempts.set(sid, [...(attempts.get(sid) ?? []), post]);
    }
    const known = new Map(model.deliveries.map((delivery) => [delivery.sid, delivery]));
    for (const [sid, posts] of attempts) {
      const delivery = known.get(sid);
      mustHold(delivery !== undefined, `whether there is a delivery ${sid}`);
      if (delivery) this.#record(delivery, posts);
    }
    await this.#learnSwitchedOff();
    await this.#learn();
  }

  /** The attempt at a delivery: one post, or a second one to the backup URL. */
  #record(delivery: DeliveryEntry, posts: readonly SeenPost[]): void {
    const { model, now } = this.#world;
    const endpoint = model.subscriptions.find(({ sid }) => sid === delivery.endpoint) as SubscriptionEntry;
    const urls = delivery.url === null ? [endpoint.url, endpoint.backupUrl] : [delivery.url];
    mustHold(
      posts.every(({ order }, at) => order.url === urls[at]),
      `to which URLs ${delivery.sid} goes: ${posts.map(({ order }) => order.url)}`,
    );
    const shape = delivery.payloadShape ?? endpoint.payloadShape;
    for (const { order } of posts)
      mustHold(order.body === bodyOf(delivery, shape), `the body is ${order.body}, not ${bodyOf(delivery, shape)}`);
    delivery.attempts.push(...posts.map(({ order, ...post }) => attemptOf({ ...post, url: order.url })));
    delivery.tries++;
    const last = posts.at(-1)?.outcome as PostOutcome;
    const isGone = last.status === 410;
    if (isGone && delivery.url === null) endpoint.enabled = false;
    if (isSuccess(last) || isGone || delivery.tries === ATTEMPTS_MAX) {
      delivery.status = isSuccess(last) ? "Delivered" : "Failed";
      delivery.nextAttemptOn = null;
      delivery.finishedOn = endOf(delivery.attempts);
    } else {
      delivery.retriedSince = now;
      if (delivery.url === null) this.#failing.add(endpoint);
    }
  }

  /** After days of failures a subscription is switched off: when exactly is the dispatcher's to choose. */
  async #learnSwitchedOff(): Promise<void> {
    const { model, store, now } = this.#world;
    for (const subscription of model.subscriptions.filter(({ isCallback, isRemoved }) => !isCallback && !isRemoved)) {
      const { accountSid, sid } = subscription;
      const isEnabled = (await store.subscriptions.find(accountSid, sid))?.enabled;
      const maySwitchOff = this.#failing.has(subscription);
      mustHold(
        isEnabled === subscription.enabled || (maySwitchOff && isEnabled === false),
        `whether ${sid} is switched off`,
      );
      subscription.enabled = isEnabled === true;
    }
    this.#failing.clear();
    for (const delivery of model.deliveries)
      if (delivery.status === "Pending" && !model.isWanted(delivery)) delivery.mayEndOn.push(now);
  }
}

function attemptOf({ url, outcome, at }: { url: string; outcome: PostOutcome; at: Date }): Attempt {
  const { status, failure, ms, answer } = outcome;
  const text = new TextDecoder().decode(answer.subarray(0, ANSWER_MAX));
  return { at, url, status, failure, ms, answer: text === "" ? null : text, exchange: undefined };
}

function bodyOf({ sid, event }: DeliveryEntry, shape: string): string {
  const { createdOn, sequence, fields } = event;
  const common = { EventDate: createdOn.toISOString(), Sequence: sequence, ...fields };
  if (shape === "A") return JSON.stringify({ WebhookSid: sid, ...common });
  const lower = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lower);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name.charAt(0).toLowerCase() + name.slice(1), lower(member)]),
    );
  };
  return JSON.stringify(lower(common));
}
