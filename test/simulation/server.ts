// One process of the product on virtual time: the real sender while it holds the lease, the real dispatcher, the real
// tasks, over tables that all processes share. When it is killed, it stops immediately in the middle of whatever it was
// doing.

import { type Clock, pause } from "../../src/base/clock.ts";
import type { Log } from "../../src/base/log.ts";
import { ok } from "../../src/base/result.ts";
import { Unavailable } from "../../src/base/unavailable.ts";
import { giveBackStrays } from "../../src/domain/give-back.ts";
import {
  type CarrierReceipt,
  makeRoutes,
  type Outgoing,
  type Placer,
  type RouteRule,
  Sender,
  type SendQueue,
  type SubmitOutcome,
  UnstoredAnswers,
} from "../../src/domain/messaging/index.ts";
import type { ReconcileRun } from "../../src/domain/reconciles.ts";
import {
  type DeliveryRecords,
  Dispatcher,
  OrderedQueue,
  type QueuedDelivery,
  type SlotRecords,
  type SubscriptionHealth,
  slotOf,
  WorkerSlots,
} from "../../src/domain/webhooks/index.ts";
import { type ReconcileResult, reconcileTask } from "../../src/server/running/reconcile.ts";
import { type RunningTasks, startTasks } from "../../src/server/running/tasks.ts";
import type { Chance } from "../fakes/chance.ts";
import type { DeliveryTable } from "../fakes/delivery-table.ts";
import type { MessageTable } from "../fakes/message-table.ts";
import type { LinkHome, VirtualCarrier, VirtualLink } from "../fakes/virtual-carrier.ts";
import type { VirtualReceivers } from "../fakes/virtual-receivers.ts";
import type { Watch } from "./watch.ts";

export interface World {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly messages: MessageTable;
  readonly deliveries: DeliveryTable;
  readonly carriers: readonly VirtualCarrier[];
  readonly receivers: VirtualReceivers;
  readonly rules: readonly RouteRule[];
  readonly placer: Placer;
  readonly watch: Watch;
  isDatabaseUp: boolean;
}

const TIDY_MS = 1_800_000;
const LOOK_MS = 1_000;
const LOOK_MS_MAX = 16_000;

export class Server implements LinkHome {
  readonly id: number;
  isAlive = true;
  readonly #world: World;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #dispatcher: Dispatcher;
  /** The worker of webhooks. */
  readonly #lease: { id: number };
  readonly #slots: WorkerSlots;
  #cancelShare: (() => void) | undefined;
  readonly #tasks: RunningTasks;
  #term: number | undefined;
  #sender: Sender | undefined;
  #links: readonly VirtualLink[] = [];
  #ended: Promise<void> | undefined;
  /** Key under which the sender's messages of this term are watched. */
  #hand: object = {};
  #cancelLook: () => void = () => undefined;
  #lookMs = Number.POSITIVE_INFINITY;
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** How long after that look the next one finds what was already due, if nothing happens until then. */
  #quietMs = LOOK_MS;
  /** How much had happened at that look. */
  #happened = 0;
  /** There may be more to do than the tables show. */
  #isShaken = false;

  constructor(id: number, world: World) {
    this.id = id;
    this.#world = world;
    this.#clock = this.#ownClock();
    const say = (fields: object, fact: string) => this.isAlive && world.watch.say(`server ${id}: ${fact}`, fields);
    // Only failures of statements are thrown here, and they are logged as warnings.
    const fault = (fields: object, fact: string) =>
      this.isAlive && world.watch.fault(`${fact} ${JSON.stringify(fields)}`);
    const warn = (fields: object, fact: string) => (fact === "task failed" ? fault : say)(fields, fact);
    this.#log = { debug: say, info: say, warn, error: fault };
    this.#lease = { id: world.deliveries.addWorker() };
    const records = this.#deliveryRecords();
    const queue = new OrderedQueue({ records, mayClaim: (sid) => this.#slots.holds(slotOf(sid)) });
    this.#slots = new WorkerSlots({
      records: this.#slotRecords(),
      lease: this.#lease,
      clock: this.#clock,
      claimsEnded: () => this.#dispatcher.claims.claimsAnswered(),
      release: (isLeaving) => queue.release(isLeaving),
      learn: (isNew) => queue.learn(isNew, this.#clock.now()),
      forget: (isGone) => queue.forget(isGone),
    });
    this.#dispatcher = new Dispatcher({
      queue,
      health: this.#health(),
      poster: { post: (order) => this.#unlessDead(world.receivers.post(order, (post) => world.watch.posted(post))) },
      signer: { sign: async () => ok({}) },
      writeForm: () => ({}),
      reply: async () => undefined,
      clock: this.#clock,
      chance: () => world.chance.next(),
      log: this.#log,
      report: () => undefined,
      weightOf: () => 1,
      attemptsMax: 4_000,
    });
    this.#tasks = startTasks([this.#tidyTask()], this.#clock, this.#log);
    this.plan();
  }

