// Attacks by tenants and strangers: what they send, hold open or leave lying may cost themselves, and nobody else. Two
// other tenants send messages and look numbers up all the while: every request of theirs is answered, and their rate
// and latency beside the attack are printed next to those without it. The server has few file descriptors.

import { createHmac } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { emitEvents } from "../../src/adapters/store/webhooks/outbox.ts";
import { EVENT_SAMPLES } from "../../src/domain/events.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { form, SEND, UNTIL } from "../contract/messages.ts";
import { formOf, orderData } from "../contract/port-orders.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { startHealthy } from "./webhook-receivers.ts";

const OPEN_FILES_MAX = 200;
/** Attackers have an address of their own. */
const STRANGER = "127.0.0.9";
const BASELINE_REQUESTS = roundsOf({ quick: 40, long: 2_000 });
/** In the long form: what is left to the others of the rate that they have alone, at the least. */
const SHARE_MIN = 0.05;
const TYPE = "OptOutChanged";
const wide = { requests: 1_000_000_000, windowSeconds: 1 };
const limits = { lookup: wide, send: wide, sendToRecipient: wide, read: wide, write: wide };

const tandem = useTandem({ openFilesMax: OPEN_FILES_MAX, environment: { TANDEM_LOG_LEVEL: "warn" } });
let from: string;
let other: TestAccount;
let attacker: TestAccount;
let alone: Measured;

beforeAll(async () => {
  const changed = await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", { limits }));
  expect(changed.status).toBe(200);
  const { items } = (await (await tandem.get("/v1/Phones")).json()) as { items: { number: string }[] };
  from = items[0]?.number as string;
  other = await newAccount(tandem, { limits });
  attacker = await newAccount(tandem, { limits });
  let asked = 0;
  alone = await othersWhile(() => ++asked > BASELINE_REQUESTS);
  console.log(`alone: ${shown(alone)}`);
});

interface Measured {
  readonly statuses: ReadonlyMap<number, number>;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const shown = ({ statuses, perSecond, p50Ms, p99Ms }: Measured) =>
  `${[...statuses].map(([status, count]) => `${count} × ${status}`).join(", ")}, ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;

/** What the other tenants ask for. */
const ASKS: readonly (() => Promise<Response>)[] = [
  () => tandem.get(SEND, form({ From: from, To: "+14155550100", Text: "Hello" })),
  () => other.call("/carrierLookup/v1/Numbers/+12024561414"),
];

/** Two tenants ask, one request after the other, until it is over. */
async function othersWhile(isOver: () => boolean): Promise<Measured> {
  const times: number[] = [];
  const statuses = new Map<number, number>();
  const startMs = performance.now();
  const askOn = async (ask: () => Promise<Response>) => {
    do {
      const askedMs = performance.now();
      const answer = await ask();
      await answer.arrayBuffer();
      times.push(performance.now() - askedMs);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    } while (!isOver());
  };
  await Promise.all(ASKS.map(askOn));
  times.sort((one, another) => one - another);
  const quantile = (share: number) => times[Math.floor(share * (times.length - 1))] as number;
  const perSecond = times.length / ((performance.now() - startMs) / 1000);
  return { statuses, perSecond, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

/** The others ask while the attack lasts; all their requests are answered as ever. */
async function beside<Value>(name: string, attack: () => Promise<Value>): Promise<Value> {
  // They are connected already: who knocks among a hundred strangers at the same address may be taken for one.
  for (const answer of await Promise.all(ASKS.map((ask) => ask()))) await answer.arrayBuffer();
  let isOver = false;
  const others = othersWhile(() => isOver);
  const value = await attack().finally(() => {
    isOver = true;
  });
  const measured = await others;
  console.log(`beside ${name}: ${shown(measured)}`);
  expect([...measured.statuses.keys()]).toEqual([200]);
  if (process.env.FAULTS === "long") expect(measured.perSecond / alone.perSecond).toBeGreaterThan(SHARE_MIN);
  return value;
}

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
    const statuses = await beside("messages that cannot be stored", async () => {
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
    "strangers at an address %s who only hold them open, as many as there are descriptors, stop neither callers nor webhooks",
    async (_whose, address) => {
      const receiver = await startHealthy();
      onTestFinished(() => receiver.close());
      const made = await other.call("/v1/Webhooks", json("POST", { type: TYPE, url: receiver.url }));
      const { sid } = (await made.json()) as { sid: string };
      await beside(`idle strangers at ${address}`, async () => {
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
      const count = roundsOf({ quick: 100, long: 20_000 });
      const flood = request().repeat(count);
      await beside(`20 connections with ${count} requests each`, () =>
        Promise.all(
          Array.from({ length: 20 }, () => {
            const socket = strangeSocket();
            socket.write(flood);
            return countOf(socket, "HTTP/1.1 ", count);
          }),
        ),
      );
    },
    LONG_TIMEOUT_MS,
  );
});

/** Resolves when the text has come so many times. */
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
    const statuses = await beside("trickling forms", async () => {
      const seen = new Set<number>();
      while (!isCut) {
        const order = formOf(orderData(`MC${"0".repeat(32)}`, ["+17205570001"]), []);
        const answer = await honest.call("/v1/Phones/port-in", order);
        await answer.arrayBuffer();
        seen.add(answer.status);
      }
      return seen;
    });
    // It was read: no letter, and no such config.
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
    await beside(`a receiver that is down with ${waiting} deliveries waiting`, async () => {
      await emit(attacker, waiting);
      await down.whenReceived(20);
      for (let round = 0; round < 10; round++) {
        await emit(other, 20);
        await healthy.whenReceived(20 * (round + 1));
      }
    });
    expect(down.requests.length).toBeLessThan(waiting / 4);
    status = 200;
    const ids = () => new Set(down.requests.map(({ headers }) => headers["webhook-id"])).size;
    await expect.poll(ids, { ...UNTIL, timeout: LONG_TIMEOUT_MS }).toBe(waiting);
    await expect
      .poll(() => tandem.database.query("select from delivery_queue limit 1"), { ...UNTIL, timeout: LONG_TIMEOUT_MS })
      .toEqual([]);
  },
  LONG_TIMEOUT_MS,
);

test("news of ports and campaigns that a stranger signs with what every sandbox was once given is refused", async () => {
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
