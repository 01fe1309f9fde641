// What operators find without knowing the account: by a number, a sid, a request id or an account's name; and what an
// account finds by the words of its texts.

import type { Account } from "./accounts/index.ts";
import { MADE_KINDS } from "./made-by-requests.ts";
import type { MessageStatus } from "./messaging/index.ts";
import type { Phone } from "./numbers/index.ts";
import type { CallDirection, CallStatus, EndReason } from "./voice/index.ts";

/** A number with the account that it serves, or served. */
export type OwnedPhone = Pick<
  Phone,
  "number" | "accountSid" | "name" | "status" | "statusReason" | "features" | "createdOn" | "updatedOn"
>;

export type FoundAccount = Pick<Account, "sid" | "name" | "status">;

interface Found {
  readonly sid: string;
  readonly accountSid: string;
  readonly createdOn: Date;
}

export interface FoundMessage extends Found {
  readonly direction: CallDirection;
  readonly from: string;
  readonly to: string;
  /** Null for a received one. */
  readonly status: MessageStatus | null;
}

export interface FoundCall extends Found {
  readonly direction: CallDirection;
  readonly from: string;
  readonly to: string;
  readonly status: CallStatus;
  readonly endReason: EndReason | null;
}

export const RECORD_KINDS = [...MADE_KINDS, "InboundMessage", "Delivery", "Recording", "Campaign"] as const;

export interface FoundRecord extends Found {
  readonly kind: (typeof RECORD_KINDS)[number];
}

export interface FoundNames {
  readonly phones: readonly Pick<Phone, "number" | "name" | "status" | "createdOn">[];
  readonly configs: readonly { readonly sid: string; readonly name: string }[];
}

/** Of each kind the newest, at most twenty. */
export interface SearchStore {
  /** Who has the number, then who had it before. */
  phones(numbers: readonly string[]): Promise<readonly OwnedPhone[]>;
  /** Sent to a number or received from it. */
  messages(numbers: readonly string[]): Promise<readonly FoundMessage[]>;
  /** From a number or to it. */
  calls(numbers: readonly string[]): Promise<readonly FoundCall[]>;
  /** Whose names have words that begin with these, or whose sid this is. */
  accounts(text: string): Promise<readonly FoundAccount[]>;
  /** What `MadeByRequests` does not find by its sid; a campaign by its id. */
  records(sid: string): Promise<readonly FoundRecord[]>;
  /** The account's numbers and MessagingConfigs with this text in their names, in any case. */
  named(accountSid: string, text: string): Promise<FoundNames>;
  /** The names of accounts by their sids. */
  names(accountSids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** A message that was sent or received. */
export interface FoundText extends Omit<FoundMessage, "accountSid"> {
  readonly text: string;
}

export interface TextQuestion {
  /** What every text must have (`termsOf`); at least one. */
  readonly terms: readonly string[];
  readonly from: Date;
  readonly to: Date | undefined;
  /** The `next` of the search before. */
  readonly after: string | undefined;
  readonly size: number;
}

export interface FoundTexts {
  /** The newest first; fewer than `size`, perhaps none, where the search was cut short. */
  readonly texts: readonly FoundText[];
  /** Where to go on: it begins with the time of a sid. Absent when everything was read. */
  readonly next?: string;
}

export interface TextStore {
  find(accountSid: string, question: TextQuestion): Promise<FoundTexts>;
}
