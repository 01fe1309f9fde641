// The front door of MessagingConfigs and campaigns.

export { hasWord, type NamedConfig } from "./auto-link.ts";
export { CAMPAIGN_ID, CAMPAIGN_ID_WANTED, CAMPAIGN_STATUSES, type Campaign } from "./campaign.ts";
export { accountsNaming, assignCampaign } from "./campaign-owner.ts";
export {
  CAMPAIGN_STANDINGS,
  type CampaignClaim,
  type CampaignFacts,
  type CampaignStanding,
  type FollowedCampaign,
  type NamingConfig,
  type StandingUpdate,
} from "./followed-campaign.ts";
export { importCampaign } from "./import-campaign.ts";
export { CampaignImport } from "./import-campaigns.ts";
export { linkCampaign } from "./link.ts";
export { assignPhones, changeConfig, deleteConfig, makeConfig } from "./manage-config.ts";
export {
  EXPIRY_SECONDS,
  type MessagingConfig,
  NAME_LENGTH_MAX,
  REPLY_LENGTH_MAX,
  readSendingTimes,
  WEEKDAYS,
} from "./messaging-config.ts";
export type {
  CampaignQueue,
  CampaignRegistry,
  CampaignStore,
  ConfigChange,
  FollowedCampaignStore,
  ListedPage,
  MessagingConfigStore,
  RegistryFault,
} from "./ports.ts";
