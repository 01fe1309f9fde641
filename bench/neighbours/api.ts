// The API. The greedy account uses its limits to the full (greedy-api.ts).

import { json } from "../../test/tandem.ts";
import { Crowd } from "./crowd.ts";
import { nextNumber } from "./numbers.ts";
import type { Part } from "./part.ts";
import { times } from "./repeat.ts";
import { startTenants } from "./tenants.ts";

const MESSAGES = "/messaging/v1/OutboundMessages";
const LISTED = 1_000;
const AT_ONCE = 32;
const DEFAULT = { requests: 100, windowSeconds: 10 };
const LIMITS = {
  lookup: DEFAULT,
  lookupBatch: { requests: 10_000, windowSeconds: 10 },
  send: DEFAULT,
  read: DEFAULT,
  write: DEFAULT,
};

export async function startApi(): Promise<Part> {
  const { tandem, small, greedy, close } = await startTenants();
  await times(LISTED, AT_ONCE, () => greedy.send({ To: nextNumber(), Text: "Only today!" }));
  const limited = await tandem.operator(`/operator/v1/Accounts/${greedy.sid}`, json("PATCH", { limits: LIMITS }));
  if (!limited.ok) throw new Error(await limited.text());
  let crowd: Crowd | undefined;

  return {
    everyMs: 200,
    ask: async () => [
      small.send({ To: nextNumber(), Text: "Your table is ready." }),
      small.call(`${MESSAGES}?PageSize=20`),
    ],
    async crowd() {
      crowd = await Crowd.start("greedy-api.ts", [tandem.url, greedy.authorization, greedy.number]);
    },
    async calm() {
      await crowd?.stop();
    },
    close,
  };
}
