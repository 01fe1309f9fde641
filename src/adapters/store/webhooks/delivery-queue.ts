// The queue of deliveries. A subscription is an endpoint: claims take from endpoints with free capacity, so that a
// receiver that hangs delays no other. One worker at a time claims from an endpoint (worker-slots.ts), and keeps the
// events of a resource in order: what has to wait for an earlier one stays here, claimed, until that one is settled or
// a minute has passed. The claims of a worker that died are freed (worker-lease.ts), and the event is delivered again
// with the same webhook-id. A replay begins another round, in another row: a late attempt of the previous round is
// recorded, but changes nothing.

import { Unavailable } from "../../../base/unavailable.ts";
import type { EventType, StoredEvent } from "../../../domain/events.ts";
import type { OwnedRecord } from "../../../domain/give-back.ts";
import {
  type Claim,
  type ClaimedDelivery,
  type DeliveryQueue,
  type EndpointLimit,
  ORDER_WAIT_MS,
  ResourceOrder,
  type SettledDelivery,
} from "../../../domain/webhooks/index.ts";
import type { SecretBox } from "../../secrets.ts";
import type { Database } from "../engine/database.ts";
import { type ClaimedRow, claimRows, readDueEndpoints, readEndpoints, readRecentlyTried } from "./claim-deliveries.ts";
import { giveBack, recordSettled } from "./settle-deliveries.ts";
import type { EndpointRow } from "./subscriptions.ts";
import { awaitClaims, type SlotHolder, slotOf } from "./worker-slots.ts";

/**
 * Settings for the sessions of a queue. Its statements look up a few keys in tables that are empty one moment and large
 * the next, whatever the statistics are; they are planned once, by indexes alone. Nothing is collected and sorted
 * first: a claim of a hundred deliveries out of a million that are due reads a hundred. A commit that is lost with the
 * machine's power only means that something is delivered again.
 */
export const DISPATCH_OPTIONS =
  "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off -c enable_incremental_sort=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan -c synchronous_commit=off";

type EndpointSubscription = ClaimedDelivery["subscription"] & {
  readonly accountSid: string;
  /** What is still delivered: to a subscription that is off, what its owner asked for; to one that is gone, nothing. */
  readonly wants: "everything" | "forced" | "nothing";
};

function goneSubscription(sid: string): EndpointSubscription {
  return {
    sid,
    accountSid: "",
    url: "",
    backupUrl: null,
    payloadShape: "A",
    failingSince: null,
    secrets: [],
    bearer: null,
    wants: "nothing",
  };
}

/** Parses its fields only where the text is not enough. */
class ClaimedEvent implements StoredEvent {
  readonly accountSid: string;
  readonly type: EventType;
  readonly resourceSid: string;
  readonly sequence: number;
  readonly fieldsText: string;
  readonly createdOn: Date;

  constructor(row: ClaimedRow, { accountSid }: EndpointSubscription, createdOn: Date) {
    this.accountSid = accountSid;
    this.type = row.type as EventType;
    this.resourceSid = row.resourceSid;
    this.sequence = row.sequence;
    this.fieldsText = row.fields ?? "{}";
    this.createdOn = createdOn;
  }

  get fields(): Readonly<Record<string, unknown>> {
    return JSON.parse(this.fieldsText) as Record<string, unknown>;
  }
}

function toDelivery(row: ClaimedRow, subscription: EndpointSubscription): ClaimedDelivery {
  const createdOn = new Date(row.createdMs);
  const { wants } = subscription;
  return {
    sid: row.sid,
    createdOn,
    entry: row.entry,
    attempt: row.attempt,
    url: row.url,
    payloadShape: row.payloadShape || null,
    isWanted: row.fields !== null && (wants === "everything" || (wants === "forced" && row.isForced)),
    event: new ClaimedEvent(row, subscription, createdOn),
    subscription,
  };
}

const OWNED = `
select sid_of(delivery_sid, place) as id, queue.xmin::text as version
  from delivery_queue as queue cross join lateral unnest(places) as place where claimed_by = $1`;

/** On an overloaded machine each try takes seconds. */
const RECORD_TRIES_MAX = 5;

// From an endpoint with more deliveries that wait for earlier ones no further ones are claimed, nor from any that has
// some once there are too many in all.
const WAITING_MAX = 20_000;
const WAITING_PER_ENDPOINT_MAX = 1_000;

// Sealed secrets are opened once: the same bytes are the same secret.
const OPENED_MAX = 10_000;
const UNREADABLE =
  "not sent: the secret or bearer of this subscription cannot be decrypted; rotate the secret and set the bearer anew";

export class StoredQueue implements DeliveryQueue {
  readonly #db: Database;
  readonly #box: SecretBox;
  readonly #worker: SlotHolder;
  readonly #order = new ResourceOrder();
  /** Claimed, and to be delivered after an earlier event of the resource; by endpoint, in order. */
  readonly #waiting = new Map<string, ClaimedRow[]>();
  #waitingCount = 0;
  /** The endpoints of what is claimed and not settled. */
  readonly #known = new Map<string, string>();
  /** A claim may have been carried out without an answer. */
  #isUnsure = false;
  readonly #opened = new Map<string, string>();

