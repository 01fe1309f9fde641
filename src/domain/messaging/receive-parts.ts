// Joins the parts of inbound messages. Every part is stored before the carrier is answered for it. A message whose
// parts do not all arrive in time is received without the missing ones. A repeat, which a carrier sends when our answer
// may have been lost, is received once.

import { countSegments } from "../../../rules/sms/segment.ts";
import type { Log } from "../../base/log.ts";
import type { Arrival, InboundPart, NumberReader, PartDecoder, StoredPart } from "./ports.ts";
import { type InboundDeps, ownNumberOf, type ReceiveUnit, receiveMessage } from "./receive-message.ts";

export interface PartsDeps extends InboundDeps {
  readonly readNumber: NumberReader;
  readonly decode: PartDecoder;
  readonly log: Log;
}

/** How long to wait for missing parts. */
const PARTS_WAIT_MS = 600_000;
/** A connection that lasts this long after our answer shows that the carrier has received the answer. */
const ANSWERED_AFTER_MS = 10_000;
const DOUBTFUL_MAX = 10_000;
const MISSING = "[…]";
/** The payload of one short message. */
const OCTETS_MAX = 140;

export class PartReceiver {
  readonly #deps: PartsDeps;
  /** Received recently; the keys are deleted when the carrier has certainly received our answer. */
  #recent: { readonly carrier: string; readonly key: string; readonly session: string; readonly atMs: number }[] = [];
  /** The newest session of each link. */
  readonly #sessions = new Map<string, string>();
  /** Keys of parts whose transaction failed: they may be stored or not, and the carrier repeats them. */
  readonly #doubtful = new Set<string>();
  #arrivals = 0;

  constructor(deps: PartsDeps) {
    this.#deps = deps;
  }

  async receive(part: InboundPart): Promise<void> {
    const { carrier, link, session, repeatKey: key } = part;
    this.#sessions.set(link, session);
    const name = `${carrier} ${key}`;
    const now = this.#deps.clock.now();
    try {
      // A unique session makes a stored key count as a repeat, even when it came over the same connection.
      await this.#store(this.#doubtful.has(name) ? { ...part, session: this.#unique(session) } : part, now);
    } catch (fault) {
      this.#doubtful.add(name);
      for (const oldest of this.#doubtful) {
        if (this.#doubtful.size <= DOUBTFUL_MAX) break;
        this.#doubtful.delete(oldest);
      }
      throw fault;
    }
    this.#doubtful.delete(name);
    this.#recent.push({ carrier, key, session, atMs: this.#deps.clock.now().getTime() });
  }

  /** Receives messages whose missing parts did not arrive in time. */
  async giveUpWaiting(now: Date): Promise<void> {
    const { inbox, transaction, log } = this.#deps;
    for (const of of await inbox.incompleteBefore(new Date(now.getTime() - PARTS_WAIT_MS))) {
      await transaction(async (unit) => {
        const parts = await unit.inbox.takeParts(of);
        if (parts.length === 0) return;
        const { carrier, total } = of;
        log.warn({ carrier, came: parts.length, total }, "long message received without all of its parts");
        await this.#receiveWhole(unit, this.#join("", parts, now), now);
      });
    }
  }

  /** Deletes keys when the carrier has received our answers: the same content is a new message afterwards. */
  async forgetAnswered(now: Date): Promise<void> {
    const isSure = ({ atMs }: { atMs: number }) => now.getTime() - atMs >= ANSWERED_AFTER_MS;
    const sure = this.#recent.filter(isSure);
    this.#recent = this.#recent.filter((entry) => !isSure(entry));
    const current = new Set(this.#sessions.values());
    for (const carrier of new Set(sure.map((entry) => entry.carrier))) {
      const keys = sure
        .filter((entry) => entry.carrier === carrier && current.has(entry.session))
        .map(({ key }) => key);
      if (keys.length > 0) await this.#deps.inbox.forgetKeys(carrier, keys);
    }
  }

  async #store(part: InboundPart, now: Date): Promise<void> {
    const { carrier, link, session, octets, dataCoding, repeatKey, partOf } = part;
    const numbers = {
      from: this.#normal(part.from),
      to: await ownNumberOf(this.#deps.inbox, part.to, this.#normal(part.to)),
    };
    if (!partOf || partOf.total < 2) {
      const text = this.#deps.decode(octets, dataCoding);
      // A longer text arrived whole in a message_payload.
      const segmentCount = octets.length > OCTETS_MAX ? countSegments(text).count : 1;
      const arrival = { carrier, link, session, ...numbers, ...EMPTY, text, segmentCount, repeatKey, receivedOn: now };
      await this.#deps.transaction((unit) => this.#receiveWhole(unit, arrival, now));
      return;
    }
    const stored = { carrier, link, ...numbers, ...partOf, octets, dataCoding, receivedOn: now };
    await this.#deps.transaction(async (unit) => {
      // Two equal parts within the seconds in which keys are kept are a repeat, over the same connection too.
      const once = { carrier, session: this.#unique(session), repeatKey, receivedOn: now };
      if (await unit.inbox.isRepeat(once)) return;
      const parts = await unit.inbox.addPart(stored);
      if (parts) await this.#receiveWhole(unit, this.#join(session, parts, now), now);
    });
  }

  async #receiveWhole(unit: ReceiveUnit, arrival: Arrival, now: Date): Promise<void> {
    const { ids, mediaUrl, log } = this.#deps;
    const received = await receiveMessage({ ...unit, ids, mediaUrl, now }, arrival);
    if (received === "not ours")
      log.warn({ carrier: arrival.carrier, to: arrival.to }, "message for a number that is not ours");
  }

