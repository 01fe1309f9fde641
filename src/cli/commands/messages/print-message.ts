// Prints messages as text for people.

import type { InboundMessage, OutboundMessage } from "../../../../sdk/src/index.ts";
import { adviceFor } from "../../advice.ts";
import { printFields, printTable, say } from "../../output.ts";

const TEXT_SHOWN_MAX = 40;

export function printMessage(message: OutboundMessage): void {
  printFields({
    Sid: message.sid,
    From: message.from,
    To: message.recipients.join(", "),
    Status: message.statusReason === null ? message.status : `${message.status} (${message.statusReason})`,
    Error: errorOf(message),
    Created: message.createdOn,
    "Send at": message.sendAt,
    Sent: message.sentOn,
    Delivered: message.deliveredOn,
    Expires: message.expiresOn,
    Segments: `${message.segmentCount} (${message.encoding})`,
    Priority: message.priority,
    Carrier: message.carrier,
    Config: message.messagingConfigSid,
    Campaign: message.tcrCampaignId,
    Media: message.mediaUrls.length === 0 ? null : message.mediaUrls.join(" "),
    Text: message.text,
  });
  const advice = adviceFor(message);
  if (advice !== undefined) say(`→ ${advice}`);
}

export function printMessages(messages: readonly OutboundMessage[]): void {
  printTable(
    ["Created", "Sid", "From", "To", "Status", "Error", "Segments", "Text"],
    messages.map((message) => [
      message.createdOn,
      message.sid,
      message.from,
      message.recipients.join(", "),
      message.status,
      message.errorCode === 0 ? "-" : String(message.errorCode),
      String(message.segmentCount),
      shortened(message.text),
    ]),
  );
}

export function printInboundMessage(message: InboundMessage): void {
  printFields({
    Sid: message.sid,
    From: message.from,
    To: [message.to, ...message.additionalRecipients].join(", "),
    Created: message.createdOn,
    Segments: message.segmentCount,
    Metadata: message.conversationMetadata,
    Media: message.mediaUrls.length === 0 ? null : message.mediaUrls.join(" "),
    Text: message.text,
  });
}

export function printInboundMessages(messages: readonly InboundMessage[]): void {
  printTable(
    ["Created", "Sid", "From", "To", "Segments", "Text"],
    messages.map((message) => [
      message.createdOn,
      message.sid,
      message.from,
      message.to,
      String(message.segmentCount),
      shortened(message.text),
    ]),
  );
}

function errorOf({ errorCode, errorDescription }: OutboundMessage): string | null {
  if (errorCode === 0) return null;
  return errorDescription === null ? String(errorCode) : `${errorCode}: ${errorDescription}`;
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= TEXT_SHOWN_MAX ? text : `${characters.slice(0, TEXT_SHOWN_MAX - 1).join("")}…`;
}
