// Takes a number out of the inventory, changes its settings and its config, and gives it back.

import type { Optional } from "../../base/optional.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { AccountStore } from "../accounts/index.ts";
import { invalid, type Problem, problem } from "../problems.ts";
import type { InventoryStore } from "./inventory.ts";
import { DEFAULT_VOICE, type Phone, type VoiceSettings } from "./phone.ts";
import { activationOf, nextStatus, PHONE_MOVES, PHONE_REASONS, statusReasonOf } from "./phone-status.ts";
import type { PhoneChange, PhoneStore } from "./ports.ts";
import { type SettleDeps, settleNumbers, statusChanged } from "./settle-numbers.ts";

export interface PhoneOrder {
  readonly accountSid: string;
  readonly number: string;
  readonly name: string | null;
  readonly messagingConfigSid: string | null;
}

export async function takePhone(
  deps: SettleDeps & { readonly inventory: InventoryStore },
  order: PhoneOrder,
  now: Date,
): Promise<Result<Phone, Problem>> {
  const { accountSid, number, messagingConfigSid } = order;
  await deps.phones.lockAccount(accountSid);
  const stock = await deps.inventory.findLocked(number);
  const campaign =
    messagingConfigSid === null
      ? { id: null, status: null }
      : await deps.phones.campaignOf(accountSid, messagingConfigSid);
  if (!stock || !campaign) {
    const faults: Record<string, string[]> = {};
    if (!stock) faults.phone = [`${number} is not in the inventory: see GET /v1/Phones/Available.`];
    if (!campaign) faults.messagingConfigSid = [unknownConfig(messagingConfigSid)];
    return refused(invalid(faults));
  }
  const links = { number, messagingConfigSid, tcrCampaignId: campaign.id };
  const terms = { now, activationMs: deps.activationMs };
  const blank = { ...links, registeredCampaignId: null, activation: null };
  const first = nextStatus({ ...blank, status: "none" }, terms);
  if (!first) throw new Error("a new number has no status");
  const activation = activationOf({ ...blank, status: first.to }, terms);
  const reason = statusReasonOf(first.move, campaign.status);
  const phone: Phone = {
    number,
    accountSid,
    name: order.name,
    status: first.to,
    statusReason: reason,
    messagingConfigSid,
    portOrderSid: null,
    features: stock.features,
    voice: DEFAULT_VOICE,
    createdOn: now,
    updatedOn: now,
  };
  if (!(await deps.phones.insert(phone, first.to === "Active" ? campaign.id : null, activation))) {
    const isOwn = (await deps.phones.holderOf(number)) === accountSid;
    return refused(problem("conflict", `${number} ${isOwn ? "is yours already" : "serves another account"}.`));
  }
  await deps.outbox.emit([statusChanged(accountSid, { ...phone, to: first.to, previous: null, reason })], now);
  return ok(phone);
}

/** Assigns a number to an account by order of the operator, as if the account had taken it. */
export async function assignPhone(
  deps: SettleDeps & { readonly inventory: InventoryStore; readonly accounts: Pick<AccountStore, "find"> },
  order: PhoneOrder,
  now: Date,
): Promise<Result<Phone, Problem>> {
  const { accountSid, number } = order;
  if (!(await deps.inventory.findLocked(number))) return refused(problem("not-found"));
  if (!(await deps.accounts.find(accountSid))) {
    return refused(invalid({ accountSid: [`There is no account ${accountSid}.`] }));
  }
  const holder = await deps.phones.holderOf(number);
  if (holder !== undefined) return refused(problem("conflict", `${number} serves ${holder} already.`));
  return takePhone(deps, order, now);
}

export async function changePhone(
  deps: SettleDeps,
  accountSid: string,
  number: string,
  change: PhoneChange,
  now: Date,
): Promise<Result<Phone, Problem>> {
  await deps.phones.lockAccount(accountSid);
  const before = await findServing(deps.phones, accountSid, number);
  if (!before.ok) return before;
  const sid = change.messagingConfigSid;
  if (typeof sid === "string" && !(await deps.phones.campaignOf(accountSid, sid))) {
    return refused(invalid({ messagingConfigSid: [unknownConfig(sid)] }));
  }
  await deps.phones.change(accountSid, number, change, now);
  if (change.messagingConfigSid !== undefined) await settleNumbers(deps, accountSid, { numbers: [number] }, now);
  return found(await deps.phones.find(accountSid, number));
}

