// A simulated world: two processes of the product, two carriers and three webhook receivers over some days of virtual
// time. One seed decides everything that happens; the same seed gives the same log.

import type { StoredEvent } from "../../src/domain/events.ts";
import { type MessageStatus, makePlacer, type Outgoing, type RouteRule } from "../../src/domain/messaging/index.ts";
import { Chance } from "../fakes/chance.ts";
import { DeliveryTable, type SubscriptionRow } from "../fakes/delivery-table.ts";
import { type MessageMove, MessageTable } from "../fakes/message-table.ts";
import { VirtualCarrier } from "../fakes/virtual-carrier.ts";
import { VirtualClock } from "../fakes/virtual-clock.ts";
import { RECEIVER_KINDS, VirtualReceivers } from "../fakes/virtual-receivers.ts";
import { Server, type World } from "./server.ts";
import { Watch } from "./watch.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = new Date("2026-03-01T12:00:00Z");
/** Messages are sent and faults are injected until then; afterwards everything has time to finish. */
const BUSY_MS = 6 * DAY;
const DAYS_MAX = 40;
const FINAL = ["Delivered", "Failed", "Expired", "Canceled"];

const RULES: readonly RouteRule[] = [
  { senders: [], destinations: ["+1415"], carriers: [], to: [{ carrier: "A", weight: 1 }] },
  {
    senders: [],
    destinations: [],
    carriers: [],
    to: [
      { carrier: "A", weight: 3 },
      { carrier: "B", weight: 1 },
    ],
  },
];

/** A period with a fault, in which messages may have had to wait. */
export interface Trouble {
  readonly fromMs: number;
  readonly toMs: number;
}

export class SimulatedWorld implements World {
  readonly clock = new VirtualClock(START);
  readonly placer = makePlacer(RULES);
  readonly watch = new Watch(this.clock, this.placer);
  readonly chance: Chance;
  readonly messages: MessageTable;
  readonly deliveries: DeliveryTable;
  readonly carriers: readonly VirtualCarrier[];
  readonly receivers: VirtualReceivers;
  readonly rules = RULES;
  readonly statuses: { sid: string; from: MessageStatus; to: MessageStatus; errorCode: number }[] = [];
  readonly troubles: Trouble[] = [];
  isDatabaseUp = true;
  #servers: Server[] = [];
  #serversStarted = 0;
  #holder: Server | undefined;

