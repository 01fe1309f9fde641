// Receives an MMS for each of its recipients that is a number of ours. The files are stored before the rows that name
// them, and the carrier is answered after both. A repeated MMS is recognised by the carrier's message id.

import type { MediaRef } from "./message.ts";
import type { InboundMms, KeptMedia, MediaKeeper, MmsVerdict } from "./ports.ts";
import { type InboundDeps, ownNumberOf, type ReceiveUnit, receiveMessage } from "./receive-message.ts";

export interface ReceiveMmsDeps extends InboundDeps {
  readonly files: MediaKeeper;
}

interface StoredMedia extends KeptMedia {
  readonly contentType: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export async function receiveMms(deps: ReceiveMmsDeps, came: InboundMms): Promise<MmsVerdict> {
  const ownOf = (numbers: readonly string[]) => Promise.all(numbers.map((to) => ownNumberOf(deps.inbox, to, to)));
  const mms = { ...came, to: await ownOf(came.to), recipients: await ownOf(came.recipients) };
  const owners = await Promise.all(mms.recipients.map((to) => deps.inbox.ownerOf(to)));
  if (!owners.some(Boolean)) return "unknownRecipient";
  const stored = await Promise.all(
    mms.media.map(async ({ contentType, name, bytes }) => {
      return { contentType, name, sizeBytes: bytes.length, ...(await deps.files.keep(bytes)) };
    }),
  );
  const now = deps.clock.now();
  return deps.transaction(async (unit) => {
    let verdict: MmsVerdict = "unknownRecipient";
    for (const to of mms.recipients) if (await receiveFor(deps, unit, mms, to, stored, now)) verdict = "taken";
    return verdict;
  });
}

/** Returns whether the number is ours. */
async function receiveFor(
  deps: ReceiveMmsDeps,
  unit: ReceiveUnit,
  mms: InboundMms,
  to: string,
  stored: readonly StoredMedia[],
  now: Date,
): Promise<boolean> {
  const { ids, mediaUrl } = deps;
  const owner = await unit.inbox.ownerOf(to);
  if (!owner) return false;
  const media: readonly (MediaRef & StoredMedia)[] = stored.map((item) => ({ ...item, sid: ids.sid("ME") }));
  const received = await receiveMessage(
    { ...unit, ids, mediaUrl, now },
    {
      carrier: mms.carrier,
      link: mms.link,
      // The carrier's message id identifies a repeat over any connection, so every arrival gets a session of its own.
      session: ids.sid("EV"),
      from: mms.from,
      to,
      additionalRecipients: mms.to.filter((number) => number !== to),
      text: mms.subject !== "" && mms.text === "" ? mms.subject : mms.text,
      media: media.map(({ sid, contentType }) => ({ sid, contentType })),
      segmentCount: 1,
      repeatKey: `mm4 ${mms.messageId} ${to}`,
      receivedOn: now,
    },
  );
  const { accountSid } = owner;
  if (received === "stored")
    await unit.inbox.insertMedia(media.map((item) => ({ ...item, accountSid, createdOn: now })));
  return true;
}
