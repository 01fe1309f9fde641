// Signals: each of them stops the server in order, a second one at once, and its PostgreSQL ends with it.

import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type HeldLookupService, startLookupService } from "../fakes/lookup-service.ts";
import { clusterOf, forgetTandem, startTandem, type Tandem, type TandemOrder } from "../tandem.ts";

const UNTIL = { timeout: 30_000, interval: 200 };

let dataDir: string;
let service: HeldLookupService;
/** What becomes of the request that runs until the service answers. */
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
  // An hour: only the end of what runs, or a second signal, can end it in time.
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
