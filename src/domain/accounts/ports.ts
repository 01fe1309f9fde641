// What accounts need from outside.

import type { Optional } from "../../base/optional.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import type { Account, Feature } from "./account.ts";

export type AccountChange = Optional<Omit<Account, "sid" | "createdOn">>;

/** What a token may do in addition to signing in. */
export interface TokenRights {
  /** Signs the payloads that the account gets in Twilio's shape. */
  readonly signs: boolean;
  /** Language-model tools may write with it. */
  readonly toolWrites: boolean;
}

/** One of an account's tokens, number 1 or 2. Its digest is stored; for a signing token, also the encrypted token. */
export interface TokenSlot extends TokenRights {
  readonly n: number;
  readonly createdOn: Date;
  /** To the minute; null: never, as far as is known. */
  readonly lastUsedOn: Date | null;
  /** Signs in preference to an older token. */
  readonly isPromoted: boolean;
}

export interface AddedToken extends Pick<TokenSlot, "n" | "createdOn" | "toolWrites"> {
  readonly digest: Uint8Array;
  /** The token itself if it signs, otherwise null. */
  readonly signingText: string | null;
}

/** The account that signed in with a token. */
export interface SignedInAccount extends Pick<TokenRights, "toolWrites"> {
  readonly account: Account;
  /** The place of the token. */
  readonly token: number;
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
  /** Makes the token with this text a signing token. */
  keepSigningText(sid: string, token: NewToken): Promise<void>;
  /** The account's other tokens are no longer promoted. */
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

/** A caller with an operator token. */
export interface Operator {
  /** The name of the token. */
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

/** A person signed in on a page, with the rights of the token used to sign in. */
export interface Session {
  readonly owner: SessionOwner;
  /** The place of the account's token by which it was opened; null for operators. */
  readonly token: number | null;
  readonly expiresOn: Date;
}

export interface NewSession {
  /** Digest of the text that the browser keeps. */
  readonly digest: Uint8Array;
  readonly expiresOn: Date;
}

export interface OpeningSession extends NewSession {
  readonly openedOn: Date;
}

/** A session ends when its token is removed; the session of a suspended account is not found. */
export interface SessionStore {
  /** Undefined when there is none, or when it has expired. */
  look(digest: Uint8Array, now: Date): Promise<Session | undefined>;
  /** Like `look`, and extends the session. */
  use(digest: Uint8Array, now: Date): Promise<Session | undefined>;
  /** Returns the token's place; undefined when the account has no such token. */
  openForAccount(session: OpeningSession, accountSid: string, tokenDigest: Uint8Array): Promise<number | undefined>;
  openForOperator(session: OpeningSession, name: string): Promise<void>;
  end(digest: Uint8Array): Promise<void>;
  endAllOf(owner: SessionOwner): Promise<void>;
  /** A ticket opens one session, until it expires. */
  addTicket(ticket: NewSession, accountSid: string, tokenDigest: Uint8Array): Promise<void>;
  /** Returns the account and token of a ticket, and deletes the ticket. */
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
