// A leg as calls see it: makes and reads its SDP, and sends orders to the thread that holds its sockets.

import { randomBytes, randomInt } from "node:crypto";
import { SocketAddress } from "node:net";
import { type Network, parseAddress, whyForbidden } from "../../base/cidr.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { LegMedia } from "../../domain/voice/call.ts";
import type { MediaLeg, MediaSound, MediaTerms, MixPart, StreamAudio, StreamEar } from "../../domain/voice/ports.ts";
import type { Quality } from "../../wire/rtp/reception.ts";
import { type ConnectionAddress, isUnspecified, type SessionDescription } from "../../wire/sdp/description.ts";
import {
  type AgreedAudio,
  acceptAnswer,
  answerOffer,
  type CryptoSuite,
  makeOffer,
  type OwnSide,
} from "../../wire/sdp/negotiate.ts";
import { parseSdp } from "../../wire/sdp/parse.ts";
import { writeSdp } from "../../wire/sdp/write.ts";
import type { LocalAddress, MediaOrder, MediaReport } from "./control.ts";
import { LegSpeech } from "./leg-speech.ts";

export interface LegOrder {
  readonly sid: string;
  /** The leg's name in its thread. */
  readonly name: number;
  readonly rtpPort: number;
  /** The places for media at present; another object when they have changed. */
  readonly places: () => MediaPlaces;
  readonly allowedNetworks: readonly Network[];
  readonly order: (order: MediaOrder) => void;
  /** Resolves when the sockets are closed, or lost. */
  readonly closed: Promise<Quality>;
}

export interface MediaPlaces {
  /** Where sockets are bound. */
  readonly addresses: readonly LocalAddress[];
  /** The address advertised to peers, for each family that there are sockets for. */
  readonly advertised: Readonly<Partial<Record<4 | 6, string>>>;
  /** Whether sockets are bound to all addresses of this machine: then the one signalling used may be advertised. */
  readonly isOnAll: boolean;
}

export class RtpLeg implements MediaLeg {
  readonly #leg: LegOrder;
  readonly #sessionId = String(randomInt(2 ** 47));
  /** Ours, made when SRTP is negotiated and the same for the whole session. */
  #keys: Partial<Record<CryptoSuite, string>> = {};
  #version = 1;
  #places: MediaPlaces;
  /** Our last description. */
  #own: { readonly description: SessionDescription; readonly side: OwnSide; readonly terms: MediaTerms } | undefined;
  #agreed: AgreedAudio | undefined;
  #isClosed = false;
  #speech: LegSpeech | undefined;
  #speeches = 0;
  readonly #streams = new Map<number, StreamEar>();
  #streamsBegun = 0;
  /** Who waits for the figures. */
  #measuring: ((quality: Quality) => void)[] = [];

  constructor(leg: LegOrder) {
    this.#leg = leg;
    this.#places = leg.places();
  }

  get sid(): string {
    return this.#leg.sid;
  }

  get name(): number {
    return this.#leg.name;
  }

