// Calls per second through a whole Tandem: SIPp calls a number, which is forwarded to another SIPp. Every call is
// stored durably with its six events. For comparison SIPp calls SIPp directly in the same run: the most that the load
// tool and this machine can do. A rate counts when no call failed and nothing was retransmitted. Processor time is that
// of the called side: Tandem, or SIPp.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../src/adapters/store/engine/database.ts";
import { json, startTandem, type Tandem } from "../test/tandem.ts";
import { databaseOf } from "../test/tandem-database.ts";
import { countDatabaseWork, type DatabaseWork } from "./load/database-work.ts";
import { goFirst } from "./load/go-first.ts";
import { type CpuUs, compareCpu, countCpu, type Processes, processesOf } from "./load/processor-time.ts";
import { printResult } from "./load/result.ts";

const RATES = [200, 300, 400, 500, 600, 700, 800, 1000, 1200];
const SECONDS = 10;
/** A call is some twenty SIP messages and six events: V8 has optimised what handles them after so many calls. */
const WARM_UP = { rate: 100, calls: 3_000 };
/** How long each call lasts. */
const TALK_MS = 1000;
const SIP_PORT = 15_060;
const CALLEE_PORT = 15_070;
const CALLER_PORT = 15_080;
const DIRECT_PORT = 15_090;
const EVENTS_OF_A_CALL = 6;
const GIVEN_UP_MS = 60_000;

interface Figures {
  readonly rate: number;
  readonly failed: number;
  readonly retransmissions: number;
  /** For each call. */
  readonly cpuUs: CpuUs;
  /** Of the side that stores. */
  readonly database?: DatabaseWork;
}

interface Load {
  readonly rate: number;
  readonly calls: number;
}

interface Side {
  readonly name: string;
  /** The address that SIPp calls. */
  readonly remote: string;
  readonly processes: Processes;
  readonly database?: Database;
}

goFirst();
const folder = mkdtempSync(join(tmpdir(), "tandem-calls-bench-"));
const callee = startCallee(CALLEE_PORT);
const directCallee = startCallee(DIRECT_PORT);
const tandem = await startOurs();
const database = databaseOf(tandem);
try {
  const number = await forwardedNumber(tandem);
  const sides = {
    ours: { name: "ours", remote: `127.0.0.2:${SIP_PORT}`, processes: processesOf(tandem), database },
    direct: { name: "direct", remote: `127.0.0.1:${DIRECT_PORT}`, processes: { callee: directCallee.pid ?? 0 } },
  };
  await callAt({ ...sides.ours, name: "warm-up" }, number, WARM_UP);
  const ours = await highestRate(sides.ours, number);
  const direct = await highestRate(sides.direct, number);
  const { made, events } = await untilStored();
  printResult("calls", {
    ratio: Math.round((ours.rate / direct.rate) * 100) / 100,
    callsPerSecond: ours.rate,
    directPerSecond: direct.rate,
    ...compareCpu(ours.cpuUs, direct.cpuUs),
    ...ours.database,
    made,
    events,
  });
} finally {
  await database.close();
  await tandem.stop();
  for (const child of [callee, directCallee]) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
}

async function startOurs(): Promise<Tandem> {
  const trunk = { name: "bench", host: "127.0.0.1", port: CALLEE_PORT, sources: ["127.0.0.1"], optionsSeconds: 0 };
  const config = join(folder, "tandem.config.json");
  writeFileSync(config, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [trunk] } }));
  return startTandem({
    environment: {
      TANDEM_CONFIG: config,
      TANDEM_LOG_LEVEL: "warn",
      TANDEM_SIP_PORT: String(SIP_PORT),
      TANDEM_RTP_PORTS: "20000-59999",
      TANDEM_SIP_TRACE: "off",
    },
  });
}

/** Returns a number of the demo account whose calls are forwarded over the trunk. */
async function forwardedNumber({ accountSid, operator, get }: Tandem): Promise<string> {
  const most = { requests: 1_000_000_000, windowSeconds: 10 };
  const limits = { call: most, concurrentCalls: most };
  const changed = await operator(
    `/operator/v1/Accounts/${accountSid}`,
    json("PATCH", { limits, allowedCountries: ["US"] }),
  );
  if (!changed.ok) throw new Error(await changed.text());
  const phones = (await (await get("/v1/Phones")).json()) as { items: { number: string; features: string[] }[] };
  const number = phones.items.find(({ features }) => features.includes("VOICE"))?.number;
  if (number === undefined) throw new Error("the demo account has no number with VOICE");
  const set = await get(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: "+14155550199" }));
  if (!set.ok) throw new Error(await set.text());
  return number;
}

/** The last rate before the first one that fails. */
async function highestRate(side: Side, number: string): Promise<Figures> {
  let highest: Figures = { rate: 0, failed: 0, retransmissions: 0, cpuUs: { all: 0 } };
  for (const rate of RATES) {
    const figures = await callAt(side, number, { rate, calls: rate * SECONDS });
    if (figures.failed > 0 || figures.retransmissions > 0) break;
    highest = figures;
  }
  return highest;
}

async function callAt(side: Side, number: string, { rate, calls }: Load): Promise<Figures> {
  const { name, remote, processes, database } = side;
  const statistics = join(folder, `${name}-${rate}.csv`);
  const workFor = database && (await countDatabaseWork(database));
  const cpuFor = countCpu(processes);
  const child = spawn(
    "nice",
    [
      ...["-n", "-10", "sipp", "-sn", "uac", "-i", "127.0.0.1", "-p", String(CALLER_PORT), "-s", number, "-nostdin"],
      ...["-r", String(rate), "-m", String(calls), "-l", String(calls), "-d", String(TALK_MS)],
      ...["-trace_stat", "-stf", statistics, "-fd", "1", "-timeout", `${calls / rate + 60}s`, remote],
    ],
    { cwd: folder, stdio: "ignore" },
  );
  await once(child, "exit");
  const cpuUs = cpuFor(calls);
  const [head = "", ...rows] = readFileSync(statistics, "utf8").trim().split("\n");
  const names = head.split(";");
  const last = rows.at(-1)?.split(";") ?? [];
  const columnOf = (column: string) => Number(last[names.indexOf(column)] ?? Number.NaN);
  const failed = calls - columnOf("SuccessfulCall(C)");
  const figures = {
    rate,
    failed,
    retransmissions: columnOf("Retransmissions(C)"),
    cpuUs,
    ...(workFor && { database: await workFor(calls) }),
  };
  console.log(`${name}: ${JSON.stringify(figures)}`);
  return figures;
}

function startCallee(port: number) {
  const args = ["-n", "-10", "sipp", "-sn", "uas", "-i", "127.0.0.1", "-p", String(port), "-nostdin"];
  return spawn("nice", args, { cwd: folder, stdio: "ignore" });
}

/** Waits until every call has its record and all of its events, or until the deadline. */
async function untilStored(): Promise<{ readonly made: number; readonly events: number }> {
  for (const deadline = Date.now() + GIVEN_UP_MS; ; ) {
    const [row] = await database.query<{ made: string; events: string }>(
      "select (select count(*) from calls) made, (select count(*) from events where type = 'CallStatusChangedWebhook') events",
      [],
    );
    const [made, events] = [Number(row?.made), Number(row?.events)];
    if (events === made * EVENTS_OF_A_CALL || Date.now() > deadline) return { made, events };
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
