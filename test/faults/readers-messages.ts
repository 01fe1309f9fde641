// The messages of a generated history: accepted, sent, refused, deferred, canceled, expired, removed; receipts in any
// order, early, twice or never; the process that sends is replaced.

import { StoredIntake } from "../../src/adapters/store/messaging/message-intake.ts";
import { StoredReceipts } from "../../src/adapters/store/messaging/message-receipts.ts";
import { outboundMessageStore } from "../../src/adapters/store/messaging/outbound-messages.ts";
import { StoredSendQueue } from "../../src/adapters/store/messaging/send-queue.ts";
import { SendingLease } from "../../src/adapters/store/messaging/sending-lease.ts";
import { expireMessages } from "../../src/adapters/store/messaging/waiting-messages.ts";
import {
  type CarrierReceipt,
  FAILURES,
  type Failure,
  makePlacer,
  type NewMessage,
  newMessage,
  type Outgoing,
  PRIORITIES,
  SHARDS,
  type SubmitOutcome,
} from "../../src/domain/messaging/index.ts";
import { silent } from "../fakes/silent-log.ts";
import { CONFIGS, DAY, HOUR, mustHold, NUMBERS, type ReadersWorld, SECOND, TEXTS } from "./readers-world.ts";

const RECIPIENTS = ["+14154740200", "+14154740201", "+12125550142"] as const;
const LINK = { name: "link", carrier: "carrier", kind: "sms", capacity: () => 1, submit: () => undefined } as const;
const LOADED_MIN = 20;
const EVERY_SHARD = Array.from({ length: SHARDS }, (_, shard) => shard);

type Verdict = Pick<CarrierReceipt, "state" | "errorCode">;
const VERDICTS = [
  { state: "delivered", errorCode: null },
  { state: "delivered", errorCode: null },
  { state: "delivered", errorCode: "000" },
  { state: "failed", errorCode: "6" },
  { state: "rejected", errorCode: null },
  { state: "expired", errorCode: "42" },
  { state: "enroute", errorCode: null },
] as const;

export class MessageHistory {
  readonly #world: ReadersWorld;
  readonly #intake: StoredIntake;
  readonly #receipts: StoredReceipts;
  readonly #queue: StoredSendQueue;
  #lease: SendingLease | undefined;
  #submits = 0;
  #underWay: readonly { readonly message: Outgoing; readonly submit: number }[] = [];
  /** By the ids whose receipt may still arrive. */
  readonly #verdicts = new Map<string, Verdict>();
  #ids = 0;

  constructor(world: ReadersWorld) {
    const { db, clock } = world.store;
    this.#world = world;
    this.#intake = new StoredIntake(db, clock);
    this.#receipts = new StoredReceipts(db, { clock });
    this.#queue = new StoredSendQueue(db, makePlacer([]));
  }

