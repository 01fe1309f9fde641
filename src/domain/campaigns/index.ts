// The front door of MessagingConfigs and campaigns.

export * from "./auto-link.ts";
export * from "./campaign.ts";
export * from "./campaign-owner.ts";
export * from "./followed-campaign.ts";
export * from "./import-campaign.ts";
export * from "./import-campaigns.ts";
export * from "./keep-by-hand.ts";
export * from "./link.ts";
export * from "./manage-config.ts";
export * from "./messaging-config.ts";
export * from "./ports.ts";
export * from "./update-campaign.ts";
