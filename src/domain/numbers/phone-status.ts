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
  nothingLacking: null,
  portFailed: "It could not be ported in.",
  removed: "It was removed by its account.",
} as const;
export type PhoneMove = keyof typeof PHONE_REASONS;

/** `none` is a number that is not here yet. A number leaves `PendingPortIn` when its messaging has moved, wherever it then belongs. */
export const PHONE_MOVES: Moves<PhoneStatus | "none", PhoneMove, PhoneStatus> = {
  none: {
    portOrdered: "PendingPortIn",
    configLacking: "PendingMessagingConfigAdd",
    campaignLacking: "PendingTcrCampaignAdd",
    nothingLacking: "Active",
  },
  PendingPortIn: {
    configLacking: "PendingMessagingConfigAdd",
    campaignLacking: "PendingTcrCampaignAdd",
    nothingLacking: "Active",
    portFailed: "Removed",
  },
  PendingMessagingConfigAdd: {
    campaignLacking: "PendingTcrCampaignAdd",
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

/** A number as it is, and what it belongs to: they may disagree. */
export interface PhoneStanding extends PhoneLinks {
  readonly status: PhoneStatus | "none";
  /** The campaign under which it became Active. */
  readonly registeredCampaignId: string | null;
}

/** The next status that what is calls for, and why; undefined when it has it already, or others decide. */
export function nextStatus(
  standing: PhoneStanding,
): { readonly move: PhoneMove; readonly to: PhoneStatus } | undefined {
  if (standing.status === "PendingPortIn") return undefined;
  const move = lackOf(standing);
  const to = PHONE_MOVES[standing.status][move];
  return to && { move, to };
}

function lackOf(standing: PhoneStanding): PhoneMove {
  if (standing.messagingConfigSid === null) return "configLacking";
  if (!needsCampaign(standing.number)) return "nothingLacking";
  if (standing.tcrCampaignId === null) return "campaignLacking";
  const isReplaced = standing.status === "Active" && standing.registeredCampaignId !== standing.tcrCampaignId;
  return isReplaced ? "campaignReplaced" : "nothingLacking";
}

const TOLL_FREE = new Set(["800", "833", "844", "855", "866", "877", "888"]);

/** 10DLC: geographic numbers of +1, in all its countries. */
export function needsCampaign(number: string): boolean {
  const areaCode = /^\+1(\d{3})\d{7}$/.exec(number)?.[1];
  return areaCode !== undefined && !TOLL_FREE.has(areaCode);
}
