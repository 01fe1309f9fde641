// SIGTERM while a dependency is down: the process ends within the deadline for a stop, logs what it did not close, and
// hangs up on the parties of its calls. What it could not store is stored by the next process.

import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { form, SEND } from "../contract/messages.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { type DatabaseLine, openDatabaseLine } from "../fakes/database-line.ts";
import { ownPort } from "../own-port.ts";
import { requirePeer } from "../peers/peer.ts";
import { startSipp } from "../peers/sipp.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const program = requirePeer("sipp", "sip-tester");
const ROUNDS = roundsOf({ quick: 1, long: 20 });
const CALLS = 5;
/** Far longer than a stop may take, and far shorter than the timeouts of a statement, a submit or a webhook. */
const STOP_MS_MAX = 120_000;

/** Stops it; returns its exit code. A process that does not end is killed. */
async function codeOf(tandem: Tandem): Promise<number | null | "still running"> {
  process.kill(tandem.pid, "SIGTERM");
  const waited = new AbortController();
  const late = pause(STOP_MS_MAX, "still running" as const, { signal: waited.signal }).catch(() => null);
  const code = await Promise.race([tandem.exited, late]);
  waited.abort();
  if (code === "still running") await tandem.kill();
  return code;
}

/** The line of its log with this text. */
function loggedBy(tandem: Tandem, message: string): Readonly<Record<string, unknown>> | undefined {
  const lines = tandem.output().split("\n");
  const found = lines.find((line) => line.startsWith("{") && line.includes(`"msg":"${message}`));
  return found === undefined ? undefined : JSON.parse(found);
}

async function countOf(account: Pick<TestAccount, "call">, status: string): Promise<number> {
  const { items } = await answerOf<List<unknown>>(await account.call(`/v1/Calls?Status=${status}&PageSize=100`), 200);
  return items.length;
}

/** How many calls have both parties connected. */
async function connectedOf(account: Pick<TestAccount, "call">): Promise<number> {
  type Told = { readonly payload: { readonly Leg: string; readonly Status: string } };
  const path = "/v1/Events?Type=CallStatusChangedWebhook&PageSize=100";
  const { items } = await answerOf<List<Told>>(await account.call(path), 200);
  return items.filter(({ payload: { Leg, Status } }) => Leg === "Second" && Status === "Answered").length;
}

