// A conference of this process: carries out what `conference.ts` decides, and stores it. One write at a time is under
// way; what changes meanwhile is stored by the next.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";
import type { NewEvent } from "../events.ts";
import {
  type Conference,
  type ConferenceCommand,
  type ConferenceInput,
  type ConferenceOrder,
  happenings,
  type LeaveReason,
  type NewConference,
  newConference,
  stepConference,
} from "./conference.ts";
import { conferenceEvent } from "./conference-events.ts";
import { holdMusic } from "./hold-music.ts";
import type { ConferenceEntry, ConferenceLedger, MediaEngine, Mix, Recorder, Sounds } from "./ports.ts";
import { type ConferenceRecording, newRecording, rawFileOf, withClosedSegment } from "./recording.ts";

export interface LiveConferenceDeps {
  readonly media: Pick<MediaEngine, "mix">;
  readonly sounds: Sounds;
  readonly ledger: Pick<ConferenceLedger, "save">;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  /** It is over, and that is stored. */
  readonly done: (conference: LiveConference) => void;
}

export class LiveConference {
  readonly #deps: LiveConferenceDeps;
  readonly #mix: Mix;
  /** By the sid of the call. */
  readonly #entries = new Map<string, ConferenceEntry>();
  /** Ends what is fetched for a participant that waits. */
  readonly #stops = new Map<string, AbortController>();
  #state: Conference;
  /** Resolves when it is over, and that is stored. */
  readonly closed: Promise<void>;
  #closed = () => {};
  /** Of its recording, from the moment at which that begins. */
  #recorder: Recorder | undefined;
  /** What is not stored yet, and how many events there were. */
  #events: NewEvent[] = [];
  #eventsTold = 0;
  #isDirty = false;
  #isSaving = false;

  constructor(deps: LiveConferenceDeps, order: NewConference) {
    this.#deps = deps;
    this.#mix = deps.media.mix();
    this.#state = newConference(order, deps.clock.now());
    this.closed = new Promise((resolve) => {
      this.#closed = resolve;
    });
  }

  get conference(): Conference {
    return this.#state;
  }

  get isOver(): boolean {
    return this.#state.status === "Completed";
  }

  /** Why the call may not enter, if it may not. */
  enter(entry: ConferenceEntry): string | undefined {
    const { callSid, order } = entry;
    const { participants, sid } = this.#state;
    if (participants.length >= order.participantsMax) {
      return `The conference has ${participants.length} participants, which is the most it may.`;
    }
    this.#entries.set(callSid, entry);
    entry.entered(sid);
    const { label, muted, startsOnEnter, endsOnExit } = order;
    const participant = { callSid, label, muted, hold: false, startsOnEnter, endsOnExit };
    const joinedOn = this.#deps.clock.now();
    const recording = order.recording && this.#newRecording(entry, order.recording);
    this.take({ kind: "enter", participant: { ...participant, joinedOn }, beeps: order.beeps.enter, recording });
    return undefined;
  }

  /** Ends one that no call has entered. */
  endIfEmpty(): void {
    if (this.#state.participants.length === 0) this.take({ kind: "end", reason: "LastParticipantLeft" });
  }

  leave(callSid: string, reason: LeaveReason = "HungUp"): void {
    const entry = this.#entries.get(callSid);
    if (!entry) return;
    this.#forget(callSid);
    this.take({ kind: "leave", callSid, beeps: entry.order.beeps.exit, reason });
  }

  take(input: ConferenceInput): void {
    const before = this.#state;
    const [after, commands] = stepConference(before, input, this.#deps.clock.now());
    if (after === before) return;
    this.#state = after;
    for (const happening of happenings(before, after, input)) {
      this.#events.push(conferenceEvent(after, happening, ++this.#eventsTold));
    }
    for (const command of commands) this.#do(command);
    this.#store();
  }

  #store(): void {
    this.#isDirty = true;
    if (!this.#isSaving) void this.#save();
  }

  #do(command: ConferenceCommand): void {
    switch (command.do) {
      case "connect":
        this.#connect(command);
        break;
      case "beep":
        this.#mix.play(command.tone);
        break;
      case "release": {
        const entry = this.#entries.get(command.callSid);
        this.#forget(command.callSid);
        entry?.left({ conferenceSid: this.#state.sid, fault: null });
        break;
      }
      case "record":
        this.#record();
        break;
      case "end":
        break;
      default:
        command satisfies never;
    }
  }

  #newRecording({ callSid, shape }: ConferenceEntry, { callbackUrl: url }: RecordingWish): ConferenceRecording {
    const callback = url === undefined ? null : { url, shape };
    return { ...newRecording(this.#deps.ids.sid("RE")), source: "Conference", callback, callSid };
  }

  #record(): void {
    const { sid: conferenceSid, recording } = this.#state;
    const [segment] = recording?.segments ?? [];
    if (!recording || !segment) return;
    const order = { file: rawFileOf(recording.sid, segment.index), startedOn: segment.startedOn };
    this.#recorder = this.#mix.record(order, (fault) => {
      this.#deps.log.error({ conferenceSid, recordingSid: recording.sid, reason: fault }, "audio not written");
      this.#changeRecording((one) => ({ ...one, fault: one.fault ?? fault }));
      if (!this.isOver) this.#store();
    });
  }

  #changeRecording(change: (recording: ConferenceRecording) => ConferenceRecording): void {
    const { recording } = this.#state;
    if (recording) this.#state = { ...this.#state, recording: change(recording) };
  }

