// What carriers bring over SMPP, from parts to whole messages. Every part is stored before the carrier is answered for it; a message
// whose missing parts do not come in time is received with what there is.

import { createHash } from "node:crypto";
import type { InboundPart } from "../adapters/smpp/link-owner.ts";
import type { Database, Queryable } from "../adapters/store/engine/database.ts";
import {
  forgetKeys,
  inboxOver,
  incompleteBefore,
  keepPart,
  type StoredPart,
  takeParts,
} from "../adapters/store/messaging/inbox.ts";
import { optOutStore } from "../adapters/store/numbers/opt-outs.ts";
import { emitEvents } from "../adapters/store/webhooks/outbox.ts";
import type { Ids } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { countSegments } from "../base/sms/segment.ts";
import {
  type Arrival,
  type NumberReader,
  type ReceiveDeps,
  type Received,
  receiveMessage,
} from "../domain/messaging/index.ts";
import { decodeText } from "../wire/smpp/text.ts";
import type { LinkPlace } from "./carrier-links.ts";

export interface PartsDeps {
  readonly db: Database;
  readonly ids: Ids;
  readonly readNumber: NumberReader;
  readonly mediaUrl: (sid: string) => string;
  readonly log: Log;
}

/** A part that has not come by then is not waited for. */
const PARTS_WAIT_MS = 600_000;
/** A carrier whose connection has lasted so long after an answer has got it. */
const ANSWERED_AFTER_MS = 10_000;
const DOUBTFUL_MAX = 10_000;
const MISSING = "[…]";
/** Of one short message. */
const OCTETS_MAX = 140;

export class PartReceiver {
  readonly #deps: PartsDeps;
  /** Lately received, by carrier, to be forgotten once the carrier has surely been answered. */
  #recent: { readonly carrier: string; readonly key: string; readonly session: string; readonly atMs: number }[] = [];
  /** The newest of every link. */
  readonly #sessions = new Map<string, string>();
  /** Those whose storing failed: nobody knows whether they are stored, and the carrier brings them again. */
  readonly #doubtful = new Set<string>();
  #arrivals = 0;

  constructor(deps: PartsDeps) {
    this.#deps = deps;
  }

  async receive(place: LinkPlace, part: InboundPart): Promise<void> {
    this.#sessions.set(place.link, place.session);
    const key = keyOf(part);
    const name = `${place.carrier} ${key}`;
    // Whatever is known of a doubtful one, over the same connection too, is known of this very one.
    const session = this.#doubtful.has(name) ? this.#unique(place) : place.session;
    try {
      await this.#store({ ...place, session }, part, key);
    } catch (fault) {
      this.#doubtful.add(name);
      for (const oldest of this.#doubtful) {
        if (this.#doubtful.size <= DOUBTFUL_MAX) break;
        this.#doubtful.delete(oldest);
      }
      throw fault;
    }
    this.#doubtful.delete(name);
    this.#recent.push({ carrier: place.carrier, key, session: place.session, atMs: Date.now() });
  }

  async #store(place: LinkPlace, part: InboundPart, repeatKey: string): Promise<void> {
    const now = new Date();
    const numbers = { from: this.#normal(part.from), to: this.#normal(part.to) };
    const { concatenation } = part;
    if (!concatenation || concatenation.total < 2) {
      const text = textOf([part]);
      const arrival = {
        ...place,
        ...numbers,
        ...EMPTY,
        text,
        // What does not fit one message was carried whole in a message_payload.
        segmentCount: part.octets.length > OCTETS_MAX ? countSegments(text).count : 1,
        repeatKey,
        receivedOn: now,
      };
      await this.#deps.db.transaction((unit) => this.#receiveWhole(unit, arrival, now));
      return;
    }
    const { reference, total, part: index } = concatenation;
    const stored: StoredPart = {
      ...place,
      ...numbers,
      reference,
      total,
      index,
      octets: part.octets,
      dataCoding: part.dataCoding,
      receivedOn: now,
    };
    await this.#deps.db.transaction(async (unit) => {
      // Unlike whole messages, the same part does not come twice by chance within the seconds for which it is remembered.
      const once = { ...place, session: this.#unique(place) };
      if (await inboxOver(unit).isRepeat({ ...once, repeatKey, receivedOn: now })) return;
      const parts = await keepPart(unit, stored);
      if (parts) await this.#receiveWhole(unit, this.#join(place, parts, now), now);
    });
  }

