// RFC 3264: our offers, our answers, and the result of an exchange (`AgreedAudio`).
//
// Guarantees: an answer has one line for each line of the offer; the first usable audio line is accepted with one
// codec, every other line is refused individually with port 0; payload numbers of the answer are the offer's; an offer
// that continues a session keeps its lines in their places. Addresses, ports, keys and ids are passed in.

import { ok, type Result, refused } from "../../base/result.ts";
import {
  type ConnectionAddress,
  type CryptoLine,
  type Direction,
  isUnspecified,
  type MediaDescription,
  type PayloadFormat,
  refusedLine,
  type SessionDescription,
} from "./description.ts";

export type AudioCodec = "PCMU" | "PCMA";
export const CRYPTO_SUITES = ["AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"] as const;
export type CryptoSuite = (typeof CRYPTO_SUITES)[number];

/** Our side of a leg. */
export interface OwnSide {
  readonly sessionId: string;
  readonly version: string;
  readonly connection: ConnectionAddress;
  readonly rtpPort: number;
  readonly rtcpPort: number;
  /** In our order of preference. */
  readonly codecs: readonly AudioCodec[];
  readonly direction: Direction;
  /**
   * 30 octets in base64: key and salt of `AES_CM_128`, another one for each suite (RFC 4568 6.1: unique for each crypto
   * line). Offered if `secure`, and in answers to secure offers.
   */
  readonly keyFor: (suite: CryptoSuite) => string;
  /** `preferred`: RFC 8643, keys in a line of RTP/AVP, which peers without SRTP ignore. */
  readonly secure: boolean | "preferred";
}

export interface StreamKey {
  readonly suite: CryptoSuite;
  readonly keyAndSalt: string;
}

/** The result of offer and answer. */
export interface AgreedAudio {
  readonly remote: ConnectionAddress;
  readonly remoteRtpPort: number;
  readonly remoteRtcp: ConnectionAddress;
  readonly remoteRtcpPort: number;
  readonly hasRtcpMux: boolean;
  readonly codec: AudioCodec;
  readonly ptimeMs: number;
  /** The peer's payload number of the codec. */
  readonly sendPayload: number;
  /** The peer's payload numbers for keys and comfort noise, if it supports them. */
  readonly sendEventPayload?: number;
  readonly sendNoisePayload?: number;
  /** What the peer may send: payload number → meaning. */
  readonly receives: readonly (readonly [payload: number, what: AudioCodec | "event" | "noise"])[];
  readonly maySend: boolean;
  readonly mayReceive: boolean;
  readonly keys?: { readonly ours: StreamKey; readonly theirs: StreamKey };
}

const EVENT_PAYLOAD = 101;
const PTIME_MS = 20;
const CODEC_PAYLOADS: Readonly<Record<AudioCodec, number>> = { PCMU: 0, PCMA: 8 };
const PLAIN_PROTOCOLS = ["RTP/AVP", "RTP/AVPF"];
const SECURE_PROTOCOLS = ["RTP/SAVP", "RTP/SAVPF"];

/** `earlier` is our own last description of this session, if there is one. */
export function makeOffer(own: OwnSide, earlier?: SessionDescription): SessionDescription {
  const payloads: PayloadFormat[] = [
    ...own.codecs.map((name) => ({ payload: CODEC_PAYLOADS[name], name, clockRate: 8000, channels: 1 })),
    eventFormat(EVENT_PAYLOAD),
  ];
  const suites = own.secure === false ? [] : CRYPTO_SUITES;
  const audio: MediaDescription = {
    ...ownLine(own, payloads),
    protocol: own.secure === true ? "RTP/SAVP" : "RTP/AVP",
    ptimeMs: PTIME_MS,
    direction: own.direction,
    crypto: suites.map((suite, at) => cryptoLine(at + 1, suite, own.keyFor(suite))),
  };
  const lines = earlier?.media.map(refusedLine) ?? [];
  const place = earlier?.media.findIndex(({ port }) => port !== 0) ?? -1;
  return { origin: originOf(own), media: place === -1 ? [...lines, audio] : lines.with(place, audio) };
}

export interface Answered {
  readonly answer: SessionDescription;
  readonly agreed: AgreedAudio;
}

