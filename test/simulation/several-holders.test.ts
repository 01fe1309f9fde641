// Several processes send, each over other links: a link has one holder at a time, which begins what the link takes. On
// virtual time, from seeds: nothing is sent twice or left over, however links change their holders; what goes from one
// number to another stays in order; and a small account waits for one message of every other account on its link.

import { expect, test } from "vitest";
import { pause } from "../../src/base/clock.ts";
import { Unavailable } from "../../src/base/unavailable.ts";
import {
  makePlacer,
  makeRoutes,
  type Outgoing,
  Sender,
  type SendingLink,
  type SendQueue,
  type SubmitOutcome,
  UnstoredAnswers,
} from "../../src/domain/messaging/index.ts";
import { Chance } from "../fakes/chance.ts";
import { MessageTable } from "../fakes/message-table.ts";
import { outgoing } from "../fakes/outgoing.ts";
import { silent } from "../fakes/silent-log.ts";
import { VirtualClock } from "../fakes/virtual-clock.ts";

const SEEDS = Array.from({ length: 16 }, (_, at) => at + 1);
const START = new Date("2026-03-01T12:00:00Z");
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const BUSY_MS = 5 * MINUTE;
const PROCESSES = 3;
const LINKS = ["A1", "A2", "B1"] as const;
/** All holders' submits are of one term: their numbers tell them apart. */
const TERM = 1;
/** A notification and a statement or two. */
const NOTICED_MS = 2 * SECOND;

interface Sent {
  readonly message: Outgoing;
  readonly link: string;
}

interface Taken extends Sent {
  /** Another process holds the link: it was put back. */
  isUndone: boolean;
}

class World {
  readonly clock = new VirtualClock(START);
  readonly placer = makePlacer([]);
  readonly messages = new MessageTable(this.placer, () => undefined);
  readonly chance: Chance;
  readonly processes: readonly Process[];
  /** The process that holds each link. */
  readonly holders = new Map<string, Process>();
  readonly sent: Sent[] = [];
  readonly storedMs = new Map<string, number>();
  readonly faults: string[] = [];
  /** For how many messages of others each small account's message has waited. */
  readonly waits: number[] = [];
  #accepted = 0;

  constructor(seed: number) {
    this.chance = new Chance(seed);
    this.messages.beginTerm();
    this.processes = Array.from({ length: PROCESSES }, (_, index) => new Process(index, this));
    for (const link of LINKS) this.holders.set(link, this.anyProcess());
  }

  anyProcess(): Process {
    return this.processes[this.chance.integer(0, PROCESSES)] as Process;
  }

  newMessage(accountSid: string): Outgoing {
    const { chance } = this;
    return outgoing({
      sid: `OM${String(++this.#accepted).padStart(5, "0")}`,
      accountSid,
      recipients: [`+1415555010${chance.integer(0, 10)}`],
      segmentCount: chance.integer(1, 4),
      priority: accountSid.startsWith("small") ? 2 : chance.integer(0, 4),
      expiresOn: new Date(START.getTime() + 1_000 * MINUTE),
      checkedOn: this.clock.now(),
    });
  }

  async run(): Promise<void> {
    const { chance, clock } = this;
    const greedy = Array.from({ length: chance.integer(3, 9) }, (_, at) => `greedy${at}`);
    const at = (run: () => void, ms = chance.integer(0, BUSY_MS)) => void clock.after(ms, run);
    for (const account of greedy)
      for (let count = chance.integer(20, 80); count > 0; count--)
        at(() => this.accept(account), chance.happens(0.7) ? chance.integer(0, SECOND) : undefined);
    for (let count = 0; count < 20; count++) at(() => this.accept(`small${count}`));
    for (let count = 0; count < 8; count++) at(() => this.#moveLink());
    for (let ms = 0; ms < BUSY_MS; ms += SECOND) at(() => this.#look(), ms);
    await clock.advance(BUSY_MS);
    for (let minutes = 0; minutes < 60 && this.sent.length < this.#accepted; minutes++) {
      this.#look();
      await clock.advance(MINUTE);
    }
    for (const { sender } of this.processes) await clock.until(sender.close());
  }

  accept(account: string): void {
    const message = this.newMessage(account);
    this.anyProcess()
      .accept(message)
      .then(() => clockSoon(this, () => this.#look()))
      .catch((fault: Error) => this.faults.push(fault.message));
  }

  #look(): void {
    for (const { sender } of this.processes) void sender.look().catch(() => undefined);
  }

  /** The new holder begins while the old one still waits for answers. */
  #moveLink(): void {
    const link = this.chance.oneOf(LINKS);
    const next = this.anyProcess();
    this.holders.set(link, next);
    next.sender.pump();
  }
}

/** A notification comes a moment later. */
function clockSoon({ clock, chance }: World, run: () => void): void {
  clock.after(chance.integer(1, 10), run);
}

class Process {
  readonly sender: Sender;
  /** What it has taken from its queues, in order. */
  readonly #begun: Taken[] = [];
  /** By sid: how much it had taken when it got to know the message. */
  readonly #known = new Map<string, number>();
  readonly #index: number;
  readonly #world: World;
  readonly #links: readonly SendingLink[];

  constructor(index: number, world: World) {
    this.#index = index;
    this.#world = world;
    this.#links = LINKS.map((name) => this.#newLink(name));
    this.sender = new Sender({
      queue: this.#queue(),
      placer: world.placer,
      routes: makeRoutes([], this.#links),
      weightOf: () => 1,
      clock: world.clock,
      log: silent,
      report: () => undefined,
      answers: new UnstoredAnswers(),
    });
  }

  async accept(message: Outgoing): Promise<void> {
    const { messages, clock, storedMs } = this.#world;
    const assigned = this.sender.assign([message]);
    const submit = assigned[0]?.submit;
    const mayLeave = await this.#store(() => {
      const mine = submit !== undefined && this.#holds(submit.link.name);
      messages.insert(message, clock.now(), TERM, mine ? this.#numberOf(submit.number) : undefined);
      storedMs.set(message.sid, clock.nowMs);
      return mine || submit === undefined;
    });
    this.#know(message);
    if (mayLeave) this.sender.leave(assigned);
    else this.sender.drop(assigned);
  }

  #know({ sid }: Outgoing): void {
    if (!this.#known.has(sid)) this.#known.set(sid, this.#begun.length);
  }

  /** A small account's message is taken after one of each other account at most that this process had for the link. */
  #take(message: Outgoing, link: string): void {
    const { sid, accountSid } = message;
    const taken = this.#begun.slice(this.#known.get(sid)).filter((each) => each.link === link && !each.isUndone);
    this.#begun.push({ message, link, isUndone: false });
    if (!accountSid.startsWith("small")) return;
    const counts = new Map<string, number>();
    for (const { message: earlier } of taken) counts.set(earlier.accountSid, (counts.get(earlier.accountSid) ?? 0) + 1);
    this.#world.waits.push([...counts.values()].reduce((sum, count) => sum + count, 0));
    for (const [account, count] of counts)
      if (count > 1) this.#world.faults.push(`${sid} waited for ${count} messages of ${account} on ${link}`);
  }

  #holds(link: string): boolean {
    return this.#world.holders.get(link) === this;
  }

