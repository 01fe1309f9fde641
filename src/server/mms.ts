// MMS: fetching what a message shows and giving it to the carrier's MMS centre; keeping what comes in and linking to it.
// A group's message has one id at the carrier and a report for every recipient, so here each recipient's part has an id of its own: it is
// delivered when all of them have it, as a long text is when all of its parts have arrived.

import type { FetchedMedia, MediaClient } from "../adapters/attachments/attachment-client.ts";
import type { MediaFiles } from "../adapters/attachments/attachment-files.ts";
import type {
  InboundMms,
  InboundVerdict,
  SubmitOutcome as Mm4Outcome,
  Mm4Receipt,
} from "../adapters/mm4/link-owner.ts";
import { Mm4Link } from "../adapters/mm4/mm4-link.ts";
import type { Mm4Settings } from "../adapters/mm4/mm4-settings.ts";
import type { Database } from "../adapters/store/engine/database.ts";
import { insertMedia } from "../adapters/store/messaging/attachments.ts";
import { inboxOver } from "../adapters/store/messaging/inbox.ts";
import { groupMemberId, recipientsOf } from "../adapters/store/messaging/message-receipts.ts";
import { optOutStore } from "../adapters/store/numbers/opt-outs.ts";
import { emitEvents } from "../adapters/store/webhooks/outbox.ts";
import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { ok, type Result, refused } from "../base/result.ts";
import {
  FAILURES,
  type Failure,
  type MediaRef,
  type Outgoing,
  receiveMessage,
  type SubmitOutcome,
} from "../domain/messaging/index.ts";
import type { LinkNews, OpenLink } from "./carrier-links.ts";

export interface MmsDeps {
  readonly db: Database;
  readonly media: MediaClient;
  readonly files: MediaFiles;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly mediaUrl: (sid: string) => string;
  readonly secret: (name: string) => string | undefined;
  readonly log: Log;
}

/** Messages whose media are being fetched at once. */
const FETCHING_MAX = 32;

export interface OpenMmsLink extends OpenLink {
  /** Where the carrier's mail is listened for. */
  readonly port: number;
}

export async function openMmsLink(
  deps: MmsDeps,
  carrier: string,
  settings: Mm4Settings,
  news: LinkNews,
): Promise<OpenMmsLink> {
  const { clock, log, secret } = deps;
  const link = await Mm4Link.open(
    settings,
    {
      inbound: (mms) => receiveMms(deps, { carrier, link: settings.name }, mms),
      receipt: (receipt) => takeReceipt(deps, carrier, receipt, news),
      changed: (state) => log.info({ link: settings.name, state: state.kind, reason: state.reason }, "link changed"),
      room: () => news.room(),
    },
    { clock, log, random: Math.random, secret },
  );
  /** Given to us and not yet to the link: their media are being fetched. */
  let fetching = 0;
  return {
    name: settings.name,
    carrier,
    kind: "mms",
    port: link.port,
    get state() {
      return link.state.kind === "up"
        ? { kind: "bound" as const, reason: link.state.reason }
        : { kind: "down" as const, reason: link.state.reason };
    },
    start: () => undefined,
    // Slow media of some do not take the connections of others.
    room: () => (link.room() > 0 ? FETCHING_MAX - fetching : 0),
    submit(message, done) {
      fetching++;
      submitMms(deps, { link, octetsMax: settings.messageSizeMax }, message, () => fetching--).then(
        done,
        (error: Error) => {
          log.error({ sid: message.sid, err: error }, "MMS not submitted");
          done({ kind: "unknown", reason: "The server failed while it was sending", carrierIds: [] });
        },
      );
    },
    ask: async () => undefined,
    close: () => link.close(),
  };
}

async function submitMms(
  deps: MmsDeps,
  to: { readonly link: Mm4Link; readonly octetsMax: number },
  message: Outgoing,
  fetched: () => void,
): Promise<SubmitOutcome> {
  const media = await fetchMedia(deps.media, message.mediaUrls, to.octetsMax).finally(fetched);
  if (!media.ok) return { kind: "rejected", failure: FAILURES.badMedia, reason: media.refusal, carrierIds: [] };
  const { sid, from, recipients, text, expiresOn } = message;
  const outcome = await to.link.submit({ sid, from, to: recipients, text, media: media.value, expiresOn });
  return toOutcome(outcome, recipients);
}

/** One after the other, and no more than the carrier takes. */
async function fetchMedia(
  client: MediaClient,
  urls: readonly string[],
  octetsMax: number,
): Promise<Result<readonly FetchedMedia[], string>> {
  const media: FetchedMedia[] = [];
  let octets = 0;
  for (const url of urls) {
    const got = await client.fetch(url);
    if (!got.ok) return refused(`${url}: ${got.refusal.detail}`);
    octets += got.value.bytes.length;
    if (octets > octetsMax) return refused(`${url}: The carrier takes ${octetsMax} bytes at most, and this is more.`);
    media.push(got.value);
  }
  return ok(media);
}

