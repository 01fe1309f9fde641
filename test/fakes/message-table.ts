// Messages and the queue of what has still to be sent, in memory, by the rules of the statements in
// adapters/store/messaging. Each method is one statement, and atomic. Every status change emits one event.

import { Unavailable } from "../../src/base/unavailable.ts";
import type { OwnedRecord } from "../../src/domain/give-back.ts";
import {
  type CarrierReceipt,
  FAILURES,
  type LoadedKeys,
  type LoadOrder,
  type MessageStatus,
  type Outgoing,
  type Placer,
  type SenderState,
  type SettledMessage,
  type Submit,
  type SubmitOutcome,
  verdictOf,
  type WaitingKey,
} from "../../src/domain/messaging/index.ts";
import { judgeWaiting, type WaitingMessage } from "../../src/domain/messaging/judge-sending.ts";

export interface MessageRow {
  readonly message: Outgoing;
  status: MessageStatus;
  errorCode: number;
  eventsTold: number;
  carrierIds: readonly string[];
  partsDelivered: number;
  /** Set while it waits to be sent. */
  queued: { readonly dueMs: number; readonly backFrom?: number } | undefined;
}

/** Messages that were given to a link together. */
interface SubmitRow {
  readonly term: number;
  readonly number: number;
  readonly sids: readonly string[];
}

export interface MessageMove {
  readonly row: MessageRow;
  readonly previous: MessageStatus;
  readonly now: Date;
}

interface Awaited {
  readonly row: MessageRow;
  readonly sentMs: number;
  askedMs: number;
}

/** How long the checks of a message's acceptance remain valid. */
const CHECKED_MS = 2_000;
/** Few, so that a burst does not fit into one load. */
const ACCOUNTS_PER_LOAD = 2;
const LOADED_PER_ACCOUNT = 3;
const SILENT_MS = 3_600_000;
const EARLY_KEPT_MS = 3_600_000;

export class MessageTable {
  readonly rows = new Map<string, MessageRow>();
  readonly optedOut = new Map<string, Date>();
  term = 0;
  #submits: readonly SubmitRow[] = [];
  readonly #placer: Placer;
  readonly #tell: (move: MessageMove) => void;
  readonly #awaited = new Map<string, Awaited>();
  #early: CarrierReceipt[] = [];

  constructor(placer: Placer, tell: (move: MessageMove) => void) {
    this.#placer = placer;
    this.#tell = tell;
  }

  /** With a submit, and if `term` is the present one, it is stored as leaving. */
  insert(message: Outgoing, dueOn: Date, term: number | undefined, submit: number | undefined): boolean {
    const isOurs = term === this.term;
    const leaves = isOurs && submit !== undefined;
    const queued = leaves ? undefined : { dueMs: dueOn.getTime() };
    const rest = { errorCode: 0, eventsTold: 0, carrierIds: [], partsDelivered: 0 };
    this.rows.set(message.sid, { message, status: "Queued", queued, ...rest });
    if (leaves) this.#submits = [...this.#submits, { term: this.term, number: submit, sids: [message.sid] }];
    return isOurs;
  }

  /** What was being sent in an earlier term is of unknown outcome, unless it waits again: see `failOrphans`. */
  beginTerm(): number {
    this.term += 1;
    return this.term;
  }

  /** The second statement of a new term. */
  failOrphans(now: Date): void {
    for (const { term, number, sids } of this.#submits) {
      if (term === this.term) continue;
      for (const row of sids.map((sid) => this.rows.get(sid) as MessageRow)) {
        const isBack = row.queued?.backFrom === number;
        if (row.status === "Queued" && !isBack) this.#end(row, "Failed", FAILURES.unknownOutcome.code, now);
      }
    }
    this.#submits = this.#submits.filter(({ term }) => term === this.term);
  }

  /** Routes with messages that are due. */
  ready(now: Date): { readonly routes: readonly string[]; readonly isMore: boolean } {
    const routes = this.#due(now).map(({ message }) => this.#placer.placeOf(message).route);
    return { routes: [...new Set(routes)], isMore: false };
  }

