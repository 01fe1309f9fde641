// Receives a message from a carrier in one transaction: stores the message and its event, applies a keyword in it and
// queues the reply. The carrier is answered after the commit, so no message is lost; a repeated message is recognised
// and ignored.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Outbox } from "../events.ts";
import { isShortCode, type OptOutScope, type OptOutStore, optIn, optOut } from "../numbers/index.ts";
import { DEFAULT_REPLIES, type Keyword, keywordOf } from "./keywords.ts";
import { type InboundMessage, newMessage } from "./message.ts";
import type { Arrival, Inbox, NumberOwner } from "./ports.ts";

/** The stores that a receiving transaction uses. */
export interface ReceiveUnit {
  readonly inbox: Inbox;
  readonly optOuts: OptOutStore;
  readonly outbox: Outbox;
}

export interface InboundDeps {
  readonly inbox: Inbox;
  readonly transaction: <Value>(work: (unit: ReceiveUnit) => Promise<Value>) => Promise<Value>;
  readonly ids: Ids;
  /** A signed URL of the media file, valid for a limited time. */
  readonly mediaUrl: (sid: string) => string;
  readonly clock: Clock;
}

export interface ReceiveDeps extends ReceiveUnit, Pick<InboundDeps, "ids" | "mediaUrl"> {
  readonly now: Date;
}

export type Received = "stored" | "repeat" | "not ours";

const REPLY_EXPIRY_MS = 3_600_000;
/** Senders can be forged: within this time, a sender gets at most one reply of each kind from a number. */
const REPLY_PAUSE_MS = 600_000;

export async function receiveMessage(deps: ReceiveDeps, arrival: Arrival): Promise<Received> {
  const owner = await deps.inbox.ownerOf(arrival.to);
  if (!owner) return "not ours";
  if (await deps.inbox.isRepeat(arrival)) return "repeat";
  const message: InboundMessage = {
    sid: deps.ids.sid("IM"),
    accountSid: owner.accountSid,
    from: arrival.from,
    to: arrival.to,
    additionalRecipients: arrival.additionalRecipients,
    text: arrival.text,
    media: arrival.media,
    segmentCount: arrival.segmentCount,
    conversationMetadata: await deps.inbox.metadataOf(owner.accountSid, arrival),
    createdOn: deps.now,
  };
  await deps.inbox.insert(message, arrival.link);
  await deps.outbox.emit([eventOf(deps, message, owner)], deps.now);
  if (owner.handlesKeywords && message.media.length === 0 && isSubscriber(message.from))
    await applyKeyword(deps, message, owner);
  return "stored";
}

/**
 * Which of our numbers a carrier means: `written` is what it wrote, `number` how we read that. Digits alone mean a
 * short code of ours in preference to a number. With a plus, or marked international, they mean the number, unless only
 * the short code is ours.
 */
export async function ownNumberOf(inbox: Inbox, written: string, number: string): Promise<string> {
  const digits = written.replace(/^\+/, "");
  if (!isShortCode(digits) || digits === number) return number;
  for (const candidate of digits === written ? [digits] : [number, digits]) {
    if (await inbox.ownerOf(candidate)) return candidate;
  }
  return number;
}

/** Names and short codes belong to programs, which might answer our reply and cause a loop. */
export function isSubscriber(from: string): boolean {
  return /^\+\d{7,15}$/.test(from);
}

function eventOf(deps: ReceiveDeps, message: InboundMessage, owner: NumberOwner) {
  return {
    accountSid: owner.accountSid,
    type: "InboundMessageReceived" as const,
    resourceSid: message.sid,
    fields: {
      Sid: message.sid,
      From: message.from,
      To: message.to,
      AdditionalRecipients: message.additionalRecipients,
      Text: message.text,
      MediaUrls: message.media.map(({ sid }) => deps.mediaUrl(sid)),
      SegmentCount: message.segmentCount,
      ...(message.media.length === 0 ? {} : { MediaContentTypes: message.media.map(({ contentType }) => contentType) }),
      ...(message.conversationMetadata === null ? {} : { ConversationMetadata: message.conversationMetadata }),
    },
    phone: message.to,
    ...(owner.messagingConfigSid === null ? {} : { messagingConfigSid: owner.messagingConfigSid }),
  };
}

async function applyKeyword(deps: ReceiveDeps, message: InboundMessage, owner: NumberOwner): Promise<void> {
  const { accountSid } = owner;
  const isOptedOut = await deps.inbox.isOptedOut(accountSid, message.from, message.to, owner.tcrCampaignId);
  const keyword = keywordOf(message.text, isOptedOut, owner.keywords);
  if (!keyword) return;
  const scopes: OptOutScope[] = [{ scopeType: "SenderPhoneNumber", scope: message.to }];
  if (owner.tcrCampaignId !== null) scopes.push({ scopeType: "TcrCampaign", scope: owner.tcrCampaignId });
  const order = { accountSid, number: message.from, scopes, keyword: keyword.word };
  const changed =
    keyword.kind === "optOut"
      ? await optOut(deps, order, deps.now)
      : keyword.kind === "optIn"
        ? await optIn(deps, order, deps.now)
        : 1;
  // A repeated STOP or START gets no reply.
  if (changed === 0 || !owner.isActive) return;
  const reply = { number: message.to, subscriber: message.from, kind: keyword.kind };
  const since = new Date(deps.now.getTime() - REPLY_PAUSE_MS);
  if (await deps.inbox.mayReply(reply, since, deps.now)) await deps.inbox.reply(replyTo(deps, message, owner, keyword));
}

function replyTo(deps: ReceiveDeps, message: InboundMessage, owner: NumberOwner, { kind }: Keyword) {
  const { now } = deps;
  return newMessage({
    sid: deps.ids.sid("OM"),
    accountSid: owner.accountSid,
    from: message.to,
    recipients: [message.from],
    text: owner.replies[kind] ?? DEFAULT_REPLIES[kind],
    mediaUrls: [],
    statusReason: null,
    carrier: null,
    messagingConfigSid: owner.messagingConfigSid,
    tcrCampaignId: owner.tcrCampaignId,
    priority: "High",
    createdOn: now,
    expiresOn: new Date(now.getTime() + REPLY_EXPIRY_MS),
    conversationMetadata: null,
    callbackUrl: null,
    callbackShape: null,
    callbackStatuses: null,
    sendAt: null,
    dueOn: now,
    isReply: true,
    requestId: null,
  });
}