  /** Resolves when the audio is written; a disk that does not answer is not waited for: the file is found later. */
  async #closeRecording(): Promise<void> {
    const recorder = this.#recorder;
    this.#recorder = undefined;
    if (!recorder) return;
    const { clock } = this.#deps;
    const samples = await withinMs(clock, recorder.stop(this.#state.completedOn ?? clock.now()), CLOSE_MS_MAX);
    if (samples === undefined) return;
    this.#changeRecording((one) => ({ ...one, ...withClosedSegment(one, 1, samples) }));
  }

  #connect({ callSid, speaks, hears }: ConferenceCommand & { readonly do: "connect" }): void {
    const entry = this.#entries.get(callSid);
    if (!entry) return;
    const { media, order } = entry;
    this.#stops.get(callSid)?.abort();
    const { waitUrl } = order;
    // While it waits no participant speaks, so the mix is silent but for its tones.
    const hearsMix = hears === "others" || (hears === "wait" && waitUrl === null);
    this.#mix.set(media, { speaks, hears: hearsMix });
    if (hearsMix) return;
    const url = hears === "wait" ? waitUrl : undefined;
    if (url == null) media.play({ kind: "speech", audio: holdMusic(), tailMs: 0 });
    else this.#playAgain(entry, url);
  }

  /** Without end, until the participant hears something else. */
  #playAgain({ callSid, media, waitFailed }: ConferenceEntry, url: string): void {
    const stop = new AbortController();
    this.#stops.set(callSid, stop);
    const { sounds } = this.#deps;
    const { accountSid } = this.#state;
    const audio = async function* () {
      try {
        while (!stop.signal.aborted) yield* padded(sounds.play({ accountSid, url }, stop.signal));
      } catch (fault) {
        if (stop.signal.aborted) return;
        waitFailed(url, fault instanceof Error ? fault.message : String(fault));
        yield* holdMusic();
      }
    };
    media.play({ kind: "speech", audio: audio(), tailMs: 0 });
  }

  #forget(callSid: string): void {
    const entry = this.#entries.get(callSid);
    if (!entry) return;
    this.#entries.delete(callSid);
    this.#stops.get(callSid)?.abort();
    this.#stops.delete(callSid);
    this.#mix.remove(entry.media);
    entry.media.stopPlaying();
  }

  async #save(): Promise<void> {
    this.#isSaving = true;
    while (this.#isDirty) {
      // The last write has the length of what was recorded.
      if (this.isOver) await this.#closeRecording();
      this.#isDirty = false;
      const saved = this.#state;
      const events = this.#events.splice(0);
      try {
        if (await this.#deps.ledger.save(saved, events)) continue;
        // Another process has ended it, because it took this one for dead.
        this.take({ kind: "end", reason: "Failed" });
      } catch (fault) {
        const { sid } = saved;
        this.#deps.log.error({ conferenceSid: sid, err: fault }, "conference not stored");
        this.#events = [...events, ...this.#events];
        await this.#pause();
        this.#isDirty = true;
      }
    }
    this.#isSaving = false;
    if (!this.isOver) return;
    this.#deps.done(this);
    this.#closed();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#deps.clock.after(SAVE_AGAIN_MS, resolve));
  }
}

type RecordingWish = NonNullable<ConferenceOrder["recording"]>;

/** Undefined where it takes longer. */
function withinMs<Value>(clock: Clock, promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    void promise.then((value) => {
      cancel();
      resolve(value);
    });
  });
}

const SAVE_AGAIN_MS = 1_000;
const CLOSE_MS_MAX = 2_000;
/** A shorter sound is followed by silence: it is fetched each time that it is played. */
const WAIT_SAMPLES_MIN = 40_000;

async function* padded(sound: AsyncIterable<Int16Array>): AsyncIterable<Int16Array> {
  let samples = 0;
  for await (const part of sound) {
    samples += part.length;
    yield part;
  }
  if (samples < WAIT_SAMPLES_MIN) yield new Int16Array(WAIT_SAMPLES_MIN - samples);
}
