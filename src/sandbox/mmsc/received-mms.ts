// An MMS as a handset has received it, and the bounds on how many are stored.

import type { Media } from "../../wire/mm4/messages.ts";
import { ReceivedMessages } from "../received-messages.ts";

export interface ReceivedMms {
  readonly messageId: string;
  readonly transactionId: string;
  readonly from: string;
  /** The numbers of the SMTP envelope. */
  readonly recipients: readonly string[];
  /** The numbers of the header fields. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly media: readonly Media[];
  readonly receivedAt: Date;
}

/** Total size of all media. */
const OCTETS_MAX = 128_000_000;

export function newReceivedMms(messagesMax: number): ReceivedMessages<ReceivedMms> {
  return new ReceivedMessages({ messagesMax, octetsMax: OCTETS_MAX }, ({ media }) =>
    media.reduce((sum, { bytes }) => sum + bytes.length, 0),
  );
}
