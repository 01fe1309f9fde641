// A call of this process: carries out what the call flow decides. It waits for the first write of its record before it
// does anything; later writes run concurrently with the call.

import type { Clock } from "../../base/clock.ts";
import { CookieJar } from "../../base/cookie-jar.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { NewEvent } from "../events.ts";
import { beepAudio } from "./beep.ts";
import { type Call, type Leg, type LegMedia, type LegName, legOf, openSeconds } from "./call.ts";
import { receivedEvent } from "./call-events.ts";
import { step } from "./call-flow.ts";
import type { CallCommand, CallInput, CallState, CallStep, LegMark } from "./call-state.ts";
import { CallStreams, type StreamPlace } from "./call-streams.ts";
import { CallWriter } from "./call-writer.ts";
import type { ConferenceOrder } from "./conference.ts";
import type {
  AskedRedirection,
  CallLedger,
  CallScope,
  CallSignalling,
  CallTrailStep,
  Conferences,
  ConferenceVisit,
  DialOrder,
  Forwarding,
  IncomingLeg,
  MediaEngine,
  MediaInput,
  MediaLeg,
  MediaTerms,
  Recorder,
  SignallingInput,
  Sounds,
  Speech,
  Streams,
  ToldStream,
} from "./ports.ts";
import { calleesOf, type DocumentFacts, type Program } from "./program.ts";
import type { ScriptReader } from "./read-program.ts";
import { type CallRecording, nextAction, rawFileOf, withClosedSegment } from "./recording.ts";
import type { OrderedProgram, ScriptDocument, StoredSource } from "./script.ts";
import { audioInTime, spokenAudio } from "./spoken-text.ts";
import type { StreamOrder } from "./stream.ts";

export interface LiveCallDeps {
  readonly signalling: CallSignalling;
  readonly media: MediaEngine;
  readonly speech: Speech;
  readonly sounds: Sounds;
  readonly streams: Streams;
  readonly conferences: Conferences;
  readonly ledger: Pick<CallLedger, "save" | "note">;
  readonly clock: Clock;
  readonly log: Log;
  /** A second leg is about to be dialled. */
  readonly dials: (call: LiveCall, legSid: string) => void;
  /** Tells a program something that may come after the end of the call; never rejects. */
  readonly owes: (telling: Promise<void>) => void;
  /** It calls so many more parties at the same time, besides the first two. */
  readonly grows: (call: LiveCall, parties: number) => void;
  /** The call is over and stored, or was lost to another process. */
  readonly done: (call: LiveCall) => void;
}

/** What the receiver of an inbound-call webhook decided, with details for the trail. */
export interface Asked {
  readonly program: Program;
  readonly note: Readonly<Record<string, unknown>>;
  /** Where the program came from; undefined where there is none to ask again. */
  readonly source?: ScriptSource | undefined;
}

/** With the reader of its language. */
export interface ScriptSource extends StoredSource {
  readonly read: ScriptReader;
}

/** What is asked for, and the facts that go with the request. */
export interface DocumentQuestion {
  readonly call: Call;
  readonly document: ScriptDocument;
  readonly facts: DocumentFacts;
  /** The document is for the party of this second leg, which is not connected yet. */
  readonly legSid?: string | undefined;
  /** What the servers of the call's documents have set. */
  readonly cookies: CookieJar;
}

/** Steps that are noted as the call begins. */
export type Notes = readonly (readonly [CallTrailStep["step"], CallTrailStep["details"]])[];

/** What a call begins with. */
export interface LiveCallOrder {
  readonly begin: CallStep;
  readonly scope: CallScope;
  readonly incoming?: IncomingLeg | undefined;
  /** The numbers that have forwarded it, the current one last; empty for an ordered call. */
  readonly chain: readonly string[];
  /** Asks the receiver of the inbound-call webhook. */
  readonly ask: (event: NewEvent<"InboundCallReceivedWebhook">, cookies: CookieJar) => Promise<Asked>;
  /** Asks for a further document. */
  readonly fetch: (source: ScriptSource, question: DocumentQuestion) => Promise<Asked>;
  /** Tells the URL, whose answer does not count. */
  readonly inform: (source: ScriptSource, question: DocumentQuestion) => Promise<Asked["note"]>;
  /** What the call does for a program that replaces its own. */
  readonly decide: (program: OrderedProgram) => Promise<Asked>;
  /** As for a `DialOrder`; called before anything is dialled. */
  readonly judge: DialOrder["judge"];
  /** Whether the account may call another party now, where it is to call so many after this one. */
  readonly admit: (later: () => number) => Promise<Result<void, string>>;
  /** The country whose tones the first party hears. */
  readonly country: string | undefined;
  /** Where the program came from that it begins with, if it came from a document. */
  readonly source?: ScriptSource | undefined;
  /** Its record is in the store already. */
  readonly isStored: boolean;
}

