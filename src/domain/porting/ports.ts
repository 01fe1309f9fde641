// What porting needs from outside.

import type { Optional } from "../../base/optional.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import type { Result } from "../../base/result.ts";
import type { PortOrder } from "./port-order.ts";
import type { PortReason } from "./port-reasons.ts";
import type { PortUpdate } from "./port-update.ts";

/** Number → PIN. Separate from the order, so that code that shows orders cannot show PINs. */
export type PortPins = ReadonlyMap<string, string>;

/** A letter of authorization or a supporting document. */
export interface PortDocument {
  readonly name: string;
  readonly contentType: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export type PortReply =
  /** `updates` are applied immediately; they may be repeated later. */
  | { readonly kind: "taken"; readonly updates: readonly PortUpdate[] }
  | { readonly kind: "refused"; readonly reason: PortReason }
  /** The clearing house does not know the order. */
  | { readonly kind: "unknown" };

export interface PortUpdatePage {
  readonly updates: readonly PortUpdate[];
  /** Where the next page begins; stored together with the changes of this page. */
  readonly cursor: string | undefined;
  /** The next page is available now. */
  readonly more: boolean;
}

/**
 * The clearing house, or manual porting in its place. Every call may be repeated: an order is known by its sid, and a
 * repeat gets the same answer. `Unavailable` is thrown when there was no answer: the call may have taken effect or not,
 * so it is repeated later.
 */
export interface PortingGateway {
  submit(order: PortOrder, pins: PortPins, documents: readonly PortDocument[]): Promise<PortReply>;
  /** Cancels the numbers that have not moved. */
  cancel(order: PortOrder): Promise<PortReply>;
  /** Answers an exception with the order as it is now; documents are added to those sent before. */
  supplement(order: PortOrder, pins: PortPins, documents: readonly PortDocument[]): Promise<PortReply>;
  /** Updates of all orders after the cursor, oldest first. */
  updates(after: string | undefined): Promise<PortUpdatePage>;
  close(): Promise<void>;
}

export interface ReadNumber {
  readonly e164: string;
}

/** `country`: the account's, in which a number without a plus is read. */
export type NumberReader = (text: string, country: string | null) => Result<ReadNumber, { readonly reason: string }>;

/** A checked document that is not stored yet. */
export interface NewDocument extends PortDocument {
  readonly pageCount: number;
}

/** A document without its bytes. */
export interface StoredDocument extends Omit<PortDocument, "bytes"> {
  /** From 1. */
  readonly place: number;
  readonly pageCount: number;
  readonly sizeBytes: number;
  readonly createdOn: Date;
}

/** A request to the clearing house that is still to be sent; those of one order are sent one after the other. */
export type PortRequestKind = "submit" | "supplement" | "cancel";

export interface RefusedRequest {
  readonly kind: "supplement" | "cancel";
  readonly reason: PortReason;
}

export interface StoredPortOrder extends PortOrder {
  readonly documents: readonly StoredDocument[];
  /** In the order in which they will be carried out. */
  readonly requests: readonly { readonly kind: PortRequestKind; readonly askedOn: Date }[];
  /** The last request, if the clearing house refused it. */
  readonly refusedRequest: RefusedRequest | null;
  readonly updatedOn: Date;
}

/** The present holder of a number that an account wants to port in. */
export interface NumberHolder {
  readonly number: string;
  /** The account that it serves; null: it is in the inventory. */
  readonly accountSid: string | null;
  readonly portOrderSid: string | null;
}

export type PortOrderFilter = Optional<Pick<PortOrder, "accountSid" | "status">>;

/** A caller that changes an order holds its account's lock (`PhoneStore.lockAccount`). */
export interface PortOrderStore {
  /** Returns those of the numbers that are here already. */
  holders(numbers: readonly string[]): Promise<readonly NumberHolder[]>;
  insert(order: PortOrder, pins: PortPins): Promise<void>;
  find(sid: string): Promise<StoredPortOrder | undefined>;
  list(filter: PortOrderFilter, page: PageRequest): Promise<Page<StoredPortOrder>>;
  /** The accounts of the orders; unknown orders are left out. */
  ownersOf(sids: readonly string[]): Promise<readonly { readonly sid: string; readonly accountSid: string }[]>;
  /** Throws when the order has changed since `before`. Deletes the PINs when the order is closed. */
  save(before: PortOrder, after: PortOrder, now: Date): Promise<void>;
  /** Empty once the order is closed; undefined when they cannot be decrypted. */
  pins(sid: string): Promise<PortPins | undefined>;
  /** Adds PINs, and replaces those of the same numbers. */
  changePins(sid: string, pins: PortPins): Promise<void>;
  /** Null: the last request was granted, or a new one is queued. */
  noteRefusedRequest(sid: string, refused: RefusedRequest | null): Promise<void>;
  addRequest(sid: string, kind: PortRequestKind, now: Date): Promise<void>;
  /** False when another process has done it. */
  endRequest(id: string): Promise<boolean>;
  saveCursor(cursor: string): Promise<void>;
}

export interface PortDocumentStore {
  /** Skips documents that the order has already. */
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

/** The queue of requests, shared by all processes. A claim is a lease until the given time. */
export interface PortQueue {
  claimRequests(until: Date, countMax: number, now: Date): Promise<readonly PortRequest[]>;
  /** Renews the lease while the work goes on, however long it takes. */
  hold<Value>(request: PortRequest, work: () => Promise<Value>): Promise<Value>;
  putOff(request: PortRequest, until: Date): Promise<void>;
  submissionOf(orderSid: string, withDocuments: boolean): Promise<PortSubmission | undefined>;
  /** The cursor from which to read updates; undefined when it is not time yet, or another process has claimed it. */
  claimUpdates(nextOn: Date, now: Date): Promise<{ readonly cursor: string | undefined } | undefined>;
}
