// Messages per second from an HTTP request to the SMSC's acceptance, compared with Kannel on the same work in the same
// run: same SMSC process, same texts, same window. Tandem responds after a durable commit; Kannel's crash-safe mode is
// its spool, without which it stores nothing. Then the latency of acceptance at 80 % of our peak, and the whole loop
// with a receipt and a callback for every message. With the argument `ours` Kannel is left out.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requestAtFixedRate } from "./load/at-fixed-rate.ts";
import { medianCpu } from "./load/processor-time.ts";
import { median, printResult, round } from "./load/result.ts";
import { measureFullLoop } from "./messages/full-loop.ts";
import { type Gateway, startKannel, startOurs, startSmsc } from "./messages/peers.ts";
import { measureSending, type SentFigures, TEXT } from "./messages/send.ts";

const ROUNDS = 3;
const SECONDS = 5;
/** Time for JIT compilers and caches to warm up. */
const WARM_UP_SECONDS = 12;
const CONNECTIONS = 128;

const only = process.argv[2];

const smsc = await startSmsc("plain");
const ours = await startOurs(smsc);
const gateways: Gateway[] = [ours];
if (only !== "ours") gateways.push(await startKannel(smsc, "spool"), await startKannel(smsc, "none"));
const rounds = gateways.map((): SentFigures[] => []);
try {
  for (const gateway of gateways) {
    await measureSending(gateway, smsc, { seconds: WARM_UP_SECONDS, connections: CONNECTIONS });
  }
  for (let number = 1; number <= ROUNDS; number++) {
    for (const [at, gateway] of gateways.entries()) {
      const figures = await measureSending(gateway, smsc, { seconds: SECONDS, connections: CONNECTIONS });
      rounds[at]?.push(figures);
      console.log(`round ${number}: ${gateway.name} ${JSON.stringify(figures)}`);
    }
  }
  const [peak = 0, spool = Number.NaN, none = Number.NaN] = rounds.map((figures) =>
    median(figures.map(({ perSecond }) => perSecond)),
  );
  const [oursCpuUs, kannelSpoolCpuUs, kannelNoneCpuUs] = rounds.map((figures) =>
    medianCpu(figures.map(({ cpuUs }) => cpuUs)),
  );
  for (const gateway of gateways.slice(1)) await gateway.close();
  const accept = acceptAt(Math.round(peak * 0.8));
  console.log(`accepting at 80 %: ${JSON.stringify(accept)}`);
  await ours.close();
  printResult("messages", {
    ratio: round(peak / spool),
    ratioUnsafe: round(peak / none),
    oursPerSecond: peak,
    kannelSpoolPerSecond: spool,
    kannelNonePerSecond: none,
    oursCpuUs,
    kannelSpoolCpuUs,
    kannelNoneCpuUs,
    acceptAt80Percent: accept,
    fullLoop: await measureFullLoop(only),
  });
} finally {
  for (const gateway of gateways) await gateway.close();
  smsc.close();
}

function acceptAt(rate: number): object {
  const scratch = mkdtempSync(join(tmpdir(), "tandem-bench-"));
  const requests = join(scratch, "requests.txt");
  const lines = Array.from({ length: 1000 }, (_, at) => {
    return `/messaging/v1/OutboundMessages\t${ours.form(TEXT)}${String(at).padStart(4, "0")}\n`;
  });
  writeFileSync(requests, lines.join(""));
  const { url, authorization } = ours;
  const figures = requestAtFixedRate({ url, authorization, requests, rate, seconds: 10, connections: CONNECTIONS });
  rmSync(scratch, { recursive: true });
  return figures;
}
