// What a message is, and how its status may move.

import { countSegments } from "../../../rules/sms/segment.ts";
import type { Moves } from "../../base/moves.ts";
import type { PayloadShape } from "../events.ts";

export const MESSAGE_STATUSES = ["Queued", "Sent", "Delivered", "Failed", "Expired", "Canceled"] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** `accepted`: a carrier took it. `refused`: it is not sent. A receipt makes it `delivered` or `undelivered`. */
export type MessageMove = "accepted" | "refused" | "expired" | "canceled" | "delivered" | "undelivered";

/** The store guards its updates with this. Only a late receipt of a message of unknown outcome changes `Failed`. */
export const MESSAGE_MOVES = {
  Queued: {
    accepted: "Sent",
    refused: "Failed",
    expired: "Expired",
    canceled: "Canceled",
    delivered: "Delivered",
    undelivered: "Failed",
  },
  Sent: { delivered: "Delivered", undelivered: "Failed" },
  Delivered: {},
  Failed: { delivered: "Delivered", undelivered: "Failed" },
  Expired: {},
  Canceled: {},
} as const satisfies Moves<MessageStatus, MessageMove>;

export const PRIORITIES = ["Urgent", "High", "Normal", "Low"] as const;
export type Priority = (typeof PRIORITIES)[number];

export type Encoding = "GSM7" | "UCS2";

export interface OutboundMessage {
  readonly sid: string;
  readonly accountSid: string;
  readonly from: string;
  readonly to: string;
  /** All recipients, `to` first. */
  readonly recipients: readonly string[];
  readonly text: string;
  readonly mediaUrls: readonly string[];
  readonly status: MessageStatus;
  readonly statusReason: string | null;
  readonly segmentCount: number;
  readonly encoding: Encoding;
  /** The recipient's carrier, by a lookup. */
  readonly carrier: string | null;
  readonly messagingConfigSid: string | null;
  readonly tcrCampaignId: string | null;
  readonly priority: Priority;
  readonly errorCode: number;
  readonly errorDescription: string | null;
  readonly createdOn: Date;
  /** When it may leave, if not immediately. */
  readonly sendAt: Date | null;
  readonly sentOn: Date | null;
  readonly deliveredOn: Date | null;
  readonly expiresOn: Date;
}

/** What a callback URL gets: every status, or only the final one (not that a carrier took the message). */
export const CALLBACK_STATUSES = ["All", "Final"] as const;
export type CallbackStatuses = (typeof CALLBACK_STATUSES)[number];

/** A message with the data that only sending needs. */
export interface NewMessage extends OutboundMessage {
  readonly conversationMetadata: string | null;
  readonly callbackUrl: string | null;
  /** Null is A. */
  readonly callbackShape: PayloadShape | null;
  /** Null is All. */
  readonly callbackStatuses: CallbackStatuses | null;
  /** When it may leave; null while its number is not active. */
  readonly dueOn: Date | null;
  /** The reply to a keyword: sent even to a subscriber who has just opted out, and at any hour. */
  readonly isReply: boolean;
  /** The client's id of the request, for finding the message; null if we made the id: the sid contains it. */
  readonly requestId: string | null;
}

/** The status reasons of messages that wait for their `sendAt`. */
export const WAITING_REASONS = {
  scheduled: "It is scheduled for sendAt",
  sendingTimes: "It waits for its MessagingConfig's sending times",
} as const;

/** Fields that `newMessage` derives. */
type Derived =
  | "to"
  | "status"
  | "segmentCount"
  | "encoding"
  | "errorCode"
  | "errorDescription"
  | "sentOn"
  | "deliveredOn";

/** A group message is an MMS also without media, so that its members see one another. */
export function isMms(message: { readonly recipients: readonly unknown[]; readonly mediaUrls: readonly unknown[] }) {
  return message.mediaUrls.length > 0 || message.recipients.length > 1;
}

/** Written out for speed: building the object by spread costs ten times as much. */
export function newMessage(given: Omit<NewMessage, Derived>): NewMessage {
  const { encoding, count } = countSegments(given.text);
  return {
    sid: given.sid,
    accountSid: given.accountSid,
    from: given.from,
    to: given.recipients[0] as string,
    recipients: given.recipients,
    text: given.text,
    mediaUrls: given.mediaUrls,
    status: "Queued",
    statusReason: given.statusReason,
    segmentCount: isMms(given) ? 1 : count,
    encoding,
    carrier: given.carrier,
    messagingConfigSid: given.messagingConfigSid,
    tcrCampaignId: given.tcrCampaignId,
    priority: given.priority,
    errorCode: 0,
    errorDescription: null,
    createdOn: given.createdOn,
    sentOn: null,
    deliveredOn: null,
    expiresOn: given.expiresOn,
    conversationMetadata: given.conversationMetadata,
    callbackUrl: given.callbackUrl,
    callbackShape: given.callbackShape,
    callbackStatuses: given.callbackStatuses,
    sendAt: given.sendAt,
    dueOn: given.dueOn,
    isReply: given.isReply,
    requestId: given.requestId,
  };
}

export interface InboundMessage {
  readonly sid: string;
  readonly accountSid: string;
  readonly from: string;
  readonly to: string;
  readonly additionalRecipients: readonly string[];
  readonly text: string;
  readonly media: readonly MediaRef[];
  readonly segmentCount: number;
  readonly conversationMetadata: string | null;
  readonly createdOn: Date;
}

export interface MediaRef {
  readonly sid: string;
  readonly contentType: string;
}

/** The record of a media file; its digest is the name of the file. */
export interface MediaRecord extends MediaRef {
  readonly accountSid: string;
  readonly name: string | null;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** The name of its file; null where that is its digest. */
  readonly file: string | null;
  readonly createdOn: Date;
}
