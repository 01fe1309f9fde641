// Two-way media streams: processor time for each stream and second, compared with a bare WebSocket that echoes the
// same JSON plus our own relay of the same packets, in the same run and in turns; the delays from a phone's packet to
// the program's socket and from there back to the phone; and the highest number of streams held. The streams have one
// core, the phones (a C program) and the program that echoes have the other.
//
// `npm run bench -- streams ten-minutes` measures instead whether delay, what waits, or memory grows over ten minutes
// at half of the highest number held, or at the number given after it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { goFirst } from "./load/go-first.ts";
import { compareCpu } from "./load/processor-time.ts";
import { median, medians, printResult } from "./load/result.ts";
import { buildGenerator, type Percentiles } from "./media/phones.ts";
import { measure, measureOver, type Side, type StreamFigures } from "./streams/measure.ts";
import { grown, isHeld } from "./streams/verdicts.ts";

/** The number of streams at which the ratio is taken, and how often; an even number, as the peer's calls have two. */
const STREAMS = 100;
const ROUNDS = 5;
/** Numbers that are tried, and how often each before it counts as not held. */
const HELD_STEP = 50;
const HELD_MAX = 2_000;
const TRIES = 2;
const MINUTES = 10;
/** Until the compiler is done with what runs for each packet. */
const WARM_UP_SECONDS = 8;
const SECONDS = 8;

const [option, given] = process.argv.slice(2);
goFirst();
const folder = mkdtempSync(join(tmpdir(), "tandem-streams-bench-"));

try {
  const place = { generator: buildGenerator(folder), warmUpSeconds: WARM_UP_SECONDS, seconds: SECONDS };
  const sayMeasured = async (side: Side, streams: number): Promise<StreamFigures> => {
    const figures = await measure(side, streams, place);
    console.log(`${side}: ${JSON.stringify(figures)}`);
    return figures;
  };
  const isHeldOnce = async (streams: number): Promise<boolean> => {
    for (let attempt = 0; attempt < TRIES; attempt++) if (isHeld(await sayMeasured("ours", streams))) return true;
    return false;
  };
  const highestHeld = async (): Promise<number> => {
    let held = 0;
    while (held < HELD_MAX && (await isHeldOnce(held + HELD_STEP))) held += HELD_STEP;
    return held;
  };

  if (option === "ten-minutes") {
    const highest = given === undefined ? await highestHeld() : undefined;
    const streams = highest === undefined ? Number(given) : Math.floor(highest / 2);
    const minutes = await measureOver(streams, MINUTES, { ...place, seconds: 60 }, (minute) =>
      console.log(JSON.stringify(minute)),
    );
    const lost = minutes.reduce((sum, { sent, received }) => sum + sent - received, 0);
    printResult("streams ten-minutes", { streams, highest, grown: grown(minutes), lost, minutes });
  } else {
    const rounds: Record<Side, StreamFigures[]> = { bare: [], ours: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const side of ["bare", "ours"] as const) rounds[side].push(await sayMeasured(side, STREAMS));
    }
    const held = await highestHeld();
    const cpuUs = (side: Side) => medians(rounds[side].map((figures) => figures.cpuUs));
    const compared = compareCpu(cpuUs("ours"), cpuUs("bare"));
    const delay = (of: (figures: StreamFigures) => Percentiles | undefined) =>
      delayOf(rounds.ours.flatMap((figures) => of(figures) ?? []));
    printResult("streams", {
      ratio: compared.cpuRatio,
      streams: STREAMS,
      ...compared,
      toProgramMs: delay(({ toProgramMs }) => toProgramMs),
      fromProgramMs: delay(({ fromProgramMs }) => fromProgramMs),
      held,
      rounds,
    });
  }
} finally {
  rmSync(folder, { recursive: true });
}

function delayOf(delays: readonly Percentiles[]): Percentiles {
  return { p50: median(delays.map(({ p50 }) => p50)), p99: median(delays.map(({ p99 }) => p99)) };
}
