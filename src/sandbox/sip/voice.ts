// The audio of a simulated telephone: a tone, a sentence or a person's voice in G.711 µ-law, sent from its own socket,
// and keys by RFC 4733 or as tones. Received packets are counted, and their samples passed to a listener.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { encodeSample, TO_LINEAR } from "../../wire/rtp/g711.ts";
import { keyFrequencies } from "../../wire/rtp/key-tones.ts";
import { RTP_HEADER_LENGTH, readRtp, writeRtpHeader } from "../../wire/rtp/packet.ts";
import { DIGITS, EVENT_LENGTH, writeEvent } from "../../wire/rtp/telephone-event.ts";

const PACKET_MS = 20;
const SAMPLES = 160;
const AMPLITUDE = 8_000;
const PCMU = 0;
const EVENT_PAYLOAD = 101;
const KEY_PACKETS = 5;
const KEY_ENDS = 3;
/** Between the end of a sentence and its repetition. */
const PAUSE_SAMPLES = 8_000;
const SILENT = new Int16Array(1);
/** At most this many packets are sent late when the timer was late. */
const LATE_PACKETS_MAX = 5;

/** A person's voice, a packet at a time. */
export interface Microphone {
  /** 160 samples at 8 kHz; undefined: silence. */
  next(): Int16Array | undefined;
}

/** A recording, from its beginning to its end, then silence. */
export function spokenOnce(samples: Int16Array): Microphone {
  let at = 0;
  return {
    next() {
      const packet = at < samples.length ? samples.subarray(at, at + SAMPLES) : undefined;
      at += SAMPLES;
      return packet;
    },
  };
}

/** The frequency of a tone, samples at 8 kHz (silence until they are ready), or a person's voice. */
export type Sound = number | Promise<Int16Array> | Microphone;

export class PhoneVoice {
  readonly port: number;
  /** Packets received. */
  heard = 0;
  readonly #socket: Socket;
  readonly #hertz: number | undefined;
  readonly #microphone: Microphone | undefined;
  #words = SILENT;
  #whistled: { readonly hertz: readonly number[]; readonly end: number } | undefined;
  readonly #ssrc = Math.floor(Math.random() * 0xffffffff);
  #remote: { readonly address: string; readonly port: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #begunMs = 0;
  #packets = 0;
  #sequence = 0;
  #spoken = 0;

  /** `hear` receives the other party's audio, as samples at 8 kHz. */
  static async open(host: string, sound: Sound, hear?: (samples: Int16Array) => void): Promise<PhoneVoice> {
    // A telephone is silent if its sentence cannot be synthesized.
    const made = sound instanceof Promise ? sound.catch(() => SILENT) : sound;
    const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
    socket.bind(0, host);
    await once(socket, "listening");
    return new PhoneVoice(socket, made, hear);
  }

  private constructor(socket: Socket, sound: Sound, hear: ((samples: Int16Array) => void) | undefined) {
    this.#socket = socket;
    this.#hertz = typeof sound === "number" ? sound : undefined;
    this.#microphone = typeof sound === "number" || sound instanceof Promise ? undefined : sound;
    if (sound instanceof Promise) {
      void sound.then((words) => {
        this.#words = Int16Array.from({ length: words.length + PAUSE_SAMPLES }, (_, at) => words[at] ?? 0);
      });
    }
    this.port = socket.address().port;
    socket.on("message", (octets) => {
      this.heard += 1;
      const packet = hear && readRtp(octets);
      if (packet?.payload === PCMU) hear?.(linearOf(octets.subarray(packet.start, packet.end)));
    });
    // Ignores errors such as a port that the peer has already closed.
    socket.on("error", () => undefined);
  }

  speakTo(address: string, port: number): void {
    this.#remote = { address, port };
    if (this.#timer) return;
    this.#begunMs = performance.now();
    this.#timer = setInterval(() => this.#speakDue(), PACKET_MS);
  }

  press(key: string): void {
    const event = DIGITS.indexOf(key);
    const timestamp = this.#spoken;
    for (let packet = 1; event >= 0 && packet <= KEY_PACKETS + KEY_ENDS; packet++) {
      const octets = new Uint8Array(RTP_HEADER_LENGTH + EVENT_LENGTH);
      const isEnd = packet > KEY_PACKETS;
      this.#head(octets, { payload: EVENT_PAYLOAD, timestamp, hasMarker: packet === 1 });
      writeEvent(octets, RTP_HEADER_LENGTH, { event, isEnd, duration: Math.min(packet, KEY_PACKETS) * SAMPLES });
      this.#send(octets);
    }
  }

  /** Presses a key as a tone in the audio. */
  whistle(key: string, ms: number): void {
    this.#whistled = { hertz: keyFrequencies(key), end: this.#spoken + ms * 8 };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#remote = undefined;
    this.#socket.close();
  }

  /** Sends the packets that are due by the clock, because the timer may be late. */
  #speakDue(): void {
    const due = Math.floor((performance.now() - this.#begunMs) / PACKET_MS);
    this.#packets = Math.max(this.#packets, due - LATE_PACKETS_MAX);
    for (; this.#packets < due; this.#packets++) this.#speak();
  }

  #speak(): void {
    const said = this.#microphone?.next();
    const octets = new Uint8Array(RTP_HEADER_LENGTH + SAMPLES);
    this.#head(octets, { payload: PCMU, timestamp: this.#spoken, hasMarker: this.#spoken === 0 });
    for (let at = 0; at < SAMPLES; at++) {
      octets[RTP_HEADER_LENGTH + at] = encodeSample("PCMU", said?.[at] ?? this.#sampleAt(this.#spoken + at));
    }
    this.#spoken = (this.#spoken + SAMPLES) >>> 0;
    this.#send(octets);
  }

  #sampleAt(place: number): number {
    const hertz = this.#whistled && place < this.#whistled.end ? this.#whistled.hertz : this.#hertz;
    if (hertz === undefined) return this.#words[place % this.#words.length] ?? 0;
    return [hertz].flat().reduce((sum, each) => sum + AMPLITUDE * Math.sin((2 * Math.PI * each * place) / 8_000), 0);
  }

  #head(octets: Uint8Array, head: { payload: number; timestamp: number; hasMarker: boolean }): void {
    this.#sequence = (this.#sequence + 1) & 0xffff;
    writeRtpHeader(octets, 0, { ...head, sequence: this.#sequence, ssrc: this.#ssrc });
  }

  #send(octets: Uint8Array): void {
    if (this.#remote) this.#socket.send(octets, this.#remote.port, this.#remote.address, () => undefined);
  }
}

function linearOf(octets: Uint8Array): Int16Array {
  return Int16Array.from(octets, (octet) => TO_LINEAR.PCMU[octet] ?? 0);
}
