// Port orders under failures, by plain HTTP: a clearing house in the test, to which two servers on one database are
// configured, that crashes, is cut off, notifies twice, or not at all.

import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ClearingHouse } from "../../src/sandbox/clearing-house/clearing-house.ts";
import { silent } from "../fakes/silent-log.ts";
import { newDatabase } from "../shared-database.ts";
import { forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, type List, newConfig, SOON, toldOf, WIDE } from "./numbers.ts";
import { movesOf, orderOf, orderThatIs, phoneOf, portIn, strangeNumbers, toldOfOrder } from "./port-orders.ts";
import { problemOf } from "./problem.ts";

const TOKEN = "our-token";
const SECRET = "our-secret";
const NOTIFICATIONS = "/porting/v1/notifications";
const HOUR_MS = 3_600_000;

/** A proxy between the product and the clearing house: counts submissions, and passes, refuses or holds them. */
class Between {
  readonly #server: Server;
  readonly #house: string;
  /** References of the orders as they were submitted, with repeats. */
  readonly submitted: string[] = [];
  /** Number of polls for updates. */
  newsCount = 0;
  conduct: "pass" | "refuse" | "swallowAnswer" = "pass";
  #held: (() => void)[] = [];
  isHolding = false;

  static async listen(house: string): Promise<Between> {
    const between = new Between(house);
    await new Promise<void>((done) => between.#server.listen(0, "127.0.0.1", done));
    return between;
  }

  private constructor(house: string) {
    this.#house = house;
    this.#server = createServer((asked, answer) => {
      const go = () => this.#pass(asked, answer);
      const isUpdate = asked.url?.startsWith("/v1/news") === true;
      if (isUpdate) this.newsCount += 1;
      if (this.isHolding && !isUpdate) this.#held.push(go);
      else go();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get heldCount(): number {
    return this.#held.length;
  }

  release(): void {
    this.isHolding = false;
    for (const go of this.#held.splice(0)) go();
  }

  async close(): Promise<void> {
    this.release();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    if (this.conduct === "refuse") {
      answer.writeHead(503).end();
      return;
    }
    const onward = request(
      `${this.#house}${asked.url}`,
      { method: asked.method, headers: { ...asked.headers, host: "house" } },
      (given) => {
        if (asked.method === "POST" && asked.url === "/v1/orders") {
          this.submitted.push(String(asked.headers["idempotency-key"]));
          if (this.conduct === "swallowAnswer") {
            given.resume();
            answer.destroy();
            return;
          }
        }
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      },
    );
    onward.on("error", () => answer.destroy());
    asked.pipe(onward);
  }
}

let scratch: string;
let house: ClearingHouse;
let between: Between;
let two: Tandem;
let environment: Readonly<Record<string, string>>;

const one = useTandem(async () => {
  scratch = mkdtempSync(join(tmpdir(), "tandem-ports-"));
  house = await ClearingHouse.listen({
    host: "127.0.0.1",
    port: 0,
    token: TOKEN,
    secret: SECRET,
    portMs: HOUR_MS,
    log: silent,
  });
  between = await Between.listen(house.url);
  const file = join(scratch, "config.json");
  const porting = { kind: "http", baseUrl: between.url, token: TOKEN, webhookSecret: SECRET, pollSeconds: 1 };
  writeFileSync(file, JSON.stringify({ porting }));
  environment = { TANDEM_LOG_LEVEL: "error", TANDEM_CONFIG: file, TANDEM_ACTIVATION_SECONDS: "0" };
  return { environment };
});
beforeAll(async () => {
  two = await startBeside(one, environment);
});
afterEach(() => {
  between.conduct = "pass";
  between.release();
  house.notifyTo(undefined);
  house.treatNotifications("deliver");
});
afterAll(async () => {
  await two?.stop();
  await between?.close();
  await house?.close();
  rmSync(scratch, { recursive: true });
});

const migrant = (tandem: Tandem = one) =>
  newAccount(tandem, { features: ["campaignMigration"], limits: { read: WIDE, write: WIDE } });

async function ordered(account: TestAccount, count = 1) {
  const numbers = strangeNumbers(count);
  const { sid } = await portIn(account, await newConfig(account), numbers);
  return { sid, numbers, number: numbers[0] as string };
}

const taken = (sid: string) => expect.poll(() => between.submitted.filter((order) => order === sid).length, SOON);

test("no order goes to a simulated clearing house beside the one that is configured, and the banner says so", async () => {
  expect(one.output()).toContain("not simulated by the sandbox: porting.\n");
  const account = await migrant();
  const { sid } = await ordered(account);
  await taken(sid).toBe(1);
  const emulated = await problemOf(await account.call("/testkit/v1/Emulate/port", json("POST", { sid })), 409);
  expect(emulated.detail).toContain("not a simulated one");
});

describe("an order that was taken", () => {
  test("is submitted once by two processes, and its news is reported once", async () => {
    house.notifyTo(`${two.url}${NOTIFICATIONS}`);
    house.treatNotifications("duplicate");
    const account = await migrant();
    const orders = await Promise.all(Array.from({ length: 6 }, () => ordered(account, 2)));
    for (const { sid } of orders) await taken(sid).toBe(1);
    for (const { sid } of orders) expect(house.decide(sid, { outcome: "complete" }).ok).toBe(true);
    for (const { sid } of orders) {
      await orderThatIs(account, sid, "Completed");
      expect(movesOf(await toldOfOrder(account, sid))).toStrictEqual([
        "none → Submitted",
        "Submitted → FocConfirmed",
        "FocConfirmed → Completed",
      ]);
      expect(between.submitted.filter((order) => order === sid)).toHaveLength(1);
    }
    const numbers = orders.flatMap((order) => order.numbers);
    const told = await toldOf(account);
    expect(told).toHaveLength(2 * numbers.length);
    expect(new Set(told)).toStrictEqual(
      new Set(
        numbers.flatMap((number) => [
          `${number}: none → PendingPortIn`,
          `${number}: PendingPortIn → PendingTcrCampaignAdd`,
        ]),
      ),
    );
  });

  test.each([
    ["has just answered", false],
    ["is submitting it", true],
  ])("is submitted although the process that took it is killed when it %s", async (_, isUnderWay) => {
    const kept = { dataDir: mkdtempSync(join(tmpdir(), "tandem-killed-")), databaseUrl: await newDatabase() };
    const first = await startTandem({ ...kept, environment });
    between.isHolding = true;
    const account = await migrant(first);
    const { sid } = await ordered(account);
    if (isUnderWay) await expect.poll(() => between.heldCount, SOON).toBeGreaterThan(0);
    await first.kill();
    between.release();
    const again = await startTandem({ ...kept, environment });
    try {
      const same = { ...account, call: (path: string, init?: RequestInit) => callAt(again, account, path, init) };
      await taken(sid).toBeGreaterThanOrEqual(1);
      house.decide(sid, { outcome: "complete" });
      await orderThatIs(same, sid, "Completed");
      expect(await toldOf(same)).toHaveLength(2);
      expect(movesOf(await toldOfOrder(same, sid))).toHaveLength(3);
    } finally {
      await again.stop();
      forgetTandem(kept.dataDir);
    }
  });

  test("is one order there although its answer was lost and it was submitted again", async () => {
    const account = await migrant();
    between.conduct = "swallowAnswer";
    const { sid } = await ordered(account);
    await taken(sid).toBeGreaterThanOrEqual(1);
    expect((await orderOf(account, sid)).submitted).toBe(false);
    between.conduct = "pass";
    await expect.poll(async () => (await orderOf(account, sid)).submitted, SOON).toBe(true);
    house.decide(sid, { outcome: "reject", reason: "LOCATION_MISMATCH" });
    expect(await orderThatIs(account, sid, "Failed")).toMatchObject({ reasonCode: "LOCATION_MISMATCH" });
    expect(movesOf(await toldOfOrder(account, sid))).toStrictEqual(["none → Submitted", "Submitted → Failed"]);
  });

  test("waits while the clearing house is out of reach, which operators see", async () => {
    const account = await migrant();
    between.conduct = "refuse";
    const { sid } = await ordered(account);
    interface Run {
      readonly name: string;
      readonly outcome: string;
    }
    const outcome = async () => {
      const { items } = await answerOf<List<Run>>(await one.operator("/operator/v1/Reconciles"), 200);
      return items.find(({ name }) => name === "follow-ports")?.outcome;
    };
    await expect.poll(outcome, SOON).toBe("Failed");
    expect((await orderOf(account, sid)).submitted).toBe(false);
    between.conduct = "pass";
    await expect.poll(async () => (await orderOf(account, sid)).submitted, SOON).toBe(true);
    await expect.poll(outcome, SOON).toBe("Done");
  });

  test("is submitted although its PINs cannot be decrypted, and so is the next one", async () => {
    const account = await migrant();
    between.conduct = "refuse";
    const config = await newConfig(account);
    const order = () =>
      portIn(
        account,
        config,
        strangeNumbers(1).map((number) => ({ number, pin: "2468" })),
      );
    const [unreadable, good] = [await order(), await order()];
    await one.database.query("update port_orders set pins = $2 where sid = $1", [unreadable.sid, Buffer.alloc(60)]);
    between.conduct = "pass";
    for (const { sid } of [unreadable, good]) await taken(sid).toBe(1);
  });

  test("that is called back before it was submitted is submitted and then called back", async () => {
    const account = await migrant();
    between.isHolding = true;
    const { sid, number } = await ordered(account);
    await expect.poll(() => between.heldCount, SOON).toBeGreaterThan(0);
    await answerOf(await account.call(`/v1/Phones/port-in/${sid}/cancel`, { method: "POST" }), 200);
    await answerOf(await account.call(`/v1/Phones/port-in/${sid}/cancel`, { method: "POST" }), 200);
    between.release();
    await orderThatIs(account, sid, "Cancelled");
    expect((await phoneOf(account, number)).status).toBe("Removed");
  });
});

function callAt(tandem: Tandem, { sid, token }: TestAccount, path: string, init?: RequestInit): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}`;
  return fetch(tandem.url + path, { ...init, headers: { Authorization: authorization, ...init?.headers } });
}

describe("news", () => {
  test("that no one notifies us of is found by asking", async () => {
    house.treatNotifications("lose");
    const account = await migrant();
    const { sid } = await ordered(account);
    await taken(sid).toBe(1);
    house.decide(sid, { outcome: "complete" });
    await orderThatIs(account, sid, "Completed");
  });

  test("that comes late outweighs a rejection, but a number that was given up stays given up", async () => {
    const account = await migrant();
    const { sid, number } = await ordered(account);
    await taken(sid).toBe(1);
    house.decide(sid, { outcome: "reject" });
    await orderThatIs(account, sid, "Failed");
    for (const [sequence, kind] of [
      [3, "voiceMoved"],
      [4, "messagingMoved"],
    ] as const) {
      const news = { order: sid, sequence, at: new Date().toISOString(), kind };
      expect((await notify({ news: [news] })).status).toBe(204);
    }
    await orderThatIs(account, sid, "Completed");
    expect(await phoneOf(account, number)).toMatchObject({ status: "Removed" });
    expect(movesOf(await toldOfOrder(account, sid))).toStrictEqual([
      "none → Submitted",
      "Submitted → Failed",
      "Failed → PartiallyCompleted",
      "PartiallyCompleted → Completed",
    ]);
  });

  test("of orders that are nobody's is taken and means nothing", async () => {
    const order = `PO${"0".repeat(32)}`;
    const news = { order, sequence: 1, at: new Date().toISOString(), kind: "submitted" };
    expect((await notify({ news: [news, { nonsense: true }] })).status).toBe(204);
  });

  test.each<[string, () => Readonly<Record<string, string>>, string, number]>([
    ["without a signature", () => ({}), '{"news":[]}', 401],
    ["with a forged signature", () => signed("{}"), '{"news":[]}', 401],
    ["of yesterday", () => signed('{"news":[]}', -86_400), '{"news":[]}', 401],
    ["of tomorrow", () => signed('{"news":[]}', 86_400), '{"news":[]}', 401],
    ["that is no JSON", () => signed("{"), "{", 400],
    ["that is none", () => signed("[]"), "[]", 400],
  ])("%s is refused", async (_, sign, body, status) => {
    const answer = await fetch(`${one.url}${NOTIFICATIONS}`, { method: "POST", headers: sign(), body });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-request-id")).not.toBeNull();
    expect(await answer.json()).toMatchObject({ status });
  });

  test("is read on from where it was, and a quiet clearing house costs nothing but the question", async () => {
    const account = await migrant();
    const { sid } = await ordered(account);
    await taken(sid).toBe(1);
    house.decide(sid, { outcome: "complete" });
    await orderThatIs(account, sid, "Completed");
    const authorization = { Authorization: `Bearer ${TOKEN}` };
    const unread = async () => {
      const [row] = await one.database.query<{ cursor: string }>("select cursor from port_updates");
      const answer = await fetch(`${house.url}/v1/news?after=${row?.cursor}`, { headers: authorization });
      return ((await answer.json()) as { news: unknown[] }).news.length;
    };
    await expect.poll(unread, SOON).toBe(0);
    // Ids of the transactions that last wrote each row.
    const written = () =>
      one.database.query(
        `select xmin::text from port_orders union all select xmin::text from port_order_numbers
         union all select xmin::text from phones order by 1`,
      );
    const before = await written();
    const asked = between.newsCount;
    await expect.poll(() => between.newsCount, SOON).toBeGreaterThan(asked + 2);
    expect(await written()).toStrictEqual(before);
  });
});

function signed(body: string, seconds = 0): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000) + seconds);
  const signature = createHmac("sha256", SECRET).update(`${timestamp}.${body}`).digest("hex");
  return {
    "content-type": "application/json",
    "clearing-house-timestamp": timestamp,
    "clearing-house-signature": `v1=${signature}`,
  };
}

function notify(news: object): Promise<Response> {
  const body = JSON.stringify(news);
  return fetch(`${one.url}${NOTIFICATIONS}`, { method: "POST", headers: signed(body), body });
}
