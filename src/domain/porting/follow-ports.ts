// Brings orders to the clearing house and its updates to the orders, again and again.
//
// Guarantees: what was accepted is submitted, however often a process dies meanwhile; a repeat is harmless, because an order is known
// there by its sid and updates told twice changes nothing. No transaction is open while the clearing house is asked. What it does not answer
// is tried again with growing pauses, and one order that it never answers does not hold up the others. Any number of processes may do
// this at once; a pass costs what has changed and one question for updates.

import { backoffMs } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { Unavailable } from "../../base/unavailable.ts";
import { applyUpdates, type UpdateDeps } from "./apply-update.ts";
import { cancellableNumbers } from "./cancel-port.ts";
import { manualUpdates } from "./manual-porting.ts";
import { isOpen, type PortOrder } from "./port-order.ts";
import type { PortUpdate } from "./port-update.ts";
import type { PortingGateway, PortQueue, PortReply, PortRequest, PortSubmission } from "./ports.ts";

export interface FollowDeps {
  readonly gateway: PortingGateway;
  readonly queue: PortQueue;
  readonly transaction: <Value>(work: (unit: UpdateDeps) => Promise<Value>) => Promise<Value>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long until the updates is asked for again; undefined where there is none to ask for. */
  readonly updatesEveryMs: number | undefined;
}

export interface FollowCounts {
  /** Said to the clearing house and answered. */
  readonly requests: number;
  readonly putOff: number;
  readonly updates: number;
}

const REQUESTS_AT_ONCE = 4;
const REQUESTS_PER_PASS = 200;
/** Prolonged while somebody is at it: so long it lies when they die. */
export const LEASE_MS = 15_000;
const BACKOFF = { msMin: 2_000, msMax: 60_000 };
const PAGES_PER_PASS = 100;

/** Throws, when what could be done is done, with what could not be. */
export async function followPorts(deps: FollowDeps): Promise<FollowCounts> {
  const faults: unknown[] = [];
  const { requests, putOff } = await carryOutRequests(deps, faults);
  const updates = await readUpdates(deps).catch((fault: unknown) => {
    faults.push(fault);
    return 0;
  });
  if (faults.length > 0) throw faults[0];
  return { requests, putOff, updates };
}

async function carryOutRequests(deps: FollowDeps, faults: unknown[]): Promise<{ requests: number; putOff: number }> {
  let requests = 0;
  let putOff = 0;
  while (requests + putOff < REQUESTS_PER_PASS) {
    const now = deps.clock.now();
    const taken = await deps.queue.claimRequests(new Date(now.getTime() + LEASE_MS), REQUESTS_AT_ONCE, now);
    const done = await Promise.allSettled(taken.map((request) => carryOutOrPutOff(deps, request)));
    const failed = done.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    faults.push(...failed);
    requests += taken.length - failed.length;
    putOff += failed.length;
    // A clearing house that answers nobody is left alone for a while.
    if (taken.length === 0 || failed.length === taken.length) break;
  }
  return { requests, putOff };
}

async function carryOutOrPutOff(deps: FollowDeps, request: PortRequest): Promise<void> {
  try {
    await deps.queue.hold(request, () => carryOut(deps, request));
  } catch (fault) {
    const pauseMs = backoffMs(BACKOFF, request.failures + 1);
    deps.log.warn(
      { sid: request.orderSid, request: request.kind, pauseMs, reason: String(fault) },
      "port order put off",
    );
    await deps.queue.putOff(request, new Date(deps.clock.now().getTime() + pauseMs));
    throw fault;
  }
}

async function carryOut(deps: FollowDeps, request: PortRequest): Promise<void> {
  const submission = await deps.queue.submissionOf(request.orderSid, request.kind !== "cancel");
  // One that is closed wants nothing any more.
  const reply = submission && isOpen(submission.order) ? await say(deps.gateway, request, submission) : undefined;
  const now = deps.clock.now();
  await deps.transaction(async (unit) => {
    if (submission) await unit.phones.lockAccount(submission.order.accountSid);
    const isOurs = await unit.portOrders.endRequest(request.id);
    const order = isOurs && reply ? await unit.portOrders.find(request.orderSid) : undefined;
    if (!order || !reply) return;
    if (reply.kind === "refused" && request.kind !== "submit") {
      await unit.portOrders.noteRefusedRequest(order.sid, { kind: request.kind, reason: reply.reason });
    } else {
      await hear(deps, unit, order, updatesOf(request, order, reply, now), now);
    }
  });
  deps.log.info(
    { sid: request.orderSid, request: request.kind, answer: reply?.kind ?? "not needed" },
    "port order carried on",
  );
}

