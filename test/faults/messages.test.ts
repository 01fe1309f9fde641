// Messages under failures: servers killed with kill -9, carriers' connections cut, PostgreSQL killed. Every
// acknowledged message is stored and has been sent once, or its outcome is reported as unknown; nothing is sent twice;
// every change has one event. A message acknowledged to a carrier is stored once, and one that was not is delivered
// again by the carrier.

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { Chance } from "../fakes/chance.ts";
import { forgetTandem, type Tandem } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { SEED } from "./messages-chance.ts";
import { Load } from "./messages-load.ts";
import { type Caller, inboundSince, outboundSince, whenRescued, whenSettled } from "./messages-records.ts";
import { faultsIn, inboundFaultsIn, unknownIn } from "./messages-verdict.ts";
import { World } from "./messages-world.ts";

const ROUNDS = roundsOf({ quick: 2, long: 50 });
const FEWER_ROUNDS = roundsOf({ quick: 2, long: 20 });
/** With few rounds all may be short, while as many messages as ever are in flight. */
const FEWER_ROUNDS_SHARE_MAX = 1 / 2;
const SIGNALS = ["SIGKILL", "SIGQUIT", "SIGINT"] as const;

let world: World;

beforeAll(async () => {
  console.log(`FAULTS_SEED=${SEED}`);
  world = await World.start();
});

afterAll(() => world?.close());

test(
  "what was acknowledged leaves once when the server is killed while it sends",
  async () => {
    const all: Judged[] = [];
    await rounds("kill", ROUNDS, async (round) => {
      const load = round.loadOn(world.server);
      const breaks = await breakThings(load, round);
      await world.server.kill();
      await load.stop();
      await world.startServer();
      const judged = await round.judge(load, world.server);
      all.push(judged);
      return `${breaks.join(", ")}: ${judged.summary}`;
    });
    expect(unknownShareOf(all)).toBeLessThan(1 / 4);
  },
  LONG_TIMEOUT_MS,
);

test(
  "nothing is left behind when PostgreSQL is killed and the server goes on",
  () =>
    rounds("postgres", FEWER_ROUNDS, async (round) => {
      const { chance } = round;
      const load = round.loadOn(world.server);
      await round.moment(load);
      const signal = chance.oneOf(SIGNALS);
      world.killPostgres(signal);
      await load.whenAcknowledged(load.acknowledged.size + chance.integer(1, 100));
      await load.stop();
      const judged = await round.judge(load, world.server);
      expect(judged.unknown).toBe(0);
      return `${signal}: ${judged.summary}`;
    }),
  LONG_TIMEOUT_MS,
);

test(
  "a server that is stopped in order leaves nothing of unknown outcome",
  () =>
    rounds("stop", FEWER_ROUNDS, async (round) => {
      const load = round.loadOn(world.server);
      await round.moment(load);
      await world.server.stop();
      await load.stop();
      await world.startServer();
      const judged = await round.judge(load, world.server);
      expect(judged.unknown).toBe(0);
      return judged.summary;
    }),
  LONG_TIMEOUT_MS,
);

test(
  "another server goes on sending when the one that sends is killed",
  async () => {
    const database = openDatabase();
    let beside = await world.startBeside();
    onTestFinished(async () => void (await beside.stop()));
    const all: Judged[] = [];
    await rounds("takeover", FEWER_ROUNDS, async (round) => {
      const isServer = (await whenSending(database)) === world.server.pid;
      const load = round.loadOn(world.server, beside);
      await round.moment(load);
      await (isServer ? world.server : beside).kill();
      await load.stop();
      const judged = await round.judge(load, isServer ? beside : world.server);
      all.push(judged);
      if (isServer) await world.startServer();
      else {
        forgetTandem(beside.dataDir);
        beside = await world.startBeside();
      }
      return judged.summary;
    });
    expect(unknownShareOf(all)).toBeLessThan(FEWER_ROUNDS_SHARE_MAX);
  },
  LONG_TIMEOUT_MS,
);

