// How long a small account waits for what it shares with a greedy one, over how long it waits alone: the p90 beside it
// over the p90 alone, medians of five rounds, each of them alone and then beside. At most 3 is wanted for every part,
// and that nothing is starved: not served for ten seconds. `npm run bench -- neighbours sms` measures one part,
// `npm run bench -- neighbours sms 1` in one round, and `all` stands for all of them.

import { systemClock } from "../src/base/clock.ts";
import { printResult } from "./load/result.ts";
import { startApi } from "./neighbours/api.ts";
import { startMms } from "./neighbours/mms.ts";
import { measureRound, measureWaits, type Part, type PartResult, type Round, resultOf } from "./neighbours/part.ts";
import { startRecordings } from "./neighbours/recordings.ts";
import { startSms } from "./neighbours/sms.ts";
import { startSpeech } from "./neighbours/speech.ts";
import { startStreams } from "./neighbours/streams.ts";
import { startWebhooks } from "./neighbours/webhooks.ts";

const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  api: startApi,
  sms: startSms,
  mms: startMms,
  webhooks: startWebhooks,
  speech: startSpeech,
  streams: startStreams,
  recordings: startRecordings,
};
const ROUNDS = 5;
const WANTED_RATIO = 3;

const [only = "all", roundsText = String(ROUNDS)] = process.argv.slice(2);
const rounds = Number(roundsText);
const names = only === "all" ? Object.keys(PARTS) : [only];
if (names.some((name) => !(name in PARTS)) || !Number.isInteger(rounds) || rounds < 1) {
  console.error(`usage: npm run bench -- neighbours [all|${Object.keys(PARTS).join("|")}] [ROUNDS]`);
  process.exit(2);
}

const parts: Record<string, PartResult> = {};
for (const name of names) parts[name] = await measure(name);
const results = Object.values(parts);
const ratio = Math.max(...results.map((result) => result.ratio));
const starved = results.some((result) => result.starved);
if (ratio > WANTED_RATIO || starved) process.exitCode = 1;
printResult("neighbours", { ratio, wanted: WANTED_RATIO, starved, rounds, parts });

async function measure(name: string): Promise<PartResult> {
  const part = await (PARTS[name] as () => Promise<Part>)();
  try {
    // A server is slow until it has worked for a while.
    await measureWaits(part, systemClock);
    const measured: Round[] = [];
    for (let number = 1; number <= rounds; number++) {
      const round = await measureRound(part, systemClock);
      measured.push(round);
      console.log(`${name}, round ${number}: ${JSON.stringify(resultOf([round]))}`);
    }
    return resultOf(measured);
  } finally {
    await part.close();
  }
}
