// The sending half of a link: messages are cut into parts, parts wait for room in the window, for the pace and for a throttling SMSC, and
// what becomes of them is told. One timer and one write for many messages.
//
// Guarantees: `done` exactly once for each submit, never from within `submit`; a part is sent again only when the SMSC said that it did not
// take it; the rest of a message that the SMSC has begun to take is sent when the link can again, for `heldMsMax` at most. Waiting here:
// less than two windows and one message.

import type { Log } from "../../base/log.ts";
import type { LinkListener, Outgoing, SubmitOutcome } from "../../domain/messaging/index.ts";
import type { Outcome, OwnerRequest } from "../../wire/smpp/session-state.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";
import { idOfAnswer } from "./carrier-id.ts";
import type { Connection } from "./connection.ts";
import type { LinkSettings } from "./link-settings.ts";
import { submitsOf } from "./outgoing.ts";
import { type Part, type PartFate, rejection, Submission } from "./submission.ts";
import { Throttle, type ThrottleTimes } from "./throttle.ts";
import { TokenBucket } from "./token-bucket.ts";

export interface TransmitterTimes extends ThrottleTimes {
  /** How long the rest of a message waits for a link that cannot send. */
  readonly heldMsMax: number;
}

export interface TransmitterDeps {
  readonly log: Log;
  readonly now: () => number;
  readonly elapsedMs: () => number;
  readonly random: () => number;
  readonly times: TransmitterTimes;
  /** Where to send, while the link is up. */
  readonly connection: () => Connection | undefined;
  /** The answer to a submit of unknown outcome has come after all. */
  readonly late: (message: Outgoing, outcome: SubmitOutcome) => void;
  readonly room: LinkListener["room"];
  /** Calls somebody else, whose faults are not ours. */
  readonly tell: (call: () => void) => void;
  /** Throttling may have begun or ended. */
  readonly throttleTurned: () => void;
}

const SENT: PartFate = { kind: "sent" };

export class Transmitter {
  readonly #settings: LinkSettings;
  readonly #deps: TransmitterDeps;
  readonly #throttle: Throttle;
  readonly #bucket: TokenBucket | undefined;
  /** Parts to be sent, those of messages begun first. */
  #queue: Part[] = [];
  readonly #sent = new Map<string, Part>();
  /** Answers overdue that may still come, the oldest first; as many as the session remembers. */
  readonly #late = new Map<string, Part>();
  #lastRef = 0;
  #reference: number;
  #isFull = true;
  #isScheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #timerDueMs = Number.POSITIVE_INFINITY;
  #drained: (() => void) | undefined;

  constructor(settings: LinkSettings, deps: TransmitterDeps) {
    this.#settings = settings;
    this.#deps = deps;
    this.#throttle = new Throttle(deps.times, deps.elapsedMs);
    this.#reference = Math.floor(deps.random() * 0x10000);
    const { maxPerSecond } = settings;
    this.#bucket = maxPerSecond === undefined ? undefined : new TokenBucket(maxPerSecond, deps.elapsedMs());
  }

  get isThrottled(): boolean {
    return this.#throttle.isClosed;
  }

  /** Messages that may be handed in now. Who is told 0 is told by `room` when it is more again. */
  room(): number {
    const connection = this.#drained ? undefined : this.#deps.connection();
    const room = connection ? Math.max(0, this.#sendable(connection) - this.#queue.length) : 0;
    if (room === 0) this.#isFull = true;
    return room;
  }

  submit(message: Outgoing, done: (outcome: SubmitOutcome) => void): void {
    this.#reference = (this.#reference + 1) & 0xffff;
    if (this.room() === 0) {
      const reason = this.#drained ? "link closing" : this.#deps.connection() ? "no room" : "link down";
      this.#answerSoon(done, { kind: "notSent", reason });
      return;
    }
    const pdus = submitsOf(message, this.#settings, this.#reference, this.#deps.now());
    if (!pdus.ok) {
      this.#answerSoon(done, rejection(pdus.refusal));
      return;
    }
    for (const part of new Submission(message, pdus.value, done).parts) {
      part.isQueued = true;
      this.#queue.push(part);
    }
    this.wake();
  }

  answered(ref: string, outcome: Outcome): void {
    const part = this.#sent.get(ref);
    if (!part) return;
    this.#sent.delete(ref);
    this.#note(part, outcome);
    if (outcome.kind === "unknown") this.#remember(ref, part);
    this.#settle(part.of);
    this.wake();
  }

  answeredLate(ref: string, outcome: Outcome): void {
    const part = this.#late.get(ref);
    if (!part) return;
    this.#late.delete(ref);
    this.#note(part, outcome);
    const { told, message } = part.of;
    if (!told) this.#settle(part.of);
    else if (told.kind === "unknown") this.#deps.tell(() => this.#deps.late(message, part.of.outcome()));
    this.wake();
  }

  /** The session is over, and with it all answers that were late. */
  sessionEnded(): void {
    this.#late.clear();
  }

  /** The link is down: what has not begun goes back, what has begun waits. */
  linkLost(reason: string): void {
    for (const { of } of this.#queue.slice()) {
      if (of.told) continue;
      for (const part of of.parts) if (part.fate.kind === "waiting") part.fate = { kind: "notSent", reason };
      this.#settle(of);
    }
    this.wake();
  }

  /** Sends what can be sent, once this turn of the event loop is over. */
  wake(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#pump();
    });
  }

