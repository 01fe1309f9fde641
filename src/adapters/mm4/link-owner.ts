// What an MM4 link takes from its owner and tells it.

import type { Media } from "../../wire/mm4/messages.ts";

export interface OutgoingMms {
  readonly sid: string;
  readonly from: string;
  /** Several are a group: each sees the others. */
  readonly to: readonly string[];
  readonly text: string;
  readonly media: readonly Media[];
  readonly subject?: string;
  readonly expiresOn?: Date;
}

export interface RefusedRecipient {
  readonly to: string;
  readonly status: number;
  readonly description: string;
}

export type SubmitOutcome =
  /** One id for all recipients. Some may have been refused all the same. */
  | {
      readonly kind: "accepted";
      readonly carrierIds: readonly string[];
      readonly refusedRecipients: readonly RefusedRecipient[];
    }
  /** Nothing was accepted: to be tried later or elsewhere. */
  | { readonly kind: "throttled"; readonly status: number; readonly description: string }
  /** For good. The status is SMTP's. */
  | { readonly kind: "rejected"; readonly status: number; readonly description: string }
  /** All of it has left and no answer came: never to be sent again as if it had not. */
  | { readonly kind: "unknown"; readonly reason: string; readonly carrierIds: readonly string[] }
  /** The peer cannot have it. */
  | { readonly kind: "notSent"; readonly reason: string };

export type ReceiptState = "enroute" | "delivered" | "failed" | "expired" | "rejected" | "unknown";

export interface Mm4Receipt {
  /** In the same spelling as `carrierIds`. */
  readonly carrierId: string;
  readonly state: ReceiptState;
  /** The peer's own words. */
  readonly errorCode: string;
  readonly description: string;
  /** Whom it is about; nobody in particular when the peer has refused the message as a whole. */
  readonly recipient: string | undefined;
  readonly doneOn: Date;
}

export interface InboundMms {
  /** The peer's; the same when it sends the message again. */
  readonly messageId: string;
  readonly transactionId: string;
  readonly from: string;
  /** Those whom the message is for here. */
  readonly recipients: readonly string[];
  /** Everybody it was sent to, a group's other members among them. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly media: readonly Media[];
  readonly receivedOn: Date;
}

/** What the owner says to a message: taken for good, or for nobody here. */
export type InboundVerdict = "taken" | "unknownRecipient";

export interface LinkState {
  readonly kind: "connecting" | "up" | "down" | "closed";
  readonly reason: string;
}

export interface Mm4Owner {
  /** The peer is answered when this resolves: from then on the message is ours to keep. Rejected, the peer keeps it. The same message
   *  may come twice. */
  inbound(mms: InboundMms): Promise<InboundVerdict>;
  /** As `inbound`. */
  receipt(receipt: Mm4Receipt): Promise<void>;
  /** The peer has accepted a message that was reported as unknown. */
  lateAnswer?(sid: string, outcome: SubmitOutcome): void;
  changed(state: LinkState): void;
  /** There is room again after there was none. */
  room(): void;
}
