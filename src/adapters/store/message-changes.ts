// A change of messages' statuses and the events that tell of it, in one transaction.

import type { MessageStatus } from "../../domain/messaging/index.ts";
import type { Queryable } from "./database.ts";
import { emitEvents } from "./outbox.ts";

/** What every statement that moves messages answers: `returning` these of the message as it is now, and its status of before. */
export interface MovedRow {
  readonly account_sid: string;
  readonly sid: string;
  readonly from_number: string;
  readonly to_number: string;
  readonly status: MessageStatus;
  readonly previous: MessageStatus;
  readonly error_code: number;
  readonly error_description: string | null;
  readonly segment_count: number;
  readonly carrier: string | null;
  readonly messaging_config_sid: string | null;
  readonly callback_url: string | null;
  /** Those told of before, and the one of this change. */
  readonly events_told: number;
}

export const MOVED_COLUMNS = `message.account_sid, message.sid, message.from_number, message.to_number, message.status,
  message.error_code, message.error_description, message.segment_count, message.carrier, message.messaging_config_sid, message.callback_url,
  message.events_told`;

export async function tellOfChanges(db: Queryable, moved: readonly MovedRow[], now: Date): Promise<void> {
  await emitEvents(
    db,
    moved.map((row) => ({
      accountSid: row.account_sid,
      type: "OutboundMessageStatusChanged" as const,
      resourceSid: row.sid,
      sequence: row.events_told,
      fields: {
        Sid: row.sid,
        From: row.from_number,
        To: row.to_number,
        Status: row.status,
        PreviousStatus: row.previous,
        ErrorCode: row.error_code,
        ErrorDescription: row.error_description,
        SegmentCount: row.segment_count,
        Carrier: row.carrier,
      },
      phone: row.from_number,
      ...(row.messaging_config_sid === null ? {} : { messagingConfigSid: row.messaging_config_sid }),
      ...(row.callback_url === null ? {} : { callbackUrl: row.callback_url }),
    })),
    now,
  );
}