async function say(
  gateway: PortingGateway,
  { kind }: PortRequest,
  { order, pins, documents }: PortSubmission,
): Promise<PortReply> {
  if (kind === "cancel") return gateway.cancel(order);
  const answered = kind === "supplement" ? await gateway.supplement(order, pins, documents) : undefined;
  if (answered && answered.kind !== "unknown") return answered;
  // One that it has forgotten, or never had, is submitted as it is now.
  const taken = await gateway.submit(order, pins, documents);
  if (taken.kind === "unknown") throw new Unavailable("the clearing house does not know an order that it was given");
  return taken;
}

function updatesOf(request: PortRequest, order: PortOrder, reply: PortReply, now: Date): readonly PortUpdate[] {
  if (reply.kind === "taken") return reply.updates;
  if (reply.kind === "refused") {
    const rejected = manualUpdates(order, { kind: "reject", reason: reply.reason }, "all", now);
    return rejected.ok ? rejected.value : [];
  }
  // It was never there, so nothing of it will come.
  const numbers = request.kind === "cancel" ? cancellableNumbers(order) : undefined;
  if (!numbers?.ok) return [];
  const change = { kind: "cancelled" } as const;
  return [{ orderSid: order.sid, sequence: order.sequence + 1, at: now, numbers: numbers.value, change }];
}

async function readUpdates(deps: FollowDeps): Promise<number> {
  const { gateway, queue, clock, updatesEveryMs } = deps;
  if (updatesEveryMs === undefined) return 0;
  const now = clock.now();
  const place = await queue.claimUpdates(new Date(now.getTime() + updatesEveryMs), now);
  if (!place) return 0;
  let { cursor } = place;
  let count = 0;
  for (let pages = 0; pages < PAGES_PER_PASS; pages++) {
    const page = await gateway.updates(cursor);
    if (page.updates.length > 0 || page.cursor !== cursor) await applyPortUpdates(deps, page.updates, page.cursor);
    count += page.updates.length;
    cursor = page.cursor;
    if (!page.more) break;
  }
  return count;
}

/** Updates from wherever; the cursor is kept with what it changed. */
export async function applyPortUpdates(
  deps: Pick<FollowDeps, "transaction" | "clock" | "log">,
  updates: readonly PortUpdate[],
  cursor?: string,
): Promise<void> {
  const now = deps.clock.now();
  const byOrder = new Map<string, PortUpdate[]>();
  for (const item of updates) byOrder.set(item.orderSid, [...(byOrder.get(item.orderSid) ?? []), item]);
  await deps.transaction(async (unit) => {
    const owners = await unit.portOrders.ownersOf([...byOrder.keys()]);
    // In one order for everybody, so that two who tell of the same accounts never wait for each other.
    for (const accountSid of [...new Set(owners.map((owner) => owner.accountSid))].sort()) {
      await unit.phones.lockAccount(accountSid);
    }
    for (const { sid } of owners) {
      const order = await unit.portOrders.find(sid);
      if (order) await hear(deps, unit, order, byOrder.get(sid) ?? [], now);
    }
    if (cursor !== undefined) await unit.portOrders.keepCursor(cursor);
    const known = new Set(owners.map(({ sid }) => sid));
    for (const sid of byOrder.keys()) if (!known.has(sid)) deps.log.warn({ sid }, "updates of an unknown port order");
  });
}

async function hear(
  { log }: Pick<FollowDeps, "log">,
  unit: UpdateDeps,
  order: PortOrder,
  updates: readonly PortUpdate[],
  now: Date,
): Promise<void> {
  const { sid } = order;
  const told = await applyUpdates(unit, order, updates, now);
  const { strangers, unexpected } = told;
  if (strangers.length > 0)
    log.warn({ sid, count: strangers.length }, "updates of numbers that the port order has not");
  if (unexpected.length > 0) log.warn({ sid, count: unexpected.length }, "numbers moved that wait no longer");
  const { status: to } = told.order;
  if (to !== order.status) log.info({ sid, from: order.status, to }, "port order moved");
}