/** The same account on another server. */
function atOther({ url }: Tandem, { sid, token }: TestAccount): Pick<TestAccount, "call"> {
  const headers = { Authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}` };
  return { call: (path, init) => fetch(url + path, { ...init, headers: { ...headers, ...init?.headers } }) };
}

const WAYS: readonly (readonly [string, (line: DatabaseLine) => void | Promise<void>])[] = [
  ["hangs", (line) => line.hold("")],
  ["is gone", (line) => line.close()],
];

describe.skipIf(!program)("a stop with calls up while the database", () => {
  test.each(WAYS)(
    "%s: it hangs up, ends and says what was not stored, and the next process stores it",
    async (_how, takeAway) => {
      for (let round = 1; round <= ROUNDS; round++) await stopWithCalls(takeAway);
    },
    LONG_TIMEOUT_MS,
  );
});

async function stopWithCalls(takeAway: (line: DatabaseLine) => void | Promise<void>): Promise<void> {
  const databaseUrl = await newDatabase();
  const line = await openDatabaseLine(connectionTo(databaseUrl));
  const [sipPort, carrierPort, callerPort] = [await ownPort(), await ownPort(), await ownPort()];
  const trunk = { name: "carrier", host: "127.0.0.1", port: carrierPort, sources: ["127.0.0.1"], optionsSeconds: 0 };
  const dataDir = mkdtempSync(join(tmpdir(), "tandem-stop-"));
  const file = join(dataDir, "tandem.config.json");
  writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [trunk] } }));
  const environment = { TANDEM_CONFIG: file, TANDEM_SIP_PORT: String(sipPort), TANDEM_DRAIN_SECONDS: "6" };
  const tandem = await startTandem({ dataDir, databaseUrl: line.url, environment });
  onTestFinished(async () => {
    await tandem.kill();
    forgetTandem(dataDir);
  });
  const account = await newAccount(tandem, {
    features: ["voice"],
    limits: { read: WIDE, write: WIDE, concurrentCalls: WIDE },
    allowedCountries: ["US"],
  });
  const number = await newNumber(tandem);
  await take(account, number);
  const voice = json("PUT", { callsForwardedTo: "+14155550199" });
  await answerOf(await account.call(`/v1/Phones/${number}/voice`, voice), 200);
  const sipp = { program: program ?? "", calls: CALLS };
  const callee = startSipp({ ...sipp, scenario: "callee", port: carrierPort });
  await callee.listening();
  const remote = `127.0.0.2:${sipPort}`;
  const caller = startSipp({
    ...sipp,
    scenario: "dropped-caller",
    port: callerPort,
    remote,
    service: number,
    rate: 25,
  });
  onTestFinished(async () => {
    await caller.stop();
    await callee.stop();
  });
  await expect.poll(() => connectedOf(account), SOON).toBe(CALLS);

  await takeAway(line);
  expect(await codeOf(tandem), tandem.output()).toBe(1);
  expect(loggedBy(tandem, "part not closed") ?? loggedBy(tandem, "stop not completed in time")).toBeDefined();
  expect(await caller.exited, caller.report()).toBe(0);
  expect(await callee.exited, callee.report()).toBe(0);

  // Its sessions end with the proxy; PostgreSQL itself is reachable again.
  await line.close();
  const next = await startTandem({ dataDir, databaseUrl, environment });
  await expect.poll(() => countOf(atOther(next, account), "Completed"), SOON).toBe(CALLS);
  expect(await next.stop()).toBe(0);
  await dropDatabase(databaseUrl);
}

test("a stop while a receiver of webhooks hangs ends and names what was not closed", async () => {
  const databaseUrl = await newDatabase();
  const receiver = createServer(() => undefined);
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  onTestFinished(() => receiver.closeAllConnections());
  const tandem = await startTandem({ databaseUrl, environment: { TANDEM_DRAIN_SECONDS: "2" } });
  onTestFinished(() => tandem.kill());
  const account = await newAccount(tandem);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const asked = once(receiver, "request");
  const made = await account.call("/v1/Webhooks", json("POST", { type: "OptOutChanged", url }));
  const { sid } = await answerOf<{ readonly sid: string }>(made, 201);
  expect((await account.call(`/v1/Webhooks/${sid}/test`, { method: "POST" })).status).toBe(202);
  await asked;
  expect(await codeOf(tandem), tandem.output()).toBe(1);
  expect(loggedBy(tandem, "stop not completed in time")?.unclosed).toContain("dispatcher");
  receiver.close();
  await dropDatabase(databaseUrl);
});

const SUBMIT_SM = 0x04;
const BIND_TRANSCEIVER = 0x09;

/** A carrier that accepts binds and answers nothing else; `submitted` resolves when a message has arrived. */
async function startHungCarrier() {
  let tellSubmitted = () => {};
  const submitted = new Promise<void>((resolve) => {
    tellSubmitted = resolve;
  });
  const server = createSocketServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (pdus) => {
      for (let at = 0; at < pdus.length; at += pdus.readUInt32BE(at)) {
        const command = pdus.readUInt32BE(at + 4);
        if (command === SUBMIT_SM) tellSubmitted();
        if (command !== BIND_TRANSCEIVER) continue;
        const answer = Buffer.alloc(17);
        answer.writeUInt32BE(answer.length, 0);
        answer.writeUInt32BE((0x80000000 | command) >>> 0, 4);
        pdus.copy(answer, 12, at + 12, at + 16);
        socket.write(answer);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, submitted, close: () => server.close() };
}

test("a stop while a carrier hangs ends and names what was not closed", async () => {
  const databaseUrl = await newDatabase();
  const carrier = await startHungCarrier();
  const { port } = carrier;
  const smpp = [{ name: "slow", host: "127.0.0.1", port, systemId: "us", password: "secret", responseSeconds: 60 }];
  const file = join(mkdtempSync(join(tmpdir(), "tandem-stop-")), "tandem.config.json");
  writeFileSync(file, JSON.stringify({ carriers: [{ name: "slow", smpp }] }));
  const environment = { TANDEM_CONFIG: file, TANDEM_DRAIN_SECONDS: "2" };
  const tandem = await startTandem({ databaseUrl, environment });
  onTestFinished(() => tandem.kill());
  const from = /^TANDEM_NUMBER=(.*)$/m.exec(readFileSync(join(tandem.dataDir, "demo.env"), "utf8"))?.[1] ?? "";
  expect((await tandem.get(SEND, form({ From: from, To: "+14155550100", Text: "Hello" }))).status).toBe(200);
  await carrier.submitted;
  expect(await codeOf(tandem), tandem.output()).toBe(1);
  expect(loggedBy(tandem, "stop not completed in time")?.unclosed).toContain("sending");
  carrier.close();
  await dropDatabase(databaseUrl);
});
