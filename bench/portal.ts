// The portal's live log in Chromium while about 500 entries a second arrive: events of messages, requests and PDUs.
// Reports how long its frames and longest tasks take, what a frame and a change of the list cost the page's thread, how
// soon a typed letter shows, how its memory grows once its list is full, and whether the page counted every entry that
// arrived and received every event that was stored.

import type { CDPSession, Page } from "playwright-core";
import { startChromium } from "../test/peers/chromium.ts";
import { json, startTandem } from "../test/tandem.ts";
import { databaseOf } from "../test/tandem-database.ts";
import { goFirst } from "./load/go-first.ts";
import { printResult, round } from "./load/result.ts";

/** Two events each; in addition the server shows a hundred requests and a hundred PDUs a second. */
const MESSAGES_PER_SECOND = 155;
/** Until the list holds as much as it ever does. */
const WARM_UP_SECONDS = 14;
const SECONDS = 20;
/** Typed while entries arrive. */
const TYPED = "status:Delivered";
const RECIPIENTS = 1000;

goFirst();
const tandem = await startTandem({ environment: { TANDEM_LOG_LEVEL: "warn" } });
const database = databaseOf(tandem);
const browser = await startChromium();
try {
  const most = { requests: 1_000_000_000, windowSeconds: 10 };
  const limits = { send: most, sendToRecipient: most, read: most };
  await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", { limits }));
  const page = await openLog();
  const tools = await page.context().newCDPSession(page);
  // The processor time of the page's thread, without the time it waited for the processor.
  await tools.send("Performance.enable", { timeDomain: "threadTicks" });
  // The entries that a new account has from the start were listed, not streamed.
  const [listed, storedBefore] = [await settledCount(page), await storedEvents()];
  const allSent = sendTexts(await ownNumber());
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
  await allSent;
  const counted = (await settledCount(page)) - listed;
  const came = (await page.evaluate("bench.came()")) as { readonly events: number; readonly entries: number };
  const frames = Math.max(1, figures.frames);
  const costMs = (count: number) => {
    const of = (name: keyof Metrics) => round((1000 * (after[name] - before[name])) / count);
    const [all, script] = [of("TaskDuration"), of("ScriptDuration")];
    return { all, script, layout: of("LayoutDuration"), style: of("RecalcStyleDuration") };
  };
  printResult("portal", {
    entriesPerSecond: Math.round(figures.entries / figures.seconds),
    frameMs: { p50: figures.frameMs.p50, p95: figures.frameMs.p95, worst: figures.frameMs.worst },
    framesPerSecond: round(frames / figures.seconds),
    updatesPerSecond: round(figures.updates / figures.seconds),
    costPerFrameMs: costMs(frames),
    // Everything that the page did, including the frames between updates.
    costPerUpdateMs: costMs(Math.max(1, figures.updates)),
    longTasks: figures.longTasks,
    longestTaskMs: figures.longestTaskMs,
    typingMs: figures.typingMs,
    heapMb: { full: heapBefore, later: heapAfter },
    entries: { came: came.entries, counted, missed: came.entries - counted },
    events: { stored: (await storedEvents()) - storedBefore, came: came.events },
  });
} finally {
  await browser.close();
  await database.close();
  await tandem.stop();
}

interface Figures {
  readonly seconds: number;
  readonly frames: number;
  /** Frames in which the log changed. */
  readonly updates: number;
  readonly entries: number;
  readonly frameMs: { readonly p50: number; readonly p95: number; readonly worst: number };
  readonly longTasks: number;
  readonly longestTaskMs: number;
  readonly typingMs: { readonly p50: number; readonly p95: number };
}

/** The log, opened by the sign-in link, with the tools of bench/portal/in-page.js in the page. */
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

/** Sends at a fixed rate, for longer than is measured. */
async function sendTexts(from: string): Promise<void> {
  const total = MESSAGES_PER_SECOND * (WARM_UP_SECONDS + SECONDS + 4);
  const answers: Promise<void>[] = [];
  const begunMs = performance.now();
  while (answers.length < total) {
    const due = Math.floor(((performance.now() - begunMs) / 1000) * MESSAGES_PER_SECOND);
    while (answers.length < Math.min(due, total)) answers.push(sendText(from, answers.length % RECIPIENTS));
    await seconds(0.01);
  }
  await Promise.all(answers);
}

async function sendText(from: string, recipient: number): Promise<void> {
  const To = `+1415474${String(recipient).padStart(4, "0")}`;
  const order = json("POST", { From: from, To, Text: "Your order is on its way." });
  const answer = await tandem.get("/messaging/v1/OutboundMessages", order);
  if (!answer.ok) throw new Error(`A message was not taken: ${answer.status} ${await answer.text()}`);
  await answer.body?.cancel();
}

async function ownNumber(): Promise<string> {
  const { items } = (await (await tandem.get("/v1/Phones?Status=Active")).json()) as { items: { number: string }[] };
  return items[0]?.number ?? "";
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

/** What is left after a garbage collection. */
async function heapMb(tools: CDPSession): Promise<number> {
  await tools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await tools.send("Runtime.getHeapUsage");
  return round(usedSize / 1e6);
}

async function storedEvents(): Promise<number> {
  const [stored] = await database.query<{ count: number }>("select count(*)::int as count from events");
  return stored?.count ?? 0;
}

/** The count that the screen shows, once it no longer changes. */
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
