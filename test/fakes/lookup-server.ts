// A server that answers batches of lookups as Tandem does, or misbehaves as the test says.

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The outcome of a request: answered, rate limited, failed, cut off, or not answered. */
export type Conduct = "answer" | "deny" | "fail" | "cut" | "hang";

export interface LookupServerOrder {
  /** Called for every batch, with the number of batches before it. */
  readonly conduct?: (batchesBefore: number) => Conduct;
  /** Numbers accepted per window; windows last as long as `resetSeconds` says, which is 0. */
  readonly limit?: number;
}

export interface LookupServer {
  readonly url: string;
  /** The numbers of every batch, in order of arrival. */
  readonly batches: readonly (readonly string[])[];
  /** Resolves when `batches` batches have arrived. */
  heard(batches: number): Promise<void>;
  close(): Promise<void>;
}

export async function startLookupServer(order: LookupServerOrder = {}): Promise<LookupServer> {
  const batches: string[][] = [];
  const waiting = new Set<{ readonly batches: number; readonly resolve: () => void }>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { numbers } = JSON.parse(Buffer.concat(chunks).toString()) as { numbers: string[] };
    const conduct = order.conduct?.(batches.length) ?? "answer";
    batches.push(numbers);
    const isTooLarge = order.limit !== undefined && numbers.length > order.limit;
    behave(response, isTooLarge ? "deny" : conduct, numbers, order.limit);
    for (const waiter of waiting) {
      if (batches.length < waiter.batches) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    heard: (count) =>
      new Promise((resolve) => {
        if (batches.length >= count) resolve();
        else waiting.add({ batches: count, resolve });
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function behave(response: ServerResponse, conduct: Conduct, numbers: readonly string[], limit: number | undefined) {
  const limits =
    limit === undefined ? {} : { "RateLimit-Limit": limit, "RateLimit-Remaining": limit, "RateLimit-Reset": 0 };
  const send = (status: number, body: unknown, headers: object = {}) =>
    response
      .writeHead(status, { "Content-Type": "application/json", "X-Request-Id": "r", ...limits, ...headers })
      .end(JSON.stringify(body));
  switch (conduct) {
    case "answer":
      return send(200, { items: numbers.map(answerTo) });
    case "deny":
      return send(429, { title: "Too many requests", code: "rate-limited" }, { "Retry-After": 0 });
    case "fail":
      return send(503, { title: "Out of reach", code: "unavailable" });
    case "cut":
      return response.destroy();
    case "hang":
      return undefined;
  }
}

/** A function of the number alone, so that a test can compute every expected row. */
export function answerTo(number: string): object {
  if (!/^\+\d+$/.test(number)) return { number, error: "This is no number." };
  const type = Number(number.at(-1)) % 2 === 0 ? "Wireless" : "Landline";
  return { number, status: "Active", type, carrierName: `Carrier, ${number.slice(-3)}` };
}
