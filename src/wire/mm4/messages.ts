// The messages of MM4 (TS 23.140 8.4.1 to 8.4.4) as values. Identifiers and addresses are as they were written, because an answer must
// repeat them; `idOf` and `phoneOf` say what they mean.

export const MMS_VERSION = "6.10.0";

export type RequestStatus =
  | "Ok"
  | "Error-unspecified"
  | "Error-service-denied"
  | "Error-message-format-corrupt"
  | "Error-sending-address-unresolved"
  | "Error-message-not-found"
  | "Error-network-problem"
  | "Error-content-not-accepted"
  | "Error-unsupported-message";

export type MmStatus =
  | "Expired"
  | "Retrieved"
  | "Rejected"
  | "Deferred"
  | "Indeterminate"
  | "Forwarded"
  | "Unreachable"
  | "Unrecognised";

export const REQUEST_STATUSES: readonly RequestStatus[] = [
  "Ok",
  "Error-unspecified",
  "Error-service-denied",
  "Error-message-format-corrupt",
  "Error-sending-address-unresolved",
  "Error-message-not-found",
  "Error-network-problem",
  "Error-content-not-accepted",
  "Error-unsupported-message",
];

export const MM_STATUSES: readonly MmStatus[] = [
  "Expired",
  "Retrieved",
  "Rejected",
  "Deferred",
  "Indeterminate",
  "Forwarded",
  "Unreachable",
  "Unrecognised",
];

export interface Media {
  /** `type/subtype` in lower case, without parameters. */
  readonly contentType: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface Transaction {
  /** Of the request, repeated in its response. */
  readonly transactionId: string;
  /** Of the MMS, given by the side it comes from. */
  readonly messageId: string;
}

export interface ForwardRequest extends Transaction {
  readonly kind: "forward";
  readonly from: string;
  readonly to: readonly string[];
  /** Where responses and reports are to be sent. */
  readonly originatorSystem: string;
  readonly isAckRequested: boolean;
  readonly isReportRequested: boolean;
  readonly date?: Date;
  readonly expiresAt?: Date;
  readonly subject: string;
  readonly text: string;
  readonly media: readonly Media[];
}

export interface DeliveryReport extends Transaction {
  readonly kind: "deliveryReport";
  /** Whom the MMS was for. */
  readonly from: string;
  /** Who sent it. */
  readonly to: string;
  readonly originatorSystem: string;
  readonly isAckRequested: boolean;
  readonly date?: Date;
  readonly status: MmStatus;
  readonly statusText: string;
}

export interface ReadReport extends Transaction {
  readonly kind: "readReport";
  readonly from: string;
  readonly to: string;
  readonly originatorSystem: string;
  readonly isAckRequested: boolean;
  readonly date?: Date;
  readonly isRead: boolean;
}

export interface Response extends Transaction {
  readonly kind: "response";
  readonly answers: "forward" | "deliveryReport" | "readReport";
  readonly sender: string;
  readonly recipient: string;
  readonly date?: Date;
  readonly status: RequestStatus;
  readonly statusText: string;
}

export type Mm4Message = ForwardRequest | DeliveryReport | ReadReport | Response;

/** An identifier without the quotes or angles that some write around it. */
export function idOf(written: string): string {
  return /^"(.*)"$/.exec(written)?.[1] ?? /^<(.*)>$/.exec(written)?.[1] ?? written;
}
