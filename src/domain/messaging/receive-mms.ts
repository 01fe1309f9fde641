// Receives an MMS for every number of ours that it names. The files are kept before the rows that name them, and the carrier is answered
// after both; what is brought again is known by the carrier's name for it.

import type { MediaRef } from "./message.ts";
import type { InboundMms, MediaKeeper, MmsVerdict } from "./ports.ts";
import { type InboundDeps, type ReceiveUnit, receiveMessage } from "./receive-message.ts";

export interface ReceiveMmsDeps extends InboundDeps {
  readonly files: MediaKeeper;
}

interface KeptMedia {
  readonly contentType: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export async function receiveMms(deps: ReceiveMmsDeps, mms: InboundMms): Promise<MmsVerdict> {
  const owners = await Promise.all(mms.recipients.map((to) => deps.inbox.ownerOf(to)));
  if (!owners.some(Boolean)) return "unknownRecipient";
  const kept = await Promise.all(
    mms.media.map(async ({ contentType, name, bytes }) => {
      return { contentType, name, sizeBytes: bytes.length, sha256: await deps.files.keep(bytes) };
    }),
  );
  const now = deps.clock.now();
  return deps.transaction(async (unit) => {
    let verdict: MmsVerdict = "unknownRecipient";
    for (const to of mms.recipients) if (await receiveFor(deps, unit, mms, to, kept, now)) verdict = "taken";
    return verdict;
  });
}

/** Whether the number is ours. */
async function receiveFor(
  deps: ReceiveMmsDeps,
  unit: ReceiveUnit,
  mms: InboundMms,
  to: string,
  kept: readonly KeptMedia[],
  now: Date,
): Promise<boolean> {
  const { ids, mediaUrl } = deps;
  const owner = await unit.inbox.ownerOf(to);
  if (!owner) return false;
  const media: readonly (MediaRef & KeptMedia)[] = kept.map((item) => ({ ...item, sid: ids.sid("ME") }));
  const received = await receiveMessage(
    { ...unit, ids, mediaUrl, now },
    {
      carrier: mms.carrier,
      link: mms.link,
      // The carrier names its messages: the same name is the same message, over whatever connection.
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
