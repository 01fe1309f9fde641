// One leg in the thread that holds the sockets: filters what arrives from its peer, relays it to the listening leg, and
// sends its own peer the audio of another leg, tones, speech and digits.
//
// Guarantees: packets from other senders, of payload types that were not negotiated and beyond PACKETS_PER_SECOND_MAX
// have no effect; a relayed packet is sent immediately, from the buffer in which it arrived; the peer receives one
// stream without breaks (`OutgoingStream`); nothing is sent to a peer that is on hold.

import { isInNetwork, parseAddress, parseNetwork } from "../../base/cidr.ts";
import type { MixParty } from "../../wire/rtp/conference-mix.ts";
import { transcode } from "../../wire/rtp/g711.ts";
import { KeyTones } from "../../wire/rtp/key-tones.ts";
import { Latch, type PeerLatch, SILENT_MS } from "../../wire/rtp/latch.ts";
import { MovingLatch } from "../../wire/rtp/moving-latch.ts";
import { OutgoingStream, type Place } from "../../wire/rtp/outgoing-stream.ts";
import { isRtcp, RTP_HEADER_LENGTH, type RtpHeader, readRtp, writeRtpHeader } from "../../wire/rtp/packet.ts";
import { type Quality, Reception } from "../../wire/rtp/reception.ts";
import type { RecordingTimeline } from "../../wire/rtp/recording-timeline.ts";
import { readReport, roundTripMs, writeReport } from "../../wire/rtp/rtcp.ts";
import { SilenceListener } from "../../wire/rtp/silence.ts";
import { RepeatedSound, type Sound, SpokenSound } from "../../wire/rtp/sound.ts";
import { StreamSound } from "../../wire/rtp/stream-sound.ts";
import { StreamTap } from "../../wire/rtp/stream-tap.ts";
import { DIGITS, EVENT_LENGTH, KeyListener, readEvent, writeEvent } from "../../wire/rtp/telephone-event.ts";
import { comfortNoise, toneOf } from "../../wire/rtp/tones.ts";
import { isUnspecified } from "../../wire/sdp/description.ts";
import type { AgreedAudio } from "../../wire/sdp/negotiate.ts";
import type { HeardDigit, LatchOrder, MediaReport, ToneSound } from "./control.ts";
import { Protection } from "./srtp.ts";

/** The sockets of a leg. `start` and `end` are the part of `octets` to send. */
export interface LegSockets {
  sendRtp(family: 4 | 6, octets: Uint8Array, start: number, end: number, port: number, address: string): void;
  sendRtcp(family: 4 | 6, octets: Uint8Array, port: number, address: string): void;
  /** Lets the kernel drop other senders' packets to the RTP port until `release`, which also makes sending cheaper. */
  bindToPeer?(family: 4 | 6, port: number, address: string): void;
  release?(): void;
  close(closed: () => void): void;
}

export interface LegSurroundings {
  readonly sockets: LegSockets;
  readonly inactivityMs: number;
  /** A random whole number of 32 bits. */
  readonly random: () => number;
  readonly now: () => Date;
  readonly tell: (what: LegReport) => void;
}

type LegReport =
  | Omit<HeardDigit, "leg">
  | { readonly kind: "inactive" | "silence" }
  | Omit<Extract<MediaReport, { readonly kind: "elsewhere" }>, "leg">
  | Omit<Extract<MediaReport, { readonly kind: "wantsSpeech" | "played" }>, "leg">
  | Omit<Extract<MediaReport, { readonly kind: "key" }>, "leg">
  | Omit<Extract<MediaReport, { readonly kind: "streamed" }>, "leg">
  | Omit<Extract<MediaReport, { readonly kind: "marked" }>, "leg">;

