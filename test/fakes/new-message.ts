// A message that has just been accepted.

import { newMessage as accept, type NewMessage } from "../../src/domain/messaging/index.ts";

export function newMessage(owner: { readonly sid: string; readonly accountSid: string }): NewMessage {
  const now = new Date();
  return accept({
    ...owner,
    from: "+14155550150",
    recipients: ["+14154740200"],
    text: "hello",
    mediaUrls: [],
    statusReason: null,
    carrier: null,
    messagingConfigSid: null,
    tcrCampaignId: null,
    priority: "Normal",
    createdOn: now,
    expiresOn: new Date(now.getTime() + 60_000),
    conversationMetadata: null,
    callbackUrl: null,
    callbackShape: null,
    callbackStatuses: null,
    sendAt: null,
    dueOn: now,
    isReply: false,
    requestId: null,
  });
}
