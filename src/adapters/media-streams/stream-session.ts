// What is said over the socket of one stream, without the socket: the carrier of the stream (media-stream.ts) passes on
// what arrives, and sends what comes out.
//
// Guarantees: timestamps are computed from samples, so they never jump unless sound was lost; marks are echoed in the
// order in which they came, each once, when the sound before them was played or cleared; at most two minutes of the
// program's sound wait, and what comes then is dropped; whatever arrives has no other effect than these.

import { Fifo } from "../../base/fifo.ts";
import type { StreamAudio, StreamEar, StreamFrame, StreamOrder } from "../../domain/voice/index.ts";
import { LinearSound } from "./linear-sound.ts";
import { bufferOf, CONNECTED, readStreamMessage, type StreamNames, StreamWriter, TRACKS } from "./messages.ts";
import { ReceiverWindow } from "./receiver-window.ts";

export interface SessionOrder {
  readonly names: StreamNames;
  readonly order: StreamOrder;
  /** Otherwise the program only hears. */
  readonly isTwoWay: boolean;
  readonly audio: (ear: StreamEar) => StreamAudio;
  /** A text frame, or a binary one. */
  readonly send: (message: string | Uint8Array) => void;
}

export interface SessionFigures {
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly lostMs?: number;
  readonly droppedMs?: number;
  readonly ignored?: number;
  readonly ignoredReason?: string;
}

const OCTETS_PER_MS = 8;
const FRAME_MS = 20;
const FRAME_OCTETS = FRAME_MS * OCTETS_PER_MS;
/** Two minutes of µ-law. */
const WAITING_OCTETS_MAX = 120_000 * OCTETS_PER_MS;
const MARKS_MAX = 1_000;
/** Five seconds each. */
const WINDOW = { unreadMax: 250, heldMax: 250 };

interface Frame extends Pick<StreamFrame, "inbound" | "outbound"> {
  readonly chunk: number;
}

export class StreamSession {
  readonly #writer: StreamWriter;
  readonly #isTwoWay: boolean;
  readonly #tracks: (typeof TRACKS)[keyof typeof TRACKS];
  readonly #send: SessionOrder["send"];
  readonly #linear: LinearSound | undefined;
  readonly #audio: StreamAudio;
  readonly #window: ReceiverWindow<Frame>;
  /** The marks that are not echoed yet. Those of the audio have numbers, from 1. */
  readonly #marks = new Fifo<string>();
  #marksSet = 0;
  #marksEchoed = 0;
  #chunks = 0;
  /** Octets that were given to be played, and how many of them were played or cleared, as far as known. */
  #played = 0;
  #gone = 0;
  #received = 0;
  #dropped = 0;
  #ignored = 0;
  #ignoredReason: string | undefined;

  constructor({ names, order, isTwoWay, audio, send }: SessionOrder) {
    this.#isTwoWay = isTwoWay;
    this.#writer = new StreamWriter(names);
    this.#send = send;
    this.#tracks = TRACKS[order.tracks];
    this.#linear = order.linearRate === undefined ? undefined : new LinearSound(order.linearRate);
    this.#window = new ReceiverWindow(WINDOW, (frame) => {
      const { chunk } = frame;
      for (const track of this.#tracks) {
        send(this.#linear?.written(frame[track]) ?? this.#writer.media(track, frame[track], chunk, chunk * FRAME_MS));
      }
    });
    send(CONNECTED);
    send(this.#writer.start(order));
    this.#audio = audio({
      hear: (frame) => this.#hear(frame),
      marked: (mark) => this.#echo(mark),
    });
  }

  get figures(): SessionFigures {
    const lostMs = this.#window.lost * FRAME_MS;
    const droppedMs = Math.ceil(this.#dropped / OCTETS_PER_MS);
    return {
      packetsSent: this.#window.sent * this.#tracks.length,
      packetsReceived: Math.ceil(this.#received / FRAME_OCTETS),
      ...(lostMs > 0 && { lostMs }),
      ...(droppedMs > 0 && { droppedMs }),
      ...(this.#ignored > 0 && { ignored: this.#ignored, ignoredReason: this.#ignoredReason ?? "" }),
    };
  }

  get window(): Pick<ReceiverWindow<Frame>, "ping" | "answered" | "unanswered"> {
    return this.#window;
  }

  press(digit: string): void {
    this.#send(this.#writer.dtmf(digit));
  }

  take(message: Uint8Array, isBinary: boolean): void {
    if (!this.#isTwoWay) this.#ignore("A stream that was started takes nothing.");
    else if (isBinary) this.#takeSamples(message);
    else this.#takeText(bufferOf(message).toString());
  }

  #takeText(text: string): void {
    const read = readStreamMessage(text);
    if (!read.ok) this.#ignore(read.refusal);
    else if (read.value.kind === "mark") this.#mark(read.value.name);
    else if (read.value.kind === "clear") this.#clear();
    else if (this.#linear) this.#ignore("The sound of this stream comes in binary frames.");
    else this.#play(read.value.octets);
  }

  #takeSamples(frame: Uint8Array): void {
    if (!this.#linear) {
      this.#ignore("It is a binary frame.");
      return;
    }
    const octets = this.#linear.read(frame);
    if (octets) this.#play(octets);
    else this.#ignore("A binary frame holds half a sample.");
  }

  /** Nothing is heard or played after this. */
  stop(): void {
    this.#audio.stop();
    this.#send(this.#writer.stop());
  }

  /** The program has closed the socket. */
  close(): void {
    this.#audio.stop();
  }

  #hear({ inbound, outbound, gone }: StreamFrame): void {
    this.#gone = Math.max(this.#gone, gone);
    this.#window.send({ inbound, outbound, chunk: ++this.#chunks });
  }

  #play(octets: Uint8Array): void {
    this.#received += octets.length;
    const room = WAITING_OCTETS_MAX - (this.#played - this.#gone);
    const played = octets.subarray(0, Math.max(0, room));
    this.#dropped += octets.length - played.length;
    if (played.length === 0) return;
    this.#played += played.length;
    this.#audio.play(played);
  }

  #mark(name: string): void {
    if (this.#marks.length >= MARKS_MAX) {
      this.#ignore(`More than ${MARKS_MAX} marks wait.`);
      return;
    }
    this.#marks.push(name);
    this.#audio.mark(++this.#marksSet);
  }

  #clear(): void {
    this.#audio.clear();
    // What waited is gone as soon as the leg has read that, before anything that follows.
    this.#gone = this.#played;
    this.#echo(this.#marksSet);
  }

  /** Echoes the marks up to this one. */
  #echo(mark: number): void {
    for (; this.#marksEchoed < mark; this.#marksEchoed++) {
      const name = this.#marks.shift();
      if (name !== undefined) this.#send(this.#writer.mark(name));
    }
  }

  #ignore(reason: string): void {
    this.#ignored++;
    this.#ignoredReason ??= reason;
  }
}