  /** Takes no more; resolves when nothing waits or is unanswered here, or the time is over. */
  async drain(msMax: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, msMax);
      this.#drained = () => {
        clearTimeout(timer);
        resolve();
      };
      this.wake();
    });
    for (const { of } of this.#queue.slice()) if (!of.told) this.#finish(of, of.outcome());
    clearTimeout(this.#timer);
  }

  #answerSoon(done: (outcome: SubmitOutcome) => void, outcome: SubmitOutcome): void {
    queueMicrotask(() => this.#deps.tell(() => done(outcome)));
  }

  #sendable(connection: Connection): number {
    if (this.#throttle.isClosed) return 0;
    const allowed = Math.min(connection.room, this.#throttle.allowance - connection.outstanding);
    return this.#bucket ? Math.min(allowed, this.#bucket.available(this.#deps.elapsedMs())) : allowed;
  }

  #pump(): void {
    const nowMs = this.#deps.elapsedMs();
    this.#giveUpHeld(nowMs);
    const connection = this.#deps.connection();
    if (connection && this.#queue.length > 0) this.#send(connection);
    const hasRoom = this.room() > 0;
    this.#arm(nowMs);
    this.#deps.throttleTurned();
    if (this.#drained && this.#sent.size === 0 && (this.#queue.length === 0 || !connection)) this.#drained();
    if (!hasRoom || !this.#isFull) return;
    this.#isFull = false;
    this.#deps.tell(() => this.#deps.room());
  }

  #send(connection: Connection): void {
    const count = Math.min(this.#queue.length, this.#sendable(connection));
    if (count <= 0) return;
    const requests: OwnerRequest[] = [];
    for (const part of this.#queue.splice(0, count)) {
      const ref = String(++this.#lastRef);
      part.isQueued = false;
      part.fate = SENT;
      this.#sent.set(ref, part);
      requests.push({ ref, pdu: part.pdu });
    }
    this.#bucket?.take(count);
    connection.request(requests);
  }

  #note(part: Part, outcome: Outcome): void {
    switch (outcome.kind) {
      case "accepted":
        this.#throttle.accepted();
        part.of.heldSinceMs = undefined;
        part.fate = { kind: "accepted", carrierId: idOfAnswer(outcome.messageId, this.#settings.receiptIds) };
        break;
      case "throttled":
        this.#throttle.throttled();
        part.fate = outcome;
        break;
      case "notSent":
        // Asked only within the window of a bound session, so it is the PDU that cannot be written, now or later.
        this.#deps.log.error({ sid: part.of.message.sid, reason: outcome.reason }, "submit_sm could not be written");
        part.fate = { kind: "rejected", status: STATUS.ESME_RSUBMITFAIL };
        break;
      default:
        part.fate = outcome;
    }
  }

  #remember(ref: string, part: Part): void {
    this.#late.set(ref, part);
    if (this.#late.size <= this.#settings.windowSize) return;
    for (const oldest of this.#late.keys()) {
      this.#late.delete(oldest);
      break;
    }
  }

  #settle(submission: Submission): void {
    const standing = submission.standing();
    if (standing.kind === "finished") this.#finish(submission, standing.outcome);
    else if (standing.kind === "unfinished") {
      submission.heldSinceMs ??= this.#deps.elapsedMs();
      const back = standing.rest.filter(({ isQueued }) => !isQueued);
      for (const part of back) {
        part.isQueued = true;
        // What waits long does not keep a slab of others' octets alive.
        part.pdu = { ...part.pdu, shortMessage: part.pdu.shortMessage.slice() };
      }
      if (back.length > 0) this.#queue.unshift(...back);
    }
  }

  #finish(submission: Submission, outcome: SubmitOutcome): void {
    submission.told = outcome;
    if (submission.parts.some(({ isQueued }) => isQueued))
      this.#queue = this.#queue.filter(({ of }) => of !== submission);
    this.#deps.tell(() => submission.done(outcome));
  }

  #giveUpHeld(nowMs: number): void {
    const { heldMsMax } = this.#deps.times;
    const over = this.#queue.filter(({ of }) => of.heldSinceMs !== undefined && nowMs >= of.heldSinceMs + heldMsMax);
    for (const { of } of over) if (!of.told) this.#finish(of, of.outcome());
  }

  /** For the first of: the SMSC may be tried again, the pace allows more, something has been held too long. */
  #arm(nowMs: number): void {
    let dueMs = Number.POSITIVE_INFINITY;
    if (this.#throttle.isClosed) dueMs = this.#throttle.opensMs;
    else if (this.#bucket && this.#bucket.available(nowMs) < 1) dueMs = this.#bucket.readyMs(nowMs);
    for (const { of } of this.#queue) {
      if (of.heldSinceMs !== undefined) dueMs = Math.min(dueMs, of.heldSinceMs + this.#deps.times.heldMsMax);
    }
    if (dueMs >= this.#timerDueMs) return;
    clearTimeout(this.#timer);
    this.#timerDueMs = dueMs;
    this.#timer = setTimeout(
      () => {
        this.#timerDueMs = Number.POSITIVE_INFINITY;
        this.#pump();
      },
      Math.max(1, Math.ceil(dueMs - nowMs)),
    );
  }
}
