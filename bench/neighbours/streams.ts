// Streams of events. The greedy account has as many open as it may: half of them read the whole log again and again,
// the others do not read, and new events come all the time.

import { Crowd } from "./crowd.ts";
import { Ear } from "./ear.ts";
import { nextNumber } from "./numbers.ts";
import type { Part } from "./part.ts";
import { type Repeated, repeat, sleep, times } from "./repeat.ts";
import { startTenants } from "./tenants.ts";

const LOGGED = 5_000;
const AT_ONCE = 32;
const EVENT_EVERY_MS = 20;
const FILLING_MS = 2_000;

export async function startStreams(): Promise<Part> {
  const { tandem, small, greedy, close } = await startTenants();
  await times(LOGGED, AT_ONCE, () => greedy.optOut(nextNumber()));
  const ear = await Ear.open(small);
  let readers: Crowd | undefined;
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
      readers = await Crowd.start("greedy-streams.ts", [tandem.url, greedy.authorization, String(LOGGED)]);
      emitting = repeat(1, async () => {
        await greedy.optOut(nextNumber());
        await sleep(EVENT_EVERY_MS);
      });
      await sleep(FILLING_MS);
    },
    async calm() {
      await emitting?.stop();
      await readers?.stop();
    },
    async close() {
      ear.close();
      await close();
    },
  };
}