const CLOSE_MS_MAX = 2_000;
/** When the figures of the audio come into the record of a call under way, first and then again and again. */
const FIRST_FIGURES_MS = 3_000;
const FIGURES_MS = 10_000;
const RETRY_SECONDS = 10;
const MAX_FORWARDS = 70;
const NO_PORT = "No port for media is free.";
const NO_SDP = "The party answered without an SDP, so no media were agreed on.";
/** Silence before the prompt is repeated. */
const PROMPT_PAUSE_MS = 2_000;
/** Silence before the BYE, which would otherwise overtake the last syllable. */
const LAST_PAUSE_MS = 300;

type LegSignal = Exclude<SignallingInput, { kind: "incoming" | "bridged" }>;

type MediaCommand = Extract<
  CallCommand,
  {
    readonly do:
      | "recordFirst"
      | "beep"
      | "listenForKeys"
      | "listenForSilence"
      | "prompt"
      | "speak"
      | "play"
      | "press"
      | "stopSpeaking"
      | "connectStream"
      | "startStream"
      | "stopStream"
      | "streamKey"
      | "disconnectStream"
      | "enterConference"
      | "leaveConference";
  }
>;

export class LiveCall {
  readonly #deps: LiveCallDeps;
  readonly #order: LiveCallOrder;
  readonly #writer: CallWriter;
  /** By the sid of the leg. */
  readonly #media = new Map<string, MediaLeg>();
  readonly #terms = new Map<string, MediaTerms>();
  readonly #timers: (() => void)[] = [];
  /** The timers of the last turn that started any. */
  #turnTimers: { readonly turn: number; readonly cancels: (() => void)[] } = { turn: 0, cancels: [] };
  /** The segment that is being recorded. */
  #recorder: { readonly recordingSid: string; readonly index: number; readonly recorder: Recorder } | undefined;
  /** Segments, and the media of second legs, that are being closed. */
  readonly #closing = new Set<Promise<void>>();
  #state: CallState;
  /** Where the call is being forwarded to, as it was stored last. */
  #storedTo: string | undefined;
  /** Resolves when that is stored: any process then recognises the call if it comes back. */
  #forwardingStored: Promise<void> = Promise.resolve();
  /** The numbers to which the SIP URIs of second legs lead, by the sid of the leg. */
  readonly #numbersDialled = new Map<string, string>();
  #source: ScriptSource | undefined;
  /** Where the program came from that a second party hears before it is connected. */
  #whisper: { readonly legSid: string; readonly source: ScriptSource | undefined } | undefined;
  /** Where the program came from that is being left by a redirection. */
  #leftSource: ScriptSource | undefined;
  /** The number of that redirection. */
  #redirections = 0;
  readonly #streams: CallStreams;
  #conference: ConferenceVisit | undefined;
  readonly #cookies = new CookieJar();
  #stopFigures: (() => void) | undefined;
  /** How many parties it calls at the same time, besides the first two. */
  #parties = 0;
  #isOver = false;
  #hasLeft = false;

