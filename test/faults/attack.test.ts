// Attacks by tenants and unauthenticated clients: what they send, hold open or leave unread may cost only themselves.
// Two other tenants send messages and look numbers up all the while (other-tenants.ts). The server has few file
// descriptors.

import { createHmac } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { emitEvents } from "../../src/adapters/store/webhooks/outbox.ts";
import { EVENT_SAMPLES } from "../../src/domain/events.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { statusOf } from "../contract/failed-sign-ins.ts";
import { form, SEND, UNTIL } from "../contract/messages.ts";
import type { List } from "../contract/numbers.ts";
import { formOf, orderData } from "../contract/port-orders.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { NO_LIMITS as limits, OtherTenants, withoutLimits } from "./other-tenants.ts";
import { startHealthy } from "./webhook-receivers.ts";

const OPEN_FILES_MAX = 200;
/** Address of the attackers. */
const STRANGER = "127.0.0.9";
/** A proxy, which forwards its callers' addresses. */
const PROXY = "127.0.0.8";
const TYPE = "OptOutChanged";
const EMULATE = "/testkit/v1/Emulate/inbound-message";

const tandem = useTandem({
  openFilesMax: OPEN_FILES_MAX,
  environment: { TANDEM_LOG_LEVEL: "warn", TANDEM_TRUST_PROXY: PROXY },
});
let from: string;
let other: TestAccount;
let attacker: TestAccount;
let others: OtherTenants;

beforeAll(async () => {
  from = await withoutLimits(tandem);
  other = await newAccount(tandem, { limits });
  attacker = await newAccount(tandem, { limits });
  others = await OtherTenants.watch([
    () => tandem.get(SEND, form({ From: from, To: "+14155550100", Text: "Hello" })),
    () => other.call("/carrierLookup/v1/Numbers/+12024561414"),
  ]);
});

function strangeSocket(localAddress = STRANGER): Socket {
  const { hostname, port } = new URL(tandem.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

test(
  "text that no database stores, in a list within a field, is refused and harms nobody's messages",
  async () => {
    const urls = ["http://127.0.0.1:9/\\ud800", "http://127.0.0.1:9/\\u0000"];
    const bad = urls.flatMap((url) => [
      form({ From: from, To: "+14155550100", MediaUrls: `["${url}"]` }),
      json("POST", { From: from, To: "+14155550100", MediaUrls: `["${url}"]` }),
      { ...json("POST", {}), body: `{"From":"${from}","To":"+14155550100","MediaUrls":["${url}"]}` },
    ]);
    const statuses = await others.beside("messages that cannot be stored", async () => {
      const seen: number[] = [];
      for (let round = 0; round < roundsOf({ quick: 10, long: 1_000 }); round++) {
        seen.push(...(await Promise.all(bad.map((order) => attacker.call(SEND, order)))).map(({ status }) => status));
      }
      return seen;
    });
    expect(new Set(statuses)).toEqual(new Set([400]));
  },
  LONG_TIMEOUT_MS,
);

describe("connections", () => {
  test.each([
    ["of their own", STRANGER],
    ["of everybody's", "127.0.0.1"],
  ])(
    "outsiders at an address %s who only hold them open, as many as there are descriptors, stop neither callers nor webhooks",
    async (_whose, address) => {
      const receiver = await startHealthy();
      onTestFinished(() => receiver.close());
      const made = await other.call("/v1/Webhooks", json("POST", { type: TYPE, url: receiver.url }));
      const { sid } = (await made.json()) as { sid: string };
      await others.beside(`idle strangers at ${address}`, async () => {
        for (let round = 0; round < roundsOf({ quick: 1, long: 10 }); round++) {
          const idle = Array.from({ length: 160 }, () => strangeSocket(address));
          await Promise.all(idle.map((socket) => Promise.race([once(socket, "connect"), once(socket, "close")])));
          expect((await other.call(`/v1/Webhooks/${sid}/test`, { method: "POST" })).status).toBe(202);
          await receiver.whenReceived(round + 1);
          for (const socket of idle) socket.destroy();
        }
      });
      expect((await tandem.get("/readyz")).status).toBe(200);
      expect((await other.call(`/v1/Webhooks/${sid}`, { method: "DELETE" })).status).toBe(204);
    },
    LONG_TIMEOUT_MS,
  );

  test.each([
    ["that nobody asked for", () => "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n"],
    [
      "for lookups",
      () =>
        `GET /carrierLookup/v1/Numbers/+12024561414 HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic(attacker.sid, attacker.token).Authorization}\r\n\r\n`,
    ],
  ])(
    "thousands of requests in a row %s, on each of twenty, leave the others their turns",
    async (_name, request) => {
      const count = roundsOf({ quick: 100, long: 1_000 });
      const flood = request().repeat(count);
      for (let round = 0; round < roundsOf({ quick: 1, long: 20 }); round++) {
        await others.beside(`20 connections with ${count} requests each`, () =>
          Promise.all(
            Array.from({ length: 20 }, () => {
              const socket = strangeSocket();
              socket.write(flood);
              return countOf(socket, "HTTP/1.1 ", count).finally(() => socket.destroy());
            }),
          ),
        );
      }
    },
    LONG_TIMEOUT_MS,
  );
});

/** Resolves when the text has arrived `count` times. */
function countOf(socket: Socket, text: string, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = 0;
    let rest = "";
    socket.on("data", (chunk) => {
      const parts = (rest + chunk.toString("latin1")).split(text);
      rest = (parts.at(-1) as string).slice(-(text.length - 1));
      seen += parts.length - 1;
      if (seen >= count) resolve();
    });
    socket.on("close", () => reject(new Error(`closed after ${seen} of ${count}`)));
  });
}

