// Brings numbers to the status that what they belong to calls for. Looks at what is, not at what happened: it may be called at any
// time, by anybody, twice. Every operation that changes what a number, config or campaign belongs to calls it in its transaction.

import type { NewEvent, Outbox } from "../events.ts";
import {
  type ActivationTerms,
  activationOf,
  nextStatus,
  PHONE_REASONS,
  type PhoneMove,
  type PhoneStatus,
} from "./phone-status.ts";
import type { HeldMessages, PhoneScope, PhoneStore, ServedStanding, StatusChange } from "./ports.ts";

export interface SettleDeps {
  readonly phones: PhoneStore;
  readonly outbox: Outbox;
  readonly heldMessages: HeldMessages;
  /** How long it takes to add a number to a campaign. */
  readonly activationMs: number;
}

/** The caller has taken its turn (`PhoneStore.lockAccount`). */
export async function settleNumbers(deps: SettleDeps, accountSid: string, scope: PhoneScope, now: Date): Promise<void> {
  const standings = await deps.phones.standings(accountSid, scope);
  const terms = { now, activationMs: deps.activationMs };
  const ways = standings.flatMap((standing) => wayOf(standing, terms) ?? []);
  if (ways.length === 0) return;
  await deps.phones.move(
    accountSid,
    ways.map(({ change }) => change),
    now,
  );
  const events = ways.flatMap(({ standing, steps }) =>
    steps.map((step) =>
      statusChanged(accountSid, { ...standing, ...step, previous: step.from, reason: PHONE_REASONS[step.move] }),
    ),
  );
  if (events.length > 0) await deps.outbox.emit(events, now);
  const active = ways.filter(({ change }) => change.to === "Active").map(({ change }) => change.number);
  if (active.length > 0) await deps.heldMessages.release(accountSid, active, now);
}

interface Step {
  readonly from: PhoneStatus;
  readonly to: PhoneStatus;
  readonly move: PhoneMove;
}

interface Way {
  readonly standing: ServedStanding;
  /** None when only what it waits for changes. */
  readonly steps: readonly Step[];
  readonly change: StatusChange;
}

function wayOf(standing: ServedStanding, terms: ActivationTerms): Way | undefined {
  const steps = stepsOf(standing, terms);
  const last = steps.at(-1);
  const to = last?.to ?? standing.status;
  const activation = activationOf({ ...standing, status: to }, terms);
  if (!last && activation === standing.activation) return undefined;
  const move = last?.move ?? waitingMove(to, activation !== null);
  const registeredCampaignId = registeredAfter(standing, to);
  const { number, status: from } = standing;
  const change = { number, from, to, reason: PHONE_REASONS[move], registeredCampaignId, activation };
  return { standing, steps, change };
}

function waitingMove(status: PhoneStatus, isBeingAdded: boolean): PhoneMove {
  if (status === "PendingTcrCampaignChange") return "campaignReplaced";
  return isBeingAdded ? "activationAwaited" : "campaignLacking";
}

function stepsOf(standing: ServedStanding, terms: ActivationTerms): readonly Step[] {
  const steps: Step[] = [];
  for (let status = standing.status; ; ) {
    const next = nextStatus({ ...standing, status }, terms);
    if (!next) return steps;
    steps.push({ ...next, from: status });
    status = next.to;
    // Active under the campaign it has now.
    if (status === "Active") return steps;
  }
}

function registeredAfter(standing: ServedStanding, status: PhoneStatus): string | null {
  if (status === "Active") return standing.tcrCampaignId;
  return status === "PendingTcrCampaignChange" ? standing.registeredCampaignId : null;
}

export interface ToldStatus {
  readonly number: string;
  readonly to: PhoneStatus;
  readonly previous: PhoneStatus | null;
  readonly reason: string | null;
  readonly messagingConfigSid: string | null;
  readonly portOrderSid: string | null;
}

export function statusChanged(accountSid: string, change: ToldStatus): NewEvent<"PhoneNumberStatusChanged"> {
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
