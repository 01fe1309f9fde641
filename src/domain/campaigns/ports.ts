// What configs and campaigns need from outside.

import type { Page, PageRequest } from "../../base/page.ts";
import type { NamedConfig } from "./auto-link.ts";
import type { Campaign } from "./campaign.ts";
import type { MessagingConfig } from "./messaging-config.ts";

type Changeable = Omit<MessagingConfig, "sid" | "accountSid" | "createdOn">;
export type ConfigChange = { readonly [Field in keyof Changeable]?: Changeable[Field] | undefined };

export interface MessagingConfigStore {
  insert(config: MessagingConfig): Promise<void>;
  find(accountSid: string, sid: string): Promise<MessagingConfig | undefined>;
  list(accountSid: string, page: PageRequest): Promise<Page<MessagingConfig>>;
  change(accountSid: string, sid: string, change: ConfigChange): Promise<void>;
  remove(accountSid: string, sid: string): Promise<void>;
  /** Configs without a campaign in whose names the text stands, in any case. */
  unlinkedNaming(accountSid: string, text: string): Promise<readonly NamedConfig[]>;
}

export interface CampaignStore {
  /** False when it is here already, whoever has it. */
  insert(campaign: Campaign): Promise<boolean>;
  find(accountSid: string, tcrCampaignId: string): Promise<Campaign | undefined>;
  list(accountSid: string, page: PageRequest): Promise<Page<Campaign>>;
}
