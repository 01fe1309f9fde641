// What must hold of a simulated world at its end. The figures are the contract's, written out here and not imported.

import { MESSAGE_MOVES, type MessageStatus } from "../../src/domain/messaging/index.ts";
import type { DeliveryRow, SubscriptionRow } from "../fakes/delivery-table.ts";
import type { MessageRow } from "../fakes/message-table.ts";
import type { SeenPost } from "../fakes/virtual-receivers.ts";
import type { SimulatedWorld } from "./world.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SCHEDULE = [
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const ATTEMPTS_MAX = 11;
const UNKNOWN_OUTCOME = 3100;
/** A receiver that hangs is tried twice a minute, and earlier deliveries come first. */
const LATE_MS_MAX = HOUR;

export function faultsOf(world: SimulatedWorld): readonly string[] {
  const { watch, messages, deliveries } = world;
  return [
    ...watch.faults,
    ...[...messages.rows.values()].flatMap((row) => faultsOfMessage(world, row)),
    ...[...deliveries.rows.values()].flatMap((row) => faultsOfDelivery(world, row)),
    ...deliveries.subscriptions.flatMap((subscription) => faultsOfSubscription(world, subscription)),
  ];
}

function faultsOfMessage(world: SimulatedWorld, row: MessageRow): readonly string[] {
  const faults: string[] = [];
  const { sid, expiresOn } = row.message;
  let status: MessageStatus = "Queued";
  let errorCode = 0;
  const moves = world.statuses.filter((move) => move.sid === sid);
  for (const { from, to, errorCode: next } of moves) {
    if (from !== status || !(Object.values(MESSAGE_MOVES[status]) as string[]).includes(to))
      faults.push(`${sid} moved from ${status} to ${to}`);
    if (status === "Failed" && errorCode !== UNKNOWN_OUTCOME) faults.push(`${sid} had failed for good and was ${to}`);
    status = to;
    errorCode = next;
  }
  if (row.status !== status) faults.push(`${sid} is ${row.status} and was told to be ${status}`);
  if (row.eventsTold !== moves.length) faults.push(`${sid} moved ${moves.length} times, told ${row.eventsTold} times`);
  if (row.status === "Queued" || row.status === "Sent") faults.push(`${sid} stays ${row.status}`);
  // Compared with what the carriers know of it.
  const taken = world.carriers.flatMap((carrier) => carrier.taken.get(sid) ?? []);
  const last = world.watch.submissions.findLast((submission) => submission.sid === sid)?.outcome;
  if (taken.length > 1) faults.push(`${sid} reached carriers ${taken.length} times`);
  if (row.status === "Delivered" && taken[0]?.state !== "delivered") faults.push(`${sid} was not delivered`);
  if (last === "accepted" && row.errorCode !== UNKNOWN_OUTCOME) {
    const isDelivered = taken[0]?.state === "delivered";
    if (isDelivered !== (row.status === "Delivered")) faults.push(`${sid} is ${row.status}: ${taken[0]?.state}`);
  }
  if ((row.status === "Canceled" || row.status === "Expired") && taken.length > 0)
    faults.push(`${sid} reached a carrier and is ${row.status}`);
  const fromMs = expiresOn.getTime() - 30 * SECOND;
  const hasTrouble = world.troubles.some(
    (each) => each.toMs + 30 * SECOND > fromMs && each.fromMs < expiresOn.getTime(),
  );
  if (row.status === "Expired" && !hasTrouble) faults.push(`${sid} expired although nothing kept it`);
  return faults;
}

function faultsOfDelivery(world: SimulatedWorld, row: DeliveryRow): readonly string[] {
  const faults: string[] = [];
  const { sid, subscription, status, settled } = row;
  const posts = world.receivers.posts.filter((post) => post.deliverySid === sid);
  const isTaken = posts.some((post) => isSuccess(post));
  const attempts = settled.at(-1)?.attempt ?? 0;
  if (status === "Pending") faults.push(`${sid} is still pending`);
  if (status === "Delivered" && !isTaken) faults.push(`${sid} counts as delivered, but nobody took it`);
  if (status === "Canceled" && subscription.enabled) faults.push(`${sid} was canceled although somebody wants it`);
  // An attempt whose worker died counts, too, and is repeated.
  if (status === "Failed" && subscription.enabled && attempts < ATTEMPTS_MAX)
    faults.push(`${sid} was given up after ${attempts} attempts`);
  if (settled.length > ATTEMPTS_MAX) faults.push(`${sid} was tried ${settled.length} times`);
  const answered = posts.filter((post) => !post.isBackup && post.status !== undefined).length;
  if (answered > settled.length + (world.watch.excuses.get(sid) ?? 0))
    faults.push(`${sid} was tried ${answered} times, recorded ${settled.length} times`);
  if (!world.watch.doubled.has(sid)) faults.push(...faultsOfTimes(row, posts));
  faults.push(...faultsOfOrder(world, row, posts[0]));
  return faults;
}

