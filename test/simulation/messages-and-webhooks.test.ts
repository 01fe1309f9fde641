// Messages and webhooks on virtual time: a week of traffic, outages and crashes in a moment, in which the guarantees of
// the contract hold for every seed. `SIMULATION_SEED=N` runs one seed alone and prints its whole log.

import { afterAll, expect, test } from "vitest";
import { faultsOf } from "./verdict.ts";
import { SimulatedWorld } from "./world.ts";

const ONE = process.env.SIMULATION_SEED;
const SEEDS = ONE === undefined ? Array.from({ length: 200 }, (_, index) => index + 1) : [Number(ONE)];
const TAIL = 40;

/** What has to happen in at least one seed, or the simulation proves nothing. */
const TO_HAPPEN = {
  "a message is delivered": /Sent → Delivered/,
  "one of unknown outcome turns out to have arrived": /Failed → Delivered/,
  "one expires": /Queued → Expired/,
  "one is canceled": /Queued → Canceled/,
  "a recipient opts out while one waits": /Queued → Failed .*1002/,
  "a carrier throttles": /answer to .*: throttled/,
  "a carrier answers late": /late answer .*: accepted/,
  "a sender dies in mid-flight": /Queued → Failed .*3100/,
  "another process takes over": /sends in term 5/,
  "an answer cannot be written down": /answers of carriers not written down, trying again/,
  "attempts cannot be recorded": /attempts not recorded/,
  "a reconcile fails": /reconcile failed/,
  "a receiver wants no more": /off: The receiver answered 410/,
  "a receiver fails for five days": /off: Every attempt of the last five days failed/,
  "a delivery is given up": /delivery WH\d+ Failed/,
} as const;
/** Logs of seeds that are run a second time. */
const logs = new Map<number, string>();
const runsAgain = (seed: number) => seed % 20 === 1;
const missing = new Map<string, RegExp>(Object.entries(TO_HAPPEN));

async function simulate(seed: number): Promise<SimulatedWorld> {
  const world = new SimulatedWorld(seed);
  await world.run();
  return world;
}

test.each(SEEDS)(
  "seed %i: no message is sent twice, every event is reported, and all in time and order",
  async (seed) => {
    const world = await simulate(seed);
    const { log } = world.watch;
    if (runsAgain(seed)) logs.set(seed, log.join("\n"));
    if (ONE !== undefined) console.log(log.join("\n"));
    for (const [what, sign] of missing) if (log.some((line) => sign.test(line))) missing.delete(what);
    const faults = faultsOf(world);
    if (faults.length === 0) return;
    const subject = faults[0]?.split(" ")[0] ?? "";
    const told = [...log.filter((line) => line.includes(subject)), "…", ...log.slice(-TAIL)];
    expect.fail(`seed ${seed}:\n${faults.slice(0, 10).join("\n")}\n\n${told.join("\n")}`);
  },
);

test.each(SEEDS.filter(runsAgain))("seed %i gives the same log when it runs again", async (seed) => {
  const { watch } = await simulate(seed);
  expect(watch.log.join("\n")).toBe(logs.get(seed));
});

afterAll(() => {
  if (ONE === undefined) expect([...missing.keys()], "has not happened in any seed").toEqual([]);
});
