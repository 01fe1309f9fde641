// Watches a simulated world while it runs: writes its log, and reports violations as they happen.

import type { Clock } from "../../src/base/clock.ts";
import type { Outgoing, Placer, SettledMessage, SubmitOutcome } from "../../src/domain/messaging/index.ts";
import type { MessageTable } from "../fakes/message-table.ts";
import type { SeenPost } from "../fakes/virtual-receivers.ts";

/** A message was given to a carrier. */
export interface Submission {
  readonly sid: string;
  readonly atMs: number;
  /** Undefined until it is answered, which may never happen. */
  outcome: SubmitOutcome["kind"] | undefined;
}

/** A sender's messages: those that wait, by sid, and those being submitted. */
interface Hand {
  readonly waiting: Map<string, { readonly place: string; readonly priority: number }>;
  readonly busy: Set<string>;
}

/** How long a check remains valid, plus a statement and one iteration of the loop before the message leaves. */
const OPT_OUT_MS = 2_100;

export class Watch {
  readonly log: string[] = [];
  readonly faults: string[] = [];
  readonly submissions: Submission[] = [];
  /** By delivery sid: how many attempts may have gone unrecorded. */
  readonly excuses = new Map<string, number>();
  /** Workers that went on without knowing that others had taken over from them. */
  readonly brokenWorkers = new Set<number>();
  /** Deliveries that two workers may have tried at the same time. */
  readonly doubled = new Set<string>();
  readonly #clock: Clock;
  readonly #placer: Placer;
  readonly #hands = new Map<object, Hand>();
  messages: MessageTable | undefined;

  constructor(clock: Clock, placer: Placer) {
    this.#clock = clock;
    this.#placer = placer;
  }

  say(fact: string, fields: object = {}): void {
    const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : "";
    this.log.push(`${this.#clock.elapsedMs()} ${fact}${more}`);
  }

  fault(what: string): void {
    this.say(`FAULT ${what}`);
    this.faults.push(what);
  }

  /** The worker of these deliveries died, or could not store their outcome. */
  /** Deliveries that were taken over from workers, by worker. */
  tookOver(freed: ReadonlyMap<number, readonly string[]>): void {
    for (const [worker, sids] of freed) {
      this.excuse(sids);
      if (this.brokenWorkers.has(worker)) for (const sid of sids) this.doubled.add(sid);
    }
  }

  excuse(deliverySids: readonly string[]): void {
    for (const sid of deliverySids) this.excuses.set(sid, (this.excuses.get(sid) ?? 0) + 1);
  }

  posted({ deliverySid, subscriptionSid, status }: SeenPost): void {
    this.say(`post of ${deliverySid} to ${subscriptionSid}: ${status ?? "no answer"}`);
  }

  submitting({ sid, recipients, expiresOn }: Outgoing, link: string, isFull: boolean): void {
    this.say(`submit ${sid} over ${link}`);
    const atMs = this.#clock.now().getTime();
    const before = this.submissions.filter((submission) => submission.sid === sid);
    if (before.some(({ outcome }) => outcome !== "throttled" && outcome !== "notSent"))
      this.fault(`${sid} was submitted again although it may have left`);
    this.submissions.push({ sid, atMs, outcome: undefined });
    if (isFull) this.fault(`${sid} was given to ${link}, which had no capacity`);
    const status = this.messages?.rows.get(sid)?.status;
    // Its outcome may have become unknown meanwhile, when another process took over.
    if (status !== "Queued" && status !== "Failed") this.fault(`${sid} was submitted although it is ${status}`);
    if (atMs > expiresOn.getTime() + 20) this.fault(`${sid} was submitted after it had expired`);
    const optedOut = this.messages?.optedOut.get(recipients[0] ?? "");
    if (optedOut && atMs - optedOut.getTime() > OPT_OUT_MS) this.fault(`${sid} was submitted to who had opted out`);
  }

  answered({ sid }: Outgoing, outcome: SubmitOutcome): void {
    this.say(`answer to ${sid}: ${outcome.kind}`);
    const submission = this.submissions.findLast((each) => each.sid === sid);
    if (submission) submission.outcome = outcome.kind;
  }

  /** A sender has received these messages. */
  handed(key: object, messages: readonly Outgoing[]): void {
    const { waiting, busy } = this.#handOf(key);
    for (const message of messages)
      if (!busy.has(message.sid))
        waiting.set(message.sid, { place: this.#placeOf(message), priority: message.priority });
  }

  /** They are about to be submitted: no more urgent message of the same account may be waiting for the same link. */
  beginning(key: object, batch: readonly Outgoing[]): void {
    const { waiting, busy } = this.#handOf(key);
    for (const { sid } of batch) {
      waiting.delete(sid);
      busy.add(sid);
    }
    for (const message of batch) {
      const place = this.#placeOf(message);
      for (const [sid, other] of waiting)
        if (other.place === place && other.priority < message.priority)
          this.fault(`${message.sid} was begun before ${sid}, which is more urgent`);
    }
  }

  begun(key: object, batch: readonly Outgoing[], begun: ReadonlySet<string>): void {
    const { busy } = this.#handOf(key);
    for (const { sid } of batch) if (!begun.has(sid)) busy.delete(sid);
  }

  settled(key: object, batch: readonly SettledMessage[]): void {
    const { busy } = this.#handOf(key);
    for (const { message, outcome } of batch) {
      busy.delete(message.sid);
      if (outcome.kind === "throttled" || outcome.kind === "notSent") this.handed(key, [message]);
    }
  }

  /** Messages with the same place wait for the same link, whichever that is. */
  #placeOf(message: Outgoing): string {
    const { route, shard } = this.#placer.placeOf(message);
    return `${message.accountSid} ${route} ${shard}`;
  }

  #handOf(key: object): Hand {
    let hand = this.#hands.get(key);
    if (!hand) {
      hand = { waiting: new Map(), busy: new Set() };
      this.#hands.set(key, hand);
    }
    return hand;
  }
}
