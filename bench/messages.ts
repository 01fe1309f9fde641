// Messages per second from an HTTP request to the SMSC's acceptance, against Kannel on the same work in the same run:
// same SMSC process, same texts, same window. Ours is answered after a durable commit; Kannel's spool is its crash-safe
// mode, without it nothing is kept. Then once more with a receipt and a callback for every message, the latency of
// acceptance at 80 % of our peak, and our rate and a page of the list with 1,000,000 messages stored.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseOf } from "../test/tandem-database.ts";
import { type BenchSmsc, type Gateway, startKannel, startOurs, startReceiver, startSmsc } from "./messages/peers.ts";

const ROUNDS = 3;
const SECONDS = 5;
/** Time for JIT compilers and caches to warm up. */
const WARM_UP_SECONDS = 12;
const LOOP_SECONDS = 3;
const CONNECTIONS = 128;
const STORED = 1_000_000;
/** A callback that is missing this long after the last one counts as lost. */
const GIVEN_UP_MS = 10_000;
const TEXT = "Your appointment is tomorrow at 10:30. Reply YES to confirm or call us to change it.";

const scratch = mkdtempSync(join(tmpdir(), "tandem-bench-"));
const only = process.argv[2];

const smsc = await startSmsc("plain");
const ours = await startOurs(smsc);
const gateways: Gateway[] = [ours];
if (only !== "ours") gateways.push(await startKannel(smsc, "spool"), await startKannel(smsc, "none"));
const rates = new Map<string, number[]>(gateways.map(({ name }) => [name, []]));
try {
  for (const gateway of gateways) await measure(gateway, smsc, WARM_UP_SECONDS);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const gateway of gateways) {
      const rate = await measure(gateway, smsc, SECONDS);
      rates.get(gateway.name)?.push(rate);
      console.log(`round ${round}: ${gateway.name} ${rate}/s`);
    }
  }
  const peak = medianOf("ours");
  const spool = medianOf("kannel, store spool");
  const none = medianOf("kannel, store none");
  for (const gateway of gateways.slice(1)) await gateway.close();
  const accept = openLoop(Math.round(peak * 0.8));
  console.log(`accepting at 80 %: ${JSON.stringify(accept)}`);
  const filled = await atOneMillion(peak);
  console.log(`with ${STORED} stored: ${JSON.stringify(filled)}`);
  await ours.close();
  const fullLoop = only === "ours" ? undefined : await measureFullLoop();
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  console.log(
    JSON.stringify({
      bench: "messages",
      ratio: round(peak / spool),
      ratioUnsafe: round(peak / none),
      oursPerSecond: peak,
      kannelSpoolPerSecond: spool,
      kannelNonePerSecond: none,
      acceptAt80Percent: accept,
      atOneMillion: filled,
      fullLoop,
      commit,
    }),
  );
} finally {
  for (const gateway of gateways) await gateway.close();
  smsc.close();
  rmSync(scratch, { recursive: true });
}

/** The same with a receipt and a callback for every message: messages per second until the last callback has come. */
async function measureFullLoop(): Promise<object> {
  const withReceipts = await startSmsc("receipts");
  const receiver = await startReceiver();
  const sides = [await startOurs(withReceipts), await startKannel(withReceipts, "spool")] as const;
  const told = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  const lost = new Map<string, number>(sides.map(({ name }) => [name, 0]));
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      for (const side of sides) {
        const rate = await loopOnce(side);
        // The first is for warming up.
        if (round > 0) told.get(side.name)?.push(rate);
        console.log(`with receipts and callbacks, round ${round}: ${side.name} ${rate}/s`);
      }
    }
  } finally {
    for (const side of sides) await side.close();
    receiver.close();
    withReceipts.close();
  }
  const [oursPerSecond, kannelPerSecond] = sides.map(({ name }) => median(told.get(name) ?? []));
  const [oursLost, kannelLost] = sides.map(({ name }) => lost.get(name));
  const ratio = round((oursPerSecond ?? 0) / (kannelPerSecond ?? 1));
  return { oursPerSecond, kannelPerSecond, ratio, oursLost, kannelLost };

  async function loopOnce(side: Gateway): Promise<number> {
    const before = await receiver.count();
    const startMs = performance.now();
    // Tandem calls back for acceptance and delivery, Kannel (mask 1) for delivery.
    const sent = await send(side, LOOP_SECONDS, receiver.url);
    const perMessage = side.name === "ours" ? 2 : 1;
    let come = 0;
    let lastMs = performance.now();
    while (come < sent * perMessage && performance.now() - lastMs < GIVEN_UP_MS) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const now = (await receiver.count()) - before;
      if (now > come) lastMs = performance.now();
      come = now;
    }
    lost.set(side.name, (lost.get(side.name) ?? 0) + sent * perMessage - come);
    return Math.round(come / perMessage / ((lastMs - startMs) / 1000));
  }
}

