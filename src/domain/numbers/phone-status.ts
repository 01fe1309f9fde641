// How a number's status moves. Nobody sets a status: what the number belongs to changes, and the status follows.

import type { Moves } from "../../base/moves.ts";

export const PHONE_STATUSES = [
  "PendingPortIn",
  "PendingMessagingConfigAdd",
  "PendingTcrCampaignAdd",
  "PendingTcrCampaignChange",
  "Active",
  "Removed",
] as const;
export type PhoneStatus = (typeof PHONE_STATUSES)[number];

/** Why a number moves, and what its status says of it from then on. */
export const PHONE_REASONS = {
  portOrdered: "It is being ported in.",
  configLacking: "It belongs to no MessagingConfig.",
  campaignLacking: "Its MessagingConfig is linked to no campaign.",
  campaignReplaced: "Its campaign is being changed.",
  activationAwaited: "It is being added to its campaign.",
  nothingLacking: null,
  portFailed: "It could not be ported in.",
  removed: "It was removed by its account.",
} as const;
export type PhoneMove = keyof typeof PHONE_REASONS;

/**
 * `none` is a number that is not here yet. A number leaves `PendingPortIn` when its messaging has moved, wherever it then belongs. One
 * that waits to be added to its campaign has no move of its own while it waits.
 */
export const PHONE_MOVES: Moves<PhoneStatus | "none", PhoneMove, PhoneStatus> = {
  none: {
    portOrdered: "PendingPortIn",
    configLacking: "PendingMessagingConfigAdd",
    campaignLacking: "PendingTcrCampaignAdd",
    activationAwaited: "PendingTcrCampaignAdd",
    nothingLacking: "Active",
  },
  PendingPortIn: {
    configLacking: "PendingMessagingConfigAdd",
    campaignLacking: "PendingTcrCampaignAdd",
    activationAwaited: "PendingTcrCampaignAdd",
    nothingLacking: "Active",
    portFailed: "Removed",
  },
  PendingMessagingConfigAdd: {
    campaignLacking: "PendingTcrCampaignAdd",
    activationAwaited: "PendingTcrCampaignAdd",
    nothingLacking: "Active",
    removed: "Removed",
  },
  PendingTcrCampaignAdd: {
    configLacking: "PendingMessagingConfigAdd",
    nothingLacking: "Active",
    removed: "Removed",
  },
  PendingTcrCampaignChange: {
    configLacking: "PendingMessagingConfigAdd",
    campaignLacking: "PendingTcrCampaignAdd",
    nothingLacking: "Active",
    removed: "Removed",
  },
  Active: {
    configLacking: "PendingMessagingConfigAdd",
    campaignLacking: "PendingTcrCampaignAdd",
    campaignReplaced: "PendingTcrCampaignChange",
    removed: "Removed",
  },
  Removed: {},
};

/** What a number belongs to. */
export interface PhoneLinks {
  readonly number: string;
  readonly messagingConfigSid: string | null;
  /** Of its config. */
  readonly tcrCampaignId: string | null;
}

/** The campaign that a number is being added to, and when that is done. */
export interface Activation {
  readonly campaignId: string;
  readonly on: Date;
}

/** How long it takes to add a number to a campaign, counted from now. */
export interface ActivationTerms {
  readonly now: Date;
  readonly activationMs: number;
}

/** A number as it is, and what it belongs to: they may disagree. */
export interface PhoneStanding extends PhoneLinks {
  readonly status: PhoneStatus | "none";
  /** The campaign under which it became Active. */
  readonly registeredCampaignId: string | null;
  readonly activation: Activation | null;
  /** Of one that is being ported in: messages to it come here by now. */
  readonly messagingMoved?: boolean;
}

/** The next status that what is calls for, and why; undefined when it has it already, or others decide. */
export function nextStatus(
  standing: PhoneStanding,
  terms: ActivationTerms,
): { readonly move: PhoneMove; readonly to: PhoneStatus } | undefined {
  if (standing.status === "PendingPortIn" && !standing.messagingMoved) return undefined;
  const move = lackOf(standing, terms);
  const to = PHONE_MOVES[standing.status][move];
  return to && { move, to };
}

/** What a number that has no next status waits for: what it waits for already, or from now on. */
export function activationOf(standing: PhoneStanding, terms: ActivationTerms): Activation | null {
  const { status, activation, tcrCampaignId: campaignId } = standing;
  const mayWait = status === "PendingTcrCampaignAdd" || status === "PendingTcrCampaignChange";
  if (!mayWait || campaignId === null || lackOf(standing, terms) !== "activationAwaited") return null;
  if (activation?.campaignId === campaignId) return activation;
  return { campaignId, on: new Date(terms.now.getTime() + terms.activationMs) };
}

function lackOf(standing: PhoneStanding, { now, activationMs }: ActivationTerms): PhoneMove {
  const { status, registeredCampaignId, tcrCampaignId, activation } = standing;
  if (standing.messagingConfigSid === null) return "configLacking";
  if (!needsCampaign(standing.number)) return "nothingLacking";
  if (tcrCampaignId === null) return "campaignLacking";
  if (status === "Active") return registeredCampaignId === tcrCampaignId ? "nothingLacking" : "campaignReplaced";
  const isAdded = activationMs === 0 || (activation?.campaignId === tcrCampaignId && activation.on <= now);
  // Everybody is told that the port is over before a number is added to its campaign, however fast that is.
  return isAdded && status !== "PendingPortIn" ? "nothingLacking" : "activationAwaited";
}

const TOLL_FREE = new Set(["800", "833", "844", "855", "866", "877", "888"]);

/** 10DLC: geographic numbers of +1, in all its countries. */
export function needsCampaign(number: string): boolean {
  const areaCode = /^\+1(\d{3})\d{7}$/.exec(number)?.[1];
  return areaCode !== undefined && !TOLL_FREE.has(areaCode);
}
