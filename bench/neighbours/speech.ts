// Texts that are spoken to callers. The small account's is a short notice; the greedy one's have 4,000 characters, and
// new callers come for as long as it is there. A caller is served when the notice was spoken to its end.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Ear } from "./ear.ts";
import { nextNumber } from "./numbers.ts";
import type { Part } from "./part.ts";
import { type Repeated, repeat, sleep } from "./repeat.ts";
import { startTenants, type Tenant } from "./tenants.ts";

const TEXT_CHARACTERS = 4_000;
const GREEDY_CALLERS = 40;
const GREEDY_SECONDS = 5;
/** Callers wait longer than any notice lasts. */
const SMALL_SECONDS = 60;
/** A text of which nothing was spoken for so long is given up, and the call ends. */
const GIVEN_UP_SECONDS = 15;
const FILLING_MS = 3_000;

export async function startSpeech(): Promise<Part> {
  const scripts = await startScripts();
  const { small, greedy, close } = await startTenants();
  for (const [tenant, path] of [
    [small, "/short"],
    [greedy, "/long"],
  ] as const) {
    await tenant.post("/v1/Webhooks", { type: "InboundCallReceivedWebhook", url: `${scripts.url}${path}` });
  }
  const ear = await Ear.open(small);
  let calling: Repeated | undefined;

  const ended = async (from: string) => {
    const { payload } = await ear.event(({ payload: { From, Status } }) => From === from && Status === "Completed");
    if (Number(payload.DurationSeconds) >= GIVEN_UP_SECONDS) throw new Error("the notice was not spoken");
  };

  return {
    everyMs: 1_000,
    async ask() {
      const from = nextNumber();
      await callTo(small, from, SMALL_SECONDS);
      return [ended(from)];
    },
    async crowd() {
      calling = repeat(GREEDY_CALLERS, async () => {
        // Refused calls are the greedy account's own affair.
        await callTo(greedy, nextNumber(), GREEDY_SECONDS).catch(() => undefined);
        await sleep(GREEDY_SECONDS * 1_000);
      });
      await sleep(FILLING_MS);
    },
    async calm() {
      await calling?.stop();
    },
    async close() {
      ear.close();
      await close();
      scripts.close();
    },
  };
}

/** Resolves when the call is answered. */
const callTo = (tenant: Tenant, from: string, durationSeconds: number) =>
  tenant.post("/testkit/v1/Emulate/inbound-call", { from, to: tenant.number, durationSeconds });

/** Answers inbound-call webhooks. No text is spoken twice, because speech is cached. */
async function startScripts() {
  let spoken = 0;
  const server = createServer((request, response) => {
    request.resume();
    const text = request.url === "/short" ? `Your table, number ${++spoken}, is ready.` : longText(++spoken);
    response.end(`<Response><Hangup>${text}</Hangup></Response>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function longText(number: number): string {
  let text = "";
  for (let line = 1; text.length < TEXT_CHARACTERS; line++) {
    text += `Offer ${number}, line ${line}: everything that you see in our windows is sold at half of its price today. `;
  }
  return text.slice(0, TEXT_CHARACTERS);
}