  /** What is still not whole is received as it is. */
  async giveUpWaiting(now: Date): Promise<void> {
    for (const of of await incompleteBefore(this.#deps.db, new Date(now.getTime() - PARTS_WAIT_MS))) {
      await this.#deps.db.transaction(async (unit) => {
        const parts = await takeParts(unit, of);
        const [first] = parts;
        if (!first) return;
        this.#deps.log.warn(
          { carrier: of.carrier, came: parts.length, total: of.total },
          "long message received without all of its parts",
        );
        await this.#receiveWhole(unit, this.#join({ ...of, link: first.link, session: "" }, parts, now), now);
      });
    }
  }

  /** The carrier has got our answers: from here on the same words are another message. */
  async forgetAnswered(now: Date): Promise<void> {
    const isSure = ({ atMs }: { atMs: number }) => now.getTime() - atMs >= ANSWERED_AFTER_MS;
    const sure = this.#recent.filter(isSure);
    this.#recent = this.#recent.filter((entry) => !isSure(entry));
    const current = new Set(this.#sessions.values());
    for (const carrier of new Set(sure.map((entry) => entry.carrier))) {
      const keys = sure
        .filter((entry) => entry.carrier === carrier && current.has(entry.session))
        .map(({ key }) => key);
      if (keys.length > 0) await forgetKeys(this.#deps.db, carrier, keys);
    }
  }

  async #receiveWhole(unit: Queryable, arrival: Arrival, now: Date): Promise<Received> {
    const deps: ReceiveDeps = {
      inbox: inboxOver(unit),
      optOuts: optOutStore(unit),
      outbox: { emit: (events, at) => emitEvents(unit, events, at) },
      ids: this.#deps.ids,
      mediaUrl: this.#deps.mediaUrl,
      now,
    };
    const received = await receiveMessage(deps, arrival);
    if (received === "not ours")
      this.#deps.log.warn({ carrier: arrival.carrier, to: arrival.to }, "message for a number that is not ours");
    return received;
  }

  #join(place: LinkPlace, parts: readonly StoredPart[], now: Date): Arrival {
    const [first] = parts as readonly [StoredPart, ...StoredPart[]];
    return {
      ...place,
      from: first.from,
      to: first.to,
      ...EMPTY,
      text: textOf(parts, first.total),
      segmentCount: first.total,
      repeatKey: `whole ${first.from} ${first.to} ${first.reference} ${now.getTime()}`,
      session: this.#unique(place),
      receivedOn: now,
    };
  }

  #unique({ session }: LinkPlace): string {
    return `${session} ${++this.#arrivals}`;
  }

  /** Carriers write numbers with and without the plus, and American ones also without the country. */
  #normal(number: string): string {
    const candidates = number.startsWith("+")
      ? [number]
      : /^\d{7,15}$/.test(number)
        ? [`+${number}`, `+1${number}`]
        : [];
    if (/^\d{10}$/.test(number)) candidates.reverse();
    for (const candidate of candidates) {
      const read = this.#deps.readNumber(candidate);
      if (read.ok) return read.value.e164;
    }
    return number;
  }
}

const EMPTY = { additionalRecipients: [], media: [] } as const;

function keyOf({ from, to, octets, dataCoding, concatenation }: InboundPart): string {
  const { reference = 0, total = 1, part = 1 } = concatenation ?? {};
  return createHash("sha1")
    .update(`${from} ${to} ${dataCoding} ${reference} ${total} ${part} `)
    .update(octets)
    .digest("base64url");
}

/** Joined as octets, for a sender may tear a character; where parts are missing each run is read by itself. */
function textOf(
  parts: readonly Pick<StoredPart | InboundPart, "octets" | "dataCoding">[],
  total = parts.length,
): string {
  const dataCoding = parts[0]?.dataCoding ?? 0;
  if (parts.length === total) return decode(Buffer.concat(parts.map(({ octets }) => octets)), dataCoding);
  let text = "";
  let expected = 1;
  for (const part of parts as readonly StoredPart[]) {
    if (part.index !== expected) text += MISSING;
    text += decode(part.octets, dataCoding);
    expected = part.index + 1;
  }
  return expected <= total ? `${text}${MISSING}` : text;
}

/** Data, and alphabets we do not read, are kept as the octets they are. */
function decode(octets: Uint8Array, dataCoding: number): string {
  return decodeText({ dataCoding, octets }) ?? Buffer.from(octets).toString("latin1");
}
