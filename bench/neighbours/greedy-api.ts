// The greedy account's requests, as many as its limits allow: for each class several clients ask as fast as they are
// answered, for the largest lists and batches there are, and wait as `Retry-After` says. Arguments: URL, authorization,
// the account's number. Ends when the other side disconnects.

import { Agent, type IncomingMessage, request } from "node:http";
import { nextNumber } from "./numbers.ts";
import { repeat, sleep } from "./repeat.ts";

const [url, authorization, number] = process.argv.slice(2) as [string, string, string];
const MESSAGES = "/messaging/v1/OutboundMessages";
const LARGEST = 1_000;
const CLIENTS = 4;
const agent = new Agent({ keepAlive: true });

interface Asked {
  readonly path: string;
  readonly body?: object;
}

/** One for each class. */
const REQUESTS: readonly (() => Asked)[] = [
  () => ({ path: `/carrierLookup/v1/Numbers/${nextNumber()}` }),
  () => ({ path: "/carrierLookup/v1/Numbers", body: { numbers: Array.from({ length: LARGEST }, nextNumber) } }),
  () => ({ path: MESSAGES, body: { From: number, To: nextNumber(), Text: "Only today!" } }),
  () => ({ path: `${MESSAGES}?PageSize=${LARGEST}` }),
  () => ({ path: "/v1/MessagingConfigs", body: { name: "Another" } }),
];

process.on("disconnect", () => process.exit(0));
for (const next of REQUESTS) repeat(CLIENTS, () => askOnce(next()));
process.send?.("asking");

async function askOnce({ path, body }: Asked): Promise<void> {
  const answer = await ask(path, body === undefined ? undefined : JSON.stringify(body));
  if (answer.statusCode === 429 || answer.statusCode === 503)
    await sleep(Number(answer.headers["retry-after"]) * 1_000);
  else if (answer.statusCode !== 200 && answer.statusCode !== 201) {
    console.error(`${path} answered ${answer.statusCode}`);
    process.exit(1);
  }
}

/** Resolves when the answer has come, unread: reading it would take time from what is measured. */
function ask(path: string, body: string | undefined): Promise<IncomingMessage> {
  const headers = { Authorization: authorization, ...(body !== undefined && { "Content-Type": "application/json" }) };
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const asking = request(url + path, { agent, method, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer));
      answer.on("error", reject);
    });
    asking.on("error", reject);
    asking.end(body);
  });
}
