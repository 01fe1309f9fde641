// What porting needs from outside.

import type { Result } from "../../base/result.ts";
import type { PortNews } from "./port-news.ts";
import type { PortOrder } from "./port-order.ts";
import type { PortReason } from "./port-reasons.ts";

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
  /** What is to be folded at once; the same may come again as news. */
  | { readonly kind: "taken"; readonly news: readonly PortNews[] }
  | { readonly kind: "refused"; readonly reason: PortReason }
  /** The order was never submitted there, or is forgotten. */
  | { readonly kind: "unknown" };

export interface PortNewsPage {
  readonly news: readonly PortNews[];
  /** Where to go on; to be stored with what the news changed. */
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
  news(after: string | undefined): Promise<PortNewsPage>;
  close(): Promise<void>;
}

export interface ReadNumber {
  readonly e164: string;
}

export type NumberReader = (text: string) => Result<ReadNumber, { readonly reason: string }>;
