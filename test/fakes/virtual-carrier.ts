// A carrier on virtual time that behaves like real ones, at random: it accepts, throttles, rejects, answers late or
// never, goes down and comes back; its receipts arrive before the response, late, twice, or only when queried. It
// remembers the real outcome of every message it took.

import type { Clock } from "../../src/base/clock.ts";
import {
  type CarrierReceipt,
  FAILURES,
  type Outgoing,
  type SendingLink,
  type SubmitOutcome,
} from "../../src/domain/messaging/index.ts";
import type { Chance } from "./chance.ts";

/** The process at our end of a link. */
export interface LinkHome {
  readonly isAlive: boolean;
  /** Called for every message before it is submitted. */
  submitting(message: Outgoing, link: string, isFull: boolean): void;
  answered(message: Outgoing, link: string, outcome: SubmitOutcome): void;
  freed(): void;
  /** Resolves when it is stored. */
  receipt(receipt: CarrierReceipt): Promise<void>;
  late(message: Outgoing, carrier: string, outcome: SubmitOutcome): void;
}

export interface TakenMessage {
  readonly ids: readonly string[];
  readonly state: CarrierReceipt["state"];
}

const WINDOW = 4;
const RESPONSE_MS_MAX = 10_000;
const REDELIVER_MS = 30_000;
/** What it does with a message, and the probability; else it accepts it. */
const CONDUCTS = [
  ["notSent", 0.03],
  ["throttles", 0.07],
  ["rejects", 0.05],
  ["loses", 0.02],
  ["never answers", 0.02],
  ["answers late", 0.04],
  ["accepts", 0.77],
] as const;
const REJECTED: SubmitOutcome = {
  kind: "rejected",
  failure: FAILURES.rejected,
  reason: "ESME_RSUBMITFAIL",
  carrierIds: [],
};
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const FINAL_STATES = ["delivered", "delivered", "delivered", "delivered", "failed", "expired", "rejected"] as const;

export class VirtualCarrier {
  readonly name: string;
  isUp = true;
  /** By sid. */
  readonly taken = new Map<string, TakenMessage>();
  readonly #clock: Clock;
  readonly #chance: Chance;
  readonly #states = new Map<string, CarrierReceipt["state"]>();
  #links: VirtualLink[] = [];

  constructor(name: string, clock: Clock, chance: Chance) {
    this.name = name;
    this.#clock = clock;
    this.#chance = chance;
  }

  connect(home: LinkHome): VirtualLink {
    const link = new VirtualLink(this, home, this.#clock, this.#chance);
    this.#links = [...this.#links.filter(({ isOpen }) => isOpen), link];
    return link;
  }

  goDown(): void {
    this.isUp = false;
    for (const link of this.#links) link.lose();
  }

  comeBack(): void {
    this.isUp = true;
    for (const link of this.#links) link.reopen();
  }

  /** The current receipt of a message, or a part of one, when queried. */
  ask(carrierId: string): CarrierReceipt | undefined {
    const state = this.#states.get(carrierId);
    return state && this.#receiptOf(carrierId, state);
  }

  take({ sid }: Outgoing): TakenMessage {
    const chance = this.#chance;
    const parts = chance.happens(0.2) ? chance.integer(2, 4) : 1;
    const ids = Array.from({ length: parts }, (_, index) => `${this.name}${this.taken.size + 1}.${index + 1}`);
    const taken = { ids, state: chance.oneOf(FINAL_STATES) };
    this.taken.set(sid, taken);
    for (const id of ids) {
      this.#states.set(id, taken.state);
      if (chance.happens(0.1)) this.#deliver(id, "enroute", 0);
      const luck = chance.next();
      if (luck < 0.15) this.#deliver(id, taken.state, 0);
      else if (luck < 0.75) this.#deliver(id, taken.state, chance.integer(SECOND, 30 * SECOND));
      else if (luck < 0.9) this.#deliver(id, taken.state, chance.integer(HOUR, 20 * HOUR));
      if (chance.happens(0.1)) this.#deliver(id, taken.state, chance.integer(SECOND, HOUR));
    }
    return taken;
  }

  /** Repeats until a link accepts it. */
  #deliver(id: string, state: CarrierReceipt["state"], delayMs: number): void {
    this.#clock.after(delayMs, () => {
      const link = this.#links.find(({ isOpen, home }) => isOpen && home.isAlive);
      if (!this.isUp || !link) return this.#deliver(id, state, REDELIVER_MS);
      const cancelRepeat = this.#clock.after(REDELIVER_MS, () => this.#deliver(id, state, 0));
      // A refused receipt is repeated when its timer fires.
      link.home.receipt(this.#receiptOf(id, state)).then(cancelRepeat, () => undefined);
    });
  }

  #receiptOf(carrierId: string, state: CarrierReceipt["state"]): CarrierReceipt {
    return { carrier: this.name, carrierId, state, errorCode: null, receivedOn: this.#clock.now() };
  }
}

export class VirtualLink implements SendingLink {
  readonly kind = "sms";
  readonly name: string;
  readonly carrier: string;
  readonly home: LinkHome;
  isOpen = true;
  readonly #peer: VirtualCarrier;
  readonly #clock: Clock;
  readonly #chance: Chance;
  readonly #unanswered = new Map<Outgoing, (outcome: SubmitOutcome) => void>();
  #throttledUntilMs = 0;