  load({ route, shards, after = "", accounts: only }: LoadOrder, now: Date): LoadedKeys {
    const inPlace = this.#due(now).filter(({ message }) => {
      const place = this.#placer.placeOf(message);
      const isOrdered = only ? only.includes(message.accountSid) : message.accountSid > after;
      return isOrdered && place.route === route && shards.includes(place.shard);
    });
    const accounts = [...new Set(inPlace.map(({ message }) => message.accountSid))].sort();
    const chosen = only ? accounts : accounts.slice(0, ACCOUNTS_PER_LOAD);
    const keys = chosen.flatMap((account) =>
      inPlace
        .filter(({ message }) => message.accountSid === account)
        .sort((one, other) => one.message.priority - other.message.priority || compare(one, other))
        .slice(0, LOADED_PER_ACCOUNT)
        .map(({ message: { accountSid, sid } }) => ({ accountSid, sid })),
    );
    const last = accounts.length > chosen.length ? chosen.at(-1) : undefined;
    return { keys, perAccount: LOADED_PER_ACCOUNT, last };
  }

  read(keys: readonly WaitingKey[]): readonly Outgoing[] {
    const rows = keys.flatMap(({ sid }) => this.rows.get(sid) ?? []).filter(({ queued }) => queued);
    return rows.map(({ message }) => ({ ...message, checkedOn: new Date(0) }));
  }

  begin(term: number, { number, messages }: Submit, now: Date): ReadonlySet<string> {
    const stale = messages.filter((message) => +now - +message.checkedOn > CHECKED_MS);
    const { refused } = judgeWaiting(
      stale.map((message) => this.#waitingOf(message)),
      now,
    );
    for (const { message, refusal } of refused) {
      const row = this.rows.get(message.sid);
      if (row?.queued) this.#end(row, "Failed", refusal.code, now);
    }
    if (term !== this.term) throw new Unavailable("another process sends now");
    const begun = messages.filter(({ sid, expiresOn }) => expiresOn > now && this.rows.get(sid)?.queued);
    const sids = begun.map(({ sid }) => sid);
    for (const sid of sids) (this.rows.get(sid) as MessageRow).queued = undefined;
    if (sids.length > 0) this.#submits = [...this.#submits, { term, number, sids }];
    return new Set(sids);
  }

  settle(term: number, batch: readonly SettledMessage[], finished: readonly number[], now: Date): void {
    for (const { message, submit, link, outcome } of batch) {
      const row = this.rows.get(message.sid) as MessageRow;
      if (outcome.kind === "throttled" || outcome.kind === "notSent") {
        if (term === this.term && row.status === "Queued") row.queued ??= { dueMs: +now, backFrom: submit };
        continue;
      }
      this.#await(row, link.carrier, outcome.carrierIds, now);
      if (row.status !== "Queued") continue;
      row.carrierIds = outcome.carrierIds;
      if (outcome.kind === "accepted") this.#end(row, "Sent", 0, now);
      else if (outcome.kind === "unknown") this.#end(row, "Failed", FAILURES.unknownOutcome.code, now);
      else this.#end(row, "Failed", outcome.failure.code, now);
    }
    // Records of a term that is over are left to the next holder of the lease.
    if (term === this.term)
      this.#submits = this.#submits.filter((submit) => submit.term !== term || !finished.includes(submit.number));
  }

  hasSubmits(term: number): boolean {
    return this.#submits.some((submit) => submit.term === term);
  }

  owned(term: number): readonly OwnedRecord[] {
    return this.#submits
      .filter((submit) => submit.term === term)
      .map(({ number }) => ({ id: String(number), version: "" }));
  }

  giveBack(term: number, numbers: readonly number[]): void {
    if (term !== this.term) return;
    const isStray = (submit: SubmitRow) => submit.term === term && numbers.includes(submit.number);
    for (const sid of this.#submits.filter(isStray).flatMap(({ sids }) => sids)) {
      const row = this.rows.get(sid) as MessageRow;
      if (row.status === "Queued") row.queued ??= { dueMs: 0 };
    }
    this.#submits = this.#submits.filter((submit) => !isStray(submit));
  }

  cancel(sid: string, now: Date): boolean {
    const row = this.rows.get(sid);
    if (!row?.queued) return false;
    this.#end(row, "Canceled", 0, now);
    return true;
  }

  expire(now: Date): number {
    const late = [...this.rows.values()].filter(({ queued, message }) => queued && message.expiresOn <= now);
    for (const row of late) this.#end(row, "Expired", 0, now);
    return late.length;
  }

  /** When the next message in the queue is due, of those that are due after `afterMs`. */
  nextDueMs(afterMs: number): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { queued } of this.rows.values())
      if (queued && queued.dueMs > afterMs) nextMs = Math.min(nextMs, queued.dueMs);
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

  #due(now: Date): MessageRow[] {
    return [...this.rows.values()].filter(
      ({ queued, message }) => queued && queued.dueMs <= +now && message.expiresOn > now,
    );
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

function compare(one: MessageRow, other: MessageRow): number {
  return one.message.sid < other.message.sid ? -1 : 1;
}

function isUnknown({ status, errorCode }: MessageRow): boolean {
  return status === "Failed" && errorCode === FAILURES.unknownOutcome.code;
}