export function answerOffer(offer: SessionDescription, own: OwnSide): Result<Answered, string> {
  const reasons: string[] = [];
  for (const [place, line] of offer.media.entries()) {
    const fit = fitLine(line, own);
    if (!fit.ok) {
      reasons.push(fit.refusal);
      continue;
    }
    const { agreed, crypto, payloads } = fit.value;
    const audio: MediaDescription = {
      ...ownLine(own, payloads),
      protocol: line.protocol,
      ptimeMs: agreed.ptimeMs,
      direction: directionOf(agreed.maySend, agreed.mayReceive),
      hasRtcpMux: agreed.hasRtcpMux,
      crypto,
    };
    const media = offer.media.map(refusedLine).with(place, audio);
    return ok({ answer: { origin: originOf(own), media }, agreed });
  }
  return refused(reasons.join("; "));
}

/** Evaluates the peer's answer to our `offer`. */
export function acceptAnswer(
  offer: SessionDescription,
  answer: SessionDescription,
  own: OwnSide,
): Result<AgreedAudio, string> {
  const place = offer.media.findIndex(({ port }) => port !== 0);
  const ours = offer.media[place];
  const line = answer.media[place];
  if (!ours || !line) return refused("the answer has no line for our audio");
  const isSecure = SECURE_PROTOCOLS.includes(line.protocol);
  // To keys in a line of RTP/AVP some peers answer with RTP/SAVP.
  const isFitting = isSecure === SECURE_PROTOCOLS.includes(ours.protocol) || (isSecure && ours.crypto.length > 0);
  if (!isFitting) return refused(`the answer says ${line.protocol} to an offer of ${ours.protocol}`);
  const fit = fitLine(line, own);
  if (!fit.ok) return fit;
  const { agreed } = fit.value;
  // The peer chose one of our crypto lines by its tag. It may have changed a payload number: both numbers are accepted.
  const chosen = line.crypto.find(isUsable);
  const suite = ours.crypto.find(({ tag, suite: offered }) => tag === chosen?.tag && offered === chosen.suite);
  if (agreed.keys && !suite) return refused("the answer names no key line of our offer");
  const receives = new Map([...receivesOf(ours.payloads), ...agreed.receives]);
  // We never offer one port for RTP and RTCP, so the answer cannot have it.
  return ok({ ...agreed, receives: [...receives], hasRtcpMux: false, remoteRtcpPort: rtcpPortOf(line) });
}

interface Fit {
  readonly agreed: AgreedAudio;
  readonly payloads: readonly PayloadFormat[];
  readonly crypto: readonly CryptoLine[];
}

/** The common part of the peer's line and our side. */
function fitLine(line: MediaDescription, own: OwnSide): Result<Fit, string> {
  const { connection } = line;
  if (line.media !== "audio") return refused(`${line.media} is not taken`);
  if (line.port === 0 || !connection) return refused("the audio line is switched off");
  const isSecure = SECURE_PROTOCOLS.includes(line.protocol);
  if (!isSecure && !PLAIN_PROTOCOLS.includes(line.protocol)) return refused(`${line.protocol} is not taken`);
  if (connection.family !== own.connection.family) return refused(`this leg has no IPv${connection.family} address`);
  if (isMulticast(connection)) return refused("the address is a multicast group");
  const codec = line.payloads.find(
    (format) => codecOf(format) && own.codecs.includes(format.name.toUpperCase() as AudioCodec),
  );
  const codecName = codec && codecOf(codec);
  if (!codec || !codecName) return refused(`none of its codecs is ${own.codecs.join(" or ")}`);
  // RFC 8643 3.1: a line of RTP/AVP may have keys; one that we cannot use leaves it unencrypted.
  const crypto = isSecure || own.secure !== false ? line.crypto.find(isUsable) : undefined;
  if (isSecure && !crypto) return refused("none of its key lines can be used");
  const event = line.payloads.find((format) => kindOf(format) === "event");
  const noise = line.payloads.find((format) => kindOf(format) === "noise");
  const payloads = [codec, ...(noise ? [noise] : []), ...(event ? [eventFormat(event.payload)] : [])];
  const isHeld = isUnspecified(connection);
  const suite = crypto?.suite as CryptoSuite;
  const keys = crypto && {
    ours: { suite, keyAndSalt: own.keyFor(suite) },
    theirs: { suite, keyAndSalt: crypto.keyAndSalt },
  };
  const agreed: AgreedAudio = {
    remote: connection,
    remoteRtpPort: line.port,
    remoteRtcp: line.rtcpConnection ?? connection,
    remoteRtcpPort: line.hasRtcpMux ? line.port : rtcpPortOf(line),
    hasRtcpMux: line.hasRtcpMux,
    codec: codecName,
    ptimeMs: ptimeOf(line.ptimeMs),
    sendPayload: codec.payload,
    ...(event && { sendEventPayload: event.payload }),
    ...(noise && { sendNoisePayload: noise.payload }),
    receives: receivesOf(payloads),
    maySend: !isHeld && isIn(line.direction, "recvonly") && isIn(own.direction, "sendonly"),
    mayReceive: isIn(line.direction, "sendonly") && isIn(own.direction, "recvonly"),
    ...(keys && { keys }),
  };
  return ok({ agreed, payloads, crypto: crypto ? [cryptoLine(crypto.tag, suite, own.keyFor(suite))] : [] });
}

