// The rows of the queue of deliveries, and what their subscriptions say: the statements under the ordered queue. A
// replay begins another round, in another row: a late attempt of the previous round is recorded, but changes nothing.

import type { EventType, StoredEvent } from "../../../domain/events.ts";
import type { OwnedRecord } from "../../../domain/give-back.ts";
import type {
  ClaimedDelivery,
  DeliveryRecords,
  DueEndpoints,
  EndpointLimit,
  SettledDelivery,
  TriedBefore,
} from "../../../domain/webhooks/index.ts";
import type { SecretBox } from "../../secrets.ts";
import type { Database } from "../engine/database.ts";
import {
  type ClaimedRow,
  claimRows,
  makeReady,
  readDueEndpoints,
  readEndpoints,
  readRecentlyTried,
} from "./claim-deliveries.ts";
import { giveBack, recordSettled } from "./settle-deliveries.ts";
import { claimsEnded } from "./slot-records.ts";
import type { EndpointRow } from "./subscriptions.ts";

/**
 * Settings for the sessions of a queue. Its statements look up a few keys in tables that are empty one moment and large
 * the next, whatever the statistics are; they are planned once, by indexes alone. Nothing is collected and sorted
 * first: a claim of a hundred deliveries out of a million that are due reads a hundred. A commit that is lost with the
 * machine's power only means that something is delivered again.
 */
export const DISPATCH_PARAMETERS = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_sort: "off",
  enable_incremental_sort: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  plan_cache_mode: "force_generic_plan",
  synchronous_commit: "off",
};

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

/** A round over ten thousand endpoints takes ten looks, each of some milliseconds. */
const ENDPOINTS_LOOKED_AT = 1_000;

// Sealed secrets are opened once: the same bytes are the same secret.
const OPENED_MAX = 10_000;
const UNREADABLE =
  "not sent: the secret or bearer of this subscription cannot be decrypted; rotate the secret and set the bearer anew";

export class StoredDeliveries implements DeliveryRecords<ClaimedRow> {
  readonly #db: Database;
  readonly #box: SecretBox;
  readonly #lease: { readonly id: number };
  readonly #opened = new Map<string, string>();
  /** The endpoint up to which the round of looks has come. */
  #lookedAt = "";

  constructor(db: Database, box: SecretBox, lease: { readonly id: number }) {
    this.#db = db;
    this.#box = box;
    this.#lease = lease;
  }

  async dueEndpoints(now: Date): Promise<DueEndpoints> {
    await makeReady(this.#db, now);
    const sids = await readDueEndpoints(this.#db, this.#lookedAt, ENDPOINTS_LOOKED_AT);
    const hasMore = sids.length === ENDPOINTS_LOOKED_AT;
    this.#lookedAt = (hasMore && sids.at(-1)) || "";
    return { sids, hasMore };
  }

  claim(limits: readonly EndpointLimit[]): Promise<readonly ClaimedRow[]> {
    return claimRows(this.#db, limits, this.#lease.id);
  }

  claimsEnded(): Promise<void> {
    return claimsEnded(this.#db, this.#lease.id);
  }

  async read(endpoints: readonly EndpointLimit[], now: Date): Promise<(row: ClaimedRow) => ClaimedDelivery> {
    const rows = await readEndpoints(this.#db, endpoints, now);
    const known = new Map(rows.map((row) => [row.sid, this.#toSubscription(row)]));
    return (row) => toDelivery(row, known.get(row.subscriptionSid) ?? goneSubscription(row.subscriptionSid));
  }

  settle(settled: readonly SettledDelivery[], now: Date): Promise<void> {
    return recordSettled(this.#db, settled, now);
  }

  triedSince(time: Date): Promise<readonly TriedBefore[]> {
    return readRecentlyTried(this.#db, time);
  }

  owned(): Promise<readonly OwnedRecord[]> {
    return this.#db.query<OwnedRecord>(OWNED, [this.#lease.id]);
  }

  giveBackStrays(strays: readonly OwnedRecord[]): Promise<void> {
    return giveBack(this.#db, strays, this.#lease.id);
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
