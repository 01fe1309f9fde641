// What numbers need from outside.

import type { Page, PageRequest } from "../../base/page.ts";
import type { NumberFeature } from "./inventory.ts";
import type { Phone, VoiceSettings } from "./phone.ts";
import type { Activation, PhoneStanding, PhoneStatus } from "./phone-status.ts";

export interface PhoneChange {
  readonly name?: string | null | undefined;
  readonly messagingConfigSid?: string | null | undefined;
  readonly voice?: VoiceSettings | undefined;
  readonly features?: readonly NumberFeature[] | undefined;
  readonly statusReason?: string | undefined;
}

export interface PhoneFilter {
  /** Without it: all but the removed. */
  readonly status?: PhoneStatus | undefined;
  readonly messagingConfigSid?: string | undefined;
}

/** The numbers to look at: these, or those of these configs. */
export type PhoneScope = { readonly numbers: readonly string[] } | { readonly messagingConfigSids: readonly string[] };

export interface ServedStanding extends PhoneStanding {
  readonly status: PhoneStatus;
  readonly portOrderSid: string | null;
}

export interface StatusChange {
  readonly number: string;
  readonly from: PhoneStatus;
  readonly to: PhoneStatus;
  readonly reason: string | null;
  readonly registeredCampaignId: string | null;
  /** What it waits for from then on. */
  readonly activation?: Activation | null;
}

/** Except in `find` and `list`, a number is one that serves the account now. */
export interface PhoneStore {
  /**
   * Waits for whoever else changes what the account's numbers, configs and campaigns belong to. Whoever does so calls this first, so
   * that two never look at each other's halves; it holds until the transaction ends.
   */
  lockAccount(accountSid: string): Promise<void>;
  /** False when the number serves an account already. */
  insert(phone: Phone, registeredCampaignId: string | null, activation?: Activation | null): Promise<boolean>;
  /** As it serves, or last served, the account. */
  find(accountSid: string, number: string): Promise<Phone | undefined>;
  list(accountSid: string, page: PageRequest, filter: PhoneFilter): Promise<Page<Phone>>;
  /** Undefined when it does not serve the account. */
  change(accountSid: string, number: string, change: PhoneChange, now: Date): Promise<Phone | undefined>;
  /** Those that were moved; those that belong there already are not. */
  assign(
    accountSid: string,
    numbers: readonly string[],
    messagingConfigSid: string | null,
    now: Date,
  ): Promise<readonly string[]>;
  isConfigUsed(messagingConfigSid: string): Promise<boolean>;
  /** The campaign of a config; undefined when there is no such config. */
  campaignOf(accountSid: string, messagingConfigSid: string): Promise<{ readonly id: string | null } | undefined>;
  standings(accountSid: string, scope: PhoneScope): Promise<readonly ServedStanding[]>;
  /** Throws when a number is no longer what it is said to be. */
  move(accountSid: string, changes: readonly StatusChange[], now: Date): Promise<void>;
  /** Numbers whose activation is done by now, those first that were done first. */
  activated(now: Date, countMax: number): Promise<readonly { readonly accountSid: string; readonly number: string }[]>;
}

/** Messages that wait for their number to become Active. */
export interface HeldMessages {
  release(accountSid: string, numbers: readonly string[], now: Date): Promise<void>;
}
