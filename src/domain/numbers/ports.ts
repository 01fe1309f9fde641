// What numbers need from outside.

import type { Optional } from "../../base/optional.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import type { Phone } from "./phone.ts";
import type { Activation, PhoneCampaignStatus, PhoneState, PhoneStatus } from "./phone-status.ts";

export type PhoneChange = Optional<Pick<Phone, "name" | "messagingConfigSid" | "voice" | "features" | "statusReason">>;

export interface PhoneFilter {
  /** Absent: all numbers except removed ones. */
  readonly status?: PhoneStatus | undefined;
  readonly messagingConfigSid?: string | undefined;
}

/** These numbers, or all numbers of these configs. */
export type PhoneScope = { readonly numbers: readonly string[] } | { readonly messagingConfigSids: readonly string[] };

export interface ServedPhone extends PhoneState {
  readonly status: PhoneStatus;
  readonly statusReason: string | null;
  readonly campaignStatus: PhoneCampaignStatus;
  readonly portOrderSid: string | null;
}

export interface StatusChange {
  readonly number: string;
  readonly from: PhoneStatus;
  readonly to: PhoneStatus;
  readonly reason: string | null;
  readonly registeredCampaignId: string | null;
  /** The activation that the number waits for afterwards. */
  readonly activation?: Activation | null;
}

/** Except in `find` and `list`, only numbers that serve the account now are seen. */
export interface PhoneStore {
  /**
   * Takes the lock of the account until the transaction ends. Every transaction that changes what the account's
   * numbers, configs and campaigns belong to takes it first, so that two of them never read each other's unfinished
   * changes.
   */
  lockAccount(accountSid: string): Promise<void>;
  /** The account that the number serves. */
  holderOf(number: string): Promise<string | undefined>;
  /** False when the number serves an account already. */
  insert(phone: Phone, registeredCampaignId: string | null, activation?: Activation | null): Promise<boolean>;
  /** The number as it serves, or last served, the account. */
  find(accountSid: string, number: string): Promise<Phone | undefined>;
  list(accountSid: string, page: PageRequest, filter: PhoneFilter): Promise<Page<Phone>>;
  /** Undefined when the number does not serve the account. */
  change(accountSid: string, number: string, change: PhoneChange, now: Date): Promise<Phone | undefined>;
  /** Returns the numbers that were moved, without those that belong there already. */
  assign(
    accountSid: string,
    numbers: readonly string[],
    messagingConfigSid: string | null,
    now: Date,
  ): Promise<readonly string[]>;
  isConfigUsed(messagingConfigSid: string): Promise<boolean>;
  /** The campaign of a config; undefined when there is no such config. */
  campaignOf(
    accountSid: string,
    messagingConfigSid: string,
  ): Promise<{ readonly id: string | null; readonly status: PhoneCampaignStatus } | undefined>;
  states(accountSid: string, scope: PhoneScope): Promise<readonly ServedPhone[]>;
  /** Throws when a number no longer has the status `from`. */
  move(accountSid: string, changes: readonly StatusChange[], now: Date): Promise<void>;
  /** Numbers whose activation is complete, the longest complete first. */
  activated(now: Date, countMax: number): Promise<readonly { readonly accountSid: string; readonly number: string }[]>;
}

/** Messages that wait for their number to become Active. */
export interface HeldMessages {
  release(accountSid: string, numbers: readonly string[], now: Date): Promise<void>;
  /** Fails the messages of numbers that were removed. */
  fail(accountSid: string, numbers: readonly string[], now: Date): Promise<void>;
}
