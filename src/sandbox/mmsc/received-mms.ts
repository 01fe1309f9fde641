// An MMS as a handset has received it, and how many of them are kept.

import type { Media } from "../../wire/mm4/messages.ts";
import { ReceivedMessages } from "../received-messages.ts";

export interface ReceivedMms {
  readonly messageId: string;
  readonly transactionId: string;
  readonly from: string;
  /** Those it was taken for. */
  readonly recipients: readonly string[];
  /** Those it was sent to. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly media: readonly Media[];
  readonly receivedAt: Date;
}

/** Of media; messages beyond it give way, the oldest first. */
const OCTETS_MAX = 128_000_000;

export function newReceivedMms(messagesMax: number): ReceivedMessages<ReceivedMms> {
  return new ReceivedMessages({ messagesMax, octetsMax: OCTETS_MAX }, ({ media }) =>
    media.reduce((sum, { bytes }) => sum + bytes.length, 0),
  );
}