test(
  "a server that is frozen until another one sends in its place sends nothing a second time",
  async () => {
    const database = openDatabase();
    const beside = await world.startBeside();
    onTestFinished(async () => void (await beside.stop()));
    const all: Judged[] = [];
    await rounds("freeze", FEWER_ROUNDS, async (round) => {
      const sender = await whenSending(database);
      const other = sender === world.server.pid ? beside.pid : world.server.pid;
      const load = round.loadOn(world.server, beside);
      await round.moment(load);
      process.kill(sender, "SIGSTOP");
      try {
        await database.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1", [
          `tandem sender ${sender}`,
        ]);
        await expect.poll(() => senderPid(database), { timeout: 120_000, interval: 20 }).toBe(other);
        await load.whenAcknowledged(load.acknowledged.size + round.chance.integer(0, 50));
      } finally {
        process.kill(sender, "SIGCONT");
      }
      await load.whenAcknowledged(load.acknowledged.size + round.chance.integer(0, 100));
      await load.stop();
      const judged = await round.judge(load, world.server);
      all.push(judged);
      return judged.summary;
    });
    expect(unknownShareOf(all)).toBeLessThan(FEWER_ROUNDS_SHARE_MAX);
  },
  LONG_TIMEOUT_MS,
);

test(
  "what carriers bring while everything is killed is stored once",
  () =>
    rounds("inbound", ROUNDS, async (round) => {
      const { chance } = round;
      const arrivals = new Arrivals(Array.from({ length: 200 }, () => inboundText(round)));
      const breaks: string[] = [];
      const moment = async (what: string) => {
        const count = await arrivals.whenMore(chance.integer(1, 60));
        breaks.push(`${what} after ${count}`);
      };
      if (chance.happens(0.4)) {
        await moment("connections");
        world.carrier.smsc.cut();
      }
      if (chance.happens(0.3)) {
        const signal = chance.oneOf(SIGNALS);
        await moment(`PostgreSQL by ${signal}`);
        world.killPostgres(signal);
      }
      if (breaks.length === 0 || chance.happens(0.7)) {
        await moment("server");
        await world.server.kill();
        await world.startServer();
      }
      await arrivals.all;
      const found = await inboundSince(world.callerOf(world.server), round.since);
      expect(inboundFaultsIn({ answered: arrivals.texts, ...found })).toEqual([]);
      return `${breaks.join(", ")}: ${arrivals.texts.length} brought`;
    }),
  LONG_TIMEOUT_MS,
);

function openDatabase(): Database {
  const database = databaseOf(world.server);
  onTestFinished(() => database.close());
  return database;
}

/** Pid of the process that sends: after one has ended it takes a moment until another does. */
async function whenSending(database: Database): Promise<number> {
  await expect.poll(() => senderPid(database), { timeout: 120_000, interval: 20 }).not.toBeNaN();
  return senderPid(database);
}

/** Pid of the process whose session holds the lease; NaN without one. */
async function senderPid(database: Database): Promise<number> {
  const [row] = await database.query<{ name: string }>(
    "select application_name as name from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and application_name like 'tandem sender %' and granted",
  );
  return Number(row?.name.split(" ").at(-1));
}

/** Messages from handsets, all at the same time: the carrier delivers them as fast as they are accepted. */
class Arrivals {
  readonly texts: readonly string[];
  readonly all: Promise<unknown>;
  #taken = 0;
  #tell: () => void = () => undefined;

