// Brings orders to the clearing house and its news to the orders, again and again.
//
// Guarantees: what was accepted is submitted, however often a process dies meanwhile; a repeat is harmless, because an order is known
// there by its sid and news told twice changes nothing. No transaction is open while the clearing house is asked. What it does not answer
// is tried again with growing pauses, and one order that it never answers does not hold up the others. Any number of processes may do
// this at once; a pass costs what has changed and one question for news.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { Unavailable } from "../../base/unavailable.ts";
import { type TellDeps, tellOrder } from "./apply-update.ts";
import { cancellableNumbers } from "./cancel-port.ts";
import { operatorNews } from "./manual-porting.ts";
import { isOpen, type PortOrder } from "./port-order.ts";
import type { PortNews } from "./port-update.ts";
import type { PortDeed, PortDuties, PortingGateway, PortPapers, PortReply } from "./ports.ts";

export interface FollowDeps {
  readonly gateway: PortingGateway;
  readonly duties: PortDuties;
  readonly transaction: <Value>(work: (unit: TellDeps) => Promise<Value>) => Promise<Value>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long until the news is asked for again; undefined where there is none to ask for. */
  readonly newsEveryMs: number | undefined;
}

export interface FollowCounts {
  /** Said to the clearing house and answered. */
  readonly deeds: number;
  readonly putOff: number;
  readonly news: number;
}

const DEEDS_AT_ONCE = 4;
const DEEDS_PER_PASS = 200;
/** Prolonged while somebody is at it: so long it lies when they die. */
export const LEASE_MS = 15_000;
const PUT_OFF_MS_MIN = 2_000;
const PUT_OFF_MS_MAX = 60_000;
const PAGES_PER_PASS = 100;

/** Throws, when what could be done is done, with what could not be. */
export async function followPorts(deps: FollowDeps): Promise<FollowCounts> {
  const faults: unknown[] = [];
  const { deeds, putOff } = await carryOutDeeds(deps, faults);
  const news = await readNews(deps).catch((fault: unknown) => {
    faults.push(fault);
    return 0;
  });
  if (faults.length > 0) throw faults[0];
  return { deeds, putOff, news };
}

async function carryOutDeeds(deps: FollowDeps, faults: unknown[]): Promise<{ deeds: number; putOff: number }> {
  let deeds = 0;
  let putOff = 0;
  while (deeds + putOff < DEEDS_PER_PASS) {
    const now = deps.clock.now();
    const taken = await deps.duties.takeDeeds(new Date(now.getTime() + LEASE_MS), DEEDS_AT_ONCE, now);
    const done = await Promise.allSettled(taken.map((deed) => carryOutOrPutOff(deps, deed)));
    const failed = done.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    faults.push(...failed);
    deeds += taken.length - failed.length;
    putOff += failed.length;
    // A clearing house that answers nobody is left alone for a while.
    if (taken.length === 0 || failed.length === taken.length) break;
  }
  return { deeds, putOff };
}

async function carryOutOrPutOff(deps: FollowDeps, deed: PortDeed): Promise<void> {
  try {
    await deps.duties.hold(deed, () => carryOut(deps, deed));
  } catch (fault) {
    const pauseMs = Math.min(PUT_OFF_MS_MIN * 2 ** deed.failures, PUT_OFF_MS_MAX);
    deps.log.warn({ sid: deed.orderSid, deed: deed.kind, pauseMs, reason: String(fault) }, "port order put off");
    await deps.duties.putOff(deed, new Date(deps.clock.now().getTime() + pauseMs));
    throw fault;
  }
}

async function carryOut(deps: FollowDeps, deed: PortDeed): Promise<void> {
  const papers = await deps.duties.papersOf(deed.orderSid, deed.kind !== "cancel");
  // One that is closed wants nothing any more.
  const reply = papers && isOpen(papers.order) ? await say(deps.gateway, deed, papers) : undefined;
  const now = deps.clock.now();
  await deps.transaction(async (unit) => {
    if (papers) await unit.phones.takeTurns(papers.order.accountSid);
    const isOurs = await unit.portOrders.endDeed(deed.id);
    const order = isOurs && reply ? await unit.portOrders.find(deed.orderSid) : undefined;
    if (!order || !reply) return;
    if (reply.kind === "refused" && deed.kind !== "submit") {
      await unit.portOrders.noteRefusedDeed(order.sid, { kind: deed.kind, reason: reply.reason });
    } else {
      await hear(deps, unit, order, newsOf(deed, order, reply, now), now);
    }
  });
  deps.log.info({ sid: deed.orderSid, deed: deed.kind, answer: reply?.kind ?? "not needed" }, "port order carried on");
}

