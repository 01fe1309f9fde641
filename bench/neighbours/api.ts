// The API. The greedy account uses its limits to the full: for each class several clients ask as fast as they are
// answered, for the largest lists and batches there are, and wait as `Retry-After` says.

import { json } from "../../test/tandem.ts";
import type { Part } from "./part.ts";
import { type Repeated, repeat, sleep, times } from "./repeat.ts";
import { nextNumber, startTenants, type Tenant } from "./tenants.ts";

const MESSAGES = "/messaging/v1/OutboundMessages";
const LISTED = 1_000;
const AT_ONCE = 32;
const CLIENTS = 4;
const DEFAULT = { requests: 100, windowSeconds: 10 };
const LIMITS = {
  lookup: DEFAULT,
  lookupBatch: { requests: 10_000, windowSeconds: 10 },
  send: DEFAULT,
  read: DEFAULT,
  write: DEFAULT,
};

type Request = (tenant: Tenant) => readonly [path: string, init?: RequestInit];

const message = ({ number }: Tenant) => json("POST", { From: number, To: nextNumber(), Text: "Only today!" });

/** One for each class. */
const REQUESTS: readonly Request[] = [
  () => [`/carrierLookup/v1/Numbers/${nextNumber()}`],
  () => ["/carrierLookup/v1/Numbers", json("POST", { numbers: Array.from({ length: LISTED }, nextNumber) })],
  (tenant) => [MESSAGES, message(tenant)],
  () => [`${MESSAGES}?PageSize=${LISTED}`],
  () => ["/v1/MessagingConfigs", json("POST", { name: "Another" })],
];

export async function startApi(): Promise<Part> {
  const { tandem, small, greedy, close } = await startTenants();
  await times(LISTED, AT_ONCE, () => greedy.send({ To: nextNumber(), Text: "Only today!" }));
  const limited = await tandem.operator(`/operator/v1/Accounts/${greedy.sid}`, json("PATCH", { limits: LIMITS }));
  if (!limited.ok) throw new Error(await limited.text());
  let asking: Repeated[] = [];

  const askOnce = async (request: Request) => {
    const answer = await greedy.request(...request(greedy));
    await answer.arrayBuffer();
    if (answer.status === 429) await sleep(Number(answer.headers.get("Retry-After")) * 1_000);
    else if (!answer.ok) throw new Error(`a greedy request was answered with ${answer.status}`);
  };

  return {
    everyMs: 200,
    ask: async () => [
      small.send({ To: nextNumber(), Text: "Your table is ready." }),
      small.call(`${MESSAGES}?PageSize=20`),
    ],
    async crowd() {
      asking = REQUESTS.map((request) => repeat(CLIENTS, () => askOnce(request)));
    },
    async calm() {
      await Promise.all(asking.map((requests) => requests.stop()));
    },
    close,
  };
}
