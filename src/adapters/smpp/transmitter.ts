// The sending half of a link: splits messages into parts, sends parts as the window, the rate limit and a throttling
// SMSC allow, and reports their outcome. One timer and one write for many messages.
//
// Guarantees: `done` is called exactly once for each submit, never from within `submit`; a part is sent again only when
// the SMSC reported that it did not take it; when the SMSC has taken some parts of a message, the rest wait `heldMsMax`
// at most for the link to send them. Less than two windows and one message wait here.

import { forgetOldest } from "../../base/forget-oldest.ts";
import type { Log } from "../../base/log.ts";
import type { LinkListener, Outgoing, SubmitOutcome } from "../../domain/messaging/index.ts";
import type { Outcome, OwnerRequest } from "../../wire/smpp/session-state.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";
import { idOfAnswer } from "./carrier-id.ts";
import type { Connection } from "./connection.ts";
import type { LinkSettings } from "./link-settings.ts";
import { submitsOf } from "./outgoing.ts";
import { SentParts } from "./sent-parts.ts";
import type { makeStatusRules } from "./status-rules.ts";
import { type Part, type PartFate, rejection, Submission } from "./submission.ts";
import { Throttle, type ThrottleTimes } from "./throttle.ts";
import { TokenBucket } from "./token-bucket.ts";

export interface TransmitterTimes extends ThrottleTimes {
  /** How long the unsent parts of a message that has begun wait for a link that cannot send. */
  readonly heldMsMax: number;
}

export interface TransmitterDeps {
  readonly log: Log;
  readonly now: () => number;
  readonly elapsedMs: () => number;
  readonly random: () => number;
  readonly times: TransmitterTimes;
  readonly ruleOf: ReturnType<typeof makeStatusRules>;
  /** Where to send, while the link is up. */
  readonly connection: () => Connection | undefined;
  /** Called when the SMSC has taken a part. */
  readonly taken: (message: Outgoing, carrierId: string) => void;
  /** Called when the answer to a submit of unknown outcome arrives after all. */
  readonly late: (message: Outgoing, outcome: SubmitOutcome) => void;
  readonly freed: LinkListener["freed"];
  /** Runs a callback of the listener and logs what it throws. */
  readonly notify: (call: () => void) => void;
  /** Called when throttling may have begun or ended. */
  readonly throttleChanged: () => void;
}

const SENT: PartFate = { kind: "sent" };

export class Transmitter {
  readonly #settings: LinkSettings;
  readonly #deps: TransmitterDeps;
  readonly #throttle: Throttle;
  readonly #bucket: TokenBucket | undefined;
  /** Parts to be sent; those of messages that have begun come first. */
  #queue: Part[] = [];
  readonly #sent = new SentParts();
  /** Parts whose answer is overdue and may still come, the oldest first; as many as the session remembers. */
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

