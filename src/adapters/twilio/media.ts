// Media of messages in Twilio's shape: those of received messages, which are stored here. Media of sent messages stay
// at the sender's URLs and are not stored, so a sent message has none.

import type { ByteStream } from "../../base/byte-stream.ts";
import { ok, refused } from "../../base/result.ts";
import type { Account } from "../../domain/accounts/index.ts";
import type { MediaRef } from "../../domain/messaging/index.ts";
import { MEDIA_AWAY } from "../http/core/outcomes.ts";
import type { Unit } from "../http/core/ports.ts";
import { text } from "../http/core/schemas.ts";
import { findMessage } from "./messages.ts";
import { API_VERSION, NOT_FOUND, refusing, type TwilioOperation, twilioOperation } from "./operation.ts";
import { PAGE_QUERY, pageBody, twilioDate } from "./page.ts";

export interface TwilioMediaDeps {
  readonly findMedia: (sid: string) => Promise<FoundMedia | undefined>;
}

interface FoundMedia {
  readonly accountSid: string;
  readonly contentType: string;
  readonly name: string | null;
  readonly size: number;
  readonly content: () => Promise<ByteStream | "away" | undefined>;
}

interface Kept extends MediaRef {
  readonly createdOn: Date;
}

/** Undefined where the account has no such message. */
async function mediaOf(unit: Unit, account: Account, messageSid: string): Promise<readonly Kept[] | undefined> {
  const message = await findMessage(unit, account, messageSid);
  if (!message) return undefined;
  const { createdOn } = message;
  return "media" in message ? message.media.map((item) => ({ ...item, createdOn })) : [];
}

function showMedia({ sid, contentType, createdOn }: Kept, account: Account, messageSid: string): object {
  const at = twilioDate(createdOn);
  return {
    account_sid: account.sid,
    content_type: contentType,
    date_created: at,
    date_updated: at,
    parent_sid: messageSid,
    sid,
    uri: `/${API_VERSION}/Accounts/${account.sid}/Messages/${messageSid}/Media/${sid}.json`,
  };
}

const ofMessage = { MessageSid: text(64), Sid: text(64) };

export const twilioMediaOperations: readonly TwilioOperation<TwilioMediaDeps>[] = [
  twilioOperation({
    id: "twilioListMedia",
    client: "messages(sid).media.list",
    summary: "List the media of a message",
    differs:
      "Those that came with a message, all on one page; the file is at its `uri` without `.json`. What you sent is at your own `MediaUrl` and not kept here.",
    route: "GET /Messages/{MessageSid}/Media.json",
    params: { MessageSid: text(64) },
    query: { ...PAGE_QUERY, ...refusing("DateCreated DateCreated< DateCreated>") },
    async handle({ account, params: { MessageSid }, query }, unit) {
      const items = await mediaOf(unit, account, MessageSid);
      if (!items) return NOT_FOUND;
      const list = { noun: "media_list", path: `/Messages/${MessageSid}/Media.json` };
      const show = (item: Kept) => showMedia(item, account, MessageSid);
      // A message has few, so they are all on one page.
      return ok({ status: 200, body: pageBody(account, list, query, { items }, show) });
    },
  }),
  twilioOperation({
    id: "twilioFetchMedia",
    client: "messages(sid).media(sid).fetch",
    summary: "One of the media of a message",
    route: "GET /Messages/{MessageSid}/Media/{Sid}.json",
    params: ofMessage,
    async handle({ account, params: { MessageSid, Sid } }, unit) {
      const found = (await mediaOf(unit, account, MessageSid))?.find(({ sid }) => sid === Sid);
      return found ? ok({ status: 200, body: showMedia(found, account, MessageSid) }) : NOT_FOUND;
    },
  }),
  twilioOperation({
    id: "twilioFetchMediaFile",
    summary: "The file of one of the media of a message",
    route: "GET /Messages/{MessageSid}/Media/{Sid}",
    params: ofMessage,
    async handle({ account, params: { MessageSid, Sid } }, unit, { findMedia: find }) {
      const isOfMessage = (await mediaOf(unit, account, MessageSid))?.some(({ sid }) => sid === Sid);
      const file = isOfMessage ? await find(Sid) : undefined;
      const stream = file?.accountSid === account.sid ? await file.content() : undefined;
      if (stream === "away") return refused(MEDIA_AWAY);
      if (!file || !stream) return NOT_FOUND;
      const { contentType, size: sizeBytes } = file;
      return ok({ status: 200, content: { name: file.name ?? Sid, contentType, sizeBytes, stream } });
    },
  }),
];
