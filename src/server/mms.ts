// MMS: fetching what a message shows and giving it to the carrier's MMS centre; keeping what comes in and linking to it.

import type { MediaClient } from "../adapters/media/media-client.ts";
import type { MediaFiles } from "../adapters/media/media-files.ts";
import type {
  InboundMms,
  InboundVerdict,
  SubmitOutcome as Mm4Outcome,
  Mm4Receipt,
} from "../adapters/mm4/link-owner.ts";
import { Mm4Link } from "../adapters/mm4/mm4-link.ts";
import type { Mm4Settings } from "../adapters/mm4/mm4-settings.ts";
import type { Database } from "../adapters/store/database.ts";
import { inboxOver } from "../adapters/store/inbox.ts";
import { insertMedia } from "../adapters/store/media-records.ts";
import { optOutStore } from "../adapters/store/opt-outs.ts";
import { emitEvents } from "../adapters/store/outbox.ts";
import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import {
  FAILURES,
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
      // By our clock: the peer's may be anywhere.
      receipt: (receipt) => news.receipt({ ...toReceipt(carrier, receipt), receivedOn: clock.now() }),
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
    room: () => link.room() - fetching,
    submit(message, done) {
      fetching++;
      submitMms(deps, link, message, () => fetching--).then(done, (error: Error) => {
        log.error({ sid: message.sid, err: error }, "MMS not submitted");
        done({ kind: "unknown", reason: "The server failed while it was sending", carrierIds: [] });
      });
    },
    ask: async () => undefined,
    close: () => link.close(),
  };
}

async function submitMms(deps: MmsDeps, link: Mm4Link, message: Outgoing, fetched: () => void): Promise<SubmitOutcome> {
  const media = [];
  for (const url of message.mediaUrls) {
    const got = await deps.media.fetch(url);
    if (!got.ok) {
      fetched();
      return { kind: "rejected", failure: FAILURES.badMedia, reason: `${url}: ${got.refusal.detail}`, carrierIds: [] };
    }
    media.push(got.value);
  }
  fetched();
  const { sid, from, recipients, text, expiresOn } = message;
  return toOutcome(await link.submit({ sid, from, to: recipients, text, media, expiresOn }));
}

function toOutcome(outcome: Mm4Outcome): SubmitOutcome {
  switch (outcome.kind) {
    case "accepted":
      return { kind: "accepted", carrierIds: outcome.carrierIds };
    case "rejected": {
      const failure = outcome.status === 552 ? FAILURES.badMedia : FAILURES.rejected;
      return {
        kind: "rejected",
        failure,
        reason: `The carrier answered ${outcome.status} ${outcome.description}`,
        carrierIds: [],
      };
    }
    case "throttled":
      return { kind: "throttled" };
    default:
      return outcome;
  }
}

function toReceipt(carrier: string, { carrierId, state, errorCode }: Mm4Receipt) {
  return { carrier, carrierId, state, errorCode: errorCode === "" ? null : errorCode };
}

/** The files are kept before the rows that name them; the carrier is answered after both. */
async function receiveMms(
  deps: MmsDeps,
  at: { readonly carrier: string; readonly link: string },
  mms: InboundMms,
): Promise<InboundVerdict> {
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
