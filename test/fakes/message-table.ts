// Messages and the queue of what has still to be sent, in memory, by the rules of the statements in
// adapters/store/messaging. Each method is one statement, and atomic. Every status change emits one event.

import type { OwnedRecord } from "../../src/domain/give-back.ts";
import {
  type CarrierReceipt,
  FAILURES,
  type MessageStatus,
  type Outgoing,
  type SenderState,
  type SettledMessage,
  type SubmitOutcome,
  verdictOf,
} from "../../src/domain/messaging/index.ts";
import { judgeWaiting, type WaitingMessage } from "../../src/domain/messaging/judge-sending.ts";

export interface MessageRow {
  readonly message: Outgoing;
  status: MessageStatus;
  errorCode: number;
  eventsTold: number;
  carrierIds: readonly string[];
  partsDelivered: number;
  /** Set while it has still to be sent. */
  queued: { readonly dueMs: number; claimedBy: number | null; submitting: string | null; claims: number } | undefined;
}

export interface MessageMove {
  readonly row: MessageRow;
  readonly previous: MessageStatus;
  readonly now: Date;
}

type QueuedRow = MessageRow & { queued: NonNullable<MessageRow["queued"]> };

interface Awaited {
  readonly row: MessageRow;
  readonly sentMs: number;
  askedMs: number;
}

/** How long the checks of a message's acceptance remain valid. */
const CHECKED_MS = 2_000;
const SILENT_MS = 3_600_000;
const EARLY_KEPT_MS = 3_600_000;

export class MessageTable {
  readonly rows = new Map<string, MessageRow>();
  readonly optedOut = new Map<string, Date>();
  term = 0;
  readonly #tell: (move: MessageMove) => void;
  readonly #awaited = new Map<string, Awaited>();
  #early: CarrierReceipt[] = [];

  constructor(tell: (move: MessageMove) => void) {
    this.#tell = tell;
  }

  /** Claimed if `term` is the present one, and then leaving by `link`. */
  insert(message: Outgoing, dueOn: Date, term: number | undefined, link: string | undefined): boolean {
    const isOurs = term === this.term;
    const dueMs = dueOn.getTime();
    const queued = { dueMs, claimedBy: isOurs ? this.term : null, submitting: (isOurs && link) || null, claims: 0 };
    const rest = { errorCode: 0, eventsTold: 0, carrierIds: [], partsDelivered: 0 };
    this.rows.set(message.sid, { message, status: "Queued", queued, ...rest });
    return isOurs;
  }

  /** Takes over the messages of earlier terms: released, or of unknown outcome if one was being submitted. */
  beginTerm(now: Date): number {
    this.term += 1;
    for (const row of this.#queue()) {
      if (row.queued.submitting === null) row.queued.claimedBy = null;
      else this.#end(row, "Failed", FAILURES.unknownOutcome.code, now);
    }
    return this.term;
  }

  claim(term: number, limit: number, now: Date): readonly Outgoing[] {
    if (term !== this.term) return [];
    const due = this.#queue()
      .filter(({ queued, message }) => queued.claimedBy === null && queued.dueMs <= +now && message.expiresOn > now)
      .sort((one, other) => one.message.priority - other.message.priority || compare(one, other))
      .slice(0, limit);
    for (const { queued } of due) Object.assign(queued, { claimedBy: term, claims: queued.claims + 1 });
    return due.sort(compare).map(({ message }) => ({ ...message, checkedOn: new Date(0) }));
  }

  begin(term: number, batch: readonly { message: Outgoing; link: string }[], now: Date): ReadonlySet<string> {
    const stale = batch.filter(({ message }) => +now - +message.checkedOn > CHECKED_MS);
    const { refused } = judgeWaiting(
      stale.map(({ message }) => this.#waitingOf(message)),
      now,
    );
    for (const { message, refusal } of refused) {
      const row = this.rows.get(message.sid);
      if (row?.status === "Queued") this.#end(row, "Failed", refusal.code, now);
    }
    const begun = new Set<string>();
    for (const { message, link } of batch) {
      const queued = this.rows.get(message.sid)?.queued;
      if (queued?.claimedBy !== term) continue;
      queued.submitting = message.expiresOn > now ? link : null;
      if (queued.submitting !== null) begun.add(message.sid);
    }
    return begun;
  }

  settle(term: number, batch: readonly SettledMessage[], now: Date): void {
    for (const { message, link, outcome } of batch) {
      const row = this.rows.get(message.sid) as MessageRow;
      if (outcome.kind === "throttled" || outcome.kind === "notSent") {
        if (row.queued?.claimedBy === term) row.queued.submitting = null;
        continue;
      }
      this.#await(row, link.carrier, outcome.carrierIds, now);
      if (row.status !== "Queued") continue;
      row.carrierIds = outcome.carrierIds;
      if (outcome.kind === "accepted") this.#end(row, "Sent", 0, now);
      else if (outcome.kind === "unknown") this.#end(row, "Failed", FAILURES.unknownOutcome.code, now);
      else this.#end(row, "Failed", outcome.failure.code, now);
    }
  }

  giveBack(term: number, sids: readonly string[]): void {
    for (const { queued, message } of this.#queue())
      if (queued.claimedBy === term && sids.includes(message.sid)) Object.assign(queued, FREE);
  }

  owned(term: number): readonly OwnedRecord[] {
    return this.#queue()
      .filter(({ queued }) => queued.claimedBy === term)
      .map(({ queued, message }) => ({ id: message.sid, version: String(queued.claims) }));
  }

  giveBackStrays(term: number, strays: readonly OwnedRecord[]): void {
    const owned = new Map(this.owned(term).map(({ id, version }) => [id, version]));
    this.giveBack(
      term,
      strays.filter(({ id, version }) => owned.get(id) === version).map(({ id }) => id),
    );
  }

  cancel(sid: string, now: Date): boolean {
    const row = this.rows.get(sid);
    if (!row?.queued || row.queued.submitting !== null) return false;
    this.#end(row, "Canceled", 0, now);
    return true;
  }

  expire(now: Date): number {
    const late = this.#queue().filter(({ queued, message }) => queued.submitting === null && message.expiresOn <= now);
    for (const row of late) this.#end(row, "Expired", 0, now);
    return late.length;
  }

  /** When the next message in the queue is due that no worker has claimed. */
  nextDueMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { queued } of this.rows.values())
      if (queued?.claimedBy === null) nextMs = Math.min(nextMs, queued.dueMs);
    return nextMs;
  }

