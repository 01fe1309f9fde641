// Submits answered per second by our link against npm's smpp as the client of the same SMSC, window 100, one
// connection, an 86-character text, both with the server's options of Node. The link cuts, encodes, tracks and times
// out its messages; npm's smpp writes a PDU and calls back.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { RUNTIME_FLAGS } from "../scripts/runtime-flags.mjs";
import { median, printResult } from "./load/result.ts";

const ROUNDS = 5;

interface Figures {
  readonly perSecond: number;
  readonly cpuUs: number;
}

const run = ["--import", "tsx"];
const smsc = spawn(process.execPath, [...run, "bench/smpp/smsc.ts"], { stdio: ["ignore", "pipe", "inherit"] });
const [port] = await once(smsc.stdout, "data");

try {
  const ours: Figures[] = [];
  const npm: Figures[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    npm.push(measure("npm"));
    ours.push(measure("ours"));
    console.log(`round ${round}: npm smpp ${npm.at(-1)?.perSecond}/s, ours ${ours.at(-1)?.perSecond}/s`);
  }
  const of = (all: readonly Figures[], name: keyof Figures) => median(all.map((figures) => figures[name]));
  printResult("smpp", {
    ratio: Math.round((of(ours, "perSecond") / of(npm, "perSecond")) * 100) / 100,
    oursPerSecond: of(ours, "perSecond"),
    npmPerSecond: of(npm, "perSecond"),
    oursCpuUs: of(ours, "cpuUs"),
    npmCpuUs: of(npm, "cpuUs"),
    window: 100,
  });
} finally {
  smsc.kill();
}

function measure(client: "ours" | "npm"): Figures {
  const args = [...RUNTIME_FLAGS, ...run, `bench/smpp/${client}.ts`, String(port).trim()];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 })) as Figures;
}
