// The legs of one thread: carries out the engine's orders and runs the media timers, a short one for what we send
// ourselves (only while there is something to send), one for recorders, and one that fires once a second.

import { randomInt } from "node:crypto";
import { RecordingTimeline } from "../../wire/rtp/recording-timeline.ts";
import { Conferences } from "./conferences.ts";
import type { MediaOrder, MediaReport, RelaySettings } from "./control.ts";
import { RECORD_MS, SegmentRecorder } from "./recorder.ts";
import { type LegSockets, RelayLeg } from "./relay-leg.ts";

/** Receives the datagrams of a leg. */
export interface Receiver {
  rtp(octets: Uint8Array, address: string, port: number, nowMs: number): void;
  rtcp(octets: Uint8Array, address: string, nowMs: number): void;
}

/** Opens the sockets of a leg: RTP at the port, RTCP at the next one, for each address. */
export type OpenSockets = (
  order: Pick<Extract<MediaOrder, { kind: "open" }>, "rtpPort" | "addresses">,
  receiver: Receiver,
) => Promise<LegSockets>;

const TICK_MS = 10;
const HOUSEKEEPING_MS = 1000;
/** Recorders are spread over this many ticks: all of them in one tick would delay the packets of every call. */
const RECORD_TURNS = 25;
/** A longer delay means that the clock was changed. */
const ORDER_MS_MAX = 2000;

export class Relay {
  readonly #open: OpenSockets;
  readonly #settings: RelaySettings;
  readonly #report: (report: MediaReport) => void;
  readonly #legs = new Map<number, RelayLeg>();
  readonly #receivers = new WeakMap<RelayLeg, Receiver>();
  /** The legs that send or report something of their own. */
  readonly #ticking = new Set<RelayLeg>();
  readonly #conferences = new Conferences();
  readonly #recorders = new Map<number, { readonly recorder: SegmentRecorder; readonly detach: () => void }>();
  #ticker: NodeJS.Timeout | undefined;
  #recordTicker: NodeJS.Timeout | undefined;
  #recordTurn = 0;

  constructor(open: OpenSockets, settings: RelaySettings, report: (report: MediaReport) => void) {
    this.#open = open;
    this.#settings = settings;
    this.#report = report;
    setInterval(() => this.#housekeep(), HOUSEKEEPING_MS);
  }

  carryOut(order: MediaOrder): void {
    if (order.kind === "open") return void this.#openLeg(order);
    if (order.kind === "record") return void this.#record(order);
    if (order.kind === "recordConference") return void this.#recordConference(order);
    if (order.kind === "stopRecording") return void this.#stopRecording(order);
    if (order.kind === "conferenceTone") return void this.#conferences.play(order.mix, order.tone);
    const leg = this.#legs.get(order.leg);
    if (!leg) return;
    const nowMs = performance.now();
    const other = "other" in order ? this.#legs.get(order.other) : undefined;
    if (order.kind === "join") other && leg.joinWith(other);
    else if (order.kind === "listen") other && leg.listenTo(other);
    else if (order.kind === "move") this.#moveLeg(leg, order);
    else if (order.kind === "agree") leg.agree(order.agreed, nowMs, order.latch);
    else if (order.kind === "play") leg.play(order.sound, nowMs);
    else if (order.kind === "speak") leg.speak(order.speech);
    else if (order.kind === "speechPart") leg.addSpeech(order.speech, order.samples, nowMs);
    else if (order.kind === "speechEnd") leg.endSpeech(order.speech, order.tailMs, nowMs);
    else if (order.kind === "listenForKeys") leg.listenForKeys(order.on);
    else if (order.kind === "stream") leg.beginStream(order.stream, order.isTwoWay, nowMs);
    else if (order.kind === "streamAudio") leg.addToStream(order.stream, order.octets);
    else if (order.kind === "streamMark") leg.markStream(order.stream, order.mark);
    else if (order.kind === "clearStream") leg.clearStream(order.stream);
    else if (order.kind === "stopStream") leg.stopStream(order.stream);
    else if (order.kind === "confer") this.#conferences.enter(leg, order, nowMs);
    else if (order.kind === "leaveConference") this.#conferences.leave(leg);
    else if (order.kind === "listenForSilence") leg.listenForSilence(order.ms);
    else if (order.kind === "stopPlaying") leg.stopPlaying();
    else if (order.kind === "measure") this.#report({ kind: "measured", leg: order.leg, quality: leg.quality });
    else if (order.kind === "digit") leg.sendDigit(order.digit, order.ms, nowMs);
    else this.#closeLeg(order.leg, leg);
    this.#watch(leg);
  }

  async #openLeg(order: Extract<MediaOrder, { kind: "open" }>): Promise<void> {
    let leg: RelayLeg | undefined;
    const receiver: Receiver = {
      rtp: (octets, address, port, nowMs) => {
        if (!leg) return;
        leg.receive(octets, address, port, nowMs);
        if (leg.listener?.isSending) this.#watch(leg.listener);
      },
      rtcp: (octets, address, nowMs) => leg?.receiveRtcp(octets, address, nowMs),
    };
    try {
      const sockets = await this.#open(order, receiver);
      leg = new RelayLeg(
        {
          sockets,
          inactivityMs: this.#settings.inactivityMs,
          random: () => randomInt(2 ** 32),
          now: () => new Date(),
          tell: (what) => this.#report({ leg: order.leg, ...what }),
        },
        performance.now(),
      );
      this.#legs.set(order.leg, leg);
      this.#receivers.set(leg, receiver);
      this.#report({ kind: "opened", leg: order.leg });
    } catch (error) {
      this.#report({ kind: "refused", leg: order.leg, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Without sockets the leg has no audio, but the call goes on. */
  #moveLeg(leg: RelayLeg, order: Extract<MediaOrder, { kind: "move" }>): void {
    const receiver = this.#receivers.get(leg);
    if (!receiver) return;
    leg.dropSockets(() => {
      this.#open(order, receiver).then(
        (sockets) => leg.useSockets(sockets),
        () => undefined,
      );
    });
  }

