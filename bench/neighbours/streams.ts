// Streams of events. The greedy account has as many open as it may: half of them read the whole log again and again,
// the others do not read, and new events come all the time.

import { fork } from "node:child_process";
import { once } from "node:events";
import { Ear } from "./ear.ts";
import type { Part } from "./part.ts";
import { type Repeated, repeat, sleep, times } from "./repeat.ts";
import { nextNumber, startTenants } from "./tenants.ts";

const LOGGED = 5_000;
const AT_ONCE = 32;
const EVENT_EVERY_MS = 20;
const FILLING_MS = 2_000;

export async function startStreams(): Promise<Part> {
  const { tandem, small, greedy, close } = await startTenants();
  await times(LOGGED, AT_ONCE, () => greedy.optOut(nextNumber()));
  const ear = await Ear.open(small);
  let readers: ReturnType<typeof fork> | undefined;
  let emitting: Repeated | undefined;

  const hearOne = async () => {
    const number = nextNumber();
    await small.optOut(number);
    await ear.event(({ payload }) => payload.Number === number);
  };

  return {
    everyMs: 100,
    ask: async () => [hearOne()],
    async crowd() {
      const args = [tandem.url, greedy.authorization, String(LOGGED)];
      // A process of its own, so that what it reads does not delay what is measured here.
      readers = fork("bench/neighbours/greedy-streams.ts", args, { execArgv: ["--import", "tsx"] });
      await once(readers, "message");
      emitting = repeat(1, async () => {
        await greedy.optOut(nextNumber());
        await sleep(EVENT_EVERY_MS);
      });
      await sleep(FILLING_MS);
    },
    async calm() {
      await emitting?.stop();
      if (!readers) return;
      const ended = once(readers, "exit");
      readers.disconnect();
      await ended;
    },
    async close() {
      ear.close();
      await close();
    },
  };
}
