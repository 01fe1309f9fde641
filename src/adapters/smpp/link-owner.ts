// What an SMPP link takes from its owner and tells it.

export interface OutgoingText {
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** Shown at once and not kept. */
  readonly flash?: boolean;
  readonly validUntilMs?: number;
  /** 0 to 65535; tells this message's parts from those of others to the same recipient. */
  readonly reference: number;
}

export type SubmitOutcome =
  /** One id for each part, in order. */
  | { readonly kind: "accepted"; readonly carrierIds: readonly string[] }
  /** Nothing was accepted: to be tried later or elsewhere. */
  | { readonly kind: "throttled" }
  /** The ids are those of the parts that were accepted all the same. */
  | {
      readonly kind: "rejected";
      readonly status: number;
      readonly statusName: string;
      readonly carrierIds: readonly string[];
    }
  /** Octets have left and nobody knows what became of them: never to be sent again as if they had not. */
  | { readonly kind: "unknown"; readonly reason: string; readonly carrierIds: readonly (string | null)[] }
  /** No octet has left. */
  | { readonly kind: "notSent"; readonly reason: string };

export type ReceiptState = "enroute" | "delivered" | "failed" | "expired" | "rejected" | "unknown";

export interface LinkReceipt {
  /** In the same spelling as `carrierIds`. */
  readonly carrierId: string;
  readonly state: ReceiptState;
  /** The carrier's own. */
  readonly errorCode?: string;
  /** By the SMSC's clock. */
  readonly doneOn?: Date;
  readonly text: string;
  /** Whom the message was for, and who sent it: a receipt goes the other way. */
  readonly from: string;
  readonly to: string;
}

export interface InboundPart {
  /** With a plus where the SMSC calls it international; otherwise as it came. */
  readonly from: string;
  readonly to: string;
  /** Nothing for data and for alphabets we do not read. Parts are joined as octets and decoded then: a sender may tear a character. */
  readonly text: string | undefined;
  readonly octets: Uint8Array;
  readonly dataCoding: number;
  readonly concatenation?: {
    readonly kind: "udh8" | "udh16" | "sar";
    readonly reference: number;
    readonly total: number;
    /** From 1. */
    readonly part: number;
  };
  /** Set for a message to an application instead of a person. */
  readonly destinationPort?: number;
  readonly flash: boolean;
  readonly receivedOn: Date;
}

export interface LinkState {
  /** `down` waits before it connects again; `throttled` is bound and told to wait. */
  readonly kind: "down" | "connecting" | "bound" | "throttled" | "closed";
  readonly reason: string;
}

export type QueryAnswer =
  | { readonly kind: "state"; readonly state: ReceiptState; readonly errorCode?: string; readonly doneOn?: Date }
  | { readonly kind: "unknown"; readonly reason: string };

export interface LinkOwner {
  /** The SMSC is answered when this resolves: from then on the receipt is ours to keep. Rejected, the SMSC keeps it. */
  receipt(receipt: LinkReceipt): Promise<void>;
  /** As `receipt`. What the SMSC was not surely answered for comes again over another connection: `connection` tells them apart. */
  inbound(part: InboundPart, connection: number): Promise<void>;
  /** What became of a message reported as unknown, when its answer comes after all. */
  lateAnswer?(sid: string, outcome: SubmitOutcome): void;
  changed(state: LinkState): void;
  /** There is room again after there was none. */
  room(): void;
}
