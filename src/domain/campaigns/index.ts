// The front door of MessagingConfigs and campaigns.

export type { NamedConfig } from "./auto-link.ts";
export { CAMPAIGN_ID, CAMPAIGN_STATUSES, type Campaign } from "./campaign.ts";
export { importCampaign } from "./import-campaign.ts";
export { linkCampaign } from "./link.ts";
export { assignPhones, changeConfig, deleteConfig, makeConfig } from "./manage-config.ts";
export {
  EXPIRY_SECONDS,
  type MessagingConfig,
  NAME_LENGTH_MAX,
  REPLY_LENGTH_MAX,
  readSendingTimes,
  type SendingTimes,
  WEEKDAYS,
} from "./messaging-config.ts";
export type { CampaignStore, ConfigChange, MessagingConfigStore } from "./ports.ts";
