// Sends requests of orders to the clearing house, and applies its updates to the orders. A task runs it regularly.
//
// Guarantees: an accepted order is submitted even if processes die meanwhile; a repeat is harmless, because the
// clearing house knows an order by its sid, and applying an update twice changes nothing. No transaction is open during
// a call to the clearing house. A call without an answer is retried with backoff, and an order that is never answered
// does not hold up the others. Any number of processes may run it; the cost of a pass is one request for updates, and
// work for what has changed.

import { backoffMs } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { Unavailable } from "../../base/unavailable.ts";
import { applyUpdates, type UpdateDeps } from "./apply-update.ts";
import { cancellableNumbers } from "./cancel-port.ts";
import { manualUpdates } from "./move-port.ts";
import { isOpen, type PortOrder } from "./port-order.ts";
import type { PortUpdate } from "./port-update.ts";
import type { PortingGateway, PortQueue, PortReply, PortRequest, PortSubmission } from "./ports.ts";

export interface FollowDeps {
  readonly gateway: PortingGateway;
  readonly queue: PortQueue;
  readonly transaction: <Value>(work: (unit: UpdateDeps) => Promise<Value>) => Promise<Value>;
  readonly clock: Clock;
  readonly log: Log;
  /** How often updates are read; undefined where the gateway has none. */
  readonly updatesEveryMs: number | undefined;
}

export interface FollowCounts {
  /** Sent to the clearing house and answered. */
  readonly requests: number;
  readonly putOff: number;
  readonly updates: number;
}

const REQUESTS_AT_ONCE = 4;
const REQUESTS_PER_PASS = 200;
/** Renewed while a process works on the request; when it dies, another takes over after this time. */
export const LEASE_MS = 15_000;
const BACKOFF = { msMin: 2_000, msMax: 60_000 };
const PAGES_PER_PASS = 100;

/** Does all it can, then throws the first fault, if any. */
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
    // When every call fails, the pass ends: the clearing house is down.
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
  // A closed order needs no call.
  const reply = submission && isOpen(submission.order) ? await send(deps.gateway, request, submission) : undefined;
  const now = deps.clock.now();
  await deps.transaction(async (unit) => {
    if (submission) await unit.phones.lockAccount(submission.order.accountSid);
    const isOurs = await unit.portOrders.endRequest(request.id);
    const order = isOurs && reply ? await unit.portOrders.find(request.orderSid) : undefined;
    if (!order || !reply) return;
    if (reply.kind === "refused" && request.kind !== "submit") {
      await unit.portOrders.noteRefusedRequest(order.sid, { kind: request.kind, reason: reply.reason });
    } else {
      await applyAndLog(deps, unit, order, updatesOf(request, order, reply, now), now);
    }
  });
  deps.log.info(
    { sid: request.orderSid, request: request.kind, answer: reply?.kind ?? "not needed" },
    "port order carried on",
  );
}

async function send(
  gateway: PortingGateway,
  { kind }: PortRequest,
  { order, pins, documents }: PortSubmission,
): Promise<PortReply> {
  if (kind === "cancel") return gateway.cancel(order);
  const answered = kind === "supplement" ? await gateway.supplement(order, pins, documents) : undefined;
  if (answered && answered.kind !== "unknown") return answered;
  // An order that the clearing house does not know is submitted as it is now.
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
  // The clearing house never had the order: a cancellation takes effect immediately.
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

/** Applies updates from a page or a notification; the cursor is stored in the same transaction. */
export async function applyPortUpdates(
  deps: Pick<FollowDeps, "transaction" | "clock" | "log">,
  updates: readonly PortUpdate[],
  cursor?: string,
): Promise<void> {
  const now = deps.clock.now();
  const byOrder = new Map<string, PortUpdate[]>();
  for (const update of updates) byOrder.set(update.orderSid, [...(byOrder.get(update.orderSid) ?? []), update]);
  await deps.transaction(async (unit) => {
    const owners = await unit.portOrders.ownersOf([...byOrder.keys()]);
    // Locks are taken in sorted order, so that two processes cannot deadlock.
    for (const accountSid of [...new Set(owners.map((owner) => owner.accountSid))].sort()) {
      await unit.phones.lockAccount(accountSid);
    }
    for (const { sid } of owners) {
      const order = await unit.portOrders.find(sid);
      if (order) await applyAndLog(deps, unit, order, byOrder.get(sid) ?? [], now);
    }
    if (cursor !== undefined) await unit.portOrders.saveCursor(cursor);
    const known = new Set(owners.map(({ sid }) => sid));
    for (const sid of byOrder.keys()) if (!known.has(sid)) deps.log.warn({ sid }, "updates of an unknown port order");
  });
}

async function applyAndLog(
  { log }: Pick<FollowDeps, "log">,
  unit: UpdateDeps,
  order: PortOrder,
  updates: readonly PortUpdate[],
  now: Date,
): Promise<void> {
  const { sid } = order;
  const applied = await applyUpdates(unit, order, updates, now);
  const { unknownNumbers, unexpected } = applied;
  if (unknownNumbers.length > 0)
    log.warn({ sid, count: unknownNumbers.length }, "updates of numbers that the port order has not");
  if (unexpected.length > 0) log.warn({ sid, count: unexpected.length }, "numbers moved that wait no longer");
  const { status: to } = applied.order;
  if (to !== order.status) log.info({ sid, from: order.status, to }, "port order moved");
}