  constructor(peer: VirtualCarrier, home: LinkHome, clock: Clock, chance: Chance) {
    this.#peer = peer;
    this.home = home;
    this.#clock = clock;
    this.#chance = chance;
    this.name = `link to ${peer.name}`;
    this.carrier = peer.name;
  }

  get isUp(): boolean {
    return this.isOpen && this.#peer.isUp;
  }

  capacity(): number {
    const isShut = !this.isOpen || !this.#peer.isUp || this.#clock.elapsedMs() < this.#throttledUntilMs;
    return isShut ? 0 : WINDOW - this.#unanswered.size;
  }

  submit(message: Outgoing, done: (outcome: SubmitOutcome) => void): void {
    this.home.submitting(message, this.name, this.#unanswered.size >= WINDOW);
    this.#unanswered.set(message, done);
    const answerMs = this.#chance.integer(5, 800);
    switch (this.#peer.isUp ? this.#conduct() : "notSent") {
      case "notSent":
        this.#after(1, () => this.#answer(message, { kind: "notSent", reason: "the link is down" }));
        break;
      case "throttles":
        this.#after(answerMs, () => this.#throttle(message));
        break;
      case "rejects":
        this.#after(answerMs, () => this.#answer(message, REJECTED));
        break;
      case "loses":
        this.#giveUpLater(message);
        break;
      case "never answers":
        this.#peer.take(message);
        this.#giveUpLater(message);
        break;
      case "answers late":
        this.#answerLate(message, { kind: "accepted", carrierIds: this.#peer.take(message).ids });
        break;
      case "accepts": {
        const outcome: SubmitOutcome = { kind: "accepted", carrierIds: this.#peer.take(message).ids };
        this.#after(answerMs, () => this.#answer(message, outcome));
      }
    }
  }

  /** Closes the link permanently. */
  close(): void {
    this.isOpen = false;
    this.lose();
  }

  lose(): void {
    for (const message of [...this.#unanswered.keys()]) this.#answer(message, unknown("the link was lost"));
  }

  reopen(): void {
    if (this.isOpen && this.home.isAlive) this.home.freed();
  }

  #throttle(message: Outgoing): void {
    const pauseMs = this.#chance.integer(SECOND, 5 * SECOND);
    this.#throttledUntilMs = this.#clock.elapsedMs() + pauseMs;
    this.#clock.after(pauseMs, () => this.reopen());
    this.#answer(message, { kind: "throttled" });
  }

  #giveUpLater(message: Outgoing): void {
    this.#after(RESPONSE_MS_MAX, () => this.#answer(message, unknown("no answer within ten seconds")));
  }

  #answerLate(message: Outgoing, outcome: SubmitOutcome): void {
    this.#giveUpLater(message);
    this.#after(this.#chance.integer(RESPONSE_MS_MAX + 1, 6 * RESPONSE_MS_MAX), () => {
      if (this.isOpen && this.#peer.isUp) this.home.late(message, this.carrier, outcome);
    });
  }

  #conduct(): (typeof CONDUCTS)[number][0] {
    let luck = this.#chance.next();
    for (const [conduct, share] of CONDUCTS) {
      luck -= share;
      if (luck < 0) return conduct;
    }
    return "accepts";
  }

  #after(ms: number, run: () => void): void {
    this.#clock.after(ms, () => {
      if (this.home.isAlive) run();
    });
  }

  /** Answers once: later outcomes are ignored. */
  #answer(message: Outgoing, outcome: SubmitOutcome): void {
    const done = this.#unanswered.get(message);
    if (!done || !this.home.isAlive) return;
    this.#unanswered.delete(message);
    this.home.answered(message, this.name, outcome);
    done(outcome);
    this.home.freed();
  }
}

function unknown(reason: string): SubmitOutcome {
  return { kind: "unknown", reason, carrierIds: [] };
}
