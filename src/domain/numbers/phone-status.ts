// How a number's status moves. A status is never set directly: it follows from the config and campaign that the number
// belongs to.

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

/** The reasons for which a number moves, and the text shown with its new status. */
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

/** Shown for a number that may not send because of its campaign. */
const CAMPAIGN_REASONS = {
  Active: null,
  Suspended: "Its campaign is suspended: messages are refused.",
  Expired: "Its campaign has expired: messages are refused.",
} as const;
/** The status of the campaign of a number's config; null without one. */
export type PhoneCampaignStatus = keyof typeof CAMPAIGN_REASONS | null;

/** The text shown with the status of a number after this move. */
export function statusReasonOf(move: PhoneMove, campaignStatus: PhoneCampaignStatus): string | null {
  const reasons = [PHONE_REASONS[move], campaignStatus && CAMPAIGN_REASONS[campaignStatus]];
  return reasons.filter((reason) => reason !== null).join(" ") || null;
}

/**
 * `none` is a number that does not exist yet. A number leaves `PendingPortIn` when its messaging has moved; its config
 * and campaign decide the next status. A number that waits to be added to its campaign does not move while it waits.
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

/** The config and campaign that a number belongs to. */
export interface PhoneLinks {
  readonly number: string;
  readonly messagingConfigSid: string | null;
  /** The campaign of its config. */
  readonly tcrCampaignId: string | null;
}

/** The campaign that a number is being added to, and when that completes. */
export interface Activation {
  readonly campaignId: string;
  readonly on: Date;
}

/** How long it takes to add a number to a campaign, counted from now. */
export interface ActivationTerms {
  readonly now: Date;
  readonly activationMs: number;
}

/** The status of a number, and the config and campaign it belongs to: the status may lag behind them. */
export interface PhoneState extends PhoneLinks {
  readonly status: PhoneStatus | "none";
  /** The campaign under which it became Active. */
  readonly registeredCampaignId: string | null;
  readonly activation: Activation | null;
  /** For a number that is being ported in: its messages already arrive here. */
  readonly messagingMoved?: boolean;
}

/** The next status of the number, and why; undefined when the number already has it, or while its port decides. */
export function nextStatus(
  phone: PhoneState,
  terms: ActivationTerms,
): { readonly move: PhoneMove; readonly to: PhoneStatus } | undefined {
  if (phone.status === "PendingPortIn" && !phone.messagingMoved) return undefined;
  const move = lackOf(phone, terms);
  const to = PHONE_MOVES[phone.status][move];
  return to && { move, to };
}

/** The activation that a number without a next status waits for: the one under way, or one that starts now. */
export function activationOf(phone: PhoneState, terms: ActivationTerms): Activation | null {
  const { status, activation, tcrCampaignId: campaignId } = phone;
  const mayWait = status === "PendingTcrCampaignAdd" || status === "PendingTcrCampaignChange";
  if (!mayWait || campaignId === null || lackOf(phone, terms) !== "activationAwaited") return null;
  if (activation?.campaignId === campaignId) return activation;
  return { campaignId, on: new Date(terms.now.getTime() + terms.activationMs) };
}

function lackOf(phone: PhoneState, { now, activationMs }: ActivationTerms): PhoneMove {
  const { status, registeredCampaignId, tcrCampaignId, activation } = phone;
  if (phone.messagingConfigSid === null) return "configLacking";
  if (!needsCampaign(phone.number)) return "nothingLacking";
  if (tcrCampaignId === null) return "campaignLacking";
  if (status === "Active") return registeredCampaignId === tcrCampaignId ? "nothingLacking" : "campaignReplaced";
  const isAdded = activationMs === 0 || (activation?.campaignId === tcrCampaignId && activation.on <= now);
  // A ported number always passes through PendingTcrCampaignAdd, so that an event reports the end of the port.
  return isAdded && status !== "PendingPortIn" ? "nothingLacking" : "activationAwaited";
}

const TOLL_FREE = new Set(["800", "833", "844", "855", "866", "877", "888"]);

/** True for 10DLC numbers: geographic numbers of +1, in all its countries. */
export function needsCampaign(number: string): boolean {
  const areaCode = /^\+1(\d{3})\d{7}$/.exec(number)?.[1];
  return areaCode !== undefined && !TOLL_FREE.has(areaCode);
}
