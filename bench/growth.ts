// How our figures change when much data is stored: 10,000,000 messages with their events and deliveries, or as many as
// the argument says (`npm run bench -- growth 100000`), compared with a nearly empty server, in the same run,
// alternately. A ratio below 1 means that the full server is slower; on a busy machine the ratios of processor time
// (`…CpuUs`) are more reliable. Then the disk space of a message, and the time to drop a week of records and to restart
// it. Takes about 2 KB of disk for each message.

import { mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RECORD_TABLES, tendPartitions } from "../src/adapters/store/engine/partitions.ts";
import { mondayOf } from "../src/adapters/store/engine/weeks.ts";
import { forgetTandem } from "../test/tandem.ts";
import { fill, makePartitions, WEEKS_BACK } from "./growth/fill.ts";
import { type Figures, Side, STEPS } from "./growth/side.ts";
import { median, printResult, round } from "./load/result.ts";
import { startSmsc } from "./messages/peers.ts";

const ROWS = Number(process.argv[2] ?? 10_000_000);
const BYTES_PER_ROW = 2_500;
const SPARE_BYTES = 4e9;
const WANTED_RATIO = 0.9;
const DAY_MS = 24 * 3_600_000;

if (!Number.isInteger(ROWS) || ROWS < 1000) throw new Error("how many rows: a whole number, 1000 or more");
const { bavail, bsize } = statfsSync(tmpdir());
if (bavail * bsize < ROWS * BYTES_PER_ROW + SPARE_BYTES) throw new Error("there is too little space on the disk");

const smsc = await startSmsc("receipts");
const dataDirs = [1, 2].map(() => mkdtempSync(join(tmpdir(), "tandem-growth-"))) as [string, string];
const sides: Side[] = [];
try {
  const empty = await start("empty", dataDirs[0]);
  const full = await start("full", dataDirs[1]);
  const now = new Date();
  const from = mondayOf(now, -WEEKS_BACK);
  for (const side of sides) await makePartitions(side.db, from);
  const fillStartMs = performance.now();
  await fill(full.settings, {
    rows: ROWS,
    accountSid: full.accountSid,
    subscriptionSid: full.subscriptionSid,
    from,
    to: new Date(now.getTime() - 60_000),
  });
  const fillSeconds = Math.round((performance.now() - fillStartMs) / 1000);
  const disk = await diskOf(full);
  console.log(`filled in ${fillSeconds} s: ${JSON.stringify(disk)}`);
  const warmUpFrom = new Date();
  for (const side of sides) {
    await side.warmUp();
    await side.lookAround(side === full ? from : warmUpFrom, new Date());
  }
  const compared = await compareSides({ empty, full });
  const dropMs = await dropOldestWeek(full, from);
  const restart = { empty: await empty.restart(), full: await full.restart() };
  printResult("growth", {
    rows: ROWS,
    lowestRatio: Math.min(...Object.values(compared).map(({ ratio }) => ratio)),
    below: Object.keys(compared).filter((name) => (compared[name]?.ratio ?? 1) < WANTED_RATIO),
    compared,
    disk,
    dropWeekMs: dropMs,
    restart,
    fillSeconds,
  });
} finally {
  for (const side of sides) await side.close();
  smsc.close();
  for (const dataDir of dataDirs) forgetTandem(dataDir);
}

async function start(name: string, dataDir: string): Promise<Side> {
  const side = await Side.start(name, smsc, dataDir);
  sides.push(side);
  return side;
}

interface Compared {
  readonly empty: number;
  readonly full: number;
  /** For rates full / empty, for times empty / full: 0.9 means that the full server needs a ninth more. */
  readonly ratio: number;
}

/** Runs each step in rounds, alternating between both sides; the first round only warms up. */
async function compareSides(
  bySide: Readonly<Record<"empty" | "full", Side>>,
): Promise<Readonly<Record<string, Compared>>> {
  const compared: Record<string, Compared> = {};
  for (const { rounds, measure } of STEPS) {
    const figures = { empty: [] as Figures[], full: [] as Figures[] };
    for (let number = 0; number <= rounds; number++) {
      for (const name of number % 2 === 0 ? (["empty", "full"] as const) : (["full", "empty"] as const)) {
        const measured = await measure(bySide[name]);
        if (number > 0) figures[name].push(measured);
      }
    }
    console.log(JSON.stringify(figures));
    Object.assign(compared, compare(figures.empty, figures.full));
  }
  return compared;
}

function compare(empty: readonly Figures[], full: readonly Figures[]): Readonly<Record<string, Compared>> {
  const names = Object.keys(empty[0] ?? {});
  const middle = (figures: readonly Figures[], name: string) => median(figures.map((each) => each[name] ?? 0));
  return Object.fromEntries(
    names.map((name) => {
      const [before, after] = [middle(empty, name), middle(full, name)];
      const isTime = /(Ms|CpuUs)$/.test(name);
      return [name, { empty: before, full: after, ratio: round(isTime ? before / after : after / before) }];
    }),
  );
}

/** Bytes per row including its indexes, and the size of the whole database. */
async function diskOf(side: Side): Promise<object> {
  const rows = await side.db.query<{ name: string; bytes: string }>(
    `select name, sum(pg_total_relation_size(part))::text as bytes
       from unnest($1::text[]) as name cross join lateral (
         select name::regclass as part union all select inhrelid from pg_inherits where inhparent = name::regclass) as parts
      group by name order by name`,
    [["outbound_messages", ...RECORD_TABLES]],
  );
  const [whole] = await side.db.query<{ bytes: string }>("select pg_database_size(current_database())::text as bytes");
  const perRow = Object.fromEntries(rows.map(({ name, bytes }) => [name, Math.round(Number(bytes) / ROWS)] as const));
  const sum = Object.values(perRow).reduce((all, bytes) => all + bytes, 0);
  return { bytesPerRow: perRow, bytesPerMessage: sum, databaseGb: round(Number(whole?.bytes) / 1e9) };
}

/** Drops the week the way the server drops expired records; returns ms. */
async function dropOldestWeek({ db }: Side, oldest: Date): Promise<number> {
  const now = new Date();
  const keepDays = Math.floor((now.getTime() - oldest.getTime()) / DAY_MS) - 7;
  const startMs = performance.now();
  await tendPartitions({ db, now, keepDays });
  const droppedMs = performance.now() - startMs;
  const [left] = await db.query<{ count: number }>(
    "select count(*)::int as count from pg_inherits where inhparent = 'events'::regclass and inhrelid::regclass::text = $1",
    [`events_${oldest.toISOString().slice(0, 10).replaceAll("-", "")}`],
  );
  if (left?.count !== 0) throw new Error("the oldest week was not dropped");
  return Math.round(droppedMs);
}