  constructor(seed: number) {
    this.chance = new Chance(seed);
    this.messages = new MessageTable(this.placer, (move) => this.#tell(move));
    this.watch.messages = this.messages;
    this.carriers = ["A", "B"].map((name) => new VirtualCarrier(name, this.clock, this.chance));
    this.receivers = new VirtualReceivers(this.clock, this.chance);
    this.deliveries = new DeliveryTable(["WS1", "WS2", "WS3"].map((sid) => this.#subscribe(sid)));
    for (let count = 0; count < 2; count++) this.#startServer();
    this.#freeLease();
    this.#plan();
  }

  /** Runs until everything has finished. */
  async run(): Promise<void> {
    await this.clock.advance(BUSY_MS);
    const isOver = () =>
      [...this.messages.rows.values()].every(({ status }) => FINAL.includes(status)) &&
      [...this.deliveries.rows.values()].every(({ status }) => status !== "Pending");
    for (let days = 0; days < DAYS_MAX && (days < 1 || !isOver()); days++) await this.clock.advance(DAY);
    for (const server of this.#servers) await this.clock.until(server.close());
  }

  #subscribe(sid: string): SubscriptionRow {
    const host = `${sid.toLowerCase()}.example`;
    const kind = this.chance.oneOf(RECEIVER_KINDS);
    const backup = this.chance.happens(0.3) ? this.chance.oneOf(["hanging", "flaky"] as const) : undefined;
    this.watch.say(`${sid} is ${kind}`, backup && { backup });
    return {
      sid,
      url: this.receivers.add(host, kind),
      backupUrl: backup ? this.receivers.add(`${sid.toLowerCase()}.backup.example`, backup) : null,
      payloadShape: "A",
      secrets: ["whsec_AAAA"],
      bearer: null,
      enabled: true,
      disabledReason: null,
      disabledMs: null,
      failingSince: null,
    };
  }

  /** Part of the statement that moved it; dispatchers are usually notified a moment later. */
  #tell({ row, previous, now }: MessageMove): void {
    const { message, status, errorCode, eventsTold } = row;
    this.watch.say(`${message.sid} ${previous} → ${status}`, errorCode === 0 ? {} : { errorCode });
    this.statuses.push({ sid: message.sid, from: previous, to: status, errorCode });
    const event: StoredEvent = {
      accountSid: message.accountSid,
      type: "OutboundMessageStatusChanged",
      resourceSid: message.sid,
      sequence: eventsTold,
      fields: { Sid: message.sid, Status: status, PreviousStatus: previous, ErrorCode: errorCode },
      createdOn: now,
    };
    const endpoints = this.deliveries.add(event);
    const isHeard = this.chance.happens(0.95);
    this.clock.after(this.chance.integer(1, 10), () => {
      for (const server of this.#alive()) {
        if (isHeard) server.wake(endpoints);
        server.plan();
      }
    });
  }

  // Schedule of events.

  #plan(): void {
    const { chance } = this;
    const bursts = Array.from({ length: chance.integer(5, 10) }, () => chance.integer(0, BUSY_MS - DAY));
    for (const burstMs of bursts) {
      const count = chance.happens(0.3) ? chance.integer(8, 20) : chance.integer(1, 6);
      for (let each = 0; each < count; each++) this.#at(burstMs + chance.integer(0, 2 * SECOND), () => this.#order());
    }
    const troublesome = () =>
      chance.happens(0.6)
        ? chance.oneOf(bursts as [number, ...number[]]) + chance.integer(0, 3 * SECOND)
        : this.#anyTime();
    for (const carrier of this.carriers)
      for (let count = 0; count < 4; count++) this.#at(troublesome(), () => this.#break(carrier));
    for (let count = 0; count < 6; count++) this.#at(troublesome(), () => this.#kill());
    for (let count = 0; count < 3; count++) this.#at(troublesome(), () => this.#loseLease());
    for (let count = 0; count < 3; count++) this.#at(troublesome(), () => this.#breakSession());
    for (let count = 0; count < 3; count++) this.#at(troublesome(), () => this.#stopDatabase());
    for (let count = 0; count < 2; count++) this.#at(troublesome(), () => this.#optOut());
  }

  #anyTime(): number {
    return this.chance.integer(0, BUSY_MS - HOUR);
  }

