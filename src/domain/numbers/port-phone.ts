// Numbers that come from another carrier: they serve the account from the moment they are ordered, waiting, and become what they belong
// to when their messaging has moved. One that cannot be had is removed.

import { ok, type Result, refused } from "../../base/result.ts";
import type { NumberFeature } from "./inventory.ts";
import { DEFAULT_VOICE, type Phone } from "./phone.ts";
import { PHONE_MOVES, PHONE_REASONS } from "./phone-status.ts";
import type { ServedStanding, StatusChange } from "./ports.ts";
import { type SettleDeps, settleNumbers, statusChanged } from "./settle-numbers.ts";

export interface ExpectedPhones {
  readonly accountSid: string;
  readonly portOrderSid: string;
  readonly messagingConfigSid: string;
  readonly numbers: readonly string[];
}

/** Refuses with the first number that serves somebody already. The caller has taken its turn, and undoes what a refusal leaves. */
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
  // In one order for everybody: two who want the same numbers never wait for each other.
  for (const phone of [...phones].sort((left, right) => (left.number < right.number ? -1 : 1))) {
    if (!(await deps.phones.insert(phone, null))) return refused(phone.number);
  }
  const events = phones.map((phone) =>
    statusChanged(accountSid, { ...phone, to: phone.status, previous: null, reason: statusReason }),
  );
  await deps.outbox.emit(events, now);
  return ok(phones);
}

/** How far the port of a number has come. */
export interface PortedPhone {
  readonly number: string;
  /** What has moved here. */
  readonly features: readonly NumberFeature[];
  /** Nothing of it will come. */
  readonly hasFailed: boolean;
  /** What holds it up, or has ended it. */
  readonly reason: string | null;
}

export interface FollowedPort {
  readonly accountSid: string;
  readonly portOrderSid: string;
  readonly phones: readonly PortedPhone[];
}

/** The caller has taken its turn. Answers the numbers that do not serve the account by this order any more: they are left alone. */
export async function followPort(
  deps: SettleDeps,
  { accountSid, portOrderSid, phones }: FollowedPort,
  now: Date,
): Promise<readonly string[]> {
  if (phones.length === 0) return [];
  const numbers = phones.map(({ number }) => number);
  const standings = await deps.phones.standings(accountSid, { numbers });
  const waiting = new Map(
    standings
      .filter((standing) => standing.portOrderSid === portOrderSid)
      .map((standing) => [standing.number, standing]),
  );
  const failed: { readonly standing: ServedStanding; readonly reason: string }[] = [];
  const followed: string[] = [];
  for (const phone of phones) {
    const standing = waiting.get(phone.number);
    if (!standing) continue;
    if (phone.hasFailed) {
      if (standing.status === "PendingPortIn") failed.push({ standing, reason: say("portFailed", phone.reason) });
      continue;
    }
    const waits = standing.status === "PendingPortIn" && !phone.features.includes("SMS");
    const statusReason = waits ? say("portOrdered", phone.reason) : undefined;
    await deps.phones.change(accountSid, phone.number, { features: phone.features, statusReason }, now);
    followed.push(phone.number);
  }
  await giveUp(deps, accountSid, failed, now);
  await settleNumbers(deps, accountSid, { numbers: followed }, now);
  return numbers.filter((number) => !waiting.has(number));
}

async function giveUp(
  deps: SettleDeps,
  accountSid: string,
  failed: readonly { readonly standing: ServedStanding; readonly reason: string }[],
  now: Date,
): Promise<void> {
  const to = PHONE_MOVES.PendingPortIn.portFailed;
  if (failed.length === 0 || !to) return;
  const changes = failed.map(
    ({ standing: { number, status: from }, reason }): StatusChange => ({
      number,
      from,
      to,
      reason,
      registeredCampaignId: null,
    }),
  );
  const events = failed.map(({ standing, reason }) =>
    statusChanged(accountSid, { ...standing, to, previous: standing.status, reason }),
  );
  const numbers = failed.map(({ standing }) => standing.number);
  await deps.phones.assign(accountSid, numbers, null, now);
  await deps.phones.move(accountSid, changes, now);
  await deps.outbox.emit(events, now);
}

function say(move: "portOrdered" | "portFailed", reason: string | null): string {
  return reason === null ? PHONE_REASONS[move] : `${PHONE_REASONS[move]} ${reason}`;
}
