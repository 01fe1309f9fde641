// kill -9 of the server while calls are being recorded, and while their files are being encoded: every recording ends
// Completed, has lost a second at most, and has one event.

import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, take, WIDE, whenListed } from "../contract/numbers.ts";
import { ownPort } from "../own-port.ts";
import { requirePeer } from "../peers/peer.ts";
import { type Sipp, startSipp } from "../peers/sipp.ts";
import { dropDatabase, newDatabase } from "../shared-database.ts";
import { forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const program = requirePeer("sipp", "sip-tester");
const ROUNDS = roundsOf({ quick: 2, long: 20 });
const CALLS = 10;
const UNTIL = { timeout: 120_000, interval: 50 };
const LOST_MS_MAX = 1_000;
const OCTETS_PER_SECOND = 16_000;

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly answeredOn: string;
  readonly completedOn: string;
  readonly recordings: {
    readonly sid: string;
    readonly status: string;
    readonly durationSeconds: number;
    readonly segments: readonly {
      readonly durationSeconds: number;
      readonly sizeBytes: number;
      readonly sha256: string;
    }[];
  };
}

interface Event {
  readonly resourceSid: string;
  readonly payload: { readonly RecordingSid: string; readonly DurationSeconds: number };
}

type Owner = Pick<TestAccount, "call">;

describe.skipIf(!program)("recordings of a server that is killed", () => {
  const running: Sipp[] = [];
  const folders: string[] = [];
  const servers = new Set<Tandem>();

  afterEach(async () => {
    for (const sipp of running.splice(0)) await sipp.stop();
    for (const server of servers) await server.stop();
    servers.clear();
    for (const folder of folders.splice(0)) forgetTandem(folder);
  });

  const play = (order: Omit<Parameters<typeof startSipp>[0], "program">) => {
    const sipp = startSipp({ program: program ?? "", ...order });
    running.push(sipp);
    return sipp;
  };

  /** Two telephones that wait until the other side hangs up. */
  async function openNetwork() {
    const dataDir = mkdtempSync(join(tmpdir(), "tandem-recordings-"));
    folders.push(dataDir);
    const [sipPort, carrierPort, callerPort] = [await ownPort(), await ownPort(), await ownPort()];
    const trunk = { name: "carrier", host: "127.0.0.1", port: carrierPort, sources: ["127.0.0.1"], optionsSeconds: 0 };
    const file = join(dataDir, "tandem.config.json");
    writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [trunk] } }));
    const environment = {
      TANDEM_CONFIG: file,
      TANDEM_SIP_PORT: String(sipPort),
      TANDEM_RTP_PORTS: "0",
      TANDEM_DRAIN_SECONDS: "1",
    };
    const call = async (number: string, calls: number) => {
      const callee = play({ calls, scenario: "callee", port: carrierPort });
      await callee.listening();
      const remote = `127.0.0.2:${sipPort}`;
      const caller = play({ calls, scenario: "dropped-caller", port: callerPort, remote, service: number, rate: 25 });
      return async () => {
        expect(await caller.exited, caller.report()).toBe(0);
        expect(await callee.exited, callee.report()).toBe(0);
      };
    };
    return { dataDir, environment, call };
  }

  test(
    "are completed by the next one, with all but a second of what was said, and told of once",
    async () => {
      const { dataDir, environment, call } = await openNetwork();
      const start = (round: number) => {
        const TANDEM_RTP_PATH = round % 4 < 2 ? "fast" : "portable";
        return startTandem({ dataDir, environment: { ...environment, TANDEM_RTP_PATH } });
      };
      let tandem = await start(1);
      servers.add(tandem);
      const { account, number } = await recordedNumber(tandem);
      let owner: Owner = account;
      for (let round = 1; round <= ROUNDS; round++) {
        const whenHungUp = await call(number, CALLS);
        await expect.poll(async () => (await callsOf(owner, "Answered")).length, UNTIL).toBe(CALLS);
        await expect.poll(() => shortestRaw(dataDir, CALLS), UNTIL).toBeGreaterThan(1.5 * OCTETS_PER_SECOND);
        const isRecording = round % 2 === 1;
        const calls = await callsOf(owner, "Answered");
        const unfinished = isRecording ? CALLS : await endAll(owner, calls);
        const killedMs = Date.now();
        await tandem.kill();
        servers.delete(tandem);
        tandem = await start(round + 1);
        servers.add(tandem);
        owner = accessOf(tandem, account);
        await whenHungUp();
        const sids = new Set(calls.map(({ sid }) => sid));
        const ended = async () => (await callsOf(owner, "Completed")).filter(({ sid }) => sids.has(sid));
        const statuses = async () => [...new Set((await ended()).map(({ recordings }) => recordings.status))];
        await expect.poll(statuses, UNTIL).toEqual(["Completed"]);
        for (const one of await ended()) await expectWhole(owner, one, isRecording ? killedMs : undefined);
        await expect.poll(() => readdirSync(rawFolder(dataDir)), UNTIL).toEqual([]);
        const when = `mid-${isRecording ? "recording" : "encoding"}, ${unfinished} unfinished`;
        console.log(`round ${round}/${ROUNDS}: killed in ${when}`);
      }
      await expectToldOnce(owner);
    },
    LONG_TIMEOUT_MS,
  );

  test(
    "are controlled by way of any process, and completed where their audio is when another one ended their calls",
    async () => {
      const { dataDir, environment, call } = await openNetwork();
      // The first server's own PostgreSQL would outlive it, with no server to stop it.
      const databaseUrl = await newDatabase();
      onTestFinished(() => dropDatabase(databaseUrl));
      const first = await startTandem({ dataDir, databaseUrl, environment });
      servers.add(first);
      const { account, number } = await recordedNumber(first);
      const second = await startBeside(first, { ...environment, TANDEM_SIP_PORT: String(await ownPort()) });
      servers.add(second);
      const owner = accessOf(second, account);
      const whenHungUp = await call(number, 1);
      await expect.poll(async () => (await callsOf(owner, "Answered")).length, UNTIL).toBe(1);
      const [live] = await callsOf(owner, "Answered");
      const control = async (action: string) => {
        const path = `/v1/Calls/${live?.sid}/recording-control`;
        const { status } = await answerOf<CallBody["recordings"]>(
          await owner.call(path, json("POST", { action })),
          200,
        );
        return status;
      };
      expect([await control("Pause"), await control("Resume")]).toEqual(["Paused", "Recording"]);
      await expect.poll(() => shortestRaw(dataDir, 1), UNTIL).toBeGreaterThan(0);
      await first.kill();
      servers.delete(first);
      await whenHungUp();
      const ended = async () => (await callsOf(owner, "Completed"))[0];
      await expect.poll(async () => (await ended())?.recordings.status, UNTIL).toBe("Processing");
      servers.add(await startTandem({ dataDir, databaseUrl, environment }));
      await expect.poll(async () => (await ended())?.recordings.status, UNTIL).toBe("Completed");
      expect((await ended())?.recordings.segments).toHaveLength(2);
      await expectToldOnce(owner);
    },
    LONG_TIMEOUT_MS,
  );
});

