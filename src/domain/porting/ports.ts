// What porting needs from outside.

import type { Page, PageRequest } from "../../base/page.ts";
import type { Result } from "../../base/result.ts";
import type { PortOrder, PortOrderStatus } from "./port-order.ts";
import type { PortReason } from "./port-reasons.ts";
import type { PortUpdate } from "./port-update.ts";

/** Number → PIN. Kept apart from the order, so that nothing that shows an order can show them. */
export type PortPins = ReadonlyMap<string, string>;

/** A letter of authorization, or what supports it. */
export interface PortDocument {
  readonly name: string;
  readonly contentType: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export type PortReply =
  /** What is to be folded at once; the same may come again as updates. */
  | { readonly kind: "taken"; readonly updates: readonly PortUpdate[] }
  | { readonly kind: "refused"; readonly reason: PortReason }
  /** The order was never submitted there, or is forgotten. */
  | { readonly kind: "unknown" };

export interface PortUpdatePage {
  readonly updates: readonly PortUpdate[];
  /** Where to go on; to be stored with what the updates changed. */
  readonly cursor: string | undefined;
  /** More can be had at once. */
  readonly more: boolean;
}

/**
 * Whoever carries orders out. Every call may be repeated: an order is known by its sid, and a repeat is answered as the first was.
 * `Unavailable` is thrown when there was no answer: whether the call took effect is not known then, so it is made again later.
 */
export interface PortingGateway {
  submit(order: PortOrder, pins: PortPins, documents: readonly PortDocument[]): Promise<PortReply>;
  /** For the numbers that have not moved. */
  cancel(order: PortOrder): Promise<PortReply>;
  /** Answers an exception with the order as it is now; documents are added to those sent before. */
  supplement(order: PortOrder, pins: PortPins, documents: readonly PortDocument[]): Promise<PortReply>;
  /** What was said of all orders after the cursor, oldest first. */
  updates(after: string | undefined): Promise<PortUpdatePage>;
  close(): Promise<void>;
}

export interface ReadNumber {
  readonly e164: string;
}

export type NumberReader = (text: string) => Result<ReadNumber, { readonly reason: string }>;

/** A document that was looked into, on its way into the store. */
export interface NewDocument extends PortDocument {
  readonly pageCount: number;
}

/** What is known of a document without reading it. */
export interface KeptDocument extends Omit<PortDocument, "bytes"> {
  /** From 1. */
  readonly place: number;
  readonly pageCount: number;
  readonly sizeBytes: number;
  readonly createdOn: Date;
}

/** What has still to be said to whoever carries orders out; of one order, one after the other. */
export type PortRequestKind = "submit" | "supplement" | "cancel";

export interface RefusedRequest {
  readonly kind: "supplement" | "cancel";
  readonly reason: PortReason;
}

export interface StoredPortOrder extends PortOrder {
  readonly documents: readonly KeptDocument[];
  /** In the order in which they will be carried out. */
  readonly requests: readonly { readonly kind: PortRequestKind; readonly askedOn: Date }[];
  /** What was asked for last and not granted. */
  readonly refusedRequest: RefusedRequest | null;
  readonly updatedOn: Date;
}

/** Where a number is that somebody wants to port in. */
export interface NumberHolder {
  readonly number: string;
  /** Whom it serves; null: it waits in the inventory. */
  readonly accountSid: string | null;
  readonly portOrderSid: string | null;
}

export interface PortOrderFilter {
  readonly accountSid?: string | undefined;
  readonly status?: PortOrderStatus | undefined;
}

/** Who changes an order has taken the turn of its account (`PhoneStore.lockAccount`). */
export interface PortOrderStore {
  /** Those of the numbers that are here already. */
  holders(numbers: readonly string[]): Promise<readonly NumberHolder[]>;
  /** The status of the config's campaign, null without one; undefined when the account has no such config. */
  campaignOf(
    accountSid: string,
    messagingConfigSid: string,
  ): Promise<{ readonly status: "Active" | "Suspended" | "Expired" | null } | undefined>;
  insert(order: PortOrder, pins: PortPins): Promise<void>;
  find(sid: string): Promise<StoredPortOrder | undefined>;
  list(filter: PortOrderFilter, page: PageRequest): Promise<Page<StoredPortOrder>>;
  /** Whose orders they are; those that are nobody's are left out. */
  ownersOf(sids: readonly string[]): Promise<readonly { readonly sid: string; readonly accountSid: string }[]>;
  /** Throws when it is no longer as it was. PINs are forgotten when the order is closed. */
  save(before: PortOrder, after: PortOrder, now: Date): Promise<void>;
  /** Besides those it has, or in place of them. */
  changePins(sid: string, pins: PortPins): Promise<void>;
  /** Null: the last wish was granted, or a new one is on its way. */
  noteRefusedRequest(sid: string, refused: RefusedRequest | null): Promise<void>;
  addRequest(sid: string, kind: PortRequestKind, now: Date): Promise<void>;
  /** False when somebody else has done it. */
  endRequest(id: string): Promise<boolean>;
  keepCursor(cursor: string): Promise<void>;
}

export interface PortDocumentStore {
  /** What the order has already is not added twice. */
  add(orderSid: string, documents: readonly NewDocument[], now: Date): Promise<void>;
  read(orderSid: string, place: number): Promise<PortDocument | undefined>;
}

export interface PortRequest {
  readonly id: string;
  readonly orderSid: string;
  readonly kind: PortRequestKind;
  readonly failures: number;
}

export interface PortSubmission {
  readonly order: StoredPortOrder;
  readonly pins: PortPins;
  readonly documents: readonly PortDocument[];
}

/** What is to be done for orders, shared by all processes: whoever takes something has it until the time given. */
export interface PortQueue {
  claimRequests(until: Date, countMax: number, now: Date): Promise<readonly PortRequest[]>;
  /** Keeps what was taken while the work goes on, however long it takes. */
  hold<Value>(request: PortRequest, work: () => Promise<Value>): Promise<Value>;
  putOff(request: PortRequest, until: Date): Promise<void>;
  /** Without documents where they are not needed. */
  submissionOf(orderSid: string, withDocuments: boolean): Promise<PortSubmission | undefined>;
  /** The place from which to read the updates; undefined when it is not yet time, or another's turn. */
  claimUpdates(nextOn: Date, now: Date): Promise<{ readonly cursor: string | undefined } | undefined>;
}