  // Lease.

  beginTerm(term: number): void {
    const { carriers, rules, placer, watch } = this.#world;
    this.#term = term;
    this.#hand = {};
    this.#links = carriers.map((carrier) => carrier.connect(this));
    this.#sender = new Sender({
      queue: this.#sendQueue(term),
      placer,
      routes: makeRoutes(rules, this.#links),
      weightOf: () => 1,
      clock: this.#clock,
      log: this.#log,
      report: () => undefined,
      answers: new UnstoredAnswers(),
    });
    watch.say(`server ${this.id} sends in term ${term}`);
    this.plan();
  }

  /** Another process holds the lease now. */
  async endTerm(): Promise<void> {
    const links = this.#links;
    const closed = this.#sender?.close();
    this.#term = this.#sender = undefined;
    this.#links = [];
    for (const link of links) link.close();
    if (closed)
      this.#ended = closed.then(() => {
        this.#ended = undefined;
      });
    await this.#ended;
  }

  /** Its last term is over. */
  get mayBeginTerm(): boolean {
    return !this.#sender && !this.#ended;
  }

  kill(): void {
    this.isAlive = false;
    this.#world.deliveries.endWorker(this.#lease.id);
    this.#world.watch.say(`server ${this.id} was killed`);
  }

  async close(): Promise<void> {
    this.#cancelLook();
    this.#cancelShare?.();
    await this.endTerm();
    await this.#dispatcher.close();
    await this.#tasks.close();
  }

  // Requests and notifications.

  /** Stores a message; when it is due and this process is the sender, perhaps as leaving. */
  async accept(message: Outgoing, dueOn: Date, stored: () => void): Promise<void> {
    const { messages, watch } = this.#world;
    const [sender, term, hand] = [this.#sender, this.#term, this.#hand];
    const isHanded = sender?.isOpen && dueOn <= this.#clock.now();
    const assigned = isHanded ? sender.assign([message]) : [];
    const submit = assigned[0]?.submit?.number;
    const insert = () => {
      const isOurs = messages.insert(message, dueOn, isHanded ? term : undefined, submit);
      stored();
      return isOurs;
    };
    if (!isHanded) return void (await this.store(insert));
    if (submit !== undefined) watch.beginning(hand, [message]);
    const isOurs = await this.store(insert).catch((fault) => {
      watch.begun(hand, [message], new Set());
      sender.drop(assigned);
      throw fault;
    });
    if (!isOurs) watch.begun(hand, [message], new Set());
    else if (submit === undefined) watch.handed(hand, [message]);
    if (isOurs) sender.leave(assigned);
    else sender.drop(assigned);
  }

  wake(endpoints: readonly string[]): void {
    this.#dispatcher.wake(endpoints);
  }

  /** Takes over from dead workers, and shares the slots with the living. */
  share(): void {
    this.#cancelShare ??= this.#clock.after(LOOK_MS, async () => {
      const { deliveries, watch } = this.#world;
      try {
        await this.store(() => watch.tookOver(deliveries.takeOver()));
        if (await this.#slots.balance()) await this.#dispatcher.look();
      } catch (error) {
        this.#log.warn({ reason: (error as Error).message }, "slots not shared");
      }
      this.#cancelShare = undefined;
      this.plan();
      if (!deliveries.areSlotsShared || this.#slots.count !== deliveries.heldBy(this.#lease.id).length) this.share();
    });
  }

  /** The session of its worker breaks; it takes a new lease. */
  breakSession(): void {
    this.#world.watch.say(`server ${this.id}: the session of its worker broke`);
    const { deliveries, watch } = this.#world;
    watch.brokenWorkers.add(this.#lease.id);
    deliveries.endWorker(this.#lease.id);
    this.#lease.id = deliveries.addWorker();
  }

  /**
   * Schedules a look for when something is due, at most once a second: finds what a look every second would find. What
   * the last look has left, such as messages for a carrier that is down, is looked at again, ever more seldom while
   * nothing happens.
   */
  plan(): void {
    const nowMs = this.#clock.now().getTime();
    const nextMs = (Math.floor(nowMs / LOOK_MS) + 1) * LOOK_MS;
    const lookMs = Math.max(Math.ceil(this.#dueMs() / LOOK_MS) * LOOK_MS, nextMs);
    if (lookMs >= this.#lookMs || lookMs === Number.POSITIVE_INFINITY) return;
    this.#cancelLook();
    this.#lookMs = lookMs;
    this.#cancelLook = this.#clock.after(lookMs - nowMs, () => void this.#look());
  }

  /** When there is something to look for that the last look has not seen, or has left. */
  #dueMs(): number {
    if (this.#isShaken) return 0;
    const { messages, deliveries, watch } = this.#world;
    const nextDueMs = (afterMs: number) => {
      const nextMs = deliveries.nextDueMs(afterMs, (sid) => this.#slots.holds(slotOf(sid)));
      return this.#sender ? Math.min(nextMs, messages.nextDueMs(afterMs)) : nextMs;
    };
    const isLeft = this.#hasSubmits || this.#hasClaims || nextDueMs(Number.NEGATIVE_INFINITY) <= this.#lookedMs;
    const againMs = this.#lookedMs + (watch.log.length === this.#happened ? this.#quietMs : LOOK_MS);
    return Math.min(isLeft ? againMs : Number.POSITIVE_INFINITY, nextDueMs(this.#lookedMs));
  }

  get #hasSubmits(): boolean {
    return this.#term !== undefined && this.#world.messages.hasSubmits(this.#term);
  }

  get #hasClaims(): boolean {
    return this.#world.deliveries.hasClaims(this.#lease.id);
  }

  #lookAgain(): void {
    this.#isShaken = true;
    this.plan();
  }

  async #look(): Promise<void> {
    const { watch } = this.#world;
    this.#lookMs = Number.POSITIVE_INFINITY;
    this.#quietMs = watch.log.length === this.#happened ? Math.min(2 * this.#quietMs, LOOK_MS_MAX) : LOOK_MS;
    this.#happened = watch.log.length;
    this.#lookedMs = this.#clock.now().getTime();
    const isShaken = this.#isShaken;
    const isDue = isShaken || this.#world.messages.nextDueMs(Number.NEGATIVE_INFINITY) <= this.#clock.now().getTime();
    this.#isShaken = false;
    const report = (error: Error) => this.#log.warn({ reason: error.message }, "not looked");
    if (isShaken || this.#hasClaims) await giveBackStrays(this.#dispatcher.claims, this.#log).catch(report);
    if (this.#sender && this.#hasSubmits) await giveBackStrays(this.#sender.claims, this.#log).catch(report);
    await Promise.all([isDue && this.#sender?.look().catch(report), this.#dispatcher.look().catch(report)]);
    this.plan();
  }

  // Our end of the links.

  submitting(message: Outgoing, link: string, isFull: boolean): void {
    this.#world.watch.submitting(message, link, isFull);
  }

  answered(message: Outgoing, _link: string, outcome: SubmitOutcome): void {
    this.#world.watch.answered(message, outcome);
  }

  freed(): void {
    this.#sender?.pump();
  }

  receipt(receipt: CarrierReceipt): Promise<void> {
    return this.store((now) => {
      this.#world.watch.say(`receipt ${receipt.carrierId} ${receipt.state}`);
      this.#world.messages.receive(receipt, now);
    });
  }

  late(message: Outgoing, carrier: string, outcome: SubmitOutcome): void {
    this.store((now) => {
      this.#world.watch.say(`late answer of ${message.sid}: ${outcome.kind}`);
      this.#world.messages.noteLate(message.sid, carrier, outcome, now);
    }).catch(() => undefined);
  }

  /** A statement takes time; now and then it fails, or it is carried out and its response is lost. */
  async store<Value>(run: (now: Date) => Value): Promise<Value> {
    const { chance } = this.#world;
    // The world's clock: a running statement completes even if its process dies.
    await pause(this.#world.clock, chance.integer(1, 15));
    const now = this.#world.clock.now();
    const luck = chance.next();
    const isDone = this.#world.isDatabaseUp && luck >= 0.005;
    const value = isDone ? run(now) : undefined;
    if (!this.isAlive) return new Promise<never>(() => undefined);
    if (isDone && luck >= 0.01) return value as Value;
    this.#lookAgain();
    throw new Unavailable(isDone ? "the answer of the database was lost" : "the database is out of reach");
  }

  #sendQueue(term: number): SendQueue {
    const { messages, watch } = this.#world;
    const hand = this.#hand;
    return {
      ready: () => this.store((now) => messages.ready(now)),
      load: (order) => this.store((now) => messages.load(order, now)),
      read: async (keys) => {
        const read = await this.store(() => messages.read(keys));
        watch.handed(hand, read);
        return read;
      },
      begin: async (submit) => {
        watch.beginning(hand, submit.messages);
        const begun = await this.store((now) => messages.begin(term, submit, now));
        watch.begun(hand, submit.messages, begun);
        return begun;
      },
      settle: async (batch, finished) => {
        await this.store((now) => messages.settle(term, batch, finished, now));
        watch.settled(hand, batch);
        // Messages that were not accepted are retried at the next look.
        if (batch.some(({ outcome: { kind } }) => kind === "throttled" || kind === "notSent")) this.#lookAgain();
      },
      giveBack: (numbers) => this.store(() => messages.giveBack(term, numbers)),
      owned: () => this.store(() => messages.owned(term)),
      giveBackStrays: (strays) =>
        this.store(() =>
          messages.giveBack(
            term,
            strays.map(({ id }) => Number(id)),
          ),
        ),
    };
  }

  #deliveryRecords(): DeliveryRecords<QueuedDelivery> {
    const { deliveries, watch } = this.#world;
    return {
      dueEndpoints: () => this.store((now) => ({ sids: deliveries.dueEndpoints(now), hasMore: false })),
      claim: (limits) => {
        const { id } = this.#lease;
        return this.store((now) => deliveries.claim(id, limits, now));
      },
      // A statement that has no answer has ended here.
      claimsEnded: () => this.store(() => undefined),
      read: () => this.store(() => (queued) => deliveries.read(queued)),
      settle: async (settled) => {
        await this.store((now) => {
          for (const { sid, status, nextAttemptOn } of settled)
            watch.say(`delivery ${sid} ${status}`, { nextAttemptOn });
          deliveries.settle(settled, now);
        }).catch((fault) => {
          watch.excuse(settled.map(({ sid }) => sid));
          throw fault;
        });
        this.plan();
      },
      triedSince: (time) => this.store(() => deliveries.triedSince(time)),
      owned: () => this.store(() => deliveries.owned(this.#lease.id)),
      giveBackStrays: (strays) => this.store(() => deliveries.giveBackStrays(this.#lease.id, strays)),
    };
  }

  #slotRecords(): SlotRecords {
    const { deliveries } = this.#world;
    return {
      share: (worker, isDelivering) => this.store(() => deliveries.share(worker, isDelivering)),
      take: (worker, countMax) => this.store(() => deliveries.take(worker, countMax)),
      leave: (worker, slots) => this.store(() => deliveries.leave(worker, slots)),
      heldBy: (worker) => this.store(() => deliveries.heldBy(worker)),
      claimedFrom: (worker) => this.store(() => deliveries.claimedFrom(worker)),
    };
  }

  /** In one transaction with the statement before them these would be reliable; here they never fail. */
  #health(): SubscriptionHealth {
    const { deliveries, watch, clock } = this.#world;
    return {
      noteSuccess: async (sids) => deliveries.noteSuccess(sids),
      noteFailure: async (sids, now) => deliveries.noteFailure(sids, now),
      switchOff: async (sid, reason) => {
        watch.say(`subscription ${sid} off: ${reason}`);
        deliveries.switchOff(sid, reason, clock.now());
      },
    };
  }

  #tidyTask() {
    const record = async ({ name, outcome, details }: ReconcileRun) =>
      this.#world.watch.say(`reconcile ${name}: ${outcome}`, details);
    const deps = { store: { reconciles: { record } }, clock: this.#clock, log: this.#log };
    return reconcileTask(deps, { name: "tidy", everyMs: TIDY_MS, run: () => this.#tidy() });
  }

  /** Tasks of the sending process only. */
  async #tidy(): Promise<ReconcileResult> {
    const { messages, carriers } = this.#world;
    if (!this.#sender) return { counts: {}, isQuiet: true };
    const { silent, ...counts } = await this.store((now) => ({
      expired: messages.expire(now),
      applied: messages.applyEarly(now),
      silent: messages.takeSilent(now),
    }));
    for (const { carrier, carrierId } of silent) {
      const receipt = carriers.find(({ name }) => name === carrier)?.ask(carrierId);
      if (receipt) await this.receipt(receipt);
    }
    this.plan();
    return { counts: { ...counts, asked: silent.length } };
  }

  #unlessDead<Value>(promise: Promise<Value>): Promise<Value> {
    return promise.then((value) => (this.isAlive ? value : new Promise<never>(() => undefined)));
  }

  /** The world's clock, without callbacks after a death. */
  #ownClock(): Clock {
    const { clock } = this.#world;
    const unlessDead = (run: () => void) => () => {
      if (this.isAlive) run();
    };
    return {
      now: () => clock.now(),
      isRight: clock.isRight,
      elapsedMs: () => clock.elapsedMs(),
      after: (ms, run) => clock.after(ms, unlessDead(run)),
      soon: (run) => clock.soon(unlessDead(run)),
    };
  }
}
