// The messages of Twilio's Media Streams protocol: JSON in text frames.
//
// Reading is total: any text gives a message or the reason why it is ignored. Real clients send `streamSid: null`, and
// events of their own, so neither the sid nor anything that is not needed is looked at.

import { ok, type Result, refused } from "../../base/result.ts";
import type { StreamOrder, StreamTracks } from "../../domain/voice/index.ts";

/** What a program says. */
export type HeardMessage =
  | { readonly kind: "media"; readonly octets: Uint8Array }
  | { readonly kind: "mark"; readonly name: string }
  | { readonly kind: "clear" };

const MARK_CHARACTERS_MAX = 1_024;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Sound as programs write it, which needs no parser; what differs from that is parsed. */
const PLAIN_MEDIA =
  /^\{ ?"event": ?"media", ?"streamSid": ?(?:"\w*"|null), ?"media": ?\{ ?"payload": ?"([A-Za-z0-9+/_-]*={0,2})" ?\} ?\}$/;

export function readStreamMessage(text: string): Result<HeardMessage, string> {
  const payload = PLAIN_MEDIA.exec(text)?.[1];
  if (payload !== undefined) return ok({ kind: "media", octets: Buffer.from(payload, "base64") });
  return readParsed(text);
}

function readParsed(text: string): Result<HeardMessage, string> {
  const message = objectOf(parsed(text));
  if (!message) return refused("It is no JSON object.");
  const { event } = message;
  if (event === "clear") return ok({ kind: "clear" });
  if (event === "mark") {
    const name = objectOf(message.mark)?.name;
    if (typeof name !== "string") return refused("A mark has no name.");
    if (name.length > MARK_CHARACTERS_MAX)
      return refused(`The name of a mark has more than ${MARK_CHARACTERS_MAX} characters.`);
    return ok({ kind: "mark", name });
  }
  if (event === "media") {
    const payload = objectOf(message.media)?.payload;
    if (typeof payload !== "string" || !BASE64.test(payload)) return refused("The payload of media is no base64.");
    return ok({ kind: "media", octets: Buffer.from(payload, "base64") });
  }
  return refused(typeof event === "string" ? `The event ${event.slice(0, 40)} is unknown.` : "It names no event.");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** The same memory. Another object for each message would be a good part of what the message costs. */
export function bufferOf(octets: Uint8Array): Buffer {
  return Buffer.isBuffer(octets) ? octets : Buffer.from(octets.buffer, octets.byteOffset, octets.length);
}

/** Whose stream it is. */
export interface StreamNames {
  readonly streamSid: string;
  readonly accountSid: string;
  readonly callSid: string;
}

type Track = "inbound" | "outbound";

export const TRACKS: Readonly<Record<StreamTracks, readonly Track[]>> = {
  inbound: ["inbound"],
  outbound: ["outbound"],
  both: ["inbound", "outbound"],
};

export const CONNECTED = '{"event":"connected","protocol":"Call","version":"1.0.0"}';

/** Writes the messages of one stream, whose sequence numbers go up from 1. */
export class StreamWriter {
  readonly #names: StreamNames;
  #sequence = 0;

  constructor(names: StreamNames) {
    this.#names = names;
  }

  start({ parameters, tracks, linearRate }: StreamOrder): string {
    const { streamSid, accountSid, callSid } = this.#names;
    const customParameters = Object.fromEntries(parameters);
    const encoding = linearRate === undefined ? "audio/x-mulaw" : "pcm16";
    const mediaFormat = { encoding, sampleRate: linearRate ?? 8000, channels: 1 };
    const start = { streamSid, accountSid, callSid, tracks: TRACKS[tracks], customParameters, mediaFormat };
    return this.#written("start", start);
  }

  /** Written by hand, because there are fifty a second: none of the values needs to be escaped. */
  media(track: Track, octets: Uint8Array, chunk: number, timestampMs: number): string {
    const payload = bufferOf(octets).toString("base64");
    const media = `{"track":"${track}","chunk":"${chunk}","timestamp":"${timestampMs}","payload":"${payload}"}`;
    return `{"event":"media",${this.#numbered()},"media":${media}}`;
  }

  dtmf(digit: string): string {
    return this.#written("dtmf", { track: "inbound_track", digit });
  }

  mark(name: string): string {
    return this.#written("mark", { name });
  }

  stop(): string {
    const { accountSid, callSid } = this.#names;
    return this.#written("stop", { accountSid, callSid });
  }

  #written(event: string, content: object): string {
    return `{"event":"${event}",${this.#numbered()},"${event}":${JSON.stringify(content)}}`;
  }

  #numbered(): string {
    return `"sequenceNumber":"${++this.#sequence}","streamSid":"${this.#names.streamSid}"`;
  }
}
