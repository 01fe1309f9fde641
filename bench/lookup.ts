// Table hits per second, compared with a bare fastify route that checks the same credentials and returns a constant:
// 100,000 distinct numbers over all countries, rate limits on, with the processor time of each. After each peak, the
// latency of the same side at 80 % of it, over as many connections: a minute later the machine may not be as fast. Then
// the server's memory after its start.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { basic, json, startTandem } from "../test/tandem.ts";
import { type Latencies, requestAtFixedRate } from "./load/at-fixed-rate.ts";
import { type CpuUs, compareCpu, countCpu, type Processes, processesOf } from "./load/processor-time.ts";
import { median, medians, printResult, round } from "./load/result.ts";
import { numbersOfAllCountries } from "./lookup/numbers.ts";

const NUMBERS = 100_000;
const ROUNDS = 5;
const SECONDS = 4;
const LATENCY_SECONDS = 3;
const CONNECTIONS = 64;

const scratch = mkdtempSync(join(tmpdir(), "tandem-bench-"));
const paths = join(scratch, "paths.txt");
const script = join(scratch, "numbers.lua");
writeFileSync(
  paths,
  numbersOfAllCountries(NUMBERS)
    .map((number) => `/carrierLookup/v1/Numbers/${number}\n`)
    .join(""),
);
writeFileSync(
  script,
  `local paths, at, faults = {}, 0, 0
for line in io.lines("${paths}") do paths[#paths + 1] = line end
math.randomseed(os.time()); at = math.random(#paths)
request = function() at = at % #paths + 1; return wrk.format("GET", paths[at]) end
response = function(status) if status ~= 200 then faults = faults + 1; if faults == 1 then print("status " .. status) end end end`,
);

const tandem = await startTandem({ environment: { TANDEM_LOG_LEVEL: "warn" } });
const rssMb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${tandem.pid}/status`, "utf8"))?.[1]) / 1024);
const limit = { requests: 1_000_000_000, windowSeconds: 10 };
await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", { limits: { lookup: limit } }));
const bare = spawn(process.execPath, ["--import", "tsx", "bench/lookup/bare.ts", tandem.accountSid, tandem.token], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [port] = await once(bare.stdout, "data");
const bareUrl = `http://127.0.0.1:${String(port).trim()}`;
const { Authorization } = basic(tandem.accountSid, tandem.token);
const LOAD = { authorization: Authorization, requests: paths, seconds: LATENCY_SECONDS, connections: CONNECTIONS };

interface Figures {
  readonly perSecond: number;
  /** For each lookup. */
  readonly cpuUs: CpuUs;
}

interface Side {
  readonly url: string;
  readonly processes: Processes;
}

const sides = {
  bare: { url: bareUrl, processes: { server: bare.pid ?? 0 } },
  ours: { url: tandem.url, processes: processesOf(tandem) },
};

try {
  for (const side of Object.values(sides)) measure(side);
  const rounds = { bare: [] as Figures[], ours: [] as Figures[] };
  const latencies = { bare: [] as Latencies[], ours: [] as Latencies[] };
  for (let round = 1; round <= ROUNDS; round++) {
    for (const name of ["bare", "ours"] as const) {
      const figures = measure(sides[name]);
      const rate = Math.round(figures.perSecond * 0.8);
      const latency = requestAtFixedRate({ url: sides[name].url, rate, ...LOAD });
      rounds[name].push(figures);
      latencies[name].push(latency);
      const { perSecond, cpuUs } = figures;
      console.log(`round ${round}: ${name} ${perSecond}/s, ${JSON.stringify(cpuUs)} µs; ${JSON.stringify(latency)}`);
    }
  }
  const rateOf = (name: "bare" | "ours") => median(rounds[name].map(({ perSecond }) => perSecond));
  const cpuOf = (name: "bare" | "ours") => medians(rounds[name].map(({ cpuUs }) => cpuUs));
  const [ours, peer] = [rateOf("ours"), rateOf("bare")];
  printResult("lookup", {
    ratio: round(ours / peer),
    oursPerSecond: ours,
    barePerSecond: peer,
    ...compareCpu(cpuOf("ours"), cpuOf("bare")),
    latencyAt80Percent: medians(latencies.ours),
    bareLatencyAt80Percent: medians(latencies.bare),
    rssMbAfterStart: rssMb,
    numbers: NUMBERS,
  });
} finally {
  bare.kill();
  await tandem.stop();
  rmSync(scratch, { recursive: true });
}

function measure({ url, processes }: Side): Figures {
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${SECONDS}`, "-s", script, "-H", `Authorization: ${Authorization}`, url];
  const cpuFor = countCpu(processes);
  const { stdout } = spawnSync("wrk", args, { encoding: "utf8" });
  if (/^status \d+|Non-2xx/m.test(stdout)) throw new Error(`not every answer was a 200:\n${stdout}`);
  const perSecond = Math.round(Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]));
  return { perSecond, cpuUs: cpuFor(Number(/(\d+) requests in/.exec(stdout)?.[1])) };
}
