// The shapes of the API that this client speaks, as api/tandem.json describes them (a test holds the two together).

export type MessagingStatus = "Active" | "Inactive";

export type PhoneType = "Unknown" | "Wireless" | "Landline" | "VoIP";

export interface NumberInformation {
  /** In international format with a leading plus. */
  readonly number: string;
  /** Whether it can send and receive messages. */
  readonly status: MessagingStatus;
  readonly type: PhoneType;
  readonly carrierName: string | null;
}

export interface FailedLookup {
  /** As it was asked for. */
  readonly number: string;
  /** Why this is no number. */
  readonly error: string;
}

export interface LookupBatchAnswer {
  readonly items: readonly (NumberInformation | FailedLookup)[];
}

export interface Limit {
  readonly requests: number;
  readonly windowSeconds: number;
}

export interface Limits {
  readonly lookup: Limit;
  readonly lookupBatch: Limit;
  readonly send: Limit;
  readonly read: Limit;
  readonly write: Limit;
}

export interface OwnAccount {
  readonly sid: string;
  readonly name: string;
  readonly status: "Active" | "Suspended";
  readonly features: readonly ("voice" | "campaignMigration")[];
  readonly limits: Limits;
  readonly defaultCallerId: string | null;
  readonly upstreamCnpId: string | null;
  readonly sipSourceAddresses: readonly string[];
  readonly supportContact: string;
  readonly createdOn: string;
}

export interface ValidationProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string | null;
  readonly instance: string | null;
  /** Stable, in kebab case. */
  readonly code: string;
  readonly traceId: string;
  /** Field name to messages; `$` is the request as a whole. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
}
