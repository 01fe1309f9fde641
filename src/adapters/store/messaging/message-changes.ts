// A change of messages' statuses and the events that tell of it, in one statement.

import { tellEvents } from "../webhooks/outbox.ts";

const MOVED = `message.account_sid, message.sid, message.from_number, message.to_number, message.status, message.error_code,
  message.error_description, message.segment_count, message.carrier, message.messaging_config_sid, message.callback_url, message.events_told`;

/**
 * Ends a statement `with …` that moves messages. `update` changes `outbound_messages as message`, without its `returning`; `previous` says
 * what the status was before. Whoever changes the status counts up `events_told`. A message whose status stays is not told of.
 */
export function moveMessages(update: string, previous: string, now: string): string {
  return `moved as (
${update}
returning ${MOVED}, ${previous} as previous
), ${tellEvents(
    `select account_sid, 'OutboundMessageStatusChanged' as type, sid as resource_sid, events_told::integer as sequence,
         row_to_json(fields) as fields, from_number as phone, messaging_config_sid, null::text as only_to, callback_url
    from moved cross join lateral (
      select sid as "Sid", from_number as "From", to_number as "To", status as "Status", previous as "PreviousStatus",
             error_code as "ErrorCode", error_description as "ErrorDescription", segment_count as "SegmentCount", carrier as "Carrier") as fields
   where status <> previous`,
    now,
  )}`;
}