const NO_SOCKETS: LegSockets = { sendRtp: () => {}, sendRtcp: () => {}, close: (closed) => closed() };
/** A second of audio from another address than the agreed one. */
const STRANGER_PACKETS = 50;
/** Phones usually send 50 packets a second, and never more than 200. */
const PACKETS_PER_SECOND_MAX = 500;
const REPORT_EVERY_MS = 5000;
/** The first report is sent earlier, so that the round-trip time of short calls is known too. */
const FIRST_REPORT_MS = 1000;
/** How many late packets are sent in one burst after a pause of the thread; after a longer pause they are skipped. */
const LATE_PACKETS_MAX = 5;
const DIGITS_WAITING_MAX = 64;
const DIGIT_MS_MIN = 60;
const DIGIT_MS_MAX = 5000;
const DIGIT_PAUSE_MS = 60;
/** RFC 4733 2.5.1.4: the last packet of an event is sent three times. */
const END_PACKETS = 3;
const SAMPLES_PER_MS = 8;
/** That close together, the event and the tone of a key are the same key. */
const SAME_KEY_SAMPLES = 300 * SAMPLES_PER_MS;

type Kind = AgreedAudio["receives"][number][1];

interface SentDigit {
  readonly event: number;
  readonly duration: number;
  timestamp: number | undefined;
  sent: number;
  ends: number;
}

export class RelayLeg {
  readonly #around: LegSurroundings;
  #sockets: LegSockets;
  #isClosed = false;
  #latch: PeerLatch = new Latch();
  /** Nothing is sent before the peer's audio shows where it is. */
  #isBlind = false;
  readonly #reception = new Reception();
  readonly #stream: OutgoingStream;
  readonly #keys = new KeyListener();
  readonly #kinds: (Kind | undefined)[] = [];
  readonly #digits: SentDigit[] = [];
  readonly #packet = new Uint8Array(RTP_HEADER_LENGTH + 60 * SAMPLES_PER_MS);
  #agreed: AgreedAudio | undefined;
  #protection: Protection | undefined;
  #listener: RelayLeg | undefined;
  /** By the names of their streams. */
  readonly #taps = new Map<number, StreamTap>();
  /** Its part in a conference. */
  #mixed: MixParty | undefined;
  #track: { readonly timeline: RecordingTimeline; readonly place: 0 | 1 } | undefined;
  /** The leg that this leg listens to. */
  #speaker: RelayLeg | undefined;
  #isBound = false;
  #sound: Sound | undefined;
  /** The tone that we were asked to play; `undefined` for speech and comfort noise. */
  #played: ToneSound | undefined;
  /** While keys are listened for. */
  #tones: KeyTones | undefined;
  #silence: SilenceListener | undefined;
  #lastKey: { readonly digit: string; readonly by: "event" | "tone"; readonly timestamp: number } | undefined;
  #dueMs = 0;
  #heardMs: number;
  #secondMs = 0;
  #packetsInSecond = 0;
  #packetsSent = 0;
  #octetsSent = 0;
  #reportedMs: number;
  #senderClock = 0;
  #senderClockMs = 0;
  #stranger = "";
  #strangerPackets = 0;

  constructor(around: LegSurroundings, nowMs: number) {
    this.#around = around;
    this.#sockets = around.sockets;
    this.#stream = new OutgoingStream(around.random(), around.random() & 0x7fff, around.random(), nowMs);
    this.#heardMs = nowMs;
    this.#reportedMs = nowMs - REPORT_EVERY_MS + FIRST_REPORT_MS;
  }

  get listener(): RelayLeg | undefined {
    return this.#listener;
  }

  /** Whether `tick` has something to send, now or later. */
  get isSending(): boolean {
    return this.#sound?.isReady === true || this.#digits.length > 0;
  }