  constructor(db: Database, box: SecretBox, worker: SlotHolder) {
    this.#db = db;
    this.#box = box;
    this.#worker = worker;
  }

  async dueEndpoints(now: Date): Promise<readonly string[]> {
    const due = await readDueEndpoints(this.#db, now);
    const waited = [...this.#waiting.keys()].filter((sid) => this.#mayGoOn(sid, now) > 0);
    return [...new Set([...due.filter((sid) => this.#mayClaim(sid)), ...waited])];
  }

  async claim(wanted: readonly EndpointLimit[], now: Date): Promise<Claim> {
    const endpoints = wanted.filter(({ subscriptionSid: sid }) => this.#mayClaim(sid) || this.#waiting.has(sid));
    if (endpoints.length === 0) return { claimed: [], left: [], blocked: [] };
    if (this.#isUnsure) await this.#makeSure();
    const limits = endpoints.flatMap((endpoint) => this.#stored(endpoint, now));
    this.#isUnsure = true;
    const [rows, targets] = await Promise.all([
      claimRows(
        this.#db,
        limits.filter(({ countMax }) => countMax > 0),
        this.#worker.id,
      ),
      this.#targetsOf(endpoints, now),
    ]);
    this.#isUnsure = false;
    const claimed = endpoints.flatMap((endpoint) => this.#takeWaiting(endpoint, now));
    const taken = new Map<string, number>();
    for (const row of rows) {
      taken.set(row.subscriptionSid, (taken.get(row.subscriptionSid) ?? 0) + 1);
      this.#known.set(row.sid, row.subscriptionSid);
      this.#order.claim(row, row.firstTriedMs);
      if (this.#order.heldUntil(row, now.getTime()) === undefined) claimed.push(row);
      else this.#wait(row);
    }
    const left = limits.filter(({ subscriptionSid, countMax }) => (taken.get(subscriptionSid) ?? 0) >= countMax);
    return {
      claimed: claimed.map((row) => toDelivery(row, targets(row.subscriptionSid))),
      left: left.map(({ subscriptionSid }) => subscriptionSid),
      blocked: endpoints.flatMap(({ subscriptionSid: sid }) => (this.#waiting.has(sid) ? [sid] : [])),
    };
  }

  /**
   * The answer to a claim was lost. What it claimed must come before later events of the same resources, so it is given
   * back before anything else is claimed.
   */
  async #makeSure(): Promise<void> {
    await awaitClaims(this.#db, this.#worker.id);
    const owned = await this.#db.query<OwnedRecord>(OWNED, [this.#worker.id]);
    await this.giveBackStrays(owned.filter(({ id }) => !this.#known.has(id)));
  }

  #mayClaim(subscriptionSid: string): boolean {
    return this.#worker.holds(slotOf(subscriptionSid));
  }

  /** What may be claimed from the endpoint's rows besides what has waited here. */
  #stored({ subscriptionSid, countMax }: EndpointLimit, now: Date): readonly EndpointLimit[] {
    const waiting = this.#waiting.get(subscriptionSid)?.length ?? 0;
    const isFull = waiting >= WAITING_PER_ENDPOINT_MAX || (waiting > 0 && this.#waitingCount >= WAITING_MAX);
    if (isFull || !this.#mayClaim(subscriptionSid)) return [];
    return [{ subscriptionSid, countMax: Math.max(0, countMax - this.#mayGoOn(subscriptionSid, now)) }];
  }

  #wait(row: ClaimedRow): void {
    const rows = this.#waiting.get(row.subscriptionSid);
    if (rows) rows.push(row);
    else this.#waiting.set(row.subscriptionSid, [row]);
    this.#waitingCount++;
  }

  /** How many of those that waited here need not wait any longer. */
  #mayGoOn(subscriptionSid: string, now: Date): number {
    const rows = this.#waiting.get(subscriptionSid) ?? [];
    return rows.filter((row) => this.#order.heldUntil(row, now.getTime()) === undefined).length;
  }

  #takeWaiting({ subscriptionSid, countMax }: EndpointLimit, now: Date): ClaimedRow[] {
    const rows = this.#waiting.get(subscriptionSid);
    if (!rows) return [];
    const taken: ClaimedRow[] = [];
    const kept: ClaimedRow[] = [];
    for (const row of rows) {
      const mayGo = taken.length < countMax && this.#order.heldUntil(row, now.getTime()) === undefined;
      (mayGo ? taken : kept).push(row);
    }
    if (kept.length > 0) this.#waiting.set(subscriptionSid, kept);
    else this.#waiting.delete(subscriptionSid);
    this.#waitingCount -= taken.length;
    return taken;
  }

  async #targetsOf(
    endpoints: readonly EndpointLimit[],
    now: Date,
  ): Promise<(subscriptionSid: string) => EndpointSubscription> {
    const rows = await readEndpoints(this.#db, endpoints, now);
    const known = new Map(rows.map((row) => [row.sid, this.#toSubscription(row)]));
    return (sid) => known.get(sid) ?? goneSubscription(sid);
  }

  /** Records attempts and outcomes of deliveries; returns the endpoints with deliveries that waited for these. */
  async settle(settled: readonly SettledDelivery[], now: Date): Promise<readonly string[]> {
    // What is not recorded is delivered again, so a statement that was certainly not carried out is retried.
    for (let tries = 1; ; tries++) {
      try {
        await recordSettled(this.#db, settled, now);
        break;
      } catch (fault) {
        const isUndone = fault instanceof Unavailable && fault.isUndone;
        if (isUndone && tries < RECORD_TRIES_MAX) continue;
        // It may have been recorded: later events wait for a minute, or until it is claimed again and settled.
        for (const one of settled) this.#noteTried(one, now);
        throw fault;
      }
    }
    for (const one of settled) {
      if (one.status === "Pending") this.#noteTried(one, now);
      else this.#order.end(one);
      this.#known.delete(one.sid);
    }
    const endpoints = new Set(settled.map(({ subscriptionSid }) => subscriptionSid));
    return [...endpoints].filter((sid) => this.#mayGoOn(sid, now) > 0);
  }

  #noteTried(settled: SettledDelivery, now: Date): void {
    this.#order.retry(settled, (settled.attempts[0]?.at ?? now).getTime(), now.getTime());
    this.#known.delete(settled.sid);
  }

  /** Learns what was tried lately in endpoints that this process delivers to from now on. */
  async learn(isNew: (subscriptionSid: string) => boolean, now: Date): Promise<void> {
    for (const tried of await readRecentlyTried(this.#db, new Date(now.getTime() - ORDER_WAIT_MS)))
      if (isNew(tried.subscriptionSid)) this.#order.retry(tried, tried.triedOn.getTime(), now.getTime());
  }

  /** Another process delivers to these endpoints. */
  forget(isGone: (subscriptionSid: string) => boolean): void {
    this.#order.forget(isGone);
    for (const [sid, endpoint] of this.#known) if (isGone(endpoint)) this.#known.delete(sid);
    for (const [sid, rows] of this.#waiting) {
      if (!isGone(sid)) continue;
      this.#waiting.delete(sid);
      this.#waitingCount -= rows.length;
    }
  }

  /** The deliveries that this worker has claimed and handed out. */
  async owned(): Promise<readonly OwnedRecord[]> {
    const records = await this.#db.query<OwnedRecord>(OWNED, [this.#worker.id]);
    const waiting = new Set([...this.#waiting.values()].flatMap((rows) => rows.map(({ sid }) => sid)));
    return records.filter(({ id }) => !waiting.has(id));
  }

  async giveBackStrays(strays: readonly OwnedRecord[]): Promise<void> {
    await giveBack(this.#db, strays, this.#worker.id);
    for (const { id } of strays) this.#known.delete(id);
  }

  async noteSuccess(subscriptionSids: readonly string[], now: Date): Promise<void> {
    await this.#db.query(NOTE_SUCCESS, [subscriptionSids, now]);
  }

  async noteFailure(subscriptionSids: readonly string[], now: Date): Promise<void> {
    await this.#db.query(NOTE_FAILURE, [subscriptionSids, now]);
  }

  async switchOff(subscriptionSid: string, reason: string): Promise<void> {
    await this.#db.query(SWITCH_OFF, [subscriptionSid, reason]);
  }

  #toSubscription({ enabled, secret, replacedSecrets, bearer, ...row }: EndpointRow): EndpointSubscription {
    const present = this.#open(secret);
    const replaced = replacedSecrets?.map((sealed) => this.#open(sealed)) ?? [];
    const opened = bearer && this.#open(bearer);
    const isReadable = present !== undefined && opened !== undefined;
    return {
      ...row,
      // A replaced secret that cannot be read is left out, so that rotating the secret repairs its subscription.
      secrets: [present, ...replaced].flatMap((text) => text ?? []),
      bearer: opened ?? null,
      wants: enabled ? "everything" : "forced",
      ...(isReadable ? {} : { fault: UNREADABLE }),
    };
  }

  /** Undefined when it was sealed with another key: that affects its own subscription and no other. */
  #open(sealed: Buffer): string | undefined {
    const key = sealed.toString("latin1");
    let text = this.#opened.get(key);
    if (text !== undefined) return text;
    try {
      text = this.#box.open(sealed);
    } catch {
      return undefined;
    }
    if (this.#opened.size >= OPENED_MAX) this.#opened.clear();
    this.#opened.set(key, text);
    return text;
  }
}

// The health of subscriptions. A busy one is updated at most once a second, so that its row does not become hot.
export const NOTE_SUCCESS = `update webhook_subscriptions set last_success_at = $2, failing_since = null
  where sid = any($1) and (failing_since is not null or last_success_at is null or last_success_at < $2::timestamptz - interval '1 second')`;
export const NOTE_FAILURE =
  "update webhook_subscriptions set failing_since = $2 where sid = any($1) and failing_since is null";
const SWITCH_OFF = "update webhook_subscriptions set enabled = false, disabled_reason = $2 where sid = $1 and enabled";
