// What is written in the form of a MessagingConfig, as text, and the order that is made of it.

import type { MessagingConfig, MessagingConfigChange, MessagingConfigOrder, Weekday } from "@tandem/sdk";

export interface ConfigDraft {
  readonly name: string;
  /** Empty: none. */
  readonly tcrCampaignId: string;
  readonly expiryMinutes: string;
  /** Undefined: at any time. */
  readonly times: TimesDraft | undefined;
  readonly optOutReply: string;
  readonly optInReply: string;
  readonly helpReply: string;
  readonly optOutKeywords: string;
  readonly optInKeywords: string;
  readonly helpKeywords: string;
}

export interface TimesDraft {
  readonly timeZone: string;
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly to: string;
}

const EXPIRY_MINUTES = 240;
const words = (keywords: readonly string[]) => keywords.join(", ");

export const NEW_CONFIG: ConfigDraft = {
  name: "",
  tcrCampaignId: "",
  expiryMinutes: String(EXPIRY_MINUTES),
  times: undefined,
  optOutReply: "",
  optInReply: "",
  helpReply: "",
  optOutKeywords: "",
  optInKeywords: "",
  helpKeywords: "",
};

export function draftOf(config: MessagingConfig): ConfigDraft {
  return {
    name: config.name,
    tcrCampaignId: config.tcrCampaignId ?? "",
    expiryMinutes: String(config.defaultExpirySeconds / 60),
    times: config.sendingTimes ?? undefined,
    optOutReply: config.optOutReply ?? "",
    optInReply: config.optInReply ?? "",
    helpReply: config.helpReply ?? "",
    optOutKeywords: words(config.optOutKeywords),
    optInKeywords: words(config.optInKeywords),
    helpKeywords: words(config.helpKeywords),
  };
}

/** For a new one, and for a change: every member is named. */
export function orderOf(draft: ConfigDraft): MessagingConfigOrder & MessagingConfigChange {
  return {
    name: draft.name.trim(),
    tcrCampaignId: draft.tcrCampaignId || null,
    sendingTimes: draft.times ?? null,
    defaultExpirySeconds: Math.round(Number(draft.expiryMinutes) * 60),
    optOutReply: draft.optOutReply.trim() || null,
    optInReply: draft.optInReply.trim() || null,
    helpReply: draft.helpReply.trim() || null,
    optOutKeywords: keywordsIn(draft.optOutKeywords),
    optInKeywords: keywordsIn(draft.optInKeywords),
    helpKeywords: keywordsIn(draft.helpKeywords),
  };
}

/** Separated by commas or lines: a keyword may have several words. */
function keywordsIn(text: string): readonly string[] {
  return text
    .split(/[,;\n]/)
    .map((keyword) => keyword.trim())
    .filter((keyword) => keyword !== "");
}
