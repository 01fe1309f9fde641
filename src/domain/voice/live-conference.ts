// A conference of this process: carries out what `conference.ts` decides, and stores it. One write at a time is under
// way; what changes meanwhile is stored by the next.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { NewEvent } from "../events.ts";
import {
  type Conference,
  type ConferenceCommand,
  type ConferenceInput,
  happenings,
  type LeaveReason,
  type NewConference,
  newConference,
  stepConference,
} from "./conference.ts";
import { conferenceEvent } from "./conference-events.ts";
import { holdMusic } from "./hold-music.ts";
import type { ConferenceEntry, ConferenceLedger, MediaEngine, Mix, Sounds } from "./ports.ts";

export interface LiveConferenceDeps {
  readonly media: Pick<MediaEngine, "mix">;
  readonly sounds: Sounds;
  readonly ledger: Pick<ConferenceLedger, "save">;
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
    this.take({ kind: "enter", participant: { ...participant, joinedOn }, beeps: order.beeps.enter });
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
      case "end":
        break;
      default:
        command satisfies never;
    }
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

const SAVE_AGAIN_MS = 1_000;
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