function toOutcome(outcome: Mm4Outcome, recipients: readonly string[]): SubmitOutcome {
  switch (outcome.kind) {
    case "accepted": {
      const { refusedRecipients } = outcome;
      const taken = recipients.filter((number) => !refusedRecipients.some(({ to }) => to === number));
      const carrierIds = outcome.carrierIds.flatMap((id) => idsOf(id, recipients, taken));
      if (refusedRecipients.length === 0) return { kind: "accepted", carrierIds };
      const said = refusedRecipients.map(({ to, status, description }) => `${to}: ${status} ${description}`);
      const reason = `The carrier took it for the others only: ${said.join("; ")}`;
      return { kind: "rejected", failure: FAILURES.unreachable, reason, carrierIds };
    }
    case "rejected":
      return {
        kind: "rejected",
        failure: failureOf(outcome.status),
        reason: `The carrier answered ${outcome.status} ${outcome.description}`,
        carrierIds: [],
      };
    case "throttled":
      return { kind: "throttled" };
    case "unknown":
      return { ...outcome, carrierIds: outcome.carrierIds.flatMap((id) => idsOf(id, recipients, recipients)) };
    default:
      return outcome;
  }
}

/** RFC 5321, 4.2.3: no such mailbox, elsewhere, too big, no such name. */
function failureOf(status: number): Failure {
  if (status === 552) return FAILURES.badMedia;
  return [550, 551, 553].includes(status) ? FAILURES.unreachable : FAILURES.rejected;
}

function idsOf(carrierId: string, group: readonly string[], recipients: readonly string[]): readonly string[] {
  if (group.length === 1) return [carrierId];
  return recipients.map((number) => groupMemberId(carrierId, group.indexOf(number)));
}

async function takeReceipt(deps: MmsDeps, carrier: string, receipt: Mm4Receipt, news: LinkNews): Promise<void> {
  const { carrierId, recipient, state, errorCode } = receipt;
  const group = await recipientsOf(deps.db, carrier, carrierId);
  // Told of the whole, it is told of every member.
  const about = recipient === undefined ? group : group.filter((number) => number === recipient);
  const ids = group.length > 1 ? idsOf(carrierId, group, about) : [carrierId];
  for (const id of ids) {
    await news.receipt({
      carrier,
      carrierId: id,
      state,
      errorCode: errorCode === "" ? null : errorCode,
      // By our clock: the peer's may be anywhere.
      receivedOn: deps.clock.now(),
    });
  }
}

/** The files are kept before the rows that name them; the carrier is answered after both. */
async function receiveMms(
  deps: MmsDeps,
  at: { readonly carrier: string; readonly link: string },
  mms: InboundMms,
): Promise<InboundVerdict> {
  const owners = await Promise.all(mms.recipients.map((to) => inboxOver(deps.db).ownerOf(to)));
  if (!owners.some(Boolean)) return "unknownRecipient";
  const kept = await Promise.all(
    mms.media.map(async (item) => ({ ...item, sha256: await deps.files.keep(item.bytes) })),
  );
  const now = deps.clock.now();
  return deps.db.transaction(async (unit) => {
    const inbox = inboxOver(unit);
    let isForUs = false;
    for (const to of mms.recipients) {
      const owner = await inbox.ownerOf(to);
      if (!owner) continue;
      isForUs = true;
      const media: MediaRef[] = kept.map(({ contentType }) => ({ sid: deps.ids.sid("ME"), contentType }));
      const received = await receiveMessage(
        {
          inbox,
          optOuts: optOutStore(unit),
          outbox: { emit: (events, when) => emitEvents(unit, events, when) },
          ids: deps.ids,
          mediaUrl: deps.mediaUrl,
          now,
        },
        {
          ...at,
          // The carrier names its messages: the same name is the same message, over whatever connection.
          session: deps.ids.sid("EV"),
          from: mms.from,
          to,
          additionalRecipients: mms.to.filter((number) => number !== to),
          text: mms.subject !== "" && mms.text === "" ? mms.subject : mms.text,
          media,
          segmentCount: 1,
          repeatKey: `mm4 ${mms.messageId} ${to}`,
          receivedOn: now,
        },
      );
      if (received !== "stored") continue;
      await insertMedia(
        unit,
        kept.map(({ contentType, name, bytes, sha256 }, index) => ({
          sid: media[index]?.sid as string,
          accountSid: owner.accountSid,
          contentType,
          name: name ?? null,
          sizeBytes: bytes.length,
          sha256,
          createdOn: now,
        })),
      );
    }
    return isForUs ? "taken" : "unknownRecipient";
  });
}