/**
 * In order: each earlier event of the resource is finished, or was first tried a minute before. The server may count
 * the minute from a later attempt, because an attempt whose worker died is not recorded.
 */
function faultsOfOrder(world: SimulatedWorld, row: DeliveryRow, first: SeenPost | undefined): readonly string[] {
  if (!first) return [];
  const { sid, subscription, event } = row;
  const faults: string[] = [];
  let readyMs = event.createdOn.getTime();
  for (const other of world.deliveries.rows.values()) {
    const isEarlier =
      other.subscription === subscription &&
      other.event.resourceSid === event.resourceSid &&
      other.event.sequence < event.sequence;
    if (!isEarlier) continue;
    const triedMs = world.receivers.posts.find((post) => post.deliverySid === other.sid)?.startMs;
    const never = Number.POSITIVE_INFINITY;
    const freeMs = Math.min(other.finishedMs ?? never, (triedMs ?? never) + MINUTE);
    if (freeMs > first.startMs) faults.push(`${sid} overtook ${other.sid}`);
    else readyMs = Math.max(readyMs, freeMs);
  }
  if (first.startMs > readyMs + MINUTE + LATE_MS_MAX)
    faults.push(`${sid} was first tried ${first.startMs - readyMs} ms after it could be`);
  return faults;
}

/**
 * Each failed attempt is followed by the next at the scheduled time, or at the receiver's Retry-After if that is later.
 */
function faultsOfTimes({ sid, settled }: DeliveryRow, posts: readonly SeenPost[]): readonly string[] {
  const faults: string[] = [];
  for (const { atMs, attempt, settled: recorded } of settled) {
    if (recorded.status !== "Pending" || recorded.nextAttemptOn === null) continue;
    const startMs = recorded.attempts[0]?.at.getTime() ?? 0;
    const made = posts.filter((post) => post.startMs >= startMs && post.endMs <= atMs);
    const endMs = made.at(-1)?.endMs ?? 0;
    const dueMs = recorded.nextAttemptOn.getTime();
    const delayMs = SCHEDULE[attempt - 1] ?? Number.POSITIVE_INFINITY;
    const askedMs = Math.min(DAY, Math.max(0, ...made.map(({ retryAfterMs = 0 }) => retryAfterMs)));
    const leastMs = Math.max(0.8 * delayMs, askedMs);
    const mostMs = Math.max(1.2 * delayMs, askedMs);
    if (dueMs - endMs < leastMs - 1 || dueMs - endMs > mostMs + 1)
      faults.push(`${sid} is tried again ${dueMs - endMs} ms after attempt ${attempt}`);
    const next = posts.find((post) => post.startMs > atMs);
    if (next && next.startMs < dueMs) faults.push(`${sid} was tried ${dueMs - next.startMs} ms too early`);
    if (next && next.startMs > dueMs + LATE_MS_MAX) faults.push(`${sid} was tried ${next.startMs - dueMs} ms too late`);
  }
  return faults;
}

/** Disabled by 410 or by five days of nothing but failures, and only then. */
function faultsOfSubscription(world: SimulatedWorld, subscription: SubscriptionRow): readonly string[] {
  const { sid, enabled, disabledReason, disabledMs } = subscription;
  const posts = world.receivers.posts.filter((post) => post.subscriptionSid === sid && post.status !== undefined);
  const faults: string[] = [];
  const gone = posts.find(({ status }) => status === 410);
  if (gone && enabled) faults.push(`${sid} is on although its receiver wants no more`);
  let failingMs: number | undefined;
  let longestMs = 0;
  for (const post of posts.toSorted((one, other) => one.endMs - other.endMs)) {
    if (isSuccess(post)) failingMs = undefined;
    else failingMs ??= post.endMs;
    if (post.endMs <= (disabledMs ?? Number.POSITIVE_INFINITY))
      longestMs = Math.max(longestMs, post.endMs - (failingMs ?? post.endMs));
  }
  if (enabled && longestMs > 5 * DAY + HOUR) faults.push(`${sid} is on after ${longestMs} ms of failures`);
  if (!enabled && !gone && longestMs < 5 * DAY - MINUTE) faults.push(`${sid} was switched off: ${disabledReason}`);
  return faults;
}

function isSuccess({ status }: SeenPost): boolean {
  return typeof status === "number" && status >= 200 && status < 300;
}
