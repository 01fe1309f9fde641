// A customer's receiver: accepts webhooks only if the reference implementation verifies them, and keeps them in order.

import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { verifyWebhook } from "../../sdk/src/index.ts";

export interface Received {
  readonly id: string;
  readonly type: string | undefined;
  readonly event: Readonly<Record<string, unknown>>;
}

export async function startReceiver(initialSecret?: string) {
  const received: Received[] = [];
  const arrivals = new EventEmitter();
  const state = { secret: initialSecret, status: 204, refused: 0 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const payload = Buffer.concat(chunks);
    try {
      const secret = state.secret ?? "";
      const event = new Webhook(secret).verify(payload, request.headers as Record<string, string>);
      const ours = await verifyWebhook({ payload, headers: request.headers, secret });
      received.push({
        id: ours.id,
        type: request.headers["x-event-type"] as string | undefined,
        event: event as Received["event"],
      });
      response.writeHead(state.status).end();
    } catch {
      state.refused++;
      response.writeHead(401).end();
    }
    arrivals.emit("one");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    state,
    async until(count: number) {
      while (received.length < count) await once(arrivals, "one");
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
