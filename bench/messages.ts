// Messages per second from an HTTP request to the SMSC's acceptance, compared with Kannel on the same work in the same
// run: same SMSC process, same texts, same window. Tandem responds after a durable commit; Kannel's crash-safe mode is
// its spool, without which it stores nothing. Then the latency of acceptance at 80 % of our peak, and the whole loop
// with a receipt and a callback for every message. With the argument `ours` Kannel is left out.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requestAtFixedRate } from "./load/at-fixed-rate.ts";
import { compareCpu } from "./load/processor-time.ts";
import { median, medians, printResult, round } from "./load/result.ts";
import { measureFullLoop } from "./messages/full-loop.ts";
import { type Gateway, startKannel, startOurs, startSmsc } from "./messages/peers.ts";
import { measureSending, type SentFigures, TEXT, WARM_UP_MESSAGES } from "./messages/send.ts";

const ROUNDS = 3;
const SECONDS = 5;
const CONNECTIONS = 128;

const only = process.argv[2];

const smsc = await startSmsc("plain");
const ours = await startOurs(smsc);
const gateways: Gateway[] = [ours];
if (only !== "ours") gateways.push(await startKannel(smsc, "spool"), await startKannel(smsc, "none"));
const rounds = gateways.map((): SentFigures[] => []);
try {
  for (const gateway of gateways) {
    for (let warmed = 0; warmed < WARM_UP_MESSAGES; ) {
      warmed += (await measureSending(gateway, smsc, { seconds: SECONDS, connections: CONNECTIONS })).messages;
    }
  }
  for (let number = 1; number <= ROUNDS; number++) {
    for (const [at, gateway] of gateways.entries()) {
      const figures = await measureSending(gateway, smsc, { seconds: SECONDS, connections: CONNECTIONS });
      rounds[at]?.push(figures);
      console.log(`round ${number}: ${gateway.name} ${JSON.stringify(figures)}`);
    }
  }
  const rateOf = (at: number) => median((rounds[at] ?? []).map(({ perSecond }) => perSecond));
  const cpuOf = (at: number) => medians((rounds[at] ?? []).map(({ cpuUs }) => cpuUs));
  const [peak, spool, none] = [rateOf(0), rateOf(1), rateOf(2)];
  const unsafe = compareCpu(cpuOf(0), cpuOf(2));
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
    ...compareCpu(cpuOf(0), cpuOf(1)),
    peerUnsafeCpuUs: unsafe.peerCpuUs,
    cpuRatioUnsafe: unsafe.cpuRatio,
    ...medians((rounds[0] ?? []).flatMap(({ database = [] }) => database)),
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
