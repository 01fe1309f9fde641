// Texts over a link of eight a second. The small account sends four at a time; the greedy one has a thousand waiting,
// all of them Urgent.

import { Smsc } from "../../src/sandbox/smsc/smsc.ts";
import { silent } from "../../test/fakes/silent-log.ts";
import { nextNumber } from "./numbers.ts";
import type { Part } from "./part.ts";
import { times } from "./repeat.ts";
import { afterThePhase, startTenants } from "./tenants.ts";

const PER_SECOND = 8;
const TEXTS_AT_A_TIME = 4;
const WAITING = 1_000;
const AT_ONCE = 32;
const PATIENCE_MS = 600_000;

export async function startSms(): Promise<Part> {
  const host = "127.0.0.1";
  const smsc = await Smsc.listen({ host, port: 0, log: silent, receipts: false, patienceMs: PATIENCE_MS });
  const link = { name: "bench", host, port: smsc.port, systemId: "tandem", password: "bench" };
  const carrier = { name: "bench", smpp: [{ ...link, maxPerSecond: PER_SECOND }] };
  const { small, greedy, close } = await startTenants({ carriers: [carrier] });

  const sendOne = async () => {
    const number = nextNumber();
    const arrived = smsc.nextMessage(({ to }) => to.endsWith(number.slice(1)));
    arrived.catch(() => undefined);
    await small.send({ To: number, Text: "Your table is ready." });
    await arrived;
  };

  return {
    everyMs: 2_000,
    ask: async () => Array.from({ length: TEXTS_AT_A_TIME }, sendOne),
    async crowd() {
      const message = { Text: "Only today!", Priority: "Urgent", ExpiresOn: afterThePhase() };
      await times(WAITING, AT_ONCE, () => greedy.send({ To: nextNumber(), ...message }));
    },
    calm: () => greedy.nothingQueued(),
    async close() {
      await close();
      await smsc.close();
    },
  };
}
