// What accounts need from outside.

import type { Page, PageRequest } from "../../base/page.ts";
import type { Account, AccountStatus, Feature, Limits } from "./account.ts";

export interface AccountChange {
  readonly name?: string | undefined;
  readonly status?: AccountStatus | undefined;
  readonly suspendedReason?: string | null | undefined;
  readonly features?: readonly Feature[] | undefined;
  readonly limitChanges?: Partial<Limits> | undefined;
  readonly allowedCountries?: readonly string[] | null | undefined;
  /** Null: that of its oldest number. */
  readonly country?: string | null | undefined;
  readonly defaultCallerId?: string | null | undefined;
  readonly handlesKeywords?: boolean | undefined;
}

/** What a token is for besides signing in. */
export interface TokenRights {
  /** It signs what the account gets in Twilio's shape. */
  readonly signs: boolean;
  /** Tools (of language models) may write with it. */
  readonly toolWrites: boolean;
}

/** One of an account's tokens, number 1 or 2. Its digest is stored; of one that signs also the token, sealed. */
export interface TokenSlot extends TokenRights {
  readonly n: number;
  readonly createdOn: Date;
  /** It signs before one that is older. */
  readonly isPromoted: boolean;
}

export interface AddedToken extends Pick<TokenSlot, "n" | "createdOn" | "toolWrites"> {
  readonly digest: Uint8Array;
  /** The token itself where it signs, otherwise null. */
  readonly signingText: string | null;
}

/** Who signed in with a token of an account. */
export interface SignedInAccount extends Pick<TokenRights, "toolWrites"> {
  readonly account: Account;
}

export interface AccountStore {
  insert(account: Account): Promise<void>;
  find(sid: string): Promise<Account | undefined>;
  /** Locks the account until the transaction ends, so that what was read still holds at commit. */
  findLocked(sid: string): Promise<Account | undefined>;
  list(page: PageRequest): Promise<Page<Account>>;
  change(sid: string, change: AccountChange): Promise<void>;
  tokens(sid: string): Promise<readonly TokenSlot[]>;
  addToken(sid: string, token: AddedToken): Promise<void>;
  /** Makes a signing token of the one that has this text. */
  keepSigningText(sid: string, token: NewToken): Promise<void>;
  /** Every other one of the account's is not promoted from then on. */
  promoteToken(sid: string, n: number): Promise<void>;
  removeToken(sid: string, n: number): Promise<boolean>;
}

export const FEATURE_REQUEST_STATUSES = ["Open", "Granted", "Declined"] as const;
export type FeatureRequestStatus = (typeof FEATURE_REQUEST_STATUSES)[number];

export interface FeatureRequest {
  readonly sid: string;
  readonly accountSid: string;
  readonly feature: Feature;
  readonly status: FeatureRequestStatus;
  readonly createdOn: Date;
  readonly decidedOn: Date | null;
}

export interface FeatureRequestStore {
  insert(request: FeatureRequest): Promise<void>;
  find(sid: string): Promise<FeatureRequest | undefined>;
  findOpen(accountSid: string, feature: Feature): Promise<FeatureRequest | undefined>;
  list(page: PageRequest, status: FeatureRequestStatus | undefined): Promise<Page<FeatureRequest>>;
  /** False when it was no longer open. */
  decide(sid: string, status: "Granted" | "Declined", now: Date): Promise<boolean>;
}

/** `support` only reads. */
export const OPERATOR_ROLES = ["admin", "support"] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** Who calls with an operator token. */
export interface Operator {
  /** Of the token. */
  readonly name: string;
  readonly role: OperatorRole;
}

export interface OperatorToken extends Operator {
  readonly createdOn: Date;
}

export interface OperatorTokenStore {
  /** False when the name is taken. */
  insert(token: OperatorToken, digest: Uint8Array): Promise<boolean>;
  list(): Promise<readonly OperatorToken[]>;
  remove(name: string): Promise<boolean>;
}

export type SessionOwner =
  | { readonly kind: "account"; readonly account: Account }
  | ({ readonly kind: "operator" } & Operator);

/** A person who signed in by a page, with the rights of the token it was done with. */
export interface Session {
  readonly owner: SessionOwner;
  readonly expiresOn: Date;
}

export interface NewSession {
  /** Of what the browser keeps. */
  readonly digest: Uint8Array;
  readonly expiresOn: Date;
}

export interface OpeningSession extends NewSession {
  readonly openedOn: Date;
}

/** A session ends with its token by itself; that of a suspended account is not found. */
export interface SessionStore {
  /** Undefined when there is none, or when it has expired. */
  look(digest: Uint8Array, now: Date): Promise<Session | undefined>;
  /** The same, and puts its end off. */
  use(digest: Uint8Array, now: Date): Promise<Session | undefined>;
  /** False when the account has no such token. */
  openForAccount(session: OpeningSession, accountSid: string, tokenDigest: Uint8Array): Promise<boolean>;
  openForOperator(session: OpeningSession, name: string): Promise<void>;
  end(digest: Uint8Array): Promise<void>;
  endAllOf(owner: SessionOwner): Promise<void>;
  /** A ticket opens one session, until it expires. */
  addTicket(ticket: NewSession, accountSid: string, tokenDigest: Uint8Array): Promise<void>;
  /** The account and token of a ticket, which is gone then. */
  takeTicket(digest: Uint8Array, now: Date): Promise<Ticket | undefined>;
}

export interface Ticket {
  readonly accountSid: string;
  readonly tokenDigest: Uint8Array;
}

/** The text goes to the owner of the token, the digest to the store. */
export interface NewToken {
  readonly text: string;
  readonly digest: Uint8Array;
}

export interface TokenMaker {
  make(): NewToken;
}
