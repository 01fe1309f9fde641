// The crash matrix: at every step on a message's way the server is killed, the answer of PostgreSQL is lost, and a
// commit arrives after its process has given up, or after the next process has begun to take over. By what is outside
// (acknowledged requests, the carrier, webhooks) nothing is lost, nothing is sent twice, no outcome is unknown without
// being reported, and texts from one number to another, and the webhooks of a message, arrive in order.

import { afterAll, beforeAll, expect, test } from "vitest";
import { hash32 } from "../../src/base/hash.ts";
import { Chance } from "../fakes/chance.ts";
import { POINTS, type StoppedStatement } from "../fakes/stopping-line.ts";
import { CrashWorld, Senders } from "./crash-world.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { SEED } from "./messages-chance.ts";
import { outboundSince, whenRescued, whenSettled } from "./messages-records.ts";
import {
  faultsIn,
  type OutboundRecord,
  type ReceivedMessage,
  type StatusEvent,
  tokenOf,
  unknownIn,
} from "./messages-verdict.ts";

const ROUNDS = roundsOf({ quick: 1, long: 20 });
/** So many messages are acknowledged before a fault, and after it. */
const BEFORE = roundsOf({ quick: 30, long: 60 });
const AFTER = roundsOf({ quick: 30, long: 60 });
const SOON = { timeout: 150_000, interval: 100 };

/** The steps of a message, by the names of their statements. */
const STEPS = [
  ["it is accepted", ["accept-messages"]],
  ["it is accepted under an Idempotency-Key", ["accept-kept-messages"]],
  ["it begins to be sent", ["begin-messages"]],
  ["the carrier's answer is stored", ["settle-messages"]],
  ["its receipt is stored", ["take-receipts"]],
  ["its webhook is claimed", ["claim-deliveries"]],
  ["the outcome of its webhook is stored", ["settle-deliveries"]],
] as const;

let world: CrashWorld;
beforeAll(async () => {
  console.log(`FAULTS_SEED=${SEED}`);
  world = await CrashWorld.start();
});
afterAll(() => world?.close());

/** What happens to a statement that is stopped while messages are sent. Returns a word on what was done. */
type Break = (chance: Chance, statements: readonly string[]) => Promise<string>;

const loseAnswer: Break = async (_, statements) => {
  const stopped = await world.line.stop(statements, "committed");
  stopped.cut();
  return "its answer lost";
};

const commitLate: Break = async (_, statements) => {
  const stopped = await world.line.stop(statements, "executed");
  await stopped.abandoned;
  await stopped.goOn();
  return "committed late";
};

const kill: Break = async (chance, statements) => {
  const point = chance.oneOf(POINTS);
  const stopped = await world.line.stop(statements, point);
  await world.server.kill();
  if (point === "executed") await commitDuringTakeOver(stopped);
  else {
    stopped.cut();
    await world.startServer();
  }
  return `killed when it had ${point}`;
};

/** The commit of a process that is dead arrives when the next one has started, or waits for its locks. */
async function commitDuringTakeOver(stopped: StoppedStatement): Promise<void> {
  let isStarted = false;
  const started = world.startServer().then(() => {
    isStarted = true;
  });
  await expect.poll(async () => isStarted || (await world.isLockAwaited()), SOON).toBe(true);
  await stopped.goOn();
  await started;
}

const settings = { timeout: LONG_TIMEOUT_MS };

test.each(STEPS)(
  "nothing is lost, doubled or reordered by a lost answer or a late commit when %s",
  settings,
  async (step, statements) => {
    for (let round = 1; round <= ROUNDS; round++) {
      const unknown = await runRound(`${statements[0]}-live${round}`, round, statements, [loseAnswer, commitLate]);
      expect(unknown, `${step}: the process lives, so it knows every outcome`).toBe(0);
    }
  },
);

test.each(STEPS)(
  "nothing is lost, doubled, reordered or silently unknown by a kill when %s",
  settings,
  async (_, statements) => {
    for (let round = 1; round <= ROUNDS; round++)
      await runRound(`${statements[0]}-kill${round}`, round, statements, [kill]);
  },
);

/** Returns how many outcomes are unknown. */
async function runRound(
  name: string,
  round: number,
  statements: readonly string[],
  breaks: readonly Break[],
): Promise<number> {
  const chance = new Chance(SEED + round + hash32(name));
  const since = new Date();
  world.carrier.takeLedger();
  // Without keys messages are accepted by another statement.
  const senders = new Senders(world, name, !statements.includes("accept-messages"));
  const done: string[] = [];
  try {
    for (const breakNow of breaks) {
      await senders.whenAcknowledged(senders.acknowledged.size + chance.integer(BEFORE / 2, BEFORE));
      done.push(await breakNow(chance, statements));
    }
    await senders.whenAcknowledged(senders.acknowledged.size + AFTER);
  } finally {
    senders.end();
  }
  await senders.stop();
  await senders.askAgain();
  await whenSettled(world.call);
  await whenRescued(world.call, () => world.carrier.arrived());
  const found = await outboundSince(world.call, since);
  const { received, submits } = world.carrier.takeLedger();
  const { acknowledged } = senders;
  expect(world.carrier.givenUp).toEqual([]);
  expect(faultsIn({ acknowledged, ...found, received, submits })).toEqual([]);
  expect(reordered(received, senders.inOrder)).toEqual([]);
  await expect.poll(() => webhookFaults(found.records, found.events), SOON).toEqual([]);
  const unknown = unknownIn(found.records);
  console.log(`${name}: ${done.join(", ")}; ${acknowledged.size} acknowledged, ${unknown} of unknown outcome`);
  return unknown;
}

/** Messages that the carrier got after a later one to the same number. */
function reordered(received: readonly ReceivedMessage[], inOrder: ReadonlySet<string>): readonly string[] {
  const last = new Map<string, number>();
  return received.flatMap(({ text }) => {
    const token = tokenOf(text);
    if (!inOrder.has(token)) return [];
    const [round, place, number] = token.split(".") as [string, string, string];
    const key = `${round}.${place}`;
    const before = last.get(key) ?? 0;
    last.set(key, Number(number));
    return Number(number) < before ? [`${token} after ${before}`] : [];
  });
}

/** Every event arrives, those of a message in order; one that arrives twice has the same id. */
function webhookFaults(records: readonly OutboundRecord[], events: readonly StatusEvent[]): readonly string[] {
  const ids = new Map<string, string>();
  const arrived = new Map<string, number[]>();
  const faults: string[] = [];
  for (const { headers, body } of world.receiver.requests) {
    const { Sid, Sequence } = JSON.parse(body.toString()) as StatusEvent;
    const key = `${Sid} ${Sequence}`;
    const id = String(headers["webhook-id"]);
    if (ids.has(key)) {
      if (ids.get(key) !== id) faults.push(`${key} arrived under two ids`);
      continue;
    }
    ids.set(key, id);
    arrived.set(Sid, [...(arrived.get(Sid) ?? []), Sequence]);
  }
  for (const { sid } of records) {
    const wanted = events.filter(({ Sid }) => Sid === sid).map(({ Sequence }) => Sequence);
    const got = arrived.get(sid) ?? [];
    if (got.join() !== wanted.toSorted((one, other) => one - other).join())
      faults.push(`${sid}: ${wanted.length} events, and ${got.join() || "none"} arrived`);
  }
  return faults;
}