  /** Of a submit of this process among those of all. */
  #numberOf(number: number): number {
    return number * PROCESSES + this.#index;
  }

  #newLink(name: (typeof LINKS)[number]): SendingLink {
    const { clock, chance, sent } = this.#world;
    const window = chance.integer(1, 5);
    let unanswered = 0;
    return {
      ...{ name, carrier: name.slice(0, 1), kind: "sms", isUp: true },
      // Over links of others nothing leaves.
      capacity: () => (this.#holds(name) ? window - unanswered : 0),
      submit: (message, done) => {
        unanswered++;
        sent.push({ message, link: name });
        clock.after(chance.integer(50, 800), () => {
          unanswered--;
          done({ kind: "accepted", carrierIds: [message.sid] } satisfies SubmitOutcome);
          this.sender.pump();
        });
      },
    };
  }

  #queue(): SendQueue {
    const { messages } = this.#world;
    const numbersOf = (numbers: readonly number[]) => numbers.map((number) => this.#numberOf(number));
    return {
      ready: () => this.#store((now) => messages.ready(now)),
      load: (order) => this.#store((now) => messages.load(order, now)),
      read: async (keys) => {
        const read = await this.#store(() => messages.read(keys));
        for (const message of read) this.#know(message);
        return read;
      },
      begin: async (submit) => {
        const fromAt = this.#begun.length;
        for (const message of submit.messages) this.#take(message, submit.link.name);
        return this.#store((now) => {
          if (!this.#holds(submit.link.name)) {
            for (const taken of this.#begun.slice(fromAt, fromAt + submit.messages.length)) taken.isUndone = true;
            throw new Unavailable("another process holds the link");
          }
          return messages.begin(TERM, { ...submit, number: this.#numberOf(submit.number) }, now);
        });
      },
      settle: (batch, finished) => this.#store((now) => messages.settle(TERM, batch, numbersOf(finished), now)),
      giveBack: (numbers) => this.#store(() => messages.giveBack(TERM, numbersOf(numbers))),
      owned: async () => [],
      giveBackStrays: async () => undefined,
    };
  }

  async #store<Value>(run: (now: Date) => Value): Promise<Value> {
    const { clock, chance } = this.#world;
    await pause(clock, chance.integer(1, 15));
    return run(clock.now());
  }
}

function faultsOf({ messages, sent, storedMs, faults }: World): readonly string[] {
  const found = [...faults];
  const counts = new Map<string, number>();
  for (const { message } of sent) counts.set(message.sid, (counts.get(message.sid) ?? 0) + 1);
  for (const { message, status } of messages.rows.values()) {
    const count = counts.get(message.sid) ?? 0;
    if (count !== 1 || status !== "Sent") found.push(`${message.sid} is ${status} and was sent ${count} times`);
  }
  const last = new Map<string, Outgoing>();
  for (const { message } of sent) {
    const { sid, accountSid, recipients, priority } = message;
    const key = `${accountSid} ${recipients[0]} ${priority}`;
    const before = last.get(key);
    const [laterMs = 0, earlierMs = 0] = [before && storedMs.get(before.sid), storedMs.get(sid)];
    if (before && laterMs - earlierMs > NOTICED_MS) found.push(`${sid} was overtaken by ${before.sid}`);
    last.set(key, message);
  }
  return found;
}

const waits: number[] = [];
const ways = new Set<string>();

test.each(SEEDS)("seed %i: several holders of links send everything once, in order and in turns", async (seed) => {
  const world = new World(seed);
  await world.run();
  waits.push(...world.waits);
  for (const { link } of world.sent) ways.add(link);
  expect(faultsOf(world).slice(0, 10)).toEqual([]);
});

test("small accounts have had to wait, over every link", () => {
  expect([...ways].sort()).toEqual([...LINKS]);
  expect(Math.max(...waits)).toBeGreaterThan(3);
});
