// What an account is: its status, the features switched on for it, and its limits.

export const FEATURES = ["voice", "campaignMigration"] as const;
export type Feature = (typeof FEATURES)[number];

export const ACCOUNT_STATUSES = ["Active", "Suspended"] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export interface Limit {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Each class of requests is counted separately; the operator may change the limits of an account. */
export const DEFAULT_LIMITS = {
  lookup: { requests: 100, windowSeconds: 10 },
  lookupBatch: { requests: 10_000, windowSeconds: 10 },
  send: { requests: 100, windowSeconds: 10 },
  /** Messages to one and the same recipient. */
  sendToRecipient: { requests: 100, windowSeconds: 60 },
  read: { requests: 100, windowSeconds: 10 },
  /** Reads by the sessions of people, so that their pages leave the account's programs all of theirs. */
  session: { requests: 300, windowSeconds: 10 },
  write: { requests: 100, windowSeconds: 10 },
  call: { requests: 60, windowSeconds: 60 },
  /** Calls at the same time, inbound and outbound; its window is not used. */
  concurrentCalls: { requests: 100, windowSeconds: 1 },
  /** Webhook subscriptions that it has; its window is not used. */
  webhooks: { requests: 100, windowSeconds: 1 },
  /** Its share of links and webhook workers over that of others; its window is not used. */
  weight: { requests: 1, windowSeconds: 1 },
} as const satisfies Record<string, Limit>;

export type LimitClass = keyof typeof DEFAULT_LIMITS;

export const WEIGHT_MAX = 100;

export type Limits = Readonly<Record<LimitClass, Limit>>;

/** How many days what the account has is kept; null: for ever, or as long as that of all accounts. */
export interface Retention {
  readonly messageDays: number | null;
  /** Recordings are kept as long as their calls. */
  readonly callDays: number | null;
  /** Events, their deliveries and attempts, and the requests on record. */
  readonly eventDays: number | null;
}

export const KEEPS_ALL: Retention = { messageDays: null, callDays: null, eventDays: null };

export const RETENTION_DAYS_MAX = 36_500;

export interface Account extends Retention {
  readonly sid: string;
  readonly name: string;
  readonly status: AccountStatus;
  /** Why it is suspended, if a reason was given. */
  readonly suspendedReason: string | null;
  readonly features: readonly Feature[];
  /** Only the limits that differ from the defaults. */
  readonly limitChanges: Partial<Limits>;
  /** Two-letter codes of the countries it may send to; null means the countries of its own numbers. */
  readonly allowedCountries: readonly string[] | null;
  /** Two-letter country for reading numbers without a plus. Default: that of its oldest number; null without one. */
  readonly country: string | null;
  readonly defaultCallerId: string | null;
  /** Whether Tandem answers STOP, START and HELP for the account; otherwise the account does so itself. */
  readonly handlesKeywords: boolean;
  readonly createdOn: Date;
}

export function limitOf(account: Pick<Account, "limitChanges">, limitClass: LimitClass): Limit {
  return account.limitChanges[limitClass] ?? DEFAULT_LIMITS[limitClass];
}

export function limitsOf(account: Pick<Account, "limitChanges">): Limits {
  return { ...DEFAULT_LIMITS, ...account.limitChanges };
}

/** Two, so that a new token can be rolled out before the old one is deleted. */
export const TOKENS_MAX = 2;
