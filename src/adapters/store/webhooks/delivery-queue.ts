// The queue of deliveries. A subscription is an endpoint: claims take from endpoints with free capacity, so that a
// receiver that hangs delays no other. A claim is a lease: the lease of a process that died is released (immediately by
// worker-lease.ts, at its end in any case), and the event is delivered again with the same webhook-id. A replay begins
// another round (`queued_at`): a late attempt of the previous round is recorded, but changes nothing.

import { Unavailable } from "../../../base/unavailable.ts";
import type { EventType, StoredEvent } from "../../../domain/events.ts";
import type { OwnedRecord } from "../../../domain/give-back.ts";
import type {
  Claim,
  ClaimedDelivery,
  DeliveryQueue,
  EndpointLimit,
  SettledDelivery,
} from "../../../domain/webhooks/index.ts";
import type { SecretBox } from "../../secrets.ts";
import type { Database } from "../engine/database.ts";
import { AS_READ, asRead } from "../engine/owned-records.ts";
import { type ClaimedRow, claimRows, readDueEndpoints, readEndpoints } from "./claim-deliveries.ts";
import { type BlockedDelivery, recordSettled, releaseBlocked, releaseWaiting } from "./settle-deliveries.ts";
import type { EndpointRow } from "./subscriptions.ts";

/**
 * Settings for the sessions of a queue. Its statements look up a few keys in tables that are empty one moment and large
 * the next, whatever the statistics are; they are planned once, by indexes alone. Nothing is collected and sorted
 * first: a claim of a hundred deliveries out of a million that are due reads a hundred.
 */
export const DISPATCH_OPTIONS =
  "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off -c enable_incremental_sort=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan";

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
    queuedOn: row.queuedMs === undefined ? createdOn : new Date(row.queuedMs),
    attempt: row.attempt,
    url: row.url,
    payloadShape: row.payloadShape || null,
    isWanted: row.fields !== null && (wants === "everything" || (wants === "forced" && row.isForced)),
    event: new ClaimedEvent(row, subscription, createdOn),
    subscription,
  };
}

const OWNED = "select delivery_sid as id, xmin::text as version from delivery_queue where claimed_by = $1";

const GIVE_BACK = `
update delivery_queue as queue set leased_until = null, claimed_by = null from ${AS_READ}
 where queue.delivery_sid = given.id and queue.xmin::text = given.version and queue.claimed_by = $3`;

/** On an overloaded machine each try takes seconds; all of them end well before a lease does. */
const RECORD_TRIES_MAX = 5;

// Sealed secrets are opened once: the same bytes are the same secret.
const OPENED_MAX = 10_000;
const UNREADABLE =
  "not sent: the secret or bearer of this subscription cannot be decrypted; rotate the secret and set the bearer anew";

export class StoredQueue implements DeliveryQueue {
  readonly #db: Database;
  readonly #box: SecretBox;
  readonly #worker: { readonly id: number };
  readonly #opened = new Map<string, string>();

  /** `worker` holds the id to claim under; it changes when the worker had to take a new lease. */
  constructor(db: Database, box: SecretBox, worker: { readonly id: number }) {
    this.#db = db;
    this.#box = box;
    this.#worker = worker;
  }

  dueEndpoints(now: Date): Promise<readonly string[]> {
    return readDueEndpoints(this.#db, now);
  }

  async claim(endpoints: readonly EndpointLimit[], now: Date, leaseMs: number): Promise<Claim> {
    const leaseEnd = new Date(now.getTime() + leaseMs);
    const [rows, endpointRows] = await Promise.all([
      claimRows(this.#db, { endpoints, now, leaseEnd, workerId: this.#worker.id }),
      readEndpoints(this.#db, endpoints, now),
    ]);
    const known = new Map(endpointRows.map((row) => [row.sid, this.#toSubscription(row)]));
    const subscriptions = endpoints.map(({ subscriptionSid: sid }) => known.get(sid) ?? goneSubscription(sid));
    const taken = endpoints.map(() => 0);
    const claimed: ClaimedDelivery[] = [];
    const left = new Set<string>();
    const blocked: BlockedDelivery[] = [];
    for (const row of rows) {
      const at = row.endpoint - 1;
      const { subscriptionSid, countMax } = endpoints[at] as EndpointLimit;
      taken[at] = (taken[at] as number) + 1;
      if (taken[at] === countMax) left.add(subscriptionSid);
      if (row.isBlocked) blocked.push({ subscriptionSid, resourceSid: row.resourceSid });
      else claimed.push(toDelivery(row, subscriptions[at] as EndpointSubscription));
    }
    for (const sid of await this.#released(blocked, now)) left.add(sid);
    return { claimed, left: [...left], blocked: [...new Set(blocked.map(({ subscriptionSid }) => subscriptionSid))] };
  }

  /**
   * Releases blocked deliveries whose predecessors were settled while the claim was under way, which did not see it. If
   * this fails, they are checked again later; the claim stands.
   */
  async #released(blocked: readonly BlockedDelivery[], now: Date): Promise<readonly string[]> {
    if (blocked.length === 0) return [];
    return releaseBlocked(this.#db, blocked, now).catch(() => []);
  }

  /** Records attempts and outcomes of deliveries, and releases deliveries that were blocked by them. */
  async settle(settled: readonly SettledDelivery[], now: Date): Promise<readonly string[]> {
    // What is not recorded is delivered again, so a statement that was certainly not carried out is retried.
    for (let tries = 1; ; tries++) {
      try {
        await recordSettled(this.#db, settled, now);
        break;
      } catch (fault) {
        const isUndone = fault instanceof Unavailable && fault.isUndone;
        if (!isUndone || tries === RECORD_TRIES_MAX) throw fault;
      }
    }
    const done = settled.filter((entry) => entry.status !== "Pending");
    return done.length === 0 ? [] : releaseWaiting(this.#db, done, now);
  }

  /** The deliveries that this worker has claimed. */
  owned(): Promise<readonly OwnedRecord[]> {
    return this.#db.query<OwnedRecord>(OWNED, [this.#worker.id]);
  }

  async giveBackStrays(strays: readonly OwnedRecord[]): Promise<void> {
    await this.#db.query(GIVE_BACK, [...asRead(strays), this.#worker.id]);
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
