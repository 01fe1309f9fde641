// A receiver of message parts over a store, and the parts that a handset sends.

import { decodePart } from "../../src/adapters/smpp/incoming.ts";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { inboxOver, receiveUnitOver } from "../../src/adapters/store/messaging/inbox.ts";
import { optOutFilter } from "../../src/adapters/store/numbers/opt-outs.ts";
import { systemClock } from "../../src/base/clock.ts";
import { makeIds } from "../../src/base/ids.ts";
import { parseNumber } from "../../src/domain/lookup/index.ts";
import { type InboundPart, PartReceiver } from "../../src/domain/messaging/index.ts";
import { silent as log } from "./silent-log.ts";

export function newPartReceiver(db: Database): PartReceiver {
  const optOuts = optOutFilter(db, () => true);
  return new PartReceiver({
    inbox: inboxOver(db),
    transaction: (work) => db.transaction((unit) => work(receiveUnitOver(unit, optOuts))),
    ids: makeIds(systemClock),
    clock: systemClock,
    readNumber: parseNumber,
    decode: decodePart,
    mediaUrl: String,
    log,
  });
}

export type Place = Pick<InboundPart, "carrier" | "link" | "session">;
type SentPart = Omit<InboundPart, keyof Place>;

export function sentPart(part: Omit<SentPart, "repeatKey">): SentPart {
  const { from, to, octets, dataCoding, partOf } = part;
  return { ...part, repeatKey: JSON.stringify([from, to, dataCoding, partOf, Buffer.from(octets).toString("hex")]) };
}