/** Messages per second, from the first request to the SMSC's last acceptance. */
async function measure(gateway: Gateway, via: BenchSmsc, seconds: number): Promise<number> {
  const before = (await via.counts()).submits;
  const startMs = performance.now();
  const sent = await send(gateway, seconds, undefined);
  while ((await via.counts()).submits - before < sent) await new Promise((resolve) => setTimeout(resolve, 5));
  return Math.round(sent / ((performance.now() - startMs) / 1000));
}

/** Returns how many were accepted. */
async function send(gateway: Gateway, seconds: number, callback: string | undefined): Promise<number> {
  const script = join(scratch, "send.lua");
  writeFileSync(script, gateway.script({ text: TEXT, callback }));
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}`, "-s", script, gateway.url];
  const wrk = spawn("wrk", args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  wrk.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(wrk, "close");
  if (/^status \d+|Non-2xx/m.test(output)) throw new Error(`${gateway.name}: not every message was taken:\n${output}`);
  return Number(/(\d+) requests in/.exec(output)?.[1]);
}

function openLoop(rate: number): object {
  const request = join(scratch, "requests.txt");
  const { Authorization, body } = requestOf();
  writeFileSync(
    request,
    `${Array.from({ length: 1000 }, (_, index) => `/messaging/v1/OutboundMessages\t${body}${String(index).padStart(4, "0")}`).join("\n")}\n`,
  );
  const args = ["--import", "tsx", "bench/load/open-loop.ts", ours.url, Authorization, request, String(rate), "10"];
  const figures = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as { failed: number };
  if (figures.failed > 0) throw new Error(`${figures.failed} messages at a fixed rate were not accepted`);
  return { rate, ...figures };
}

function requestOf(): { Authorization: string; body: string } {
  const script = ours.script({ text: TEXT, callback: undefined });
  return {
    Authorization: /"Authorization"\] = "([^"]+)"/.exec(script)?.[1] as string,
    body: /local head = "([^"]+)"/.exec(script)?.[1] as string,
  };
}

async function atOneMillion(empty: number): Promise<object> {
  const db = databaseOf(ours.tandem);
  const emptyPageMs = await pageMs();
  // Longer than the statement timeout of the product.
  await db.query("set statement_timeout = 0");
  await db.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, created_at, expires_at)
     select $1, 'OM' || lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 19), '+14155550150',
            '+1415474' || lpad((n % 10000)::text, 4, '0'), $2, 'Delivered', 1, 'GSM7', 2, now(), now() from generate_series(1, ${STORED}) as n`,
    [ours.tandem.accountSid, TEXT],
  );
  await db.query("vacuum analyze outbound_messages");
  const perSecond = await measure(ours, smsc, SECONDS);
  return { perSecond, ratioToEmpty: round(perSecond / empty), emptyPageMs, pageMs: await pageMs() };
}

async function pageMs(): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 50; n++) {
    const startMs = performance.now();
    await (await ours.tandem.get("/messaging/v1/OutboundMessages?PageSize=50")).text();
    times.push(performance.now() - startMs);
  }
  return round(times.sort((one, other) => one - other)[25] ?? 0);
}

function medianOf(name: string): number {
  return median(rates.get(name) ?? []);
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