/** RFC 3550 11: the next port, unless the description has another. */
function rtcpPortOf({ port, rtcpPort }: MediaDescription): number {
  return rtcpPort ?? Math.min(port + 1, 65_535);
}

function isIn(direction: Direction, half: "sendonly" | "recvonly"): boolean {
  return direction === "sendrecv" || direction === half;
}

function directionOf(maySend: boolean, mayReceive: boolean): Direction {
  if (maySend) return mayReceive ? "sendrecv" : "sendonly";
  return mayReceive ? "recvonly" : "inactive";
}

function ownLine(own: OwnSide, payloads: readonly PayloadFormat[]): Omit<MediaDescription, "protocol" | "direction"> {
  return {
    media: "audio",
    port: own.rtpPort,
    formats: payloads.map(({ payload }) => String(payload)),
    connection: own.connection,
    payloads,
    rtcpPort: own.rtcpPort,
    hasRtcpMux: false,
    crypto: [],
  };
}

function originOf({ sessionId, version, connection }: OwnSide): SessionDescription["origin"] {
  return { sessionId, version, connection };
}

function eventFormat(payload: number): PayloadFormat {
  // RFC 4733 7.1.1: 0-15 are the digits, *, # and A to D.
  return { payload, name: "telephone-event", clockRate: 8000, channels: 1, parameters: "0-15" };
}

function cryptoLine(tag: number, suite: CryptoSuite, keyAndSalt: string): CryptoLine {
  return { tag, suite, keyAndSalt, hasMki: false, sessionParameters: [] };
}

/** Refuses session parameters that would change the packets, and keys that must be identified in every packet. */
function isUsable({ suite, keyAndSalt, hasMki, sessionParameters }: CryptoLine): boolean {
  const isKnown = CRYPTO_SUITES.some((known) => known === suite) && /^[A-Za-z0-9+/]{40}$/.test(keyAndSalt);
  return isKnown && !hasMki && sessionParameters.every((parameter) => /^(KDR=0|WSH=\d+)$/i.test(parameter));
}

function kindOf(format: PayloadFormat): AudioCodec | "event" | "noise" | undefined {
  if (format.clockRate !== 8000 || format.channels !== 1) return undefined;
  const name = format.name.toUpperCase();
  if (name === "TELEPHONE-EVENT") return "event";
  if (name === "CN") return "noise";
  return name === "PCMU" || name === "PCMA" ? name : undefined;
}

function codecOf(format: PayloadFormat): AudioCodec | undefined {
  const kind = kindOf(format);
  return kind === "PCMU" || kind === "PCMA" ? kind : undefined;
}

function receivesOf(payloads: readonly PayloadFormat[]): AgreedAudio["receives"] {
  return payloads.flatMap((format) => {
    const kind = kindOf(format);
    return kind ? [[format.payload, kind] as const] : [];
  });
}

/** Packets of 10 to 60 ms in steps of 10 ms: what phones and gateways use. */
function ptimeOf(asked: number | undefined): number {
  return asked !== undefined && asked >= 10 && asked <= 60 && asked % 10 === 0 ? asked : PTIME_MS;
}

function isMulticast({ family, address }: ConnectionAddress): boolean {
  return family === 4 ? /^2(2[4-9]|3\d)\./.test(address) : /^ff/i.test(address);
}
