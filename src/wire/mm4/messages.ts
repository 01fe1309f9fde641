// The messages of MM4 (TS 23.140 8.4.1 to 8.4.4) as values. Identifiers and addresses are kept as the peer wrote them,
// because a response must repeat them; `idOf` and `phoneOf` normalise them.

export const MMS_VERSION = "6.10.0";

export const REQUEST_STATUSES = [
  "Ok",
  "Error-unspecified",
  "Error-service-denied",
  "Error-message-format-corrupt",
  "Error-sending-address-unresolved",
  "Error-message-not-found",
  "Error-network-problem",
  "Error-content-not-accepted",
  "Error-unsupported-message",
] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const MM_STATUSES = [
  "Expired",
  "Retrieved",
  "Rejected",
  "Deferred",
  "Indeterminate",
  "Forwarded",
  "Unreachable",
  "Unrecognised",
] as const;
export type MmStatus = (typeof MM_STATUSES)[number];

export interface Media {
  /** `type/subtype` in lower case, without parameters. */
  readonly contentType: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface Transaction {
  /** The request's; the response repeats it. */
  readonly transactionId: string;
  /** The MMS's, assigned by the sending side. */
  readonly messageId: string;
  readonly date?: Date;
}

export interface ForwardRequest extends Transaction {
  readonly kind: "forward";
  readonly from: string;
  readonly to: readonly string[];
  /** The address for responses and reports. */
  readonly originatorSystem: string;
  readonly isAckRequested: boolean;
  readonly isReportRequested: boolean;
  readonly expiresAt?: Date;
  readonly subject: string;
  readonly text: string;
  readonly media: readonly Media[];
}

interface Report extends Transaction {
  /** The recipient of the MMS. */
  readonly from: string;
  /** The sender of the MMS. */
  readonly to: string;
  readonly originatorSystem: string;
  readonly isAckRequested: boolean;
}

export interface DeliveryReport extends Report {
  readonly kind: "deliveryReport";
  readonly status: MmStatus;
  readonly statusText: string;
}

export interface ReadReport extends Report {
  readonly kind: "readReport";
  readonly isRead: boolean;
}

export interface Response extends Transaction {
  readonly kind: "response";
  readonly answers: "forward" | "deliveryReport" | "readReport";
  readonly sender: string;
  readonly recipient: string;
  readonly status: RequestStatus;
  readonly statusText: string;
}

export type Mm4Message = ForwardRequest | DeliveryReport | ReadReport | Response;

/** An identifier without the quotes or angle brackets that some peers put around it. */
export function idOf(written: string): string {
  return /^"(.*)"$/.exec(written)?.[1] ?? /^<(.*)>$/.exec(written)?.[1] ?? written;
}
