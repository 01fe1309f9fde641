// A handler as users write it for Twilio: it reads a form, has its signature checked, and responds with TwiML.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedForm {
  readonly url: string;
  readonly signature: string;
  readonly form: Readonly<Record<string, string>>;
}

export interface TwilioReceiver {
  readonly url: string;
  readonly received: readonly ReceivedForm[];
  close(): Promise<void>;
}

export async function openReceiver(answer: string): Promise<TwilioReceiver> {
  const received: ReceivedForm[] = [];
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push({
      url: `${base()}${request.url}`,
      signature: String(request.headers["x-twilio-signature"]),
      form: Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString())),
    });
    response.setHeader("Content-Type", "text/xml").end(answer);
  });
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: base(),
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