  /** Takes at least one part, in order. */
  #join(session: string, parts: readonly StoredPart[], now: Date): Arrival {
    const [{ carrier, link, from, to, reference, total }] = parts as readonly [StoredPart, ...StoredPart[]];
    return {
      carrier,
      link,
      from,
      to,
      ...EMPTY,
      text: this.#textOf(parts, total),
      segmentCount: total,
      repeatKey: `whole ${from} ${to} ${reference} ${now.getTime()}`,
      session: this.#unique(session),
      receivedOn: now,
    };
  }

  /** Joins octets before decoding: a character may be split between parts. If parts are missing, decodes each alone. */
  #textOf(parts: readonly StoredPart[], total: number): string {
    const { decode } = this.#deps;
    const dataCoding = parts[0]?.dataCoding ?? 0;
    if (parts.length === total) return decode(concat(parts), dataCoding);
    let text = "";
    let expected = 1;
    for (const { index, octets } of parts) {
      if (index !== expected) text += MISSING;
      text += decode(octets, dataCoding);
      expected = index + 1;
    }
    return expected <= total ? `${text}${MISSING}` : text;
  }

  #unique(session: string): string {
    return `${session} ${++this.#arrivals}`;
  }

  /** Carriers write numbers with and without the plus, and American numbers also without the country code. */
  #normal(number: string): string {
    for (const candidate of e164Candidates(number)) {
      const read = this.#deps.readNumber(candidate, null);
      if (read.ok) return read.value.e164;
    }
    return number;
  }
}

/** The numbers in E.164 that a carrier may mean by one of its spellings, the likeliest first. */
export function e164Candidates(number: string): readonly string[] {
  if (number.startsWith("+")) return [number];
  if (!/^\d{7,15}$/.test(number)) return [];
  return number.length === 10 ? [`+1${number}`, `+${number}`] : [`+${number}`, `+1${number}`];
}

const EMPTY = { additionalRecipients: [], media: [] } as const;

function concat(parts: readonly StoredPart[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { octets }) => sum + octets.length, 0));
  let at = 0;
  for (const { octets } of parts) {
    whole.set(octets, at);
    at += octets.length;
  }
  return whole;
}
