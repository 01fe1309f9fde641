// Finds the account of a carrier's PDU: by the message of a receipt, or by the recipient of an inbound message.
//
// A receipt may arrive before its message's answer is stored, and even before that answer. So the ids in answers are
// remembered while a client watches, and a receipt with an unknown id waits a moment for the answer. Everything is
// bounded.

import type { Clock } from "../../../base/clock.ts";
import { forgetOldest } from "../../../base/forget-oldest.ts";
import { e164Candidates, type PduOwner, type PduOwners, type PduSubject } from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";
import { first } from "../engine/statements.ts";

const ANSWERED_MAX = 10_000;
const LOOKUPS_MAX = 20;
const EARLY_MAX = 20;
/** How long after the receipt the answer may arrive. */
const EARLY_MS = 5_000;

export class StoredPduOwners implements PduOwners {
  readonly #db: Queryable;
  readonly #clock: Pick<Clock, "after">;
  /** By carrier and the carrier's message id. */
  readonly #answered = new Map<string, PduOwner>();
  /** Receipts that arrived before the answer: each is called with every answer, and at the end. */
  readonly #early = new Set<(key?: string, owner?: PduOwner) => void>();
  #lookups = 0;

  constructor(db: Queryable, clock: Pick<Clock, "after">) {
    this.#db = db;
    this.#clock = clock;
  }

  get isBusy(): boolean {
    return this.#lookups >= LOOKUPS_MAX;
  }

  answered(carrier: string, carrierId: string, { accountSid, sid }: PduOwner): void {
    const key = keyOf(carrier, carrierId);
    const owner = { accountSid, sid };
    this.#answered.set(key, owner);
    forgetOldest(this.#answered, ANSWERED_MAX);
    for (const hear of this.#early) hear(key, owner);
  }

  known(carrier: string, subject: Exclude<PduSubject, { kind: "message" }>): PduOwner | undefined {
    return subject.kind === "receipt" ? this.#answered.get(keyOf(carrier, subject.carrierId)) : undefined;
  }

  async of(carrier: string, subject: Exclude<PduSubject, { kind: "message" }>): Promise<PduOwner | undefined> {
    if (subject.kind === "inbound") return this.#lookUp(ofNumber(this.#db, subject.to));
    const key = keyOf(carrier, subject.carrierId);
    const known = this.known(carrier, subject) ?? (await this.#lookUp(ofAwaited(this.#db, carrier, subject.carrierId)));
    return known ?? this.#answered.get(key) ?? this.#ofAnswer(key);
  }

  /** Forgets all answers and ends all waits. */
  clear(): void {
    this.#answered.clear();
    for (const hear of this.#early) hear();
  }

  async #lookUp(found: Promise<PduOwner | undefined>): Promise<PduOwner | undefined> {
    this.#lookups++;
    try {
      return await found;
    } finally {
      this.#lookups--;
    }
  }

  #ofAnswer(wanted: string): Promise<PduOwner | undefined> | undefined {
    if (this.#early.size >= EARLY_MAX) return undefined;
    return new Promise((resolve) => {
      const end = (owner?: PduOwner) => {
        cancel();
        this.#early.delete(hear);
        resolve(owner);
      };
      const hear = (key?: string, owner?: PduOwner) => {
        if (key === wanted || key === undefined) end(owner);
      };
      const cancel = this.#clock.after(EARLY_MS, () => end());
      this.#early.add(hear);
    });
  }
}

const keyOf = (carrier: string, carrierId: string) => `${carrier} ${carrierId}`;

/** Finds it only while the receipt is awaited. */
function ofAwaited(db: Queryable, carrier: string, carrierId: string): Promise<PduOwner | undefined> {
  return first<PduOwner>(
    db,
    `select account_sid as "accountSid", sid from awaited_receipts where carrier = $1 and carrier_id = $2 limit 1`,
    [carrier, carrierId],
  );
}

function ofNumber(db: Queryable, to: string): Promise<PduOwner | undefined> {
  return first<PduOwner>(
    db,
    `select account_sid as "accountSid", null as sid from phones
      where number = any($1::text[]) and status <> 'Removed' order by array_position($1::text[], number) limit 1`,
    [[to, ...e164Candidates(to)]],
  );
}
