// Processor time of a conference of fifty telephones on PCMU and PCMA, all of whom speak, through the media engine as
// the product has it, beside the same telephones in twenty-five calls of two in the same run, which are relayed. Both
// have 2,500 packets a second in and as many out, on the fast path and on the portable one. Argument: for how many
// seconds each is measured.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { RUNTIME_FLAGS } from "../scripts/runtime-flags.mjs";
import { Phones } from "./conference/phones.ts";
import { goFirst } from "./load/go-first.ts";
import { cpuMs } from "./load/processor-time.ts";
import { medians, printResult, round } from "./load/result.ts";

const LEGS = 50;
const FIRST_PHONE = 21_000;
const ROUNDS = 3;
const WARM_UP_MS = 2_000;
const seconds = Number(process.argv[2] ?? 10);

type Form = "conference" | "calls";
type Path = "fast" | "portable";

interface Figures {
  /** Of one core. */
  readonly cpuPercent: number;
  /** For a second of one telephone. */
  readonly cpuUs: number;
  /** Packets that telephones got, of those that they should have got. */
  readonly receivedPercent: number;
  /** Of those, the ones with more than silence. */
  readonly spokenPercent: number;
}

goFirst();
const figures: Record<Path, Record<Form, Figures> & { readonly dearer: number }> = {
  fast: await compare("fast"),
  portable: await compare("portable"),
};
printResult("conference", { participants: LEGS, ...figures });

/** In turns: the machine changes its speed. */
async function compare(path: Path) {
  const [conference, calls]: [Figures[], Figures[]] = [[], []];
  for (let turn = 0; turn < ROUNDS; turn++) {
    conference.push(await measure("conference", path));
    calls.push(await measure("calls", path));
  }
  const [mixed, relayed] = [medians(conference), medians(calls)];
  return { conference: mixed, calls: relayed, dearer: round(mixed.cpuUs / relayed.cpuUs) };
}

async function measure(form: Form, path: Path): Promise<Figures> {
  const args = [...RUNTIME_FLAGS, "--import", "tsx", "bench/conference/ours.ts", form, path];
  const engine = spawn(process.execPath, [...args, String(LEGS), String(FIRST_PHONE)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(engine, "exit");
  const ports: number[] = [];
  for await (const line of createInterface({ input: engine.stdout })) {
    if (line === "ready") break;
    ports.push(Number(line));
  }
  const phones = await Phones.open(FIRST_PHONE, ports);
  try {
    await delay(WARM_UP_MS);
    const engineMs = () => cpuMs({ engine: engine.pid ?? 0 }).engine ?? 0;
    const [before, beforeMs, startMs] = [phones.counts, engineMs(), performance.now()];
    await delay(seconds * 1_000);
    const [after, usedMs, tookMs] = [phones.counts, engineMs() - beforeMs, performance.now() - startMs];
    const received = after.received - before.received;
    return {
      cpuPercent: round((usedMs * 100) / tookMs),
      cpuUs: Math.round((usedMs * 1_000_000) / tookMs / LEGS),
      receivedPercent: round((received * 100) / ((LEGS * tookMs) / 20)),
      spokenPercent: round(((after.spoken - before.spoken) * 100) / received),
    };
  } finally {
    phones.close();
    engine.stdin.end();
    await exited;
  }
}
