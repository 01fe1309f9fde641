// Webhooks. The greedy account has 120, whose receivers take 14 seconds each; every event of it goes to all of them.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Happenings } from "../../test/fakes/happenings.ts";
import { nextNumber } from "./numbers.ts";
import type { Part } from "./part.ts";
import { type Repeated, repeat, sleep } from "./repeat.ts";
import { startTenants, type Tenant } from "./tenants.ts";

const GREEDY_WEBHOOKS = 120;
const TAKES_MS = 14_000;
const EVENT_EVERY_MS = 200;
/** Until the receivers of the greedy account are busy. */
const FILLING_MS = 3_000;

interface Subscription {
  readonly sid: string;
}

export async function startWebhooks(): Promise<Part> {
  const receiver = await Receiver.start();
  const { small, greedy, close } = await startTenants();
  const subscribe = (tenant: Tenant, path: string) =>
    tenant.post<Subscription>("/v1/Webhooks", { type: "OptOutChanged", url: `${receiver.url}${path}` });
  const { sid } = await subscribe(small, "/");
  let crowded: readonly Subscription[] = [];
  let emitting: Repeated | undefined;

  const deliverOne = async () => {
    const delivery = await small.call<{ sid: string }>(`/v1/Webhooks/${sid}/test`, { method: "POST" });
    await receiver.received(delivery.sid);
  };

  return {
    everyMs: 250,
    ask: async () => [deliverOne()],
    async crowd() {
      receiver.isSlow = true;
      crowded = await Promise.all(Array.from({ length: GREEDY_WEBHOOKS }, () => subscribe(greedy, "/slow")));
      emitting = repeat(1, async () => {
        await greedy.optOut(nextNumber());
        await sleep(EVENT_EVERY_MS);
      });
      await sleep(FILLING_MS);
    },
    async calm() {
      await emitting?.stop();
      receiver.answerAll();
      for (const { sid } of crowded) await greedy.call(`/v1/Webhooks/${sid}`, { method: "DELETE" });
    },
    async close() {
      await close();
      receiver.close();
    },
  };
}

/** Answers at once, or below /slow after a while. */
class Receiver {
  isSlow = false;
  readonly #server = createServer((request, response) => this.#receive(request, response));
  readonly #received = new Set<string>();
  readonly #happenings = new Happenings();
  readonly #unanswered = new Map<ServerResponse, NodeJS.Timeout>();

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async received(id: string): Promise<void> {
    await this.#happenings.until(() => this.#received.delete(id));
  }

  /** What waits for its answer and what comes later is answered at once. */
  answerAll(): void {
    this.isSlow = false;
    for (const [response, timer] of this.#unanswered) {
      clearTimeout(timer);
      this.#answer(response);
    }
  }

  close(): void {
    this.answerAll();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    if (request.url === "/slow") {
      const timer = setTimeout(() => this.#answer(response), this.isSlow ? TAKES_MS : 0);
      this.#unanswered.set(response, timer);
      return;
    }
    this.#received.add(String(request.headers["webhook-id"]));
    this.#happenings.ring();
    response.end();
  }

  #answer(response: ServerResponse): void {
    this.#unanswered.delete(response);
    response.end();
  }
}