  agree(agreed: AgreedAudio, nowMs: number, latch?: LatchOrder): void {
    this.#useLatch(latch);
    const keys = agreed.keys;
    if (JSON.stringify(keys) !== JSON.stringify(this.#agreed?.keys)) {
      this.#protection = keys && new Protection(keys, this.#protection);
    }
    const isOtherCodec = agreed.codec !== this.#agreed?.codec;
    this.#agreed = agreed;
    if (isOtherCodec && this.#played) this.play(this.#played, nowMs);
    // A peer that signals hold by an address of zeros has not moved.
    if (!isUnspecified(agreed.remote)) {
      this.#release();
      this.#latch.negotiate(agreed.remote.address, agreed.remoteRtpPort);
    }
    this.#kinds.length = 0;
    for (const [payload, what] of agreed.receives) this.#kinds[payload] = what;
    this.#heardMs = nowMs;
  }

  #useLatch(order: LatchOrder | undefined): void {
    this.#isBlind = order?.isForbidden ?? false;
    if ((order !== undefined) === this.#latch instanceof MovingLatch) return;
    const networks = order?.networks.flatMap((text) => parseNetwork(text) ?? []) ?? [];
    const isAllowed = (text: string) => {
      const address = parseAddress(text);
      return address !== undefined && networks.some((network) => isInNetwork(network, address));
    };
    this.#latch = order ? new MovingLatch(isAllowed) : new Latch();
  }

  /** Nothing is sent or received until it has others. */
  dropSockets(closed: () => void): void {
    const sockets = this.#sockets;
    this.#release();
    this.#sockets = NO_SOCKETS;
    sockets.close(closed);
  }

  useSockets(sockets: LegSockets): void {
    if (this.#isClosed) sockets.close(() => {});
    else this.#sockets = sockets;
  }

  get quality(): Quality {
    return this.#reception.quality;
  }

  /** Whether digits of the leg that it listens to are relayed to its peer. */
  get takesDigits(): boolean {
    return this.#agreed?.maySend === true && this.#agreed.sendEventPayload !== undefined;
  }

  joinWith(other: RelayLeg): void {
    this.listenTo(other);
    other.listenTo(this);
    this.stopPlaying();
    other.stopPlaying();
  }

  listenTo(other: RelayLeg): void {
    this.#speaker?.dropListener();
    other.dropListener();
    other.#listener = this;
    this.#speaker = other;
  }

  /** No leg listens to this leg any more. */
  dropListener(): void {
    if (this.#listener) this.#listener.#speaker = undefined;
    this.#listener = undefined;
  }

  /** The peer's audio is also written to this timeline. */
  recordOn(timeline: RecordingTimeline, place: 0 | 1): void {
    this.#track = { timeline, place };
  }

  stopRecordingOn(timeline: RecordingTimeline): void {
    if (this.#track?.timeline === timeline) this.#track = undefined;
  }

  play(sound: ToneSound, nowMs: number): void {
    if (!this.#agreed) return;
    this.#start(toneOf(sound.kind, sound.country, this.#agreed.codec), nowMs);
    this.#played = sound;
  }

  speak(speech: number): void {
    this.stopPlaying();
    this.#sound = new SpokenSound(speech, () => this.#around.tell({ kind: "wantsSpeech", speech }));
  }

  addSpeech(speech: number, samples: Int16Array, nowMs: number): void {
    const sound = this.#speechOf(speech);
    if (sound && !this.isSending) this.#beginSending(nowMs);
    sound?.add(samples);
  }

  endSpeech(speech: number, tailMs: number, nowMs: number): void {
    const sound = this.#speechOf(speech);
    if (sound && !this.isSending) this.#beginSending(nowMs);
    sound?.finish(tailMs);
  }

  #beginSending(nowMs: number): void {
    this.#dueMs = nowMs;
    this.#stream.rest();
  }

  #speechOf(name: number): SpokenSound | undefined {
    return this.#sound instanceof SpokenSound && this.#sound.name === name ? this.#sound : undefined;
  }

  /** A program hears the leg, and where it is two-way, what it sends is played to the peer. */
  beginStream(stream: number, isTwoWay: boolean, nowMs: number): void {
    this.#taps.set(stream, new StreamTap(nowMs, !isTwoWay));
    if (!isTwoWay) return;
    this.stopPlaying();
    if (!this.isSending) this.#beginSending(nowMs);
    this.#sound = new StreamSound(stream, (mark) => this.#around.tell({ kind: "marked", stream, mark }));
  }

  addToStream(stream: number, octets: Uint8Array): void {
    this.#streamOf(stream)?.add(octets);
  }

  markStream(stream: number, mark: number): void {
    this.#streamOf(stream)?.mark(mark);
  }

  clearStream(stream: number): void {
    this.#streamOf(stream)?.clear();
  }

  stopStream(stream: number): void {
    this.#taps.delete(stream);
    if (this.#streamOf(stream)) this.stopPlaying();
  }

  #streamOf(name: number): StreamSound | undefined {
    return this.#sound instanceof StreamSound && this.#sound.name === name ? this.#sound : undefined;
  }

  get hasStreams(): boolean {
    return this.#taps.size > 0;
  }

  /** Reports the frames that are complete. */
  tickStreams(nowMs: number): void {
    for (const [stream, tap] of this.#taps) {
      for (let frame = tap.next(nowMs); frame; frame = tap.next(nowMs)) {
        const [inbound, outbound] = frame;
        const gone = this.#streamOf(stream)?.gone ?? 0;
        this.#around.tell({ kind: "streamed", stream, inbound, outbound, gone });
      }
    }
  }

  /** Its audio goes to a conference; where it hears the conference, that replaces what is played. */
  confer(party: MixParty, hears: boolean, nowMs: number): void {
    this.#mixed = party;
    if (hears === (this.#sound === party.sound)) return;
    this.stopPlaying();
    if (!hears) return;
    if (!this.isSending) this.#beginSending(nowMs);
    party.sound.clear();
    this.#sound = party.sound;
  }

  leaveConference(): void {
    if (this.#mixed && this.#sound === this.#mixed.sound) this.stopPlaying();
    this.#mixed = undefined;
  }

  listenForKeys(isOn: boolean): void {
    this.#tones = isOn ? new KeyTones() : undefined;
  }

  listenForSilence(ms: number | undefined): void {
    this.#silence = ms === undefined ? undefined : new SilenceListener(ms);
  }

  stopPlaying(): void {
    this.#sound = undefined;
    this.#played = undefined;
  }

  sendDigit(digit: string, ms: number, nowMs: number): void {
    const event = DIGITS.indexOf(digit.toUpperCase());
    if (event < 0 || digit.length !== 1 || this.#digits.length >= DIGITS_WAITING_MAX) return;
    const bounded = Math.max(DIGIT_MS_MIN, Math.min(DIGIT_MS_MAX, ms));
    if (!this.isSending) this.#dueMs = nowMs;
    const duration = Math.round(bounded * SAMPLES_PER_MS);
    this.#digits.push({ event, duration, timestamp: undefined, sent: 0, ends: 0 });
  }

  close(closed: () => void): void {
    this.dropListener();
    this.#speaker?.dropListener();
    this.#sound = undefined;
    this.#digits.length = 0;
    this.#taps.clear();
    this.#agreed = undefined;
    this.#isClosed = true;
    this.#sockets.close(closed);
  }

  /** A datagram on the RTP port. Its buffer is ours from now on. */
  receive(received: Uint8Array, address: string, port: number, nowMs: number): void {
    const agreed = this.#agreed;
    if (!agreed) return;
    if (!this.#latch.mayBePeer(address, port, nowMs)) {
      if (this.#reception.ssrc === -1) this.#noteStranger(received, address);
      return;
    }
    if (agreed.hasRtcpMux && isRtcp(received)) {
      this.receiveRtcp(received, address, nowMs);
      return;
    }
    if (!agreed.mayReceive || this.#isFlood(nowMs)) return;
    const octets = this.#protection ? this.#protection.openRtp(received) : received;
    const header = octets && readRtp(octets);
    const kind = header && this.#kinds[header.payload];
    if (!kind || !this.#latch.accept(port, header.ssrc, header.sequence, nowMs, address)) return;
    this.#heardMs = nowMs;
    if (!this.#isBound && this.#latch.isSettled) this.#bindToPeer(agreed);
    if (this.#isBlind && this.#latch.address !== agreed.remote.address) this.#isBlind = false;
    this.#accepted(octets, header, kind, nowMs);
  }

  /** A datagram on the RTCP port, or RTCP on the port for both. */
  receiveRtcp(received: Uint8Array, address: string, nowMs: number): void {
    const agreed = this.#agreed;
    if (!agreed || (address !== this.#latch.address && address !== agreed.remoteRtcp.address)) return;
    if (this.#isFlood(nowMs)) return;
    const octets = this.#protection ? this.#protection.openRtcp(received) : received;
    const report = octets && readReport(octets);
    if (!report) return;
    this.#heardMs = nowMs;
    if (report.senderClock !== undefined) {
      this.#senderClock = report.senderClock;
      this.#senderClockMs = nowMs;
    }
    const block = report.blocks.find(({ ssrc }) => ssrc === this.#stream.ssrc);
    const roundTrip = block && roundTripMs(block, this.#around.now());
    if (roundTrip !== undefined) this.#reception.roundTripMs = roundTrip;
  }

  #bindToPeer({ remote }: AgreedAudio): void {
    this.#isBound = true;
    this.#sockets.bindToPeer?.(remote.family, this.#latch.port, this.#latch.address);
  }

  #release(): void {
    if (this.#isBound) this.#sockets.release?.();
    this.#isBound = false;
  }

  /** For the advice to latch; the version bits of RTP keep out what else is sent to ports at random. */
  #noteStranger(received: Uint8Array, address: string): void {
    if (received.length < RTP_HEADER_LENGTH || ((received[0] ?? 0) & 0xc0) !== 0x80) return;
    if (address !== this.#stranger) {
      this.#stranger = address;
      this.#strangerPackets = 0;
    }
    this.#strangerPackets++;
  }

  #tellOfStranger({ remote }: AgreedAudio): void {
    if (this.#strangerPackets < STRANGER_PACKETS || this.#reception.ssrc !== -1) return;
    this.#strangerPackets = Number.NEGATIVE_INFINITY;
    this.#around.tell({ kind: "elsewhere", agreed: remote.address, address: this.#stranger });
  }

  #isFlood(nowMs: number): boolean {
    if (nowMs - this.#secondMs >= 1000) {
      this.#secondMs = nowMs;
      this.#packetsInSecond = 0;
    }
    return ++this.#packetsInSecond > PACKETS_PER_SECOND_MAX;
  }

  #accepted(octets: Uint8Array, header: RtpHeader, kind: Kind, nowMs: number): void {
    this.#reception.count(header.ssrc, header.sequence, kind === "event" ? undefined : header.timestamp, nowMs);
    if (this.#tones && (kind === "PCMU" || kind === "PCMA")) {
      const digit = this.#tones.hear(octets, header.start, header.end, kind);
      if (digit !== undefined) this.#tellKey(digit, "tone", header.timestamp);
    }
    const event = kind === "event" ? readEvent(octets, header.start, header.end) : undefined;
    const begun = event && this.#tones && this.#keys.begunBy(header.timestamp, event);
    if (begun !== undefined) this.#tellKey(begun, "event", header.timestamp);
    const key = event ? this.#keys.hear(header.timestamp, event) : this.#keys.finish();
    if (key) this.#around.tell({ kind: "digit", ...key, isRelayed: this.#listener?.takesDigits ?? false });
    // Recorded before it is relayed, because relaying may change its octets.
    if (this.#track && (kind === "PCMU" || kind === "PCMA"))
      this.#track.timeline.place(this.#track.place, octets, header, kind, nowMs);
    if (this.#taps.size > 0 && (kind === "PCMU" || kind === "PCMA"))
      for (const tap of this.#taps.values()) tap.place(0, octets, header, kind, nowMs);
    if (this.#mixed && (kind === "PCMU" || kind === "PCMA")) this.#mixed.hear(octets, header, kind, nowMs);
    if (this.#silence) this.#listenTo(this.#silence, octets, header, kind);
    this.#listener?.hear(octets, header, kind, nowMs);
  }

  #listenTo(silence: SilenceListener, octets: Uint8Array, header: RtpHeader, kind: Kind): void {
    const isAudio = kind === "PCMU" || kind === "PCMA";
    const isEnough = isAudio
      ? silence.hear(octets, header, kind)
      : kind === "noise" && silence.hearNoise(header.timestamp);
    if (!isEnough) return;
    this.#silence = undefined;
    this.#around.tell({ kind: "silence" });
  }

  /** Gateways that make events of tones may let the beginning of the tone through: that is one key, not two. */
  #tellKey(digit: string, by: "event" | "tone", timestamp: number): void {
    const last = this.#lastKey;
    this.#lastKey = { digit, by, timestamp };
    const isSame = last?.digit === digit && last.by !== by;
    // RFC 3550 5.1: timestamps wrap around at 32 bits.
    if (last && isSame && Math.abs((timestamp - last.timestamp) | 0) < SAME_KEY_SAMPLES) return;
    this.#around.tell({ kind: "key", digit });
  }

  /** Sends the peer a packet of the leg that it listens to. */
  hear(octets: Uint8Array, header: RtpHeader, kind: Kind, nowMs: number): void {
    const agreed = this.#agreed;
    if (!agreed?.maySend || this.#digits.length > 0) return;
    const payload = payloadFor(agreed, kind);
    if (payload === undefined) {
      const isNoisePlayed = this.#sound !== undefined && this.#played === undefined;
      if (kind !== "noise" || isNoisePlayed) return;
      this.stopPlaying();
      this.#start(comfortNoise((octets[header.start] ?? 70) & 0x7f, agreed.codec), nowMs);
      return;
    }
    // The far side's audio replaces our ringing tone and comfort noise.
    if (this.#sound) this.stopPlaying();
    if ((kind === "PCMU" || kind === "PCMA") && kind !== agreed.codec)
      transcode(kind, octets, header.start, header.end);
    const place = this.#stream.relay(header.ssrc, header.sequence, header.timestamp, nowMs);
    if (kind === "PCMU" || kind === "PCMA") this.#tapSent(agreed, octets, header.start, header.end, place, nowMs);
    this.#send(octets, header.start - RTP_HEADER_LENGTH, header.end, payload, place, header.hasMarker || place.isFirst);
  }

  #send(
    octets: Uint8Array,
    start: number,
    end: number,
    payload: number,
    { sequence, timestamp }: { readonly sequence: number; readonly timestamp: number },
    hasMarker: boolean,
  ): void {
    const agreed = this.#agreed as AgreedAudio;
    if (this.#isBlind) return;
    const { ssrc } = this.#stream;
    writeRtpHeader(octets, start, { hasMarker, payload, sequence, timestamp, ssrc });
    this.#packetsSent++;
    this.#octetsSent += end - start - RTP_HEADER_LENGTH;
    const sockets = this.#sockets;
    const { family } = agreed.remote;
    const { address, port } = this.#latch;
    if (this.#protection) {
      const sealed = this.#protection.sealRtp(octets.subarray(start, end));
      if (sealed) sockets.sendRtp(family, sealed, 0, sealed.length, port, address);
    } else sockets.sendRtp(family, octets, start, end, port, address);
  }

  #tapSent(
    { codec }: AgreedAudio,
    octets: Uint8Array,
    start: number,
    end: number,
    { timestamp, isFirst }: Place,
    nowMs: number,
  ): void {
    if (this.#taps.size === 0) return;
    const packet = { hasMarker: isFirst, timestamp, ssrc: this.#stream.ssrc, start, end };
    for (const tap of this.#taps.values()) if (tap.hearsBoth) tap.place(1, octets, packet, codec, nowMs);
  }

  #start(samples: Uint8Array, nowMs: number): void {
    if (!this.isSending) this.#beginSending(nowMs);
    this.#sound = new RepeatedSound(samples);
  }

  /** Sends what is due of a tone, of speech or of digits. */
  tick(nowMs: number): void {
    const agreed = this.#agreed;
    if (!agreed || !this.isSending) return;
    const { ptimeMs } = agreed;
    if (nowMs - this.#dueMs > LATE_PACKETS_MAX * ptimeMs) this.#dueMs = nowMs;
    while (this.isSending && this.#dueMs <= nowMs) {
      const digit = this.#digits[0];
      if (!digit) this.#sendSamples(agreed, nowMs);
      else if (agreed.maySend) this.#sendEvent(agreed, digit, nowMs);
      else {
        this.#digits.shift();
        this.#dueMs += ptimeMs;
      }
    }
  }

  #sendSamples(agreed: AgreedAudio, nowMs: number): void {
    const sound = this.#sound as Sound;
    const count = agreed.ptimeMs * SAMPLES_PER_MS;
    sound.fill(this.#packet, RTP_HEADER_LENGTH, count, agreed.codec);
    this.#dueMs += agreed.ptimeMs;
    // A peer on hold is sent nothing, but the sound still advances.
    if (agreed.maySend) {
      const place = this.#stream.own(count, nowMs);
      this.#tapSent(agreed, this.#packet, RTP_HEADER_LENGTH, RTP_HEADER_LENGTH + count, place, nowMs);
      this.#send(this.#packet, 0, RTP_HEADER_LENGTH + count, agreed.sendPayload, place, place.isFirst);
    }
    if (!sound.isOver) return;
    this.stopPlaying();
    if (sound instanceof SpokenSound) this.#around.tell({ kind: "played", speech: sound.name });
  }

  #sendEvent(agreed: AgreedAudio, digit: SentDigit, nowMs: number): void {
    const step = agreed.ptimeMs * SAMPLES_PER_MS;
    const payload = agreed.sendEventPayload;
    if (payload === undefined) {
      this.#digits.shift();
      return;
    }
    digit.sent = Math.min(digit.duration, digit.sent + step);
    const isEnd = digit.sent === digit.duration;
    // All packets of an event have the timestamp of its beginning; the stream's own timestamp advances.
    const place = this.#stream.own(step, nowMs);
    const isFirst = digit.timestamp === undefined;
    digit.timestamp ??= place.timestamp;
    const event = { event: digit.event, isEnd, duration: digit.sent };
    writeEvent(this.#packet, RTP_HEADER_LENGTH, event);
    const { timestamp } = digit;
    this.#send(this.#packet, 0, RTP_HEADER_LENGTH + EVENT_LENGTH, payload, { ...place, timestamp }, isFirst);
    if (isEnd && ++digit.ends === END_PACKETS) {
      this.#digits.shift();
      this.#dueMs += DIGIT_PAUSE_MS;
    } else this.#dueMs += agreed.ptimeMs;
  }

  /** Runs once a second: sends RTCP reports to the peer, and reports a peer that sends nothing as inactive. */
  housekeep(nowMs: number): void {
    const agreed = this.#agreed;
    if (!agreed) return;
    this.#tellOfStranger(agreed);
    const hasPlace = !this.#isBlind && !isUnspecified(agreed.remote) && !isUnspecified(agreed.remoteRtcp);
    if (nowMs - this.#reportedMs >= REPORT_EVERY_MS && hasPlace) {
      this.#reportedMs = nowMs;
      this.#sendReport(agreed, nowMs);
    }
    if (nowMs - this.#heardMs > SILENT_MS) this.#release();
    // Many phones send nothing while on hold.
    if (!agreed.mayReceive || !agreed.maySend) this.#heardMs = nowMs;
    if (nowMs - this.#heardMs < this.#around.inactivityMs) return;
    this.#heardMs = nowMs;
    this.#around.tell({ kind: "inactive" });
  }

  #sendReport(agreed: AgreedAudio, nowMs: number): void {
    const now = this.#around.now();
    const { ssrc } = this.#stream;
    const hasHeard = this.#reception.ssrc !== -1;
    const heard = hasHeard && {
      ssrc: this.#reception.ssrc,
      ...this.#reception.report(),
      highestSequence: this.#reception.highestSequence,
      jitter: Math.round(this.#reception.jitter),
      lastReport: this.#senderClock,
      delay: this.#senderClock === 0 ? 0 : Math.round(((nowMs - this.#senderClockMs) * 65_536) / 1000),
    };
    const report = writeReport({
      ssrc,
      now,
      timestamp: this.#stream.timestampAt(nowMs),
      packetsSent: this.#packetsSent,
      octetsSent: this.#octetsSent,
      canonicalName: `${ssrc.toString(16)}@tandem`,
      ...(heard && { heard }),
    });
    const octets = this.#protection ? this.#protection.sealRtcp(report) : report;
    const sockets = this.#sockets;
    if (agreed.hasRtcpMux) {
      sockets.sendRtp(agreed.remote.family, octets, 0, octets.length, this.#latch.port, this.#latch.address);
    } else if (this.#latch.address === agreed.remote.address) {
      sockets.sendRtcp(agreed.remote.family, octets, agreed.remoteRtcpPort, agreed.remoteRtcp.address);
    } else sockets.sendRtcp(agreed.remote.family, octets, this.#latch.port + 1, this.#latch.address);
  }
}

function payloadFor(agreed: AgreedAudio, kind: Kind): number | undefined {
  if (kind === "event") return agreed.sendEventPayload;
  return kind === "noise" ? agreed.sendNoisePayload : agreed.sendPayload;
}
