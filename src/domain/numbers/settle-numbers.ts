// Brings numbers to the status that follows from their config and campaign. Level-triggered: it reads the current
// state, so it is safe to call at any time and repeatedly. Every operation that changes what a number, config or
// campaign belongs to calls it in its transaction.

import type { NewEvent, Outbox } from "../events.ts";
import {
  type ActivationTerms,
  activationOf,
  nextStatus,
  type PhoneMove,
  type PhoneStatus,
  statusReasonOf,
} from "./phone-status.ts";
import type { HeldMessages, PhoneScope, PhoneStore, ServedPhone, StatusChange } from "./ports.ts";

export interface SettleDeps {
  readonly phones: PhoneStore;
  readonly outbox: Outbox;
  readonly heldMessages: HeldMessages;
  /** How long it takes to add a number to a campaign. */
  readonly activationMs: number;
}

/** The caller holds the account's lock (`PhoneStore.lockAccount`). */
export async function settleNumbers(deps: SettleDeps, accountSid: string, scope: PhoneScope, now: Date): Promise<void> {
  const phones = await deps.phones.states(accountSid, scope);
  const terms = { now, activationMs: deps.activationMs };
  const transitions = phones.flatMap((phone) => transitionOf(phone, terms) ?? []);
  if (transitions.length === 0) return;
  const changes = transitions.map(({ change }) => change);
  await deps.phones.move(accountSid, changes, now);
  const events = transitions.flatMap(({ phone, steps }) =>
    steps.map((step) => {
      const reason = statusReasonOf(step.move, phone.campaignStatus);
      return statusChanged(accountSid, { ...phone, ...step, previous: step.from, reason });
    }),
  );
  if (events.length > 0) await deps.outbox.emit(events, now);
  const active = changes.filter(({ from, to }) => from !== to && to === "Active").map(({ number }) => number);
  if (active.length > 0) await deps.heldMessages.release(accountSid, active, now);
}

interface Step {
  readonly from: PhoneStatus;
  readonly to: PhoneStatus;
  readonly move: PhoneMove;
}

interface Transition {
  readonly phone: ServedPhone;
  /** Empty when only the activation or the reason changes. */
  readonly steps: readonly Step[];
  readonly change: StatusChange;
}

function transitionOf(phone: ServedPhone, terms: ActivationTerms): Transition | undefined {
  const steps = stepsOf(phone, terms);
  const last = steps.at(-1);
  const to = last?.to ?? phone.status;
  const activation = activationOf({ ...phone, status: to }, terms);
  const move = last?.move ?? presentMove(to, activation !== null);
  if (!move) return undefined;
  const reason = statusReasonOf(move, phone.campaignStatus);
  if (!last && activation === phone.activation && reason === phone.statusReason) return undefined;
  const registeredCampaignId = registeredAfter(phone, to);
  const { number, status: from } = phone;
  return { phone, steps, change: { number, from, to, reason, registeredCampaignId, activation } };
}

/** The move that explains the status of a number that does not move; undefined where its port explains it. */
function presentMove(status: PhoneStatus, isBeingAdded: boolean): PhoneMove | undefined {
  switch (status) {
    case "Active":
      return "nothingLacking";
    case "PendingMessagingConfigAdd":
      return "configLacking";
    case "PendingTcrCampaignChange":
      return "campaignReplaced";
    case "PendingTcrCampaignAdd":
      return isBeingAdded ? "activationAwaited" : "campaignLacking";
    case "PendingPortIn":
    case "Removed":
      return undefined;
  }
}

function stepsOf(phone: ServedPhone, terms: ActivationTerms): readonly Step[] {
  const steps: Step[] = [];
  for (let status = phone.status; ; ) {
    const next = nextStatus({ ...phone, status }, terms);
    if (!next) return steps;
    steps.push({ ...next, from: status });
    status = next.to;
    // It became Active under its present campaign, which `phone.registeredCampaignId` does not show yet.
    if (status === "Active") return steps;
  }
}

function registeredAfter(phone: ServedPhone, status: PhoneStatus): string | null {
  if (status === "Active") return phone.tcrCampaignId;
  return status === "PendingTcrCampaignChange" ? phone.registeredCampaignId : null;
}

export interface StatusReport {
  readonly number: string;
  readonly to: PhoneStatus;
  readonly previous: PhoneStatus | null;
  readonly reason: string | null;
  readonly messagingConfigSid: string | null;
  readonly portOrderSid: string | null;
}

export function statusChanged(accountSid: string, change: StatusReport): NewEvent<"PhoneNumberStatusChanged"> {
  const { number, messagingConfigSid } = change;
  return {
    accountSid,
    type: "PhoneNumberStatusChanged",
    resourceSid: number,
    phone: number,
    ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
    fields: {
      Number: number,
      Status: change.to,
      PreviousStatus: change.previous,
      Reason: change.reason,
      MessagingConfigSid: messagingConfigSid,
      PortOrderSid: change.portOrderSid,
    },
  };
}