  async open(): Promise<void> {
    const holder = {
      began: async (term: number) => void (await this.#queue.beginTerm(term, this.#world.now)),
      ended: async () => undefined,
      mayHold: () => true,
    };
    this.#lease = new SendingLease(this.#world.store.connection, holder, silent);
    await this.#lease.open();
  }

  async close(): Promise<void> {
    await this.#lease?.close();
  }

  async accept(count = this.#world.chance.integer(1, 8)): Promise<void> {
    const messages = Array.from({ length: count }, () => this.#newMessage());
    await Promise.all(messages.map((message) => this.#intake.accept(message)));
    for (const message of messages) this.#world.model.accept(message);
  }

  #newMessage(): NewMessage {
    const { chance, now, store } = this.#world;
    const isLater = chance.happens(0.1);
    const isHeld = !isLater && chance.happens(0.05);
    const sendAt = isLater ? new Date(now.getTime() + chance.integer(1, 3_600) * SECOND) : null;
    const callbackUrl = chance.happens(0.3) ? `https://callback.example/${chance.integer(0, 3)}` : null;
    return newMessage({
      ...{ sid: store.ids.sid("OM"), accountSid: this.#world.anAccount(), from: chance.oneOf(NUMBERS) },
      recipients: chance.happens(0.1) ? RECIPIENTS.slice(chance.integer(0, 2)) : [chance.oneOf(RECIPIENTS)],
      ...{ text: chance.oneOf(TEXTS), mediaUrls: chance.happens(0.1) ? ["https://media.example/a.png"] : [] },
      ...{ statusReason: null, carrier: chance.happens(0.5) ? "T-Mobile USA" : null, tcrCampaignId: null },
      messagingConfigSid: chance.happens(0.5) ? chance.oneOf(CONFIGS) : null,
      ...{ priority: chance.oneOf(PRIORITIES), createdOn: now, sendAt, dueOn: isHeld ? null : (sendAt ?? now) },
      expiresOn: new Date(now.getTime() + chance.oneOf([20 * SECOND, HOUR, 5 * DAY])),
      ...{ conversationMetadata: null, callbackUrl, isReply: false, requestId: null },
      callbackShape: callbackUrl !== null && chance.happens(0.5) ? "B" : null,
      callbackStatuses: callbackUrl !== null && chance.happens(0.5) ? "Final" : null,
    });
  }

  /** Begins to send some of what waits. */
  async begin(): Promise<void> {
    const { chance, model, now } = this.#world;
    const waiting = await this.#waiting();
    const due = [...model.messages.values()].filter(
      ({ place, dueOn, row }) => place === "waits" && dueOn !== null && dueOn <= now && row.expiresOn > now,
    );
    // Of many messages only the first are loaded.
    const dueSids = new Set(due.map(({ row }) => row.sid));
    mustHold(
      waiting.every(({ sid }) => dueSids.has(sid)) && waiting.length >= Math.min(due.length, LOADED_MIN),
      `which messages wait and are due: ${waiting.length} of ${due.length}`,
    );
    const messages = waiting.filter(() => chance.happens(0.8)).map((message) => ({ ...message, checkedOn: now }));
    if (messages.length === 0) return;
    const begun = await this.#queue.begin({ number: ++this.#submits, link: LINK, messages }, now);
    mustHold(begun.size === messages.length, "which messages may be begun");
    for (const { sid } of messages) model.entryOf(sid).place = "underWay";
    this.#underWay = [...this.#underWay, ...messages.map((message) => ({ message, submit: this.#submits }))];
  }

  async #waiting(): Promise<readonly Outgoing[]> {
    const { now, accounts } = this.#world;
    const found: Outgoing[] = [];
    for (const route of (await this.#queue.ready(now)).routes) {
      const { keys } = await this.#queue.load({ route, shards: EVERY_SHARD, after: "" }, now);
      found.push(...(await this.#queue.read(keys)));
    }
    return found.filter(({ accountSid, expiresOn }) => accounts.includes(accountSid) && expiresOn > now);
  }

  /** The carrier answers some of what is under way; the receipts of some are stored before the answers are. */
  async settle(): Promise<void> {
    const { chance, model, now: at } = this.#world;
    const settled = this.#underWay
      .filter(() => chance.happens(0.8))
      .map(({ message, submit }) => ({
        message,
        submit,
        link: LINK,
        outcome: this.#outcomeOf(message),
        leftOn: at,
        at,
      }));
    await this.#take(
      settled.flatMap(({ outcome }) =>
        outcome.kind === "accepted" && chance.happens(0.2) ? [...outcome.carrierIds] : [],
      ),
    );
    const now = this.#world.pass(chance.integer(0, 100));
    const gone = new Set(settled.map(({ message }) => message.sid));
    this.#underWay = this.#underWay.filter(({ message }) => !gone.has(message.sid));
    const finished = this.#underWay.length === 0 ? Array.from({ length: this.#submits }, (_, of) => of + 1) : [];
    await this.#queue.settle(settled, finished, now);
    for (const one of settled) model.settle(one, now);
    await this.#applyEarly();
  }

  #outcomeOf({ sid, segmentCount }: Outgoing): SubmitOutcome {
    const { chance } = this.#world;
    const failure = chance.oneOf<Failure>([FAILURES.rejected, FAILURES.network, FAILURES.spam]);
    const reason = `The carrier said ${chance.integer(0, 9)}`;
    // Parts of one message have one verdict: which of several failures counts is not defined.
    const verdict = chance.oneOf(VERDICTS);
    const newIds = (count: number) => {
      const ids = Array.from({ length: count }, () => `${sid} ${++this.#ids}`);
      for (const id of ids) this.#verdicts.set(id, verdict);
      return ids;
    };
    const chosen = chance.next();
    if (chosen < 0.6) return { kind: "accepted", carrierIds: newIds(segmentCount) };
    if (chosen < 0.68) return { kind: "unknown", reason, carrierIds: newIds(chance.integer(0, 2)) };
    if (chosen < 0.78) return { kind: "rejected", failure, reason, carrierIds: [] };
    if (chosen < 0.88) return { kind: "deferred", failure, reason, carrierIds: [] };
    return chosen < 0.94 ? { kind: "throttled" } : { kind: "notSent", reason };
  }

  /** Receipts of some messages, in any order; some are repeated later. */
  async receive(): Promise<void> {
    const { chance } = this.#world;
    const ids = this.#world.some(this.#verdicts.keys(), 0.5);
    await this.#take(ids.toSorted(() => chance.next() - 0.5));
    for (const id of ids) if (chance.happens(0.8)) this.#verdicts.delete(id);
    await this.#applyEarly();
  }

  async #take(ids: readonly string[]): Promise<void> {
    const { model, now: receivedOn } = this.#world;
    const receipts = ids.map((carrierId): CarrierReceipt => {
      const verdict = this.#verdicts.get(carrierId) as Verdict;
      return { carrier: LINK.carrier, carrierId, receivedOn, ...verdict };
    });
    await Promise.all(receipts.map((receipt) => this.#receipts.take(receipt)));
    for (const receipt of receipts) model.receive(receipt, receivedOn);
    model.nextOperation();
  }

  async #applyEarly(): Promise<void> {
    const { model, now } = this.#world;
    model.nextOperation();
    await this.#receipts.applyEarly(now);
    model.applyEarly(now);
  }

  /** Tries it also for messages that have left. */
  async cancel(): Promise<void> {
    const { model, store, now } = this.#world;
    for (const { row, place } of this.#world.some(model.messages.values(), 0.1)) {
      const canceled = await outboundMessageStore(store.db).cancel(row.accountSid, row.sid, now);
      mustHold((canceled !== undefined) === (place === "waits"), `whether ${row.sid} can be canceled`);
      if (canceled) model.cancel(row.sid, now);
      model.nextOperation();
    }
  }

  async expire(): Promise<void> {
    const { chance, model, store } = this.#world;
    const now = this.#world.pass(chance.oneOf([0, 30 * SECOND, 2 * HOUR]));
    await expireMessages(store.db, now);
    model.expire(now);
  }

  /** Nothing waits to be sent any more. */
  async drain(): Promise<void> {
    this.#world.pass(6 * DAY);
    this.#world.model.nextOperation();
    await this.takeOver();
    await this.expire();
  }

  /** Redacts and removes messages. One with a callback URL stays, because its replays need it. */
  async clearOut(): Promise<void> {
    const { chance, model, store } = this.#world;
    const messages = outboundMessageStore(store.db);
    for (const { row } of this.#world.some(model.messages.values(), 0.1)) {
      const isOver = row.status !== "Queued";
      if (chance.happens(0.5)) {
        const redacted = await messages.redact(row.accountSid, row.sid);
        mustHold((redacted !== undefined) === isOver, `whether ${row.sid} can be redacted`);
        if (isOver) Object.assign(row, { text: "", mediaUrls: [] });
      } else if (row.callbackUrl === null) {
        const isRemoved = await messages.remove(row.accountSid, row.sid);
        mustHold(isRemoved === isOver, `whether ${row.sid} can be removed`);
        if (isOver) model.remove(row.sid);
      }
    }
  }

  /** Another process sends from now on. */
  async takeOver(): Promise<void> {
    await this.close();
    await this.open();
    this.#world.model.takeOver(LINK.name, this.#world.now);
    this.#underWay = [];
  }
}
