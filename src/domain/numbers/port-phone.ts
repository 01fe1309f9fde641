// Numbers that are ported in. They belong to the account from the moment they are ordered, as PendingPortIn; when their
// messaging has moved, their config and campaign decide the status. A number whose port ends without that is removed.

import { ok, type Result, refused } from "../../base/result.ts";
import type { NumberFeature } from "./inventory.ts";
import { DEFAULT_VOICE, type Phone } from "./phone.ts";
import { PHONE_MOVES, PHONE_REASONS } from "./phone-status.ts";
import type { ServedPhone, StatusChange } from "./ports.ts";
import { type SettleDeps, settleNumbers, statusChanged } from "./settle-numbers.ts";

export interface ExpectedPhones {
  readonly accountSid: string;
  readonly portOrderSid: string;
  readonly messagingConfigSid: string;
  readonly numbers: readonly string[];
}

/**
 * Refuses with the first number that already serves an account. The caller holds the account's lock, and rolls back
 * after a refusal.
 */
export async function expectPhones(
  deps: Pick<SettleDeps, "phones" | "outbox">,
  { accountSid, portOrderSid, messagingConfigSid, numbers }: ExpectedPhones,
  now: Date,
): Promise<Result<readonly Phone[], string>> {
  const statusReason = PHONE_REASONS.portOrdered;
  const phones = numbers.map(
    (number): Phone => ({
      number,
      accountSid,
      name: null,
      status: "PendingPortIn",
      statusReason,
      messagingConfigSid,
      portOrderSid,
      features: [],
      voice: DEFAULT_VOICE,
      createdOn: now,
      updatedOn: now,
    }),
  );
  // Sorted, so that two transactions that want the same numbers cannot deadlock.
  for (const phone of [...phones].sort((left, right) => (left.number < right.number ? -1 : 1))) {
    if (!(await deps.phones.insert(phone, null))) return refused(phone.number);
  }
  const events = phones.map((phone) =>
    statusChanged(accountSid, { ...phone, to: phone.status, previous: null, reason: statusReason }),
  );
  await deps.outbox.emit(events, now);
  return ok(phones);
}

/** The progress of the port of a number. */
export interface PortedPhone {
  readonly number: string;
  /** The features that have moved here. */
  readonly features: readonly NumberFeature[];
  /** The port is closed, and its messaging has not moved. */
  readonly hasFailed: boolean;
  /** Why the port waits or failed. */
  readonly reason: string | null;
}

export interface FollowedPort {
  readonly accountSid: string;
  readonly portOrderSid: string;
  readonly phones: readonly PortedPhone[];
}

/**
 * Returns the numbers that no longer serve the account through this order; they are not changed. The caller holds the
 * account's lock.
 */
export async function followPort(
  deps: SettleDeps,
  { accountSid, portOrderSid, phones }: FollowedPort,
  now: Date,
): Promise<readonly string[]> {
  if (phones.length === 0) return [];
  const numbers = phones.map(({ number }) => number);
  const served = await deps.phones.states(accountSid, { numbers });
  const ofOrder = new Map(served.filter((phone) => phone.portOrderSid === portOrderSid).map((it) => [it.number, it]));
  const failed: FailedPhone[] = [];
  const followed: string[] = [];
  for (const { number, features, hasFailed, reason } of phones) {
    const phone = ofOrder.get(number);
    if (!phone) continue;
    if (hasFailed) {
      if (phone.status === "PendingPortIn") failed.push({ phone, reason: reasonText("portFailed", reason) });
      continue;
    }
    const waits = phone.status === "PendingPortIn" && !features.includes("SMS");
    const statusReason = waits ? reasonText("portOrdered", reason) : undefined;
    await deps.phones.change(accountSid, number, { features, statusReason }, now);
    followed.push(number);
  }
  await removeFailed(deps, accountSid, failed, now);
  await settleNumbers(deps, accountSid, { numbers: followed }, now);
  return numbers.filter((number) => !ofOrder.has(number));
}

interface FailedPhone {
  readonly phone: ServedPhone;
  readonly reason: string;
}

async function removeFailed(
  deps: SettleDeps,
  accountSid: string,
  failed: readonly FailedPhone[],
  now: Date,
): Promise<void> {
  const to = PHONE_MOVES.PendingPortIn.portFailed;
  if (failed.length === 0 || !to) return;
  const changes = failed.map(
    ({ phone, reason }): StatusChange => ({
      number: phone.number,
      from: phone.status,
      to,
      reason,
      registeredCampaignId: null,
    }),
  );
  const events = failed.map(({ phone, reason }) =>
    statusChanged(accountSid, { ...phone, to, previous: phone.status, reason }),
  );
  const numbers = failed.map(({ phone }) => phone.number);
  await deps.phones.assign(accountSid, numbers, null, now);
  await deps.phones.move(accountSid, changes, now);
  await deps.outbox.emit(events, now);
  await deps.heldMessages.fail(accountSid, numbers, now);
}

function reasonText(move: "portOrdered" | "portFailed", reason: string | null): string {
  return reason === null ? PHONE_REASONS[move] : `${PHONE_REASONS[move]} ${reason}`;
}
