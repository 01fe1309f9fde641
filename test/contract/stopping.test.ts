// Signals: each of them stops the server gracefully, a second one immediately, and its PostgreSQL ends with it. Behind
// a load balancer a server serves on while it says that it is not ready.

import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type HeldLookupService, startLookupService } from "../fakes/lookup-service.ts";
import { SipPeer } from "../fakes/sip-peer.ts";
import { ownPort } from "../own-port.ts";
import { clusterOf, forgetTandem, startTandem, type Tandem, type TandemOrder } from "../tandem.ts";

const UNTIL = { timeout: 120_000, interval: 200 };

let dataDir: string;
let service: HeldLookupService;
/** The outcome of the request that runs until the service responds. */
let held: { status: number | undefined };

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tandem-stopping-"));
});
afterAll(() => forgetTandem(dataDir));
beforeEach(async () => {
  service = await startLookupService();
});
afterEach(() => service.close());

async function startBusy(order: TandemOrder = {}): Promise<Tandem> {
  const config = service.writeConfig(join(dataDir, "config.json"));
  // An hour: the stop can only end in time with the running request, or by a second signal.
  const environment = { TANDEM_LOG_LEVEL: "warn", TANDEM_CONFIG: config, TANDEM_DRAIN_SECONDS: "3600" };
  const tandem = await startTandem({ dataDir, environment, ...order });
  held = { status: undefined };
  tandem.get("/carrierLookup/v1/Numbers/+447911123456").then(
    ({ status }) => Object.assign(held, { status }),
    () => undefined,
  );
  await service.asked();
  return tandem;
}

const runsPostgres = () => existsSync(join(clusterOf(dataDir), "postmaster.pid"));

test.each([
  ["SIGHUP", "the server", false, 1],
  ["SIGINT", "the script of `npm start` alone", true, 1],
  ["SIGHUP", "the script of `npm start` alone", true, 1],
  ["SIGTERM", "the whole process group", true, -1],
  ["SIGINT", "the whole process group", true, -1],
] as const)("%s to %s stops it in order", async (signal, _whom, isBelowScript, sign) => {
  const tandem = await startBusy({ isBelowScript });
  expect(runsPostgres()).toBe(true);
  process.kill(sign * tandem.pid, signal);
  await expect.poll(() => tandem.output(), UNTIL).toContain("Stopping:");
  service.answerAll();
  await expect.poll(() => held.status, UNTIL).toBe(200);
  expect(await tandem.exited).toBe(0);
  expect(tandem.output()).toContain("Stopped.");
  expect(runsPostgres()).toBe(false);
});

test("a second signal ends it at once, and its PostgreSQL, too", async () => {
  const tandem = await startBusy();
  const stopped = tandem.stop();
  const press = () => {
    try {
      return process.kill(tandem.pid, "SIGINT");
    } catch {
      return false;
    }
  };
  await expect.poll(press, UNTIL).toBe(false);
  expect(await stopped).toBe(130);
  expect(held.status).toBeUndefined();
  await expect.poll(runsPostgres, UNTIL).toBe(false);
});

describe("a stop that others are told of", () => {
  const ready = async ({ url }: Tandem) => (await fetch(`${url}/readyz`)).status;

  test("serves on, ends each connection after its answer, and tells trunks, until a second signal ends it", async () => {
    const peer = await SipPeer.open();
    onTestFinished(() => peer.close());
    const sipPort = await ownPort();
    const trunk = { name: "carrier", host: "127.0.0.1", port: peer.port, sources: ["127.0.0.1"], optionsSeconds: 0 };
    const file = join(dataDir, "trunk.config.json");
    writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [trunk] } }));
    const tandem = await startTandem({
      dataDir,
      environment: { TANDEM_LAME_DUCK_SECONDS: "3600", TANDEM_CONFIG: file, TANDEM_SIP_PORT: String(sipPort) },
    });
    onTestFinished(() => tandem.kill());
    const askHealth = () => peer.send(peer.request("OPTIONS"), sipPort);
    askHealth();
    await peer.next(200);
    const stopped = tandem.exited;
    process.kill(tandem.pid, "SIGTERM");
    await expect.poll(() => ready(tandem), UNTIL).toBe(503);
    const answer = await tandem.get("/carrierLookup/v1/Numbers/+12024561414");
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    expect((await fetch(`${tandem.url}/healthz`)).status).toBe(200);
    askHealth();
    await peer.next(503);
    const press = () => {
      try {
        return process.kill(tandem.pid, "SIGTERM");
      } catch {
        return false;
      }
    };
    await expect.poll(press, UNTIL).toBe(false);
    expect(await stopped).toBe(130);
  });

  test("resets no connection of a balancer that asks whether it is ready", async () => {
    const tandem = await startTandem({ dataDir, environment: { TANDEM_LAME_DUCK_SECONDS: "10" } });
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    onTestFinished(() => agent.destroy());
    let isIn = true;
    const ask = () =>
      new Promise<number | string>((resolve) => {
        get(`${tandem.url}/healthz`, { agent }, (answer) => {
          answer.resume();
          answer.once("end", () => resolve(answer.statusCode ?? 0));
        }).once("error", ({ message }) => resolve(message));
      });
    const outcomes = new Map<number | string, number>();
    const client = async () => {
      while (isIn) {
        const outcome = await ask();
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    process.kill(tandem.pid, "SIGTERM");
    await expect.poll(() => ready(tandem), UNTIL).toBe(503);
    isIn = false;
    await Promise.all(clients);
    expect(await tandem.exited).toBe(0);
    expect([...outcomes.keys()]).toEqual([200]);
  });
});

describe("a stop during the first start", () => {
  const program = fileURLToPath(new URL("../../dist/tandem.js", import.meta.url));
  const QUICK = { timeout: 120_000, interval: 10 };

  // What a terminal or a supervisor does: the whole group gets the signal, even the process that creates the database.
  test.each(["SIGINT", "SIGTERM"] as const)(
    "by %s to the whole process group ends it without a fault",
    async (signal) => {
      const fresh = mkdtempSync(join(tmpdir(), "tandem-first-start-"));
      chmodSync(fresh, 0o755);
      const child = spawn(process.execPath, [program, "serve"], {
        detached: true,
        env: { PATH: process.env.PATH, TANDEM_DATA_DIR: fresh, TANDEM_PORT: "0", TANDEM_LOG_LEVEL: "warn" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      const halfMade = () => readdirSync(fresh).filter((name) => name.includes(".half-"));
      await expect.poll(() => halfMade().some((name) => existsSync(join(fresh, name, "base"))), QUICK).toBe(true);
      process.kill(-(child.pid as number), signal);
      expect(await ended).toBe(0);
      // How far it came before the signal depends on the machine.
      expect(output).toMatch(/^· starting PostgreSQL\n(· .*\n)*Stopped before it was ready\.\n$/);
      expect(halfMade()).toEqual([]);
      forgetTandem(fresh);
    },
  );
});