test(
  "three accounts that let their port forms trickle in do not keep another's form out",
  async () => {
    const features = ["campaignMigration"];
    const accounts = await Promise.all([1, 2, 3].map(() => newAccount(tandem, { limits, features })));
    const honest = await newAccount(tandem, { limits, features });
    const dribbling = accounts.flatMap((account) =>
      [1, 2, 3].map(() => {
        const socket = strangeSocket();
        const { Authorization } = basic(account.sid, account.token);
        socket.write(
          `POST /v1/Phones/port-in HTTP/1.1\r\nHost: a\r\nAuthorization: ${Authorization}\r\n` +
            "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 20000000\r\n\r\n--x\r\n",
        );
        return socket;
      }),
    );
    let isCut = false;
    for (const socket of dribbling) {
      socket.on("data", (text) => {
        isCut ||= text.toString("latin1").startsWith("HTTP/1.1 408 ");
      });
    }
    const statuses = await others.beside("trickling forms", async () => {
      const seen = new Set<number>();
      while (!isCut) {
        const order = formOf(orderData(`MC${"0".repeat(32)}`, ["+17205570001"]), []);
        const answer = await honest.call("/v1/Phones/port-in", order);
        await answer.arrayBuffer();
        seen.add(answer.status);
      }
      return seen;
    });
    // The form was read: no letter, and no such config.
    expect(statuses).toEqual(new Set([400]));
  },
  LONG_TIMEOUT_MS,
);

test(
  "a receiver that is down while thousands wait for it is probed, and gets them all when it is back",
  async () => {
    const waiting = roundsOf({ quick: 1_000, long: 400_000 });
    const healthy = await startHealthy();
    let status = 503;
    const down = await startHealthy({ answer: () => ({ status }) });
    onTestFinished(() => healthy.close());
    onTestFinished(() => down.close());
    const subscribe = async (account: TestAccount, url: string) =>
      expect((await account.call("/v1/Webhooks", json("POST", { type: TYPE, url }))).status).toBe(201);
    await subscribe(attacker, down.url);
    await subscribe(other, healthy.url);
    const emit = async ({ sid: accountSid }: TestAccount, count: number) => {
      for (let at = 0; at < count; at += 500) {
        const events = Array.from(
          { length: Math.min(500, count - at) },
          (_, more) =>
            ({
              accountSid,
              type: TYPE,
              resourceSid: `${accountSid}/${at + more}`,
              fields: EVENT_SAMPLES[TYPE],
            }) as const,
        );
        await emitEvents(tandem.database, events, new Date());
      }
    };
    await others.beside(`a receiver that is down with ${waiting} deliveries waiting`, async () => {
      await emit(attacker, waiting);
      await down.whenReceived(20);
      for (let round = 0; round < 10; round++) {
        await emit(other, 20);
        await healthy.whenReceived(20 * (round + 1));
      }
    });
    expect(down.requests.length).toBeLessThan(waiting / 4);
    status = 200;
    // Each poll looks only at what has come since the last one.
    const ids = new Set<unknown>();
    let seen = 0;
    const received = () => {
      for (; seen < down.requests.length; seen++) ids.add(down.requests[seen]?.headers["webhook-id"]);
      return ids.size;
    };
    await expect.poll(received, { ...UNTIL, timeout: LONG_TIMEOUT_MS }).toBe(waiting);
    await expect
      .poll(() => tandem.database.query("select from delivery_queue limit 1"), { ...UNTIL, timeout: LONG_TIMEOUT_MS })
      .toEqual([]);
  },
  LONG_TIMEOUT_MS,
);