/** Other accounts may take the number afterwards. */
export async function removePhone(
  deps: Pick<SettleDeps, "phones" | "outbox" | "heldMessages">,
  accountSid: string,
  number: string,
  now: Date,
): Promise<Result<undefined, Problem>> {
  await deps.phones.lockAccount(accountSid);
  const [phone] = await deps.phones.states(accountSid, { numbers: [number] });
  if (!phone) return refused(problem("not-found"));
  const to = PHONE_MOVES[phone.status].removed;
  if (!to) return refused(problem("conflict", `${number} is being ported in: cancel its port order instead.`));
  const reason = PHONE_REASONS.removed;
  await deps.phones.assign(accountSid, [number], null, now);
  await deps.phones.move(accountSid, [{ number, from: phone.status, to, reason, registeredCampaignId: null }], now);
  await deps.outbox.emit([statusChanged(accountSid, { ...phone, to, previous: phone.status, reason })], now);
  await deps.heldMessages.fail(accountSid, [number], now);
  return ok(undefined);
}

export type VoiceChange = Optional<VoiceSettings>;

export async function changeVoice(
  phones: PhoneStore,
  accountSid: string,
  number: string,
  change: VoiceChange,
  now: Date,
): Promise<Result<VoiceSettings, Problem>> {
  await phones.lockAccount(accountSid);
  const before = await findServing(phones, accountSid, number);
  if (!before.ok) return before;
  if (!before.value.features.includes("VOICE")) {
    return refused(problem("conflict", `${number} takes no calls: VOICE is not among its features.`));
  }
  const { callsForwardedTo = before.value.voice.callsForwardedTo } = change;
  const { recordInboundCalls = before.value.voice.recordInboundCalls } = change;
  const after = await phones.change(accountSid, number, { voice: { callsForwardedTo, recordInboundCalls } }, now);
  return after ? ok(after.voice) : refused(problem("not-found"));
}

/** Finds a number only while it serves the account. */
export async function findServing(
  phones: PhoneStore,
  accountSid: string,
  number: string,
): Promise<Result<Phone, Problem>> {
  const phone = await phones.find(accountSid, number);
  return found(phone?.status === "Removed" ? undefined : phone);
}

export interface Assigned {
  readonly success: readonly string[];
  readonly failed: readonly { readonly number: string; readonly reason: string }[];
}

/** Adds numbers to a config, also when they belong to another one. */
export async function addToConfig(
  deps: SettleDeps,
  accountSid: string,
  messagingConfigSid: string,
  numbers: readonly string[],
  now: Date,
): Promise<Assigned> {
  const states = await deps.phones.states(accountSid, { numbers });
  const here = states.map(({ number }) => number);
  await deps.phones.assign(accountSid, here, messagingConfigSid, now);
  await settleNumbers(deps, accountSid, { numbers: here }, now);
  return judged(numbers, new Set(here), "This is not one of your numbers.");
}

export async function takeFromConfig(
  deps: SettleDeps,
  accountSid: string,
  messagingConfigSid: string,
  numbers: readonly string[],
  now: Date,
): Promise<Assigned> {
  const states = await deps.phones.states(accountSid, { numbers });
  const here = states.flatMap((phone) => (phone.messagingConfigSid === messagingConfigSid ? [phone.number] : []));
  await deps.phones.assign(accountSid, here, null, now);
  await settleNumbers(deps, accountSid, { numbers: here }, now);
  return judged(numbers, new Set(here), "This number does not belong to this MessagingConfig.");
}

function judged(numbers: readonly string[], good: ReadonlySet<string>, reason: string): Assigned {
  return {
    success: numbers.filter((number) => good.has(number)),
    failed: numbers.filter((number) => !good.has(number)).map((number) => ({ number, reason })),
  };
}

export function unknownConfig(sid: string | null): string {
  return `There is no MessagingConfig ${sid}.`;
}

function found(phone: Phone | undefined): Result<Phone, Problem> {
  return phone ? ok(phone) : refused(problem("not-found"));
}