  constructor(deps: LiveCallDeps, order: LiveCallOrder) {
    this.#deps = deps;
    this.#order = order;
    this.#state = order.begin[0];
    const { ledger, clock, log, streams } = deps;
    this.#writer = new CallWriter(
      {
        ...{ ledger, clock, log },
        call: () => this.call,
        forwarding: () => this.#forwarding(),
        lost: () => this.#abandon(),
      },
      order.scope,
    );
    this.#streams = new CallStreams({ streams, call: this.call, note: (...noted) => this.#noteStream(...noted) });
    if (order.incoming) this.#terms.set(this.#sidOf("First"), order.incoming.terms);
    this.#source = order.source;
    this.#storedTo = placeOf(this.#forwarding());
  }

  get call(): Call {
    return this.#state.call;
  }

  /** False when the call could not be stored; nothing was done in that case. */
  async begin(notes: Notes = []): Promise<boolean> {
    const [, commands] = this.#order.begin;
    for (const [what, details] of notes) this.#writer.note(what, details);
    this.#writer.collect(commands);
    if (!this.#order.isStored) {
      try {
        if (!(await this.#writer.save())) return false;
      } catch (fault) {
        this.#deps.log.error({ callSid: this.call.sid, err: fault }, "call not stored");
        return false;
      }
    }
    // The caller may have given up while the call was being stored.
    if (!this.#isOver) {
      this.#carryOut(commands);
      this.#measureAfter(FIRST_FIGURES_MS);
    }
    return true;
  }

  #measureAfter(ms: number): void {
    this.#stopFigures = this.#deps.clock.after(ms, () => this.#run(this.#storeFigures()));
  }

  async #storeFigures(): Promise<void> {
    const figures = new Map<string, LegMedia>();
    for (const [legSid, leg] of this.#media) {
      const media = await leg.measure();
      if (media && media.packetsReceived > 0) figures.set(legSid, media);
    }
    if (this.#isOver) return;
    const isNew = ({ sid, media }: Leg) => (figures.get(sid) ?? media)?.packetsReceived !== media?.packetsReceived;
    if (this.call.legs.some(isNew)) {
      this.#keepFigures(figures);
      this.#writer.store();
    }
    this.#measureAfter(FIGURES_MS);
  }

  take(input: CallInput): void {
    const [state, commands] = step(this.#state, input, this.#deps.clock.now());
    this.#state = state;
    if (commands.length === 0) return;
    this.#countParties(Math.max(0, openSeconds(this.call).length - 1));
    this.#writer.collect(commands);
    this.#carryOut(commands);
    if (!this.#isOver) this.#store();
  }

  #countParties(parties: number): void {
    if (parties !== this.#parties) this.#deps.grows(this, parties - this.#parties);
    this.#parties = parties;
  }

  #store(): void {
    this.#writer.store();
    const to = placeOf(this.#forwarding());
    if (to !== undefined && to !== this.#storedTo) this.#forwardingStored = this.#writer.stored();
    this.#storedTo = to;
  }

  takeSignal(name: LegName, input: LegSignal): void {
    const { legSid } = input;
    if (!this.#isOf(name, legSid)) return;
    switch (input.kind) {
      case "ringing":
        this.take({ kind: "ringing", leg: name, legSid, hasMedia: this.#accept(legSid, input.sdp).ok });
        break;
      case "answered":
        if (this.#agree(name, legSid, input.sdp)) this.take({ kind: "answered", leg: name, legSid });
        break;
      case "confirmed":
        // Our 200 carried the answer, or else an offer that the ACK has to answer.
        if (this.#order.incoming?.sdp !== undefined || this.#agree(name, legSid, input.sdp)) {
          this.take({ kind: "answered", leg: name, legSid });
        }
        break;
      case "refused":
      case "canceled":
      case "ended":
        this.take({ ...input, leg: name });
        break;
      case "offered":
        this.#deps.signalling.answerOffer(input.legSid, this.#answerTo(legSid, input.sdp));
        break;
      case "renegotiated":
        this.#media.get(input.legSid)?.accept(input.sdp);
        break;
      case "moved":
        this.#move(name, input);
        break;
      case "digit":
        if (this.#state.phase === "Joined") this.#passOn(name, input.digit, input.ms);
        this.take({ kind: "key", leg: name, digit: input.digit });
        break;
      case "silent":
        this.#writer.note("silent", { leg: name, reason: input.reason });
        break;
      case "dialog":
        if (!this.#isOver) this.#writer.keepDialog(input.legSid, input.dialog);
        break;
      default:
        input satisfies never;
    }
  }

  /** A turn ends the timers of the turns before: a call may have very many. */
  #start({ timer, leg, turn, ms }: CallCommand & { readonly do: "start" }): void {
    const cancel = this.#deps.clock.after(ms, () => this.take({ kind: "timer", timer, leg, turn }));
    if (turn === undefined) {
      this.#timers.push(cancel);
      return;
    }
    if (turn !== this.#turnTimers.turn) {
      this.#cancelTurn();
      this.#turnTimers = { turn, cancels: [] };
    }
    this.#turnTimers.cancels.push(cancel);
  }

  #cancelTurn(): void {
    for (const cancel of this.#turnTimers.cancels) cancel();
  }

  /** A second leg that has ended says nothing about those that are called with it or were dialled after it. */
  #isOf(name: LegName, legSid: string): boolean {
    return legSid === this.#sidOf(name) || (name === "Second" && this.#isOpen(legSid));
  }

  #isOpen(legSid: string): boolean {
    return this.call.legs.some(({ sid, status }) => sid === legSid && status !== "Completed");
  }

  #playTone(kind: "ringback" | "busy"): void {
    this.#mediaOf("First")?.play({ kind, country: this.#order.country });
  }

  /** Pauses and resumes the recording until its number of switches is `asked`. */
  switchRecording(asked: number): void {
    for (let done = this.call.recording?.switches ?? asked; done < asked; done++) {
      this.take({ kind: "recordingControl", action: nextAction(done) });
    }
  }

  /** Goes on with another program, once for each number. Whether it did: a call that is over does not. */
  async redirect({ number, program }: Omit<AskedRedirection, "sid">): Promise<boolean> {
    const asked = await this.#order.decide(program);
    if (number <= this.#redirections) return true;
    if (this.#isOver) return false;
    this.#redirections = number;
    this.#leftSource = this.#source;
    this.#source = asked.source;
    this.#writer.note("redirected", {});
    this.#writer.note("script", asked.note);
    this.take({ kind: "redirect", program: asked.program });
    this.#leftSource = undefined;
    return true;
  }

  takeMedia(name: LegName, input: MediaInput): void {
    if (!this.#isOf(name, input.legSid)) return;
    if (input.kind === "recordingFault") this.#takeRecordingFault(input.reason);
    else if (input.kind === "key") this.take({ kind: "key", leg: name, digit: input.digit });
    else if (input.kind === "inactive") this.take({ kind: "inactive", leg: name, isLost: input.isLost });
    else if (input.kind === "elsewhere") this.#writer.note("media", this.#elsewhere(name, input));
    else if (input.kind !== "digit") this.take({ kind: input.kind, leg: name });
    else if (this.#state.phase === "Joined") {
      if (!input.isRelayed) this.#passOn(name, input.digit, input.ms);
      this.take({ kind: "key", leg: name, digit: input.digit });
    }
  }

  #carryOut(commands: readonly CallCommand[]): void {
    for (const command of commands) this.#do(command);
  }

  #do(command: CallCommand): void {
    const { signalling, clock } = this.#deps;
    switch (command.do) {
      case "ring":
        signalling.ring(this.#sidOf("First"));
        break;
      case "ask":
        this.#run(this.#ask());
        break;
      case "fetch":
        this.#run(this.#fetch(command));
        break;
      case "inform":
        this.#deps.owes(this.#inform(command));
        break;
      case "answer":
        this.#run(this.#answer(this.#sidOf("First")));
        break;
      case "reject":
        signalling.reject(this.#sidOf("First"), { sipCode: command.sipCode });
        break;
      case "dial":
        this.#run(this.#dial(command));
        break;
      case "hangUp":
      case "part":
      case "drop":
        this.#leaveLeg(command.do, command.legSid);
        break;
      case "playRingback":
      case "playBusy":
        this.#playTone(command.do === "playBusy" ? "busy" : "ringback");
        break;
      case "playEarlyMedia":
      case "join":
        this.#together((first, second) => (command.do === "join" ? first.joinWith(second) : first.listenTo(second)));
        break;
      case "record":
        this.#record(command.index);
        break;
      case "pauseRecording":
        this.#stopRecording(clock.now());
        break;
      case "start":
        this.#start(command);
        break;
      case "end":
        this.#run(this.#end());
        break;
      case "tell":
      case "note":
        break;
      default:
        this.#doWithMedia(command);
    }
  }

  /** What has to do with the media of one party alone. */
  #doWithMedia(command: MediaCommand): void {
    switch (command.do) {
      case "recordFirst":
        this.#recordFirst(command.recordingSid);
        break;
      case "beep":
        this.#mediaOf("First")?.play({ kind: "speech", audio: beepAudio(), tailMs: 0 });
        break;
      case "listenForSilence":
        this.#mediaOf("First")?.listenForSilence(command.ms);
        break;
      case "listenForKeys":
        this.#mediaOf(command.leg ?? "First")?.listenForKeys(command.on);
        break;
      case "prompt":
      case "speak":
      case "play":
        this.#sound(command);
        break;
      case "press":
        this.#sendKey(command.leg ?? "First", command.digit, command.ms);
        break;
      case "stopSpeaking":
        this.#mediaOf(command.leg ?? "First")?.stopPlaying();
        break;
      case "connectStream":
        this.#connectStream(command);
        break;
      case "startStream":
        this.#startStream(command.order);
        break;
      case "stopStream":
        this.#streams.stop(command.name);
        break;
      case "streamKey":
        this.#streams.press(command.digit);
        break;
      case "disconnectStream":
        this.#streams.disconnect();
        break;
      case "enterConference":
        this.#enterConference(command.order, command.turn);
        break;
      case "leaveConference":
        this.#conference?.leave(command.reason);
        break;
      default:
        command satisfies never;
    }
  }

  #leaveLeg(how: "hangUp" | "part" | "drop", legSid: string): void {
    if (how === "hangUp") this.#deps.signalling.hangUp(legSid);
    else if (how === "part") this.#part(legSid);
    else this.#closeLeg(legSid);
  }

  /** A fault of ours ends the call; it must not end the process. */
  #run(work: Promise<void>): void {
    work.catch((fault: unknown) => {
      this.#deps.log.error({ callSid: this.call.sid, err: fault }, "call failed");
      this.take({ kind: "hangUp", by: "Service", reason: "Failed" });
    });
  }

  #sidOf(name: LegName): string {
    return legOf(this.call, name)?.sid ?? "";
  }

  #mediaOf(name: LegName): MediaLeg | undefined {
    return this.#media.get(this.#sidOf(name));
  }

  #together(what: (first: MediaLeg, second: MediaLeg) => void): void {
    const first = this.#mediaOf("First");
    const second = this.#mediaOf("Second");
    if (first && second) what(first, second);
  }

  async #ask(): Promise<void> {
    const asked = await this.#order.ask(receivedEvent(this.call, this.#order.scope), this.#cookies);
    this.#takeScript(asked, this.#state.turn);
  }

  async #fetch({ document, facts, turn, legSid }: CallCommand & { readonly do: "fetch" }): Promise<void> {
    const source = legSid === undefined ? this.#source : this.#whisperSource(legSid);
    if (!source) throw new Error("a program without a source asked for a document");
    await this.#recordedFor(facts);
    const question = { ...this.#question(document, facts), ...(legSid !== undefined && { legSid }) };
    this.#takeScript(await this.#order.fetch(source, question), turn, legSid);
  }

  #question(document: ScriptDocument, facts: DocumentFacts): DocumentQuestion {
    return { call: this.call, document, facts, cookies: this.#cookies };
  }

  /** The fallback is for the program of the first party. */
  #whisperSource(legSid: string): ScriptSource | undefined {
    if (this.#whisper?.legSid === legSid) return this.#whisper.source;
    return this.#source && { ...this.#source, fallback: undefined };
  }

  async #inform({ document, facts }: CallCommand & { readonly do: "inform" }): Promise<void> {
    const source = this.#leftSource ?? this.#source;
    if (!source) return;
    await this.#recordedFor(facts);
    const note = await this.#order.inform(source, this.#question(document, facts));
    const what = facts.kind === "recorded" ? "recorded" : "redirected";
    if (this.#isOver) return this.#noteAfterEnd(what, note);
    this.#writer.note(what, note);
    this.#writer.store();
  }

  /** How long a recording is, is known when it is closed. */
  async #recordedFor({ kind }: DocumentFacts): Promise<void> {
    if (kind === "recorded") await this.#inTime(Promise.allSettled([...this.#closing]));
  }

  async #noteAfterEnd(what: CallTrailStep["step"], details: CallTrailStep["details"]): Promise<void> {
    const { ledger, clock, log } = this.#deps;
    const { sid: callSid } = this.call;
    await ledger.note(callSid, { at: clock.now(), step: what, details }).catch((fault: Error) => {
      log.warn({ callSid, reason: fault.message }, "step of an ended call not stored");
    });
  }

  /** An answer that comes when the call has been redirected is not obeyed. */
  #takeScript({ program, note, source }: Asked, turn: number, legSid?: string): void {
    if (this.#isOver || turn !== this.#state.turn) return;
    if (legSid === undefined) this.#source = source;
    else this.#whisper = { legSid, source };
    this.#writer.note("script", legSid === undefined ? note : { leg: "Second", ...note });
    this.take({ kind: "script", program, turn });
  }

  /** SIP URIs are in no chain: a telephone system's URI often contains the number of ours that forwards to it. */
  #forwarding(): Forwarding | null {
    const { running, left, phase } = this.#state;
    const { chain, incoming } = this.#order;
    const isAnswering = phase === "Asking" || phase === "Answering";
    const dialled = phase === "DiallingSecond" ? running : isAnswering ? left[0] : undefined;
    if (!incoming || dialled?.kind !== "dial") return null;
    const numbers = calleesOf(dialled).map((callee) => this.#numbersDialled.get(callee.legSid) ?? callee.to);
    const [to, ...others] = numbers.filter((number) => number.startsWith("+"));
    if (to === undefined) return null;
    return { from: dialled.callerId ?? this.call.callerId, to, ...(others.length > 0 && { others }), chain };
  }

  /** Called when the SIP URI of the second leg leads to the telephone network. */
  async #dialsNumber(legSid: string, number: string): Promise<void> {
    if (this.#isOver || !this.#order.incoming) return;
    this.#numbersDialled.set(legSid, number);
    this.#store();
    await this.#forwardingStored;
  }

  async #answer(legSid: string): Promise<void> {
    const { incoming } = this.#order;
    const media = await this.#open(legSid);
    if (this.#isOver || !incoming) return;
    const answered = media ? answerOf(media, incoming) : { ok: false as const, refusal: NO_PORT };
    if (answered.ok) {
      this.#deps.signalling.answer(legSid, answered.value);
      return;
    }
    const rejection = media ? { sipCode: 488 } : { sipCode: 503, retryAfterSeconds: RETRY_SECONDS };
    this.#deps.signalling.reject(legSid, rejection);
    this.take({ kind: "refused", leg: "First", sipCode: rejection.sipCode, reason: answered.refusal });
  }

  async #dial({ leg: name, legSid }: LegMark): Promise<void> {
    const leg = this.call.legs.find(({ sid }) => sid === legSid);
    if (!leg) return;
    const { running } = this.#state;
    // Another number than the caller's is shown.
    const isOther = name === "Second" && running?.kind === "dial" && running.callerId !== undefined;
    if (name === "Second") this.#deps.dials(this, leg.sid);
    const judged = await this.#judge(leg);
    const admitted = await this.#admit(leg);
    await this.#forwardingStored;
    const media = await this.#open(leg.sid);
    if (this.#isOver || !this.#isOpen(legSid)) return;
    if (!media || !judged.ok || !admitted.ok) {
      const reason = !judged.ok ? judged.refusal : admitted.ok ? NO_PORT : admitted.refusal;
      this.take({ kind: "refused", leg: name, legSid, sipCode: 503, reason, isOurs: true });
      return;
    }
    const { incoming, scope, judge } = this.#order;
    this.#deps.signalling.dial({
      ...judged.value,
      judge,
      dialsNumber: (number) => this.#dialsNumber(legSid, number),
      callSid: this.call.sid,
      legSid: leg.sid,
      callerId: incoming?.isPrivate && !isOther ? incoming.from : leg.from,
      isPrivate: (incoming?.isPrivate ?? false) && !isOther,
      divertedFrom: incoming && scope.phone,
      diversions: incoming?.diversions,
      maxForwards: incoming ? incoming.maxForwards - 1 : MAX_FORWARDS,
      identity: isOther ? undefined : incoming?.identity,
      offer: (terms) => {
        this.#terms.set(leg.sid, terms);
        return media.offer(terms);
      },
    });
  }

  /** The second party of an inbound call was judged when it was decided on. */
  async #judge({ sid, to }: Leg): ReturnType<DialOrder["judge"]> {
    const { running } = this.#state;
    const callees = running?.kind === "dial" ? calleesOf(running) : [];
    const known = callees.find(({ legSid }) => legSid === sid)?.judged;
    return known ? ok(known) : this.#order.judge(to);
  }

  /** The first two parties come with the call. */
  async #admit({ sid, leg }: Leg): Promise<Result<void, string>> {
    const isWithTheCall = leg === "First" || this.call.legs.find((one) => one.leg === "Second")?.sid === sid;
    if (isWithTheCall) return ok(undefined);
    return this.#order.admit(() => {
      const seconds = openSeconds(this.call);
      return seconds.length - 1 - seconds.findIndex((one) => one.sid === sid);
    });
  }

  async #open(legSid: string): Promise<MediaLeg | undefined> {
    const opened = await this.#deps.media.open(legSid);
    if (!opened.ok) return undefined;
    // The leg may have ended meanwhile, and not have been closed with the others.
    if (this.#isOver || !this.#isOpen(legSid)) void opened.value.close();
    else this.#media.set(legSid, opened.value);
    return opened.value;
  }

  /** The call goes on without a second leg. */
  #part(legSid: string): void {
    this.#mediaOf("First")?.stopPlaying();
    this.#stopRecording(this.#deps.clock.now());
    this.#closeLeg(legSid);
  }

  #closeLeg(legSid: string): void {
    const media = this.#media.get(legSid);
    if (!media) return;
    this.#media.delete(legSid);
    this.#whileClosing(
      media.close().then((figures) => {
        this.#keepFigures(new Map([[legSid, figures]]));
        if (!this.#isOver) this.#writer.store();
      }),
    );
  }

  #keepFigures(figures: ReadonlyMap<string, LegMedia | undefined>): void {
    const legs = this.call.legs.map((leg) => ({ ...leg, media: figures.get(leg.sid) ?? leg.media }));
    this.#state = { ...this.#state, call: { ...this.call, legs } };
  }

  #accept(legSid: string, sdp: string | undefined): Result<void, string> {
    const media = this.#media.get(legSid);
    return sdp === undefined || !media ? refused(NO_SDP) : media.accept(sdp);
  }

  /** Takes the peer's final answer to our offer. A leg without media that both sides agreed on is hung up. */
  #agree(name: LegName, legSid: string, sdp: string | undefined): boolean {
    const accepted = this.#accept(legSid, sdp);
    if (accepted.ok) return true;
    this.#deps.signalling.hangUp(legSid, accepted.refusal);
    this.take({ kind: "ended", leg: name, legSid, by: "us", reason: accepted.refusal });
    return false;
  }

  #move(name: LegName, { legSid, address }: Extract<LegSignal, { kind: "moved" }>): void {
    const media = this.#media.get(legSid);
    const terms = this.#terms.get(legSid);
    if (!media || !terms || this.#isOver) return;
    const moved = { ...terms, address };
    this.#terms.set(legSid, moved);
    this.#writer.note("moved", { leg: name, address });
    this.#deps.signalling.reoffer(legSid, media.offer(moved));
  }

  #answerTo(legSid: string, sdp: string | undefined): string | undefined {
    const media = this.#media.get(legSid);
    const terms = this.#terms.get(legSid);
    if (!media || !terms) return undefined;
    if (sdp === undefined) return media.offer(terms);
    const answered = media.answer(sdp, terms);
    return answered.ok ? answered.value : undefined;
  }

  #sound(command: Extract<CallCommand, { readonly do: "prompt" | "speak" | "play" }>): void {
    const { speech, sounds, clock, log } = this.#deps;
    const { sid: callSid, accountSid } = this.call;
    const leg = command.do === "prompt" ? "First" : (command.leg ?? "First");
    const failed = (reason: string) => {
      log.warn({ callSid, reason }, "speech failed");
      this.take({ kind: "speechFailed", leg, reason });
    };
    const audio =
      command.do === "play"
        ? audioInTime({ clock, failed }, (stop) => sounds.play({ accountSid, url: command.url }, stop))
        : spokenAudio({ speech, clock, failed }, { accountSid, text: command.text });
    const tailMs = command.do === "prompt" ? PROMPT_PAUSE_MS : LAST_PAUSE_MS;
    this.#mediaOf(leg)?.play({ kind: "speech", audio, tailMs });
  }

  #connectStream({ order, turn }: CallCommand & { readonly do: "connectStream" }): void {
    this.#streams.connect(order, this.#streamPlace(), ({ streamSid, fault = null }) =>
      this.take({ kind: "streamEnded", turn, streamSid, fault }),
    );
  }

  #startStream(order: StreamOrder): void {
    this.#streams.start(order, this.#streamPlace());
  }

  #enterConference(order: ConferenceOrder, turn: number): void {
    const { sid: callSid, accountSid } = this.call;
    const media = this.#mediaOf("First");
    if (!media) throw new Error("a first party without media enters a conference");
    this.#conference = this.#deps.conferences.enter({
      ...{ accountSid, callSid, order, shape: this.#source?.shape ?? "A", media },
      entered: (conferenceSid) => this.take({ kind: "conferenceEntered", turn, conferenceSid }),
      waitFailed: (waitUrl, reason) => this.#noteConference({ waitUrl, reason }),
      left: (how) => this.take({ kind: "conferenceLeft", turn, ...how }),
    });
  }

  #noteConference(details: CallTrailStep["details"]): void {
    this.#writer.note("conference", details);
    if (!this.#isOver) this.#writer.store();
  }

  #streamPlace(): StreamPlace {
    const media = this.#mediaOf("First");
    if (!media) throw new Error("a first party without media has a stream");
    const { shape = "A" } = this.#source ?? {};
    return { media, shape };
  }

  #noteStream(details: CallTrailStep["details"], told: readonly ToldStream[] = []): void {
    this.#writer.note("stream", details);
    for (const one of told) this.#writer.tellStream(one);
    if (!this.#isOver) this.#writer.store();
  }

  /** Keys of connected parties reach the other one. */
  #passOn(from: LegName, digit: string, ms: number): void {
    this.#sendKey(from === "First" ? "Second" : "First", digit, ms);
  }

  #sendKey(to: LegName, digit: string, ms: number): void {
    if (this.#mediaOf(to)?.sendDigit(digit, ms)) return;
    this.#deps.signalling.sendDigit(this.#sidOf(to), digit, ms);
  }

  #record(index: number): void {
    const { recording } = this.call;
    const startedOn = recording?.segments[index - 1]?.startedOn;
    if (!recording || !startedOn) return;
    this.#together((first, second) => {
      const order = { file: rawFileOf(recording.sid, index), startedOn };
      const recorder = this.#deps.media.record(first, second, order);
      this.#recorder = { recordingSid: recording.sid, index, recorder };
    });
  }

  #recordFirst(recordingSid: string): void {
    const segment = this.call.programRecordings.find(({ sid }) => sid === recordingSid)?.segments[0];
    const first = this.#mediaOf("First");
    if (!segment || !first) return;
    const { index, startedOn } = segment;
    const recorder = this.#deps.media.record(first, undefined, { file: rawFileOf(recordingSid, index), startedOn });
    this.#recorder = { recordingSid, index, recorder };
  }

  #stopRecording(at: Date): void {
    const recorded = this.#recorder;
    if (!recorded) return;
    this.#recorder = undefined;
    this.#whileClosing(
      recorded.recorder.stop(at).then((samples) => {
        const closed = <Some extends CallRecording>(one: Some): Some =>
          one.sid === recorded.recordingSid ? { ...one, ...withClosedSegment(one, recorded.index, samples) } : one;
        const { recording, programRecordings } = this.call;
        const recordings = {
          recording: recording && closed(recording),
          programRecordings: programRecordings.map(closed),
        };
        this.#state = { ...this.#state, call: { ...this.call, ...recordings } };
        if (!this.#isOver) this.#writer.store();
      }),
    );
  }

  /** The end of the call waits for this. */
  #whileClosing(closing: Promise<void>): void {
    this.#closing.add(closing);
    this.#run(closing.finally(() => void this.#closing.delete(closing)));
  }

  #takeRecordingFault(reason: string): void {
    this.#deps.log.error(
      { callSid: this.call.sid, recordingSid: this.#recorder?.recordingSid ?? this.call.recording?.sid, reason },
      "audio not written",
    );
    this.take({ kind: "recordingFault", reason });
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    this.#writer.hold();
    this.#streams.close();
    this.#conference?.leave("HungUp");
    this.#stopTimers();
    this.#keepFigures(await this.#closeMedia(this.call.completedOn ?? this.#deps.clock.now()));
    this.#writer.release();
    await this.#writer.stored();
    this.#leave();
  }

  /** Another process has ended the record, so no more events are emitted or stored. */
  #abandon(): void {
    this.#stopTimers();
    this.#streams.close();
    this.#conference?.leave("HungUp");
    for (const { sid } of this.call.legs) this.#deps.signalling.hangUp(sid);
    this.#isOver = true;
    void this.#closeMedia(this.#deps.clock.now());
    this.#leave();
  }

  #stopTimers(): void {
    for (const cancel of this.#timers) cancel();
    this.#cancelTurn();
    this.#stopFigures?.();
  }

  #elsewhere(leg: LegName, { agreed, address }: Extract<MediaInput, { kind: "elsewhere" }>) {
    const reason = `No audio came from ${agreed}, which its SDP names, but some from ${address}.`;
    return { leg, reason, advice: latchAdvice(this.#terms.get(this.#sidOf(leg))) };
  }

  /** A call may end and be lost to another process at the same time; it leaves once. */
  #leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#countParties(0);
    this.#deps.done(this);
  }

  /** Waits a limited time: unresponsive media does not keep the record open; a segment left open is closed later. */
  async #closeMedia(at: Date): Promise<ReadonlyMap<string, LegMedia>> {
    this.#stopRecording(at);
    const figures = new Map<string, LegMedia>();
    const closing = [...this.#media].map(async ([legSid, leg]) => {
      const media = await leg.close();
      if (media) figures.set(legSid, media);
    });
    await this.#inTime(Promise.allSettled([...closing, ...this.#closing]));
    return new Map(figures);
  }

  /** Media that does not respond is not waited for. */
  async #inTime(closing: Promise<unknown>): Promise<void> {
    let cancel: (() => void) | undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.#deps.clock.after(CLOSE_MS_MAX, resolve);
    });
    await Promise.race([closing, late]);
    cancel?.();
  }
}

function placeOf(forwarding: Forwarding | null): string | undefined {
  return forwarding ? [forwarding.to, ...(forwarding.others ?? [])].join(" ") : undefined;
}

function latchAdvice(terms: MediaTerms | undefined): string {
  if (terms?.latch) return "Have the operator name that network in `mediaNetworks` of the trunk, if the peer is there.";
  return terms?.isTrusted
    ? 'The peer is behind a NAT: have the operator set `"media": "latch"` for the trunk.'
    : "The peer is behind a NAT: add ;media=latch to the SIP URI.";
}

/** The answer to the offer, or an offer of ours where the INVITE had none. */
function answerOf(media: MediaLeg, { sdp, terms }: IncomingLeg): ReturnType<MediaLeg["answer"]> {
  return sdp === undefined ? { ok: true, value: media.offer(terms) } : media.answer(sdp, terms);
}