test(
  "help that is asked for in a user's name, however often, is given once",
  async () => {
    const victim = "+12125578888";
    const order = { from: victim, to: [from], text: "HELP" };
    await others.beside("forged keywords", async () => {
      for (let round = 0; round < roundsOf({ quick: 2, long: 100 }); round++) {
        const forged = Array.from({ length: 20 }, () => tandem.get(EMULATE, json("POST", order)));
        expect(new Set((await Promise.all(forged)).map(({ status }) => status))).toEqual(new Set([200]));
      }
    });
    const replies = (await (await tandem.get(`${SEND}?To=${encodeURIComponent(victim)}`)).json()) as List<object>;
    expect(replies.items).toHaveLength(1);
  },
  LONG_TIMEOUT_MS,
);

test(
  "an outsider with all addresses of a subscriber's network has no more guesses than one with one",
  async () => {
    let guesses = 0;
    // All of one /64 network, however they are written.
    const guess = () => {
      const headers = { "X-Forwarded-For": `2001:db8::${(++guesses).toString(16)}:1` };
      return statusOf({ url: tandem.url, from: PROXY, headers }, `AC${"0".repeat(32)}`, "guess");
    };
    await others.beside("guesses from a network of addresses", async () => {
      let isLimited = false;
      // Twice the limit: whenever the window changes, one of two windows is full by then.
      while (guesses < (isLimited ? roundsOf({ quick: 0, long: 20_000 }) : 650)) {
        // Few at a time: with few file descriptors the server closes new connections when there are many.
        isLimited = (await Promise.all(Array.from({ length: 20 }, guess))).includes(429) || isLimited;
      }
      expect(isLimited).toBe(true);
    });
  },
  LONG_TIMEOUT_MS,
);

test("news of ports and campaigns that an outsider signs with what every sandbox was once given is refused", async () => {
  const secret = "sandbox-secret";
  const timestamp = String(Math.floor(Date.now() / 1000));
  const news = '{"news":[]}';
  const ofPorts = createHmac("sha256", secret).update(`${timestamp}.${news}`).digest("hex");
  const signed = { "clearing-house-timestamp": timestamp, "clearing-house-signature": `v1=${ofPorts}` };
  const campaign = { campaignId: "CFORGED", eventType: "CAMPAIGN_SHARE_ADD" };
  const url = `${tandem.url.replace("127.0.0.1", "localhost")}/registry/v1/notifications`;
  const ofCampaign = createHmac("sha1", secret)
    .update(`${url}${JSON.stringify(campaign)}`)
    .digest("base64");
  const post = (path: string, headers: Readonly<Record<string, string>>, body: string) =>
    fetch(tandem.url + path, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body });
  const answers = [
    await post("/porting/v1/notifications", signed, news),
    await post("/registry/v1/notifications", { "X-Registry-Signature": ofCampaign }, JSON.stringify(campaign)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
});

test("after all of that the server is well and blames itself for nothing", async () => {
  expect((await tandem.get("/readyz")).status).toBe(200);
  expect(tandem.output()).not.toContain("request failed");
});