  #record({ leg, other, ...order }: Extract<MediaOrder, { kind: "record" }>): void {
    const timeline = timelineOf(order);
    const legs = [this.#legs.get(leg), other === undefined ? undefined : this.#legs.get(other)] as const;
    legs[0]?.recordOn(timeline, 0);
    legs[1]?.recordOn(timeline, 1);
    this.#beginRecording(order, timeline, () => {
      for (const each of legs) each?.stopRecordingOn(timeline);
    });
  }

  #recordConference({ mix, ...order }: Extract<MediaOrder, { kind: "recordConference" }>): void {
    const timeline = timelineOf(order);
    this.#conferences.recordOn(mix, timeline);
    this.#beginRecording(order, timeline, () => this.#conferences.recordOn(mix, undefined));
  }

  #beginRecording({ recorder: name, file }: RecordOrder, timeline: RecordingTimeline, detach: () => void): void {
    const recorder = new SegmentRecorder(file, timeline, (reason) =>
      this.#report({ kind: "recordingFault", recorder: name, reason }),
    );
    this.#recorders.set(name, { recorder, detach });
    this.#recordTicker ??= setInterval(() => this.#tickRecorders(), RECORD_MS / RECORD_TURNS);
  }

  #tickRecorders(): void {
    const nowMs = performance.now();
    this.#recordTurn = (this.#recordTurn + 1) % RECORD_TURNS;
    for (const [name, { recorder }] of this.#recorders) {
      if (name % RECORD_TURNS === this.#recordTurn) recorder.tick(nowMs);
    }
  }

  #stopRecording({ recorder: name, endedMs }: Extract<MediaOrder, { kind: "stopRecording" }>): void {
    const recording = this.#recorders.get(name);
    if (!recording) return void this.#report({ kind: "recorded", recorder: name, samples: 0 });
    this.#recorders.delete(name);
    recording.detach();
    recording.recorder.stop(performance.now() - delayOf(endedMs), (samples) =>
      this.#report({ kind: "recorded", recorder: name, samples }),
    );
    if (this.#recorders.size > 0) return;
    clearInterval(this.#recordTicker);
    this.#recordTicker = undefined;
  }

  #closeLeg(name: number, leg: RelayLeg): void {
    this.#legs.delete(name);
    this.#ticking.delete(leg);
    this.#conferences.leave(leg);
    leg.close(() => this.#report({ kind: "closed", leg: name, quality: leg.quality }));
  }

  #watch(leg: RelayLeg): void {
    if (hasTicks(leg)) this.#ticking.add(leg);
    if (this.#ticking.size === 0 && this.#conferences.areAllEmpty) return;
    this.#ticker ??= setInterval(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    const nowMs = performance.now();
    this.#conferences.tick(nowMs);
    for (const leg of this.#ticking) {
      leg.tick(nowMs);
      leg.tickStreams(nowMs);
      if (!hasTicks(leg)) this.#ticking.delete(leg);
    }
    if (this.#ticking.size > 0 || !this.#conferences.areAllEmpty) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  #housekeep(): void {
    const nowMs = performance.now();
    for (const leg of this.#legs.values()) leg.housekeep(nowMs);
  }
}

type RecordOrder = Pick<Extract<MediaOrder, { kind: "record" }>, "recorder" | "file" | "startedMs">;

/** It begins when the order was given. */
function timelineOf({ startedMs }: RecordOrder): RecordingTimeline {
  return new RecordingTimeline(performance.now() - delayOf(startedMs));
}

function hasTicks(leg: RelayLeg): boolean {
  return leg.isSending || leg.hasStreams;
}

/** How long an order was under way. A clock that was changed meanwhile must not shift a recording. */
function delayOf(orderedMs: number): number {
  const ms = Date.now() - orderedMs;
  return ms > 0 && ms <= ORDER_MS_MAX ? ms : 0;
}