  offer(terms: MediaTerms): string {
    this.#followPlaces();
    // Peers that were tried before have seen the keys of their offers.
    if (!this.#agreed) this.#keys = {};
    const side = this.#sideFor(terms, terms.family);
    return this.#describe(makeOffer(side, this.#own?.description), side, terms);
  }

  answer(remote: string, terms: MediaTerms): Result<string, string> {
    const parsed = parseSdp(remote);
    if (!parsed.ok) return refused(`its SDP cannot be read: ${parsed.refusal}`);
    this.#followPlaces();
    const family = familyOf(parsed.value) ?? terms.family;
    if (this.#places.advertised[family] === undefined)
      return refused(`this host has no IPv${family} address for media`);
    const side = this.#sideFor(terms, family);
    const result = answerOffer(parsed.value, side);
    if (!result.ok) return refused(`its SDP is not acceptable: ${result.refusal}`);
    if (terms.secure === true && !result.value.agreed.keys)
      return refused("its SDP does not offer SRTP, which is demanded");
    const agreed = this.#agree(result.value.agreed, terms);
    return agreed.ok ? ok(this.#describe(result.value.answer, side, terms)) : agreed;
  }

  accept(remote: string): Result<void, string> {
    const own = this.#own;
    if (!own) return refused("an answer came to no offer");
    const parsed = parseSdp(remote);
    if (!parsed.ok) return refused(`its SDP cannot be read: ${parsed.refusal}`);
    const result = acceptAnswer(own.description, parsed.value, own.side);
    if (!result.ok) return refused(`its SDP is not acceptable: ${result.refusal}`);
    return this.#agree(result.value, own.terms);
  }

  joinWith(other: MediaLeg): void {
    if (!(other instanceof RtpLeg)) return;
    this.#stopSpeech();
    other.#stopSpeech();
    this.#order({ kind: "join", leg: this.#leg.name, other: other.#leg.name });
  }

  listenTo(other: MediaLeg): void {
    if (other instanceof RtpLeg) this.#order({ kind: "listen", leg: this.#leg.name, other: other.#leg.name });
  }

  play(sound: MediaSound): void {
    this.#stopSpeech();
    const { name: leg } = this.#leg;
    if (sound.kind !== "speech") {
      this.#order({ kind: "play", leg, sound });
      return;
    }
    const speech = ++this.#speeches;
    this.#order({ kind: "speak", leg, speech });
    this.#speech = new LegSpeech(sound, (order) => this.#order({ leg, speech, ...order }));
  }

  /** Called when a part of this speech was consumed. */
  wantsSpeech(speech: number): void {
    if (speech === this.#speeches) this.#speech?.want();
  }

  /** Whether what was played to its end is the speech that was wanted last: another may have replaced it meanwhile. */
  isPlaying(speech: number): boolean {
    return speech === this.#speeches && this.#speech !== undefined;
  }

  stopPlaying(): void {
    this.#stopSpeech();
    this.#order({ kind: "stopPlaying", leg: this.#leg.name });
  }

  #stopSpeech(): void {
    this.#speech?.stop();
    this.#speech = undefined;
  }

  listenForKeys(on: boolean): void {
    this.#order({ kind: "listenForKeys", leg: this.#leg.name, on });
  }

  listenForSilence(ms: number | undefined): void {
    this.#order({ kind: "listenForSilence", leg: this.#leg.name, ms });
  }

  stream(ear: StreamEar): StreamAudio {
    this.#stopSpeech();
    return this.#beginStream(ear, true);
  }

  tap(ear: StreamEar): StreamAudio {
    return this.#beginStream(ear, false);
  }

  #beginStream(ear: StreamEar, isTwoWay: boolean): StreamAudio {
    const { name: leg } = this.#leg;
    const stream = ++this.#streamsBegun;
    this.#streams.set(stream, ear);
    this.#order({ kind: "stream", leg, stream, isTwoWay });
    return {
      play: (octets) => this.#order({ kind: "streamAudio", leg, stream, octets }),
      mark: (mark) => this.#order({ kind: "streamMark", leg, stream, mark }),
      clear: () => this.#order({ kind: "clearStream", leg, stream }),
      stop: () => {
        if (this.#streams.delete(stream)) this.#order({ kind: "stopStream", leg, stream });
      },
    };
  }

  confer(mix: number, { speaks, hears }: MixPart): void {
    if (hears) this.#stopSpeech();
    this.#order({ kind: "confer", leg: this.#leg.name, mix, speaks, hears });
  }

  leaveConference(): void {
    this.#order({ kind: "leaveConference", leg: this.#leg.name });
  }

  hearStream(report: Extract<MediaReport, { readonly kind: "streamed" | "marked" }>): void {
    const ear = this.#streams.get(report.stream);
    if (report.kind === "streamed") ear?.hear(report);
    else ear?.marked(report.mark);
  }

  sendDigit(digit: string, ms: number): boolean {
    if (this.#isClosed || this.#agreed?.sendEventPayload === undefined) return false;
    this.#order({ kind: "digit", leg: this.#leg.name, digit, ms });
    return true;
  }

  async measure(): Promise<LegMedia | undefined> {
    const agreed = this.#agreed;
    if (!agreed || this.#isClosed) return undefined;
    const measured = new Promise<Quality>((resolve) => this.#measuring.push(resolve));
    if (this.#measuring.length === 1) this.#order({ kind: "measure", leg: this.#leg.name });
    return mediaOf(agreed, await Promise.race([measured, this.#leg.closed]));
  }

  /** The figures, as the thread has them. */
  measured(quality: Quality): void {
    for (const resolve of this.#measuring.splice(0)) resolve(quality);
  }

  async close(): Promise<LegMedia | undefined> {
    this.#stopSpeech();
    this.#order({ kind: "close", leg: this.#leg.name });
    this.#isClosed = true;
    const agreed = this.#agreed;
    const quality = await this.#leg.closed;
    return agreed && mediaOf(agreed, quality);
  }

  #order(order: MediaOrder): void {
    if (!this.#isClosed) this.#leg.order(order);
  }

  /** A description that is made now names addresses that work, and the sockets have to be there. */
  #followPlaces(): void {
    const places = this.#leg.places();
    if (places === this.#places) return;
    this.#places = places;
    const { name: leg, rtpPort } = this.#leg;
    this.#order({ kind: "move", leg, rtpPort, addresses: places.addresses });
  }

  #sideFor(terms: MediaTerms, family: 4 | 6): OwnSide {
    const { address } = terms;
    const told = this.#places.isOnAll && address && parseAddress(address)?.family === family ? address : undefined;
    return {
      sessionId: this.#sessionId,
      version: String(this.#version),
      connection: { family, address: told ?? this.#places.advertised[family] ?? (family === 4 ? "0.0.0.0" : "::") },
      rtpPort: this.#leg.rtpPort,
      rtcpPort: this.#leg.rtpPort + 1,
      codecs: terms.codecs,
      direction: "sendrecv",
      keyFor: (suite) => {
        this.#keys[suite] ??= randomBytes(30).toString("base64");
        return this.#keys[suite];
      },
      secure: terms.secure,
    };
  }

  /** RFC 3264 8: the version goes up by one with every change of our description, and only then. */
  #describe(description: SessionDescription, side: OwnSide, terms: MediaTerms): string {
    const isSame = this.#own && writeSdp(this.#own.description) === writeSdp(description);
    if (this.#own && !isSame) this.#version++;
    const origin = { ...description.origin, version: String(this.#version) };
    this.#own = { description: { ...description, origin }, side, terms };
    return writeSdp(this.#own.description);
  }

  #agree(agreed: AgreedAudio, terms: MediaTerms): Result<void, string> {
    const remote = canonical(agreed.remote);
    const remoteRtcp = canonical(agreed.remoteRtcp);
    const [why] = [remote, remoteRtcp].flatMap(({ address }) => this.#whyForbidden(address) ?? []);
    const isForbidden = !terms.isTrusted && why !== undefined;
    if (isForbidden && !terms.latch) return refused(why);
    if (this.#isClosed) return ok(undefined);
    this.#agreed = { ...agreed, remote, remoteRtcp };
    const latch = terms.latch && { networks: terms.latch, isForbidden };
    this.#order({ kind: "agree", leg: this.#leg.name, agreed: this.#agreed, ...(latch && { latch }) });
    return ok(undefined);
  }

  #whyForbidden(text: string): string | undefined {
    const address = parseAddress(text);
    if (!address || isUnspecified({ family: address.family, address: text })) return undefined;
    const why = whyForbidden(address, this.#leg.allowedNetworks);
    return why && `its SDP names ${text}, a ${why} address; TANDEM_ALLOWED_NETWORKS can allow it`;
  }
}

function mediaOf({ codec, keys }: AgreedAudio, quality: Quality): LegMedia {
  return { codec, secure: keys !== undefined, ...quality };
}

/** Of the first enabled audio line. */
function familyOf({ media }: SessionDescription): 4 | 6 | undefined {
  return media.find(({ media: name, port }) => name === "audio" && port !== 0)?.connection?.family;
}

/** As sockets write their senders. */
function canonical({ family, address }: ConnectionAddress): ConnectionAddress {
  return family === 4
    ? { family, address }
    : { family, address: new SocketAddress({ family: "ipv6", address }).address };
}
