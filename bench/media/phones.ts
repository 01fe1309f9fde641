// The phones of a benchmark: builds generator.c, runs it on a core of its own, and says when measuring begins and ends.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Phones {
  readonly generator: string;
  readonly core: string;
  /** "Own port, port to send to" of each phone. */
  readonly lines: readonly string[];
  readonly warmUpSeconds: number;
  /** Of an interval. */
  readonly seconds: number;
  readonly intervals?: number;
}

/** In ms. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

/** What the phones of one interval saw. */
export interface PhoneFigures extends Percentiles {
  readonly sent: number;
  /** Of the sound that was sent, by its markers. */
  readonly received: number;
  /** Packets of any sound. */
  readonly packets: number;
  /** Where a program was on the way: from the phone to it, and from it to the phone. */
  readonly toProgram?: Percentiles;
  readonly fromProgram?: Percentiles;
}

export interface PhoneMoments {
  /** The warm-up is over. */
  begin(): void;
  /** The last packet is sent, which is before the last figures. */
  end?(): void;
  figures?(figures: PhoneFigures): void;
}

export function buildGenerator(folder: string): string {
  const generator = join(folder, "generator");
  execFileSync("gcc", ["-O2", "-o", generator, new URL("./generator.c", import.meta.url).pathname]);
  return generator;
}

/** The figures of each interval. */
export async function runPhones(phones: Phones, moments: PhoneMoments): Promise<readonly PhoneFigures[]> {
  const { generator, core, lines, warmUpSeconds, seconds, intervals = 1 } = phones;
  const times = [warmUpSeconds, seconds, intervals].map(String);
  const child = spawn("nice", ["-n", "-12", "taskset", "-c", core, generator, ...times], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(`${lines.join("\n")}\n`);
  const output = createInterface({ input: child.stdout });
  const all: PhoneFigures[] = [];
  output.on("line", (line) => {
    if (line === "begin") moments.begin();
    else if (line === "end") moments.end?.();
    else {
      const figures = JSON.parse(line) as PhoneFigures;
      all.push(figures);
      moments.figures?.(figures);
    }
  });
  await once(output, "close");
  if (all.length !== intervals) throw new Error(`the phones measured ${all.length} of ${intervals} intervals`);
  return all;
}