async function say(
  gateway: PortingGateway,
  { kind }: PortDeed,
  { order, pins, documents }: PortPapers,
): Promise<PortReply> {
  if (kind === "cancel") return gateway.cancel(order);
  const answered = kind === "supplement" ? await gateway.supplement(order, pins, documents) : undefined;
  if (answered && answered.kind !== "unknown") return answered;
  // One that it has forgotten, or never had, is submitted as it is now.
  const taken = await gateway.submit(order, pins, documents);
  if (taken.kind === "unknown") throw new Unavailable("the clearing house does not know an order that it was given");
  return taken;
}

function newsOf(deed: PortDeed, order: PortOrder, reply: PortReply, now: Date): readonly PortNews[] {
  if (reply.kind === "taken") return reply.news;
  if (reply.kind === "refused") {
    const rejected = operatorNews(order, { kind: "reject", reason: reply.reason }, "all", now);
    return rejected.ok ? rejected.value : [];
  }
  // It was never there, so nothing of it will come.
  const numbers = deed.kind === "cancel" ? cancellableNumbers(order) : undefined;
  if (!numbers?.ok) return [];
  const word = { kind: "cancelled" } as const;
  return [{ orderSid: order.sid, sequence: order.sequence + 1, at: now, numbers: numbers.value, word }];
}

async function readNews(deps: FollowDeps): Promise<number> {
  const { gateway, duties, clock, newsEveryMs } = deps;
  if (newsEveryMs === undefined) return 0;
  const now = clock.now();
  const place = await duties.takeNews(new Date(now.getTime() + newsEveryMs), now);
  if (!place) return 0;
  let { cursor } = place;
  let count = 0;
  for (let pages = 0; pages < PAGES_PER_PASS; pages++) {
    const page = await gateway.news(cursor);
    if (page.news.length > 0 || page.cursor !== cursor) await takePortNews(deps, page.news, page.cursor);
    count += page.news.length;
    cursor = page.cursor;
    if (!page.more) break;
  }
  return count;
}

/** News from wherever; the cursor is kept with what it changed. */
export async function takePortNews(
  deps: Pick<FollowDeps, "transaction" | "clock" | "log">,
  news: readonly PortNews[],
  cursor?: string,
): Promise<void> {
  const now = deps.clock.now();
  const byOrder = new Map<string, PortNews[]>();
  for (const item of news) byOrder.set(item.orderSid, [...(byOrder.get(item.orderSid) ?? []), item]);
  await deps.transaction(async (unit) => {
    const owners = await unit.portOrders.ownersOf([...byOrder.keys()]);
    // In one order for everybody, so that two who tell of the same accounts never wait for each other.
    for (const accountSid of [...new Set(owners.map((owner) => owner.accountSid))].sort()) {
      await unit.phones.takeTurns(accountSid);
    }
    for (const { sid } of owners) {
      const order = await unit.portOrders.find(sid);
      if (order) await hear(deps, unit, order, byOrder.get(sid) ?? [], now);
    }
    if (cursor !== undefined) await unit.portOrders.keepCursor(cursor);
    const known = new Set(owners.map(({ sid }) => sid));
    for (const sid of byOrder.keys()) if (!known.has(sid)) deps.log.warn({ sid }, "news of an unknown port order");
  });
}

async function hear(
  { log }: Pick<FollowDeps, "log">,
  unit: TellDeps,
  order: PortOrder,
  news: readonly PortNews[],
  now: Date,
): Promise<void> {
  const { sid } = order;
  const told = await tellOrder(unit, order, news, now);
  const { strangers, unexpected } = told;
  if (strangers.length > 0) log.warn({ sid, count: strangers.length }, "news of numbers that the port order has not");
  if (unexpected.length > 0) log.warn({ sid, count: unexpected.length }, "numbers moved that wait no longer");
  const { status: to } = told.order;
  if (to !== order.status) log.info({ sid, from: order.status, to }, "port order moved");
}