  #at(ms: number, run: () => void): void {
    this.clock.after(START.getTime() + ms - this.clock.nowMs, run);
  }

  #recipient(): string {
    return `+1${this.chance.oneOf(["415", "212"])}555010${this.chance.integer(0, 6)}`;
  }

  /** A customer sends a message, and may cancel it later. */
  #order(): void {
    const { chance, clock } = this;
    const server = this.#anyServer();
    const to = this.#recipient();
    if (!server || this.messages.optedOut.has(to)) return;
    const dueOn = new Date(clock.nowMs + (chance.happens(0.2) ? chance.integer(SECOND, 20 * HOUR) : 0));
    const message: Outgoing = {
      sid: `OM${String(this.messages.rows.size + 1).padStart(4, "0")}.${chance.integer(1000, 9999)}`,
      accountSid: chance.oneOf(["AC1", "AC2", "AC3"]),
      from: "+14155550199",
      recipients: [to],
      text: "hello",
      mediaUrls: [],
      segmentCount: chance.integer(1, 4),
      priority: chance.integer(0, 4),
      carrier: null,
      isReply: false,
      deferrals: 0,
      expiresOn: new Date(
        dueOn.getTime() + (chance.happens(0.4) ? chance.integer(30 * SECOND, 10 * MINUTE) : 4 * HOUR),
      ),
      checkedOn: clock.now(),
    };
    server
      .accept(message, dueOn, () => {
        this.watch.say(`accepted ${message.sid}`, { priority: message.priority, to, dueOn });
        // A look every second would find it.
        for (const each of this.#alive()) each.plan();
      })
      .catch(() => undefined);
    if (chance.happens(0.15)) clock.after(chance.integer(10, 20 * MINUTE), () => this.#cancel(message.sid));
  }

  #cancel(sid: string): void {
    this.#anyServer()
      ?.store((now) => this.messages.cancel(sid, now))
      .catch(() => undefined);
  }

  #optOut(): void {
    const number = this.#recipient();
    this.watch.say(`${number} opted out`);
    if (!this.messages.optedOut.has(number)) this.messages.optedOut.set(number, this.clock.now());
  }

  #break(carrier: VirtualCarrier): void {
    if (!carrier.isUp) return;
    const ms = this.chance.happens(0.5) ? this.chance.integer(SECOND, MINUTE) : this.chance.integer(MINUTE, 3 * HOUR);
    this.#trouble(ms);
    this.watch.say(`carrier ${carrier.name} went down`, { ms });
    carrier.goDown();
    this.clock.after(ms, () => {
      this.watch.say(`carrier ${carrier.name} came back`);
      carrier.comeBack();
      for (const server of this.#alive()) server.plan();
    });
  }

  #stopDatabase(): void {
    const ms = this.chance.integer(SECOND, 20 * SECOND);
    this.#trouble(ms);
    this.watch.say("the database stopped", { ms });
    this.isDatabaseUp = false;
    this.clock.after(ms, () => {
      this.watch.say("the database is back");
      this.isDatabaseUp = true;
    });
  }

  #kill(): void {
    const server = this.#anyServer();
    if (!server) return;
    this.#trouble(MINUTE);
    server.kill();
    this.#servers = this.#servers.filter((other) => other !== server);
    // The end of its sessions is noticed after a moment.
    this.clock.after(this.chance.integer(0, 2 * SECOND), () => {
      if (this.#holder === server) {
        this.#holder = undefined;
        this.#freeLease();
      }
      for (const other of this.#alive()) other.share();
    });
    this.clock.after(this.chance.integer(SECOND, MINUTE), () => this.#startServer());
  }

  /** Its session broke and another process acquired the lease: the old holder does not know for a while. */
  #loseLease(): void {
    const old = this.#holder;
    if (!old?.isAlive || this.#alive().length < 2) return;
    this.#trouble(MINUTE);
    this.watch.say(`server ${old.id} lost the lease`);
    this.#holder = undefined;
    this.#freeLease(old);
    this.clock.after(this.chance.integer(100, 4 * SECOND), () => {
      if (old.isAlive) void old.endTerm();
    });
  }

  #breakSession(): void {
    this.#anyServer()?.breakSession();
    for (const server of this.#alive()) server.share();
  }

  #freeLease(except?: Server): void {
    this.clock.after(this.chance.integer(0, SECOND), () => {
      if (this.#holder) return;
      const next = this.#alive().find((server) => server !== except && server.mayBeginTerm);
      if (!next) return this.#freeLease();
      this.#holder = next;
      const term = this.messages.beginTerm();
      // The previous holder, if it lives, may still write between the two statements.
      this.clock.after(this.chance.integer(1, 15), () => {
        if (this.messages.term !== term) return;
        this.messages.failOrphans(this.clock.now());
        if (next.isAlive) next.beginTerm(term);
      });
    });
  }

  #startServer(): void {
    this.#servers.push(new Server(++this.#serversStarted, this));
    for (const server of this.#alive()) server.share();
  }

  #alive(): readonly Server[] {
    return this.#servers;
  }

  #anyServer(): Server | undefined {
    return this.#servers[this.chance.integer(0, Math.max(1, this.#servers.length))];
  }

  #trouble(ms: number): void {
    this.troubles.push({ fromMs: this.clock.nowMs, toMs: this.clock.nowMs + ms });
  }
}
