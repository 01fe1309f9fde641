// A message that was accepted just now.

import type { NewMessage } from "../../src/domain/messaging/index.ts";

export function newMessage(owner: { readonly sid: string; readonly accountSid: string }): NewMessage {
  const now = new Date();
  return {
    ...owner,
    from: "+14155550150",
    to: "+14154740200",
    recipients: ["+14154740200"],
    text: "hello",
    mediaUrls: [],
    status: "Queued",
    statusReason: null,
    segmentCount: 1,
    encoding: "GSM7",
    carrier: null,
    messagingConfigSid: null,
    tcrCampaignId: null,
    priority: "Normal",
    errorCode: 0,
    errorDescription: null,
    createdOn: now,
    sentOn: null,
    deliveredOn: null,
    expiresOn: new Date(now.getTime() + 60_000),
    conversationMetadata: null,
    callbackUrl: null,
    sendAt: null,
    dueOn: now,
    isReply: false,
  };
}