  /** How many messages `submit` takes now. After it was 0, the listener's `freed` is called when it is more again. */
  capacity(): number {
    const connection = this.#drained ? undefined : this.#deps.connection();
    const capacity = connection ? Math.max(0, this.#sendable(connection) - this.#queue.length) : 0;
    if (capacity === 0) this.#isFull = true;
    return capacity;
  }

  submit(message: Outgoing, done: (outcome: SubmitOutcome) => void): void {
    this.#reference = (this.#reference + 1) & 0xffff;
    if (this.capacity() === 0) {
      const reason = this.#drained ? "link closing" : this.#deps.connection() ? "no free slot" : "link down";
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

  /** The message whose part was sent under this reference, until it is answered. */
  messageOf(ref: string): Outgoing | undefined {
    return (this.#sent.find(ref) ?? this.#late.get(ref))?.of.message;
  }

  answered(ref: string, outcome: Outcome): void {
    const part = this.#sent.take(ref);
    if (!part) return;
    this.#note(part, outcome);
    if (outcome.kind === "unknown") {
      this.#late.set(ref, part);
      forgetOldest(this.#late, this.#settings.windowSize);
    }
    this.#settle(part.of);
    this.wake();
  }

  answeredLate(ref: string, outcome: Outcome): void {
    const part = this.#late.get(ref);
    if (!part) return;
    this.#late.delete(ref);
    this.#note(part, outcome);
    const { reported, message } = part.of;
    if (!reported) this.#settle(part.of);
    else if (reported.kind === "unknown") this.#deps.notify(() => this.#deps.late(message, part.of.outcome()));
    this.wake();
  }

  /** The session has ended: late answers can no longer come. */
  sessionEnded(): void {
    this.#late.clear();
  }

  /** The link is down: messages that have not begun are given back, those that have begun wait. */
  linkLost(reason: string): void {
    for (const { of } of this.#queue.slice()) {
      if (of.reported) continue;
      for (const part of of.parts) if (part.fate.kind === "waiting") part.fate = { kind: "notSent", reason };
      this.#settle(of);
    }
    this.wake();
  }

  /** Sends what can be sent, in the next iteration of the event loop. */
  wake(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#pump();
    });
  }

  /** Takes no more messages; resolves when none waits or is unanswered, or after `msMax`. */
  async drain(msMax: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, msMax);
      this.#drained = () => {
        clearTimeout(timer);
        resolve();
      };
      this.wake();
    });
    for (const { of } of this.#queue.slice()) if (!of.reported) this.#finish(of, of.outcome());
    clearTimeout(this.#timer);
  }

  #answerSoon(done: (outcome: SubmitOutcome) => void, outcome: SubmitOutcome): void {
    queueMicrotask(() => this.#deps.notify(() => done(outcome)));
  }

  #sendable(connection: Connection): number {
    if (this.#throttle.isClosed) return 0;
    const allowed = Math.min(connection.capacity, this.#throttle.allowance - connection.outstanding);
    return this.#bucket ? Math.min(allowed, this.#bucket.available(this.#deps.elapsedMs())) : allowed;
  }

  #pump(): void {
    const nowMs = this.#deps.elapsedMs();
    this.#giveUpHeld(nowMs);
    const connection = this.#deps.connection();
    if (connection && this.#queue.length > 0) this.#send(connection);
    const hasCapacity = this.capacity() > 0;
    this.#arm(nowMs);
    this.#deps.throttleChanged();
    if (this.#drained && this.#sent.count === 0 && (this.#queue.length === 0 || !connection)) this.#drained();
    if (!hasCapacity || !this.#isFull) return;
    this.#isFull = false;
    this.#deps.notify(() => this.#deps.freed());
  }

  #send(connection: Connection): void {
    const count = Math.min(this.#queue.length, this.#sendable(connection));
    if (count <= 0) return;
    const requests: OwnerRequest[] = [];
    for (const part of this.#queue.splice(0, count)) {
      const ref = String(++this.#lastRef);
      part.isQueued = false;
      part.fate = SENT;
      this.#sent.add(ref, part);
      requests.push({ ref, pdu: part.pdu });
    }
    this.#bucket?.take(count);
    connection.request(requests);
  }

  #note(part: Part, outcome: Outcome): void {
    switch (outcome.kind) {
      case "accepted": {
        const carrierId = idOfAnswer(outcome.messageId, this.#settings.receiptIds);
        this.#throttle.accepted();
        part.of.heldSinceMs = undefined;
        part.fate = { kind: "accepted", carrierId };
        this.#deps.taken(part.of.message, carrierId);
        break;
      }
      case "throttled":
      case "rejected": {
        const { status } = outcome;
        const rule = this.#deps.ruleOf(status);
        if (rule) part.fate = { kind: rule.isTemporary ? "deferred" : "rejected", status, failure: rule.failure };
        else {
          this.#throttle.throttled();
          part.fate = { kind: "throttled", status };
        }
        break;
      }
      case "notSent":
        // Requests are made only within the window of a bound session, so the PDU itself cannot be encoded.
        this.#deps.log.error({ sid: part.of.message.sid, reason: outcome.reason }, "submit_sm could not be written");
        part.fate = { kind: "rejected", status: STATUS.ESME_RSUBMITFAIL };
        break;
      default:
        part.fate = outcome;
    }
  }

  #settle(submission: Submission): void {
    const progress = submission.progress();
    if (progress.kind === "finished") this.#finish(submission, progress.outcome);
    else if (progress.kind === "unfinished") {
      submission.heldSinceMs ??= this.#deps.elapsedMs();
      const back = progress.rest.filter(({ isQueued }) => !isQueued);
      for (const part of back) {
        part.isQueued = true;
        // A copy: a part that waits long must not keep the chunk in memory that it shares with other messages.
        part.pdu = { ...part.pdu, shortMessage: part.pdu.shortMessage.slice() };
      }
      if (back.length > 0) this.#queue.unshift(...back);
    }
  }

  #finish(submission: Submission, outcome: SubmitOutcome): void {
    submission.reported = outcome;
    if (submission.parts.some(({ isQueued }) => isQueued))
      this.#queue = this.#queue.filter(({ of }) => of !== submission);
    this.#deps.notify(() => submission.done(outcome));
  }

  #giveUpHeld(nowMs: number): void {
    const { heldMsMax } = this.#deps.times;
    const over = this.#queue.filter(({ of }) => of.heldSinceMs !== undefined && nowMs >= of.heldSinceMs + heldMsMax);
    for (const { of } of over) if (!of.reported) this.#finish(of, of.outcome());
  }

  /** Wakes at the first of: the pause of a throttled link ends, the rate allows more, a part was held too long. */
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