async function recordedNumber(tandem: Tandem): Promise<{ readonly account: TestAccount; readonly number: string }> {
  const limits = { read: WIDE, write: WIDE, concurrentCalls: WIDE };
  const account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
  const number = await newNumber(tandem);
  await take(account, number);
  const voice = json("PUT", { callsForwardedTo: "+14155550199", recordInboundCalls: true });
  await answerOf(await account.call(`/v1/Phones/${number}/voice`, voice), 200);
  return { account, number };
}

/** The same account on a restarted server, on another port. */
function accessOf({ url }: Tandem, account: TestAccount): Owner {
  const headers = { Authorization: `Basic ${Buffer.from(`${account.sid}:${account.token}`).toString("base64")}` };
  return { call: (path, init) => fetch(url + path, { ...init, headers: { ...headers, ...init?.headers } }) };
}

async function callsOf({ call }: Owner, status: string): Promise<readonly CallBody[]> {
  const { items } = await answerOf<List<CallBody>>(await call(`/v1/Calls?Status=${status}&PageSize=1000`), 200);
  return items;
}

const rawFolder = (dataDir: string) => join(dataDir, "recordings", "raw");

/** In octets, 0 while there are fewer than `count`; recordings of earlier calls were encoded already. */
function shortestRaw(dataDir: string, count: number): number {
  const raw = rawFolder(dataDir);
  const sizes = readdirSync(raw).map((name) => statSync(join(raw, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.length < count ? 0 : Math.min(...sizes);
}

/** Hangs up all calls; returns the number of unfinished recordings when the first file is ready. */
async function endAll(owner: Owner, calls: readonly CallBody[]): Promise<number> {
  const sids = new Set(calls.map(({ sid }) => sid));
  await Promise.all(
    calls.map(async ({ sid }) => answerOf(await owner.call(`/v1/Calls/${sid}/hangup`, json("POST", {})), 200)),
  );
  let unfinished = CALLS;
  const isAnyDone = async () => {
    const ended = (await callsOf(owner, "Completed")).filter(({ sid }) => sids.has(sid));
    unfinished = ended.filter(({ recordings }) => recordings.status !== "Completed").length;
    return unfinished < CALLS;
  };
  await expect.poll(isAnyDone, { ...UNTIL, interval: 5 }).toBe(true);
  return unfinished;
}

async function expectWhole({ call }: Owner, recorded: CallBody, killedMs: number | undefined): Promise<void> {
  const { sid, recordings, answeredOn, completedOn } = recorded;
  const [segment] = recordings.segments;
  expect(recordings.segments, sid).toHaveLength(1);
  const endedMs = killedMs ?? Date.parse(completedOn);
  const lostMs = endedMs - Date.parse(answeredOn) - recordings.durationSeconds * 1000;
  expect(lostMs, sid).toBeLessThanOrEqual(killedMs === undefined ? 40 : LOST_MS_MAX);
  expect(lostMs, sid).toBeGreaterThanOrEqual(-40);
  const answer = await call(`/v1/Calls/${sid}/recordings/1`);
  expect(answer.status, sid).toBe(200);
  const octets = new Uint8Array(await answer.arrayBuffer());
  expect(octets.length, sid).toBe(segment?.sizeBytes);
  expect(createHash("sha256").update(octets).digest("hex"), sid).toBe(segment?.sha256);
}

async function expectToldOnce(owner: Owner): Promise<void> {
  const calls = await callsOf(owner, "Completed");
  const sids = new Set(calls.map(({ sid }) => sid));
  // This adds an event of a recording that does not exist.
  await whenListed(owner);
  const told: string[] = [];
  for (let searchId: string | undefined = ""; searchId !== undefined; ) {
    const page: string = searchId === "" ? "" : `&SearchId=${searchId}`;
    const path = `/v1/Events?PageSize=1000&Type=CallRecordingCompleted${page}`;
    const list: List<Event> = await answerOf<List<Event>>(await owner.call(path), 200);
    const ours = list.items.filter(({ resourceSid }) => sids.has(resourceSid));
    told.push(...ours.map(({ payload }) => payload.RecordingSid));
    searchId = list.searchId;
  }
  expect(told.sort()).toEqual(calls.map(({ recordings }) => recordings.sid).sort());
}
