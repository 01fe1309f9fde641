// A live lookup service that responds when the test says so. It is only configured for numbers of Great Britain, so
// that all other lookups stay quick.

import { writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HeldLookupService {
  /** Writes a configuration file that names this service; returns its path. */
  writeConfig(path: string): string;
  /** Resolves when the next request that no earlier call has awaited has arrived. */
  asked(): Promise<void>;
  /** Responds to every waiting request, and immediately from now on. */
  answerAll(): void;
  close(): Promise<void>;
}

/** The longest timeout that can be configured for a provider. */
const DEADLINE_MS = 10_000;

export async function startLookupService(): Promise<HeldLookupService> {
  const held: ServerResponse[] = [];
  const arrivals: (() => void)[] = [];
  let unseen = 0;
  let holding = true;
  const answer = (response: ServerResponse) =>
    response
      .writeHead(200, { "Content-Type": "application/json" })
      .end(JSON.stringify({ type: "wireless", carrier: "Held" }));
  const server = createServer((_request, response) => {
    if (holding) held.push(response);
    else answer(response);
    const arrival = arrivals.shift();
    if (arrival) arrival();
    else unseen += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    writeConfig(path) {
      const provider = {
        kind: "http",
        name: "held",
        url: `http://127.0.0.1:${port}/{digits}`,
        callingCodes: ["44"],
        deadlineMs: DEADLINE_MS,
        cacheSeconds: 0,
        negativeCacheSeconds: 0,
        answer: { type: "type", carrierName: "carrier" },
      };
      writeFileSync(path, JSON.stringify({ lookup: { providers: [provider] } }));
      return path;
    },
    asked: () =>
      new Promise((resolve) => {
        if (unseen > 0) {
          unseen -= 1;
          resolve();
        } else arrivals.push(resolve);
      }),
    answerAll() {
      holding = false;
      held.splice(0).forEach(answer);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