  receive(receipt: CarrierReceipt, now: Date): void {
    if (!this.#apply(receipt, now)) this.#early.push(receipt);
  }

  /** Applies receipts that arrived before the response that named their message. Returns how many found it. */
  applyEarly(now: Date): number {
    const before = this.#early.length;
    this.#early = this.#early.filter((receipt) => !this.#apply(receipt, now));
    const applied = before - this.#early.length;
    this.#early = this.#early.filter(({ receivedOn }) => +now - +receivedOn < EARLY_KEPT_MS);
    return applied;
  }

  noteLate(sid: string, carrier: string, outcome: SubmitOutcome, now: Date): void {
    const row = this.rows.get(sid) as MessageRow;
    if (outcome.kind !== "accepted" || !isUnknown(row)) return;
    row.carrierIds = outcome.carrierIds;
    this.#await(row, carrier, outcome.carrierIds, now);
  }

  /** Messages whose receipt is long overdue and that are to be queried now. */
  takeSilent(now: Date): readonly { readonly carrier: string; readonly carrierId: string }[] {
    const silent = [...this.#awaited].filter(([, { sentMs, askedMs }]) => +now - Math.max(sentMs, askedMs) > SILENT_MS);
    return silent.map(([key, awaited]) => {
      awaited.askedMs = +now;
      const [carrier, carrierId] = key.split(" ") as [string, string];
      return { carrier, carrierId };
    });
  }

  #queue(): QueuedRow[] {
    return [...this.rows.values()].filter((row): row is QueuedRow => row.queued !== undefined);
  }

  #waitingOf(message: Outgoing): WaitingMessage {
    const optedOut = message.recipients.filter((number) => this.optedOut.has(number));
    return { message, account: { status: "Active" }, facts: { sender: SENDER, optedOut } };
  }

  #await(row: MessageRow, carrier: string, carrierIds: readonly string[], now: Date): void {
    for (const id of carrierIds) {
      const key = `${carrier} ${id}`;
      if (!this.#awaited.has(key)) this.#awaited.set(key, { row, sentMs: +now, askedMs: 0 });
    }
  }

  /** Whether the receipt's message is known. */
  #apply(receipt: CarrierReceipt, now: Date): boolean {
    const verdict = verdictOf(receipt);
    if (verdict.kind === "underWay") return true;
    const key = `${receipt.carrier} ${receipt.carrierId}`;
    const row = this.#awaited.get(key)?.row;
    if (!row) return false;
    this.#awaited.delete(key);
    if (row.status !== "Queued" && row.status !== "Sent" && !isUnknown(row)) return true;
    if (verdict.kind === "failed") this.#move(row, "Failed", verdict.failure.code, now);
    else {
      row.partsDelivered += 1;
      if (row.partsDelivered >= row.carrierIds.length) this.#move(row, "Delivered", 0, now);
    }
    return true;
  }

  #end(row: MessageRow, status: MessageStatus, errorCode: number, now: Date): void {
    row.queued = undefined;
    this.#move(row, status, errorCode, now);
  }

  #move(row: MessageRow, status: MessageStatus, errorCode: number, now: Date): void {
    const previous = row.status;
    row.status = status;
    row.errorCode = errorCode;
    if (previous === status) return;
    row.eventsTold += 1;
    this.#tell({ row, previous, now });
  }
}

const SENDER: SenderState = {
  status: "Active",
  messagingConfigSid: null,
  tcrCampaignId: null,
  campaignStatus: null,
  defaultExpirySeconds: null,
  sendingTimes: null,
  sendsSms: true,
  sendsMms: true,
};

const FREE = { claimedBy: null, submitting: null };

function compare(one: MessageRow, other: MessageRow): number {
  return one.message.sid < other.message.sid ? -1 : 1;
}

function isUnknown({ status, errorCode }: MessageRow): boolean {
  return status === "Failed" && errorCode === FAILURES.unknownOutcome.code;
}
