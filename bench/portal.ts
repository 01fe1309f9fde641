// The portal's live log in Chromium while some 500 entries a second come: events of messages, requests and PDUs. Says
// how long its frames and longest tasks take and what they cost the page's thread, how soon a typed letter shows, how
// its memory grows once its list is full, and whether every entry that came to the page was counted, and every event
// that was stored came.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { startChromium } from "../test/peers/chromium.ts";
import { basic, json, startTandem } from "../test/tandem.ts";
import { databaseOf } from "../test/tandem-database.ts";
import { goFirst } from "./load/go-first.ts";

/** Two events each; of requests and of PDUs the server shows a hundred a second. */
const MESSAGES_PER_SECOND = 155;
/** Until the list holds as much as it ever does. */
const WARM_UP_SECONDS = 14;
const SECONDS = 20;
/** Typed while everything comes. */
const TYPED = "status:Delivered";
const RECIPIENTS = 1000;

goFirst();
const scratch = mkdtempSync(join(tmpdir(), "tandem-bench-"));
const tandem = await startTandem({ environment: { TANDEM_LOG_LEVEL: "warn" } });
const database = databaseOf(tandem);
const browser = await startChromium();
try {
  const most = { requests: 1_000_000_000, windowSeconds: 10 };
  const limits = { send: most, sendToRecipient: most, read: most };
  await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", { limits }));
  const page = await openLog();
  const tools = await page.context().newCDPSession(page);
  await tools.send("Performance.enable");
  const load = await startLoad();
  await seconds(WARM_UP_SECONDS);
  const heapBefore = await heapMb(tools);
  const before = await metricsOf(tools);
  await page.evaluate("bench.begin()");
  for (const sign of TYPED) {
    await page.keyboard.type(sign);
    await seconds(SECONDS / TYPED.length);
  }
  const figures = (await page.evaluate("bench.end()")) as Figures;
  const after = await metricsOf(tools);
  const heapAfter = await heapMb(tools);
  await once(load, "exit");
  const counted = await settledCount(page);
  const came = (await page.evaluate("bench.came()")) as { readonly events: number; readonly entries: number };
  const [stored] = await database.query<{ count: number }>("select count(*)::int as count from events");
  const frames = Math.max(1, figures.frames);
  const perFrame = (name: keyof Metrics) => round((1000 * (after[name] - before[name])) / frames);
  console.log(
    JSON.stringify({
      bench: "portal",
      entriesPerSecond: Math.round(figures.entries / figures.seconds),
      frameMs: { p50: figures.frameMs.p50, p95: figures.frameMs.p95, worst: figures.frameMs.worst },
      framesPerSecond: round(frames / figures.seconds),
      costPerFrameMs: {
        all: perFrame("TaskDuration"),
        script: perFrame("ScriptDuration"),
        layout: perFrame("LayoutDuration"),
        style: perFrame("RecalcStyleDuration"),
      },
      longTasks: figures.longTasks,
      longestTaskMs: figures.longestTaskMs,
      typingMs: figures.typingMs,
      heapMb: { full: heapBefore, later: heapAfter },
      entries: { came: came.entries, counted, missed: came.entries - counted },
      events: { stored: stored?.count, came: came.events },
      processor: cpus()[0]?.model,
      load: round(loadavg()[0] ?? 0),
      commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
    }),
  );
} finally {
  await browser.close();
  await database.close();
  await tandem.stop();
  rmSync(scratch, { recursive: true });
}

interface Figures {
  readonly seconds: number;
  readonly frames: number;
  readonly entries: number;
  readonly frameMs: { readonly p50: number; readonly p95: number; readonly worst: number };
  readonly longTasks: number;
  readonly longestTaskMs: number;
  readonly typingMs: { readonly p50: number; readonly p95: number };
}

/** The log, opened by the link that signs in, with the tools of bench/portal/in-page.js in the page. */
async function openLog(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript({ path: "bench/portal/in-page.js" });
  const link = /http\S+\/sign-in#ticket=\S+/.exec(tandem.output())?.[0] ?? "";
  await page.goto(link);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.goto(new URL("/log", link).href);
  await page.getByText("Live", { exact: true }).waitFor();
  await page
    .getByRole("textbox", { name: "Filter" })
    .or(page.getByRole("combobox", { name: "Filter" }))
    .focus();
  return page;
}

/** Messages at a fixed rate, for longer than is measured. */
async function startLoad(): Promise<ChildProcess> {
  const { items } = (await (await tandem.get("/v1/Phones?Status=Active")).json()) as { items: { number: string }[] };
  const from = encodeURIComponent(items[0]?.number ?? "");
  const file = join(scratch, "requests.txt");
  const lines = Array.from({ length: RECIPIENTS }, (_, at) => {
    const to = encodeURIComponent(`+1415474${String(at).padStart(4, "0")}`);
    return `/messaging/v1/OutboundMessages\tFrom=${from}&To=${to}&Text=Your+order+is+on+its+way.`;
  });
  writeFileSync(file, `${lines.join("\n")}\n`);
  const { Authorization } = basic(tandem.accountSid, tandem.token);
  const rate = [String(MESSAGES_PER_SECOND), String(WARM_UP_SECONDS + SECONDS + 4)];
  const args = ["--import", "tsx", "bench/load/open-loop.ts", tandem.url, Authorization, file, ...rate];
  return spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
}

interface Metrics {
  readonly TaskDuration: number;
  readonly ScriptDuration: number;
  readonly LayoutDuration: number;
  readonly RecalcStyleDuration: number;
}

/** Seconds of the page's thread since it was opened. */
async function metricsOf(tools: CDPSession): Promise<Metrics> {
  const { metrics } = await tools.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value])) as unknown as Metrics;
}

/** What is left after a collection of garbage. */
async function heapMb(tools: CDPSession): Promise<number> {
  await tools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await tools.send("Runtime.getHeapUsage");
  return round(usedSize / 1e6);
}

/** What the screen says it has counted, once that no longer changes. */
async function settledCount(page: Page): Promise<number> {
  const words = page.locator(".histogram-words b");
  for (let before = ""; ; ) {
    const now = (await words.textContent()) ?? "";
    if (now === before) return Number(now.replaceAll(",", ""));
    before = now;
    await seconds(2);
  }
}

function seconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1000));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
