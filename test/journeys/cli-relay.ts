// A proxy between a command and a server that can withhold responses.

import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Relay {
  readonly url: string;
  /** Resolves when the server has answered `count` requests, whether the responses were forwarded or not. */
  answered(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface RelayOrder {
  readonly target: string;
  /** Whether the response to a request reaches the command; requests are counted from 1 as they are answered. */
  readonly passesOn: (request: number) => boolean;
}

const NOT_PASSED_ON = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "host",
  "keep-alive",
  "transfer-encoding",
]);

export async function startRelay({ passesOn, target }: RelayOrder): Promise<Relay> {
  const heard = new EventEmitter();
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const answer = await fetch(target + request.url, {
      method: request.method ?? "GET",
      headers: Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        typeof value !== "string" || NOT_PASSED_ON.has(name) ? [] : [[name, value]],
      ),
      ...(body.length === 0 ? {} : { body }),
    });
    const text = await answer.text();
    count += 1;
    if (passesOn(count)) {
      const headers = [...answer.headers].filter(([name]) => !NOT_PASSED_ON.has(name));
      response.writeHead(answer.status, Object.fromEntries(headers)).end(text);
    }
    heard.emit("answer");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async answered(wanted) {
      while (count < wanted) await once(heard, "answer");
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