  constructor(texts: readonly string[]) {
    this.texts = texts;
    this.all = Promise.all(texts.map((text, place) => this.#bring(text, place)));
  }

  /** Resolves when `count` more have been accepted; returns the total. */
  async whenMore(count: number): Promise<number> {
    const wanted = Math.min(this.#taken + count, this.texts.length);
    while (this.#taken < wanted) {
      await new Promise<void>((resolve) => {
        this.#tell = resolve;
      });
    }
    return this.#taken;
  }

  async #bring(text: string, place: number): Promise<void> {
    const from = `+1415474${String(place).padStart(4, "0")}`;
    await world.carrier.smsc.deliver({ from, to: world.number, text });
    this.#taken++;
    this.#tell();
  }
}

let inboundTexts = 0;

function inboundText({ name, chance }: Round): string {
  const token = `${name}-${++inboundTexts}`;
  // Each part contains the token: only a number that soon wraps around distinguishes parts of equal text.
  return `${token} from a handset${chance.happens(0.2) ? ` and on ${token}`.repeat(chance.integer(10, 40)) : ""}`;
}

/** Runs until the moment at which the server is to be killed. Returns what was broken, and when. */
async function breakThings(load: Load, round: Round): Promise<readonly string[]> {
  const breaks: string[] = [];
  if (round.chance.happens(0.4)) {
    breaks.push(`connections ${await round.moment(load)}`);
    world.carrier.smsc.cut();
  }
  if (round.chance.happens(0.25)) {
    const signal = round.chance.oneOf(SIGNALS);
    breaks.push(`PostgreSQL by ${signal} ${await round.moment(load)}`);
    world.killPostgres(signal);
  }
  breaks.push(`server ${await round.moment(load)}`);
  return breaks;
}

interface Judged {
  readonly count: number;
  readonly unknown: number;
  readonly summary: string;
}

/** A failure leaves unknown what is in flight, and what was answered and is just being stored, which has no limit. */
function unknownShareOf(all: readonly Judged[]): number {
  const total = all.reduce((sum, { count }) => sum + count, 0);
  return all.reduce((sum, { unknown }) => sum + unknown, 0) / total;
}

class Round {
  readonly name: string;
  readonly chance: Chance;
  readonly since = new Date();
  #count: number;

  constructor(name: string, seed: number) {
    this.name = name;
    this.chance = new Chance(seed);
    this.#count = this.chance.integer(30, 150);
  }

  loadOn(first: Tandem, ...more: readonly Tandem[]): Load {
    const callers: [Caller, ...Caller[]] = [world.callerOf(first), ...more.map((other) => world.callerOf(other))];
    const chance = new Chance(this.chance.integer(0, 2 ** 32));
    return new Load({ callers, from: world.number, round: this.name, chance });
  }

  /** Waits until some more have been acknowledged, or accepted by the carrier. */
  async moment(load: Load): Promise<string> {
    this.#count += this.chance.integer(0, 150);
    const by = this.chance.oneOf(["acknowledged", "taken"] as const);
    if (by === "acknowledged") await load.whenAcknowledged(this.#count);
    else await Promise.race([world.carrier.whenTaken(this.name, this.#count), failsWhenOver(load)]);
    return `after ${this.#count} ${by}`;
  }

  async judge(load: Load, server: Tandem): Promise<Judged> {
    const call = world.callerOf(server);
    await load.askAgain(call);
    expect(load.surprises).toEqual([]);
    await whenSettled(call);
    await whenRescued(call, () => world.carrier.arrived());
    const found = await outboundSince(call, this.since);
    expect(world.carrier.givenUp).toEqual([]);
    expect(faultsIn({ acknowledged: load.acknowledged, ...found, ...world.carrier.takeLedger() })).toEqual([]);
    const count = found.records.length;
    const unknown = unknownIn(found.records);
    const summary = `${load.acknowledged.size} acknowledged, ${count} stored, ${unknown} of unknown outcome`;
    return { count, unknown, summary };
  }
}

async function failsWhenOver(load: Load): Promise<never> {
  await load.whenOver();
  throw new Error(`no server answers any more; the last words: ${world.server.output().slice(-2_000)}`);
}

/** Each round is seeded by its number, so that it breaks at the same counts whatever happened before. */
async function rounds(name: string, count: number, run: (round: Round) => Promise<string>): Promise<void> {
  // Discards what an earlier test has not checked.
  world.carrier.takeLedger();
  for (let number = 1; number <= count; number++) {
    const summary = await run(new Round(`${name}${number}`, SEED + number));
    console.log(`${name} ${number}/${count}: ${summary}`);
  }
}
