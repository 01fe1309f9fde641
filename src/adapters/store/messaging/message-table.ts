// The columns of outbound and inbound messages, each described once.

import {
  type InboundMessage,
  type MessageStatus,
  type NewMessage,
  type OutboundMessage,
  PRIORITIES,
  type Priority,
} from "../../../domain/messaging/index.ts";
import { type Fields, table } from "../engine/columns.ts";

/** Fields as stored in a row: defaults are left out. */
interface Written {
  /** All recipients, when there are several. */
  readonly recipients: readonly string[] | null;
  readonly mediaUrls: readonly string[] | null;
  /** 0 is the most urgent. */
  readonly priority: number;
}

type Begun = "status" | "errorCode" | "errorDescription" | "sentOn" | "deliveredOn";

/** The fields that are known when a message is accepted. */
export type Accepted = Omit<NewMessage, keyof Written | Begun | "dueOn"> & Written;

export interface StoredMessage extends Accepted, Pick<NewMessage, Begun> {
  readonly link: string | null;
  /** One for every part that the carrier accepted. */
  readonly carrierIds: readonly string[] | null;
}

export const ACCEPTED_FIELDS: Fields<Accepted> = {
  sid: "sid",
  accountSid: "account_sid",
  from: "from_number",
  to: "to_number",
  recipients: "recipients text[]",
  text: "text",
  mediaUrls: "media_urls text[]",
  statusReason: "status_reason",
  segmentCount: "segment_count smallint",
  encoding: "encoding",
  carrier: "carrier",
  messagingConfigSid: "messaging_config_sid",
  tcrCampaignId: "tcr_campaign_id",
  priority: "priority smallint",
  conversationMetadata: "conversation_metadata",
  callbackUrl: "callback_url",
  callbackShape: "callback_shape",
  callbackStatuses: "callback_statuses",
  isReply: "is_reply boolean",
  requestId: "request_id",
  createdOn: "created_at timestamptz",
  sendAt: "send_at timestamptz",
  expiresOn: "expires_at timestamptz",
};

export const OUTBOUND = table<StoredMessage>("outbound_messages", {
  ...ACCEPTED_FIELDS,
  status: "status",
  errorCode: "error_code integer",
  errorDescription: "error_description",
  link: "link",
  carrierIds: "carrier_ids text[]",
  sentOn: "sent_at timestamptz",
  deliveredOn: "delivered_at timestamptz",
});

/** Final statuses that are failures: the indexed column `unhappy` repeats only these. */
export const UNHAPPY: ReadonlySet<MessageStatus | undefined> = new Set(["Failed", "Expired", "Canceled"]);

export function toMessage({ recipients, mediaUrls, priority, ...message }: StoredMessage): OutboundMessage {
  return {
    ...message,
    recipients: recipients ?? [message.to],
    mediaUrls: mediaUrls ?? [],
    priority: PRIORITIES[priority] as Priority,
  };
}

export const INBOUND = table<InboundMessage & { readonly link: string }>("inbound_messages", {
  sid: "sid",
  accountSid: "account_sid",
  from: "from_number",
  to: "to_number",
  additionalRecipients: "additional_recipients text[]",
  text: "text",
  media: "media json",
  segmentCount: "segment_count smallint",
  conversationMetadata: "conversation_metadata",
  link: "link",
  createdOn: "created_at timestamptz",
});
