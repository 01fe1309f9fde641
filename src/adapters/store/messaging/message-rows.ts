// Outbound messages between rows and domain words.

import {
  type MessageStatus,
  type OutboundMessage,
  PRIORITIES,
  type Priority,
} from "../../../domain/messaging/index.ts";

export interface MessageRow {
  readonly sid: string;
  readonly account_sid: string;
  readonly from_number: string;
  readonly to_number: string;
  readonly recipients: string[] | null;
  readonly text: string;
  readonly media_urls: string[] | null;
  readonly status: MessageStatus;
  readonly status_reason: string | null;
  readonly segment_count: number;
  readonly encoding: "GSM7" | "UCS2";
  readonly carrier: string | null;
  readonly messaging_config_sid: string | null;
  readonly tcr_campaign_id: string | null;
  readonly priority: number;
  readonly error_code: number;
  readonly error_description: string | null;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly delivered_at: Date | null;
  readonly expires_at: Date;
}

export const MESSAGE_COLUMNS = `sid, account_sid, from_number, to_number, recipients, text, media_urls, status, status_reason, segment_count,
  encoding, carrier, messaging_config_sid, tcr_campaign_id, priority, error_code, error_description, created_at, sent_at, delivered_at, expires_at`;

export function toMessage(row: MessageRow): OutboundMessage {
  return {
    sid: row.sid,
    accountSid: row.account_sid,
    from: row.from_number,
    to: row.to_number,
    recipients: row.recipients ?? [row.to_number],
    text: row.text,
    mediaUrls: row.media_urls ?? [],
    status: row.status,
    statusReason: row.status_reason,
    segmentCount: row.segment_count,
    encoding: row.encoding,
    carrier: row.carrier,
    messagingConfigSid: row.messaging_config_sid,
    tcrCampaignId: row.tcr_campaign_id,
    priority: PRIORITIES[row.priority] as Priority,
    errorCode: row.error_code,
    errorDescription: row.error_description,
    createdOn: row.created_at,
    sentOn: row.sent_at,
    deliveredOn: row.delivered_at,
    expiresOn: row.expires_at,
  };
}
