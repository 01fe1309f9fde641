// The calls of this process: passes the inputs of signalling and media to the call they belong to, begins inbound calls
// and those that were ordered through the API, and ends calls that no process conducts: those of processes that died,
// and those whose record was stored although the database's answer was lost.

import type { Clock } from "../../base/clock.ts";
import type { CookieJar } from "../../base/cookie-jar.ts";
import type { Ids } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type DestinationReader, DOCUMENT_BYTES_MAX, type ScriptFault } from "../../base/script-xml.ts";
import { limitOf } from "../accounts/index.ts";
import type { NewEvent, PayloadShape } from "../events.ts";
import type { ClaimKind, OwnedRecord } from "../give-back.ts";
import { ANONYMOUS, CALL_SECONDS_MAX, type Call, type EndReason, type LegName, RING_SECONDS } from "./call.ts";
import { statusEvent } from "./call-events.ts";
import { beginDialling, beginInbound, stateOf, step } from "./call-flow.ts";
import type { ConferenceOrder } from "./conference.ts";
import {
  countryOf,
  countryOfNumber,
  type Destination,
  type DestinationFault,
  type DialRules,
  judgeCountry,
  readDestination,
  scriptDestination,
  selfFault,
  targetOf,
} from "./judge-destination.ts";
import {
  type Asked,
  type DocumentQuestion,
  LiveCall,
  type LiveCallOrder,
  type Notes,
  type ScriptSource,
} from "./live-call.ts";
import { NOT_SHOWN } from "./order-call.ts";
import type { CheckUrl } from "./ordered-program.ts";
import type {
  AbandonedCall,
  AskedRedirection,
  CallDirectory,
  CalledNumber,
  CallLedger,
  CallSignalling,
  Conferences,
  DialOrder,
  IncomingLeg,
  MediaEngine,
  MediaInput,
  Rejection,
  SignallingInput,
  Sounds,
  Speech,
  Streams,
  WaitingCall,
} from "./ports.ts";
import { type Callee, type Dial, type HangUp, type Instruction, type Prompt, shownInstruction } from "./program.ts";
import type { ScriptReader, UrlReader } from "./read-program.ts";
import type {
  CallScript,
  OrderedProgram,
  ScriptCallee,
  ScriptDial,
  ScriptDocument,
  ScriptInstruction,
  StoredSource,
} from "./script.ts";

export interface CallDeskDeps {
  readonly signalling: CallSignalling;
  readonly media: MediaEngine;
  readonly speech: Speech;
  readonly sounds: Sounds;
  readonly streams: Streams;
  readonly conferences: Conferences;
  readonly ledger: CallLedger;
  readonly directory: CallDirectory;
  readonly ask: (event: NewEvent<"InboundCallReceivedWebhook">, cookies: CookieJar) => Promise<ScriptAnswer>;
  /** Reads answers in the language that belongs to a payload shape. */
  readonly readerOf: (shape: PayloadShape) => ScriptReader;
  readonly askDocument: (question: DocumentOrder) => Promise<DocumentAnswer>;
  readonly checkUrl: CheckUrl;
  /**
   * Takes another party of a call from the limit `call` of the account, or says why it may have no more. Returns how
   * many calls it may have at the same time.
   */
  readonly takeParty: (accountSid: string) => Promise<Result<number, string>>;
  /** Has the account ready for callbacks: they are signed with a secret of its own. */
  readonly readyCallbacks: (accountSid: string) => Promise<void>;
  readonly rules: DialRules;
  /** Two-letter country whose tones are played; by default the party's own. */
  readonly toneCountry?: string | undefined;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with every call of this process that has ended. */
  readonly report: (call: Call) => void;
}

/** The answer to an inbound-call webhook. */
export type ScriptAnswer =
  | {
      readonly kind: "answered";
      readonly body: Uint8Array;
      readonly source: ScriptSource;
      readonly deliverySid: string;
    }
  | { readonly kind: "unanswered"; readonly reason: string; readonly deliverySid: string | null };

export interface DocumentOrder extends DocumentQuestion {
  readonly shape: PayloadShape;
}

/** `document` is where the answer came from, after redirections. */
export type DocumentAnswer =
  | { readonly kind: "answered"; readonly body: Uint8Array; readonly document: ScriptDocument }
  | { readonly kind: "unanswered"; readonly reason: string };

/** A call that has waited longer than this is not dialled. */
const WAIT_MS_MAX = 30_000;
/** How many times a call may be forwarded. */
const HOPS_MAX = 5;
const BUSY_RETRY_SECONDS = 10;
/** How long `drain` waits for the store to take the ends of calls. */
const STORE_MS_MAX = 2_000;

export class CallDesk {
  readonly claims: ClaimKind;
  readonly #deps: CallDeskDeps;
  readonly #calls = new Map<string, LiveCall>();
  /** How many of them each account has; of the parties that one calls at the same time, each further one counts. */
  readonly #counts = new Map<string, number>();
  readonly #legs = new Map<string, { readonly call: LiveCall; readonly name: LegName }>();
  /** Incoming legs whose number is being looked up, and whether the caller gave up meanwhile. */
  readonly #arriving = new Map<string, { isGone: boolean }>();
  /** Claims whose calls are not all in `#calls` yet. */
  readonly #claiming = new Set<Promise<void>>();
  /** Notifications of programs that are under way, also of calls that are over. */
  readonly #owed = new Set<Promise<void>>();
  #isDraining = false;
  #whenEmpty: (() => void) | undefined;

  constructor(deps: CallDeskDeps) {
    this.#deps = deps;
    const { ledger } = deps;
    this.claims = {
      name: "calls",
      owned: () => ledger.owned(),
      isHeld: (sid) => this.#calls.has(sid),
      claimsAnswered: () => Promise.all(this.#claiming),
      giveBackStrays: (strays) => this.#giveBack(strays),
    };
  }

  get activeCount(): number {
    return this.#calls.size + this.#arriving.size;
  }

  takeSignal(input: SignallingInput): void {
    if (input.kind === "incoming") {
      this.#receive(input).catch((fault: unknown) => {
        this.#deps.log.error({ legSid: input.legSid, err: fault }, "incoming call failed");
        this.#reject(input.legSid, { sipCode: 503, retryAfterSeconds: BUSY_RETRY_SECONDS });
      });
      return;
    }
    // Legs between nodes are not of a call.
    if (input.kind === "bridged") return;
    const leg = this.#legs.get(input.legSid);
    if (leg) leg.call.takeSignal(leg.name, input);
    const arriving = this.#arriving.get(input.legSid);
    if (arriving && (input.kind === "canceled" || input.kind === "ended")) arriving.isGone = true;
  }

  takeMedia(input: MediaInput): void {
    const leg = this.#legs.get(input.legSid);
    if (leg) leg.call.takeMedia(leg.name, input);
  }

  /** Hangs the call up if it belongs to this process. */
  hangUp(callSid: string): void {
    this.#calls.get(callSid)?.take({ kind: "hangUp", by: "Api", reason: "HungUp" });
  }

  /** Dials ordered calls that are waiting. */
  async dialWaiting(): Promise<void> {
    if (this.#isDraining || !this.#deps.clock.isRight) return;
    const claim = this.#claimWaiting();
    const answered = claim.catch(() => undefined);
    this.#claiming.add(answered);
    await claim.finally(() => this.#claiming.delete(answered));
  }

  async #claimWaiting(): Promise<void> {
    for (const waiting of await this.#deps.ledger.claim()) await this.#dial(waiting);
  }

  /** Hangs up the calls for which that was requested elsewhere, in case the notification was lost. */
  async hangUpAsked(): Promise<void> {
    for (const sid of await this.#deps.ledger.askedToHangUp()) this.hangUp(sid);
  }

  /** Pauses and resumes recordings as requested. What is taken up must be done, so only for calls held here. */
  async switchAsked(): Promise<void> {
    for (const { sid, switches } of await this.#deps.ledger.takeSwitches([...this.#calls.keys()])) {
      this.#calls.get(sid)?.switchRecording(switches);
    }
  }

  /** Hangs up the parties that calls of this process have dialled, as requested: all, or this one. */
  async hangUpPartiesAsked(only?: string): Promise<void> {
    const held = only === undefined ? [...this.#legs.keys()] : [only].filter((legSid) => this.#legs.has(legSid));
    for (const legSid of await this.#deps.ledger.takePartyHangUps(held)) {
      this.#legs.get(legSid)?.call.take({ kind: "hangUpParty", leg: "Second", legSid });
    }
  }

  /** Makes calls go on with other programs as requested. */
  async redirectAsked(): Promise<void> {
    const asked = await this.#deps.ledger.takeRedirections([...this.#calls.keys()]);
    await Promise.all(asked.map((one) => this.#redirect(one)));
  }

  async #redirect(asked: AskedRedirection): Promise<void> {
    const { ledger, log } = this.#deps;
    try {
      if (await this.#calls.get(asked.sid)?.redirect(asked)) await ledger.redirected(asked);
    } catch (fault) {
      // It is taken up again.
      log.warn({ callSid: asked.sid, err: fault }, "call not redirected");
    }
  }

  async #giveBack(strays: readonly OwnedRecord[]): Promise<void> {
    // If the end of a call cannot be stored, the next run finds the call again.
    for (const call of await this.#deps.ledger.giveBackStrays(strays)) await this.#endLeft(call);
  }

  /**
   * Accepts no new calls; resolves when none is left and no program is being notified. Calls that last longer than
   * `ms` are hung up. Throws when the ends of some cannot be stored: they are left to another process.
   */
  async drain(ms: number): Promise<void> {
    this.#isDraining = true;
    if (this.#isEmpty) return;
    const { clock } = this.#deps;
    const cancels: (() => void)[] = [];
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
      cancels.push(
        clock.after(ms, () => {
          for (const call of this.#calls.values()) call.take({ kind: "hangUp", by: "Service", reason: "Failed" });
        }),
        clock.after(ms + STORE_MS_MAX, resolve),
      );
    });
    for (const cancel of cancels) cancel();
    const left = [...this.#calls.keys()];
    if (left.length > 0) throw new Error(`the ends of calls were not stored: ${left.join(", ")}`);
  }

  async #receive(leg: IncomingLeg): Promise<void> {
    if (this.#isDraining) return this.#reject(leg.legSid, { sipCode: 503, retryAfterSeconds: BUSY_RETRY_SECONDS });
    const arriving = { isGone: false };
    this.#arriving.set(leg.legSid, arriving);
    try {
      const called = await this.#deps.directory.findCalled(leg.called, callerOf(leg));
      const rejection = called ? rejectionOf(leg, called, this.#activeOf(called)) : { sipCode: 404 };
      if (rejection || !called) return this.#reject(leg.legSid, rejection ?? { sipCode: 404 });
      const loop = loopOf(leg, called);
      if (loop !== undefined) return await this.#refuseLoop(leg, called, loop);
      const order = await this.#inboundOrder(leg, called);
      if (arriving.isGone) return;
      const call = this.#take(order);
      // It counts once.
      this.#arriving.delete(leg.legSid);
      if (!(await call.begin(order.notes))) {
        this.#forget(call);
        this.#reject(leg.legSid, { sipCode: 503, retryAfterSeconds: BUSY_RETRY_SECONDS });
      }
    } finally {
      this.#arriving.delete(leg.legSid);
      this.#tellEmpty();
    }
  }

  async #inboundOrder(leg: IncomingLeg, called: CalledNumber): Promise<LiveCallOrder & { readonly notes: Notes }> {
    const { ids, clock } = this.#deps;
    const from = callerOf(leg);
    const decided =
      called.callsForwardedTo === null ? undefined : await this.#forwardTo(called.callsForwardedTo, ownerOf(called));
    const begin = beginInbound(
      {
        sid: ids.sid("CA"),
        accountSid: called.accountSid,
        firstLegSid: leg.legSid,
        from,
        to: called.number,
        callerId: from,
        ringSeconds: RING_SECONDS.usual,
        maxSeconds: CALL_SECONDS_MAX,
        recordingSid: ids.sid("RE"),
        isRecorded: called.recordInboundCalls,
        program: decided?.program,
      },
      clock.now(),
    );
    const { number: phone, messagingConfigSid } = called;
    return {
      begin,
      scope: { phone, messagingConfigSid, eventsTold: decided ? 0 : 1 },
      incoming: leg,
      chain: [...passedBy(leg, called), phone],
      ask: (event, cookies) => this.#ask(event, cookies, ownerOf(called)),
      ...this.#programsFor(ownerOf(called)),
      country: this.#toneCountry(leg.from, phone),
      isStored: false,
      notes: [
        ["received", { trunk: leg.trunk, peer: leg.peer, called: called.number }],
        ...(decided?.note.refused !== undefined ? [["refused", decided.note] as const] : []),
      ],
    };
  }

  /** The call that comes back gets no record; the trail of the call that it continues shows why it went no further. */
  async #refuseLoop(leg: IncomingLeg, { accountSid, continued }: CalledNumber, reason: string): Promise<void> {
    const { ledger, clock, log } = this.#deps;
    const callSid = continued?.callSid;
    this.#reject(leg.legSid, { sipCode: 482 });
    log.warn({ accountSid, legSid: leg.legSid, trunk: leg.trunk, callSid, sipCode: 482 }, "forwarding loop refused");
    if (callSid === undefined) return;
    await ledger.note(callSid, { at: clock.now(), step: "loop", details: { sipCode: 482, reason } });
  }

  /** The program for a destination named by settings. */
  async #forwardTo(to: string, owner: CallOwner): Promise<Asked> {
    const dial = { kind: "dial", to, record: null } as const;
    const { instruction, note } = await this.#toDial(dial, (text) => this.#read(text, owner), owner);
    return { program: [instruction], note };
  }

  /** Of several callees, those that may not be called are left out. */
  async #toDial(
    { to, whisper, others = [], record, ringSeconds, maxSeconds, callerId, action, ...more }: ScriptDial,
    read: (to: string) => Judged,
    owner: CallOwner,
  ): Promise<Decided<Dial>> {
    const head = await this.#toCallee({ to, whisper }, read(to), owner);
    const judged = [head, ...(await Promise.all(others.map((one) => this.#toCallee(one, read(one.to), owner))))];
    const shown = await this.#judgeCallerId(callerId, owner);
    const dial = { ...more, ...(action && { action }) };
    const forbidden = ({ code, reason }: DestinationFault): Decided<Dial> => ({
      instruction: { ...dial, legSid: this.#deps.ids.sid("LG"), to, isForbidden: true },
      note: { dial: to, refused: code, reason },
    });
    const first = judged.find(({ ok: mayBeCalled }) => mayBeCalled) ?? head;
    if (!first.ok) return forbidden(first.refusal);
    if (!shown.ok) return forbidden(shown.refusal);
    const rest = judged.flatMap((one) => (one.ok && one !== first ? [one.value] : []));
    const leftOut = judged.flatMap((one) => (one.ok ? [] : [one.refusal]));
    const wishes = {
      ...(shown.value !== undefined && { callerId: shown.value }),
      ...(record !== null && { record }),
      ...(ringSeconds !== undefined && { ringSeconds }),
      ...(maxSeconds !== undefined && { maxSeconds }),
    };
    const instruction: Dial = { ...dial, ...first.value, ...(rest.length > 0 && { others: rest }), ...wishes };
    const note = {
      ...shownInstruction(instruction),
      ...wishes,
      ...(action && { action: action.url }),
      ...(leftOut.length > 0 && { leftOut }),
    };
    return { instruction, note };
  }

  async #toCallee({ to, whisper }: ScriptCallee, read: Judged, owner: CallOwner): Promise<Result<Callee, LeftOut>> {
    // Sids of legs are in the order of the script, however long the judging of each takes.
    const legSid = this.#deps.ids.sid("LG");
    const judged = await this.#judge(notItself(read, owner), owner);
    if (!judged.ok) return refused({ dial: to, ...judged.refusal });
    const target = targetOf(judged.value, this.#deps.rules);
    return ok({ legSid, to: judged.value.text, judged: target, ...(whisper && { whisper }) });
  }

  /** Shown is one of the account's numbers, as for an ordered call. */
  async #judgeCallerId(
    wanted: string | undefined,
    { accountSid, country }: CallOwner,
  ): Promise<Result<string | undefined, DestinationFault>> {
    if (wanted === undefined) return ok(undefined);
    const read = this.#deps.rules.readNumber(wanted, country);
    const reason = `The number to show cannot be shown: ${wanted}. ${NOT_SHOWN}`;
    if (!read.ok) return refused({ code: "validation", reason });
    const { e164 } = read.value;
    const mayBe = await this.#deps.directory.mayShow(accountSid, e164);
    return mayBe ? ok(e164) : refused({ code: "validation", reason });
  }

  #read(to: string, { country }: CallOwner): Judged {
    return readDestination(to, this.#deps.rules, country);
  }

  /** Applies the rules for the destinations of an account. */
  async #judge(read: Judged, { accountSid, allowedCountries, phone }: CallOwner): Promise<Judged> {
    const { rules, directory } = this.#deps;
    if (!read.ok) return read;
    const own = countryOfNumber(phone, rules);
    // The account has a number there, so the directory need not be asked.
    const isOwn = own !== undefined && countryOf(read.value, rules)?.code === own;
    const allowed = allowedCountries ?? (isOwn ? [own] : await directory.countriesOf(accountSid));
    return judgeCountry(read.value, allowed, rules);
  }

  #judgeFor(owner: CallOwner): DialOrder["judge"] {
    const { rules, log } = this.#deps;
    return async (to) => {
      try {
        const judged = await this.#judge(readDestination(to, rules, owner.country), owner);
        return judged.ok ? ok(targetOf(judged.value, rules)) : refused(judged.refusal.reason);
      } catch (fault) {
        log.error({ accountSid: owner.accountSid, err: fault }, "destination not judged");
        return refused("Where the account may call could not be looked up.");
      }
    };
  }

  async #ask(event: NewEvent<"InboundCallReceivedWebhook">, cookies: CookieJar, owner: CallOwner): Promise<Asked> {
    const answer = await this.#deps.ask(event, cookies);
    const { deliverySid } = answer;
    if (answer.kind === "unanswered") {
      return { program: [hangUpFor("ScriptUnavailable", 480)], note: { deliverySid, reason: answer.reason } };
    }
    const { source } = answer;
    const read = this.#readScript(answer.body, source, owner);
    if (!read.ok) return { program: [hangUpFor("ScriptInvalid", 480)], note: { deliverySid, ...read.refusal } };
    const { program, note } = await this.#toRun(read.value, source, owner);
    return { program, note: { deliverySid, ...note }, source };
  }

  /** Asks for a further document, then the fallback; the call is hung up if neither gives a program. */
  async #fetch(source: ScriptSource, question: DocumentQuestion, owner: CallOwner): Promise<Asked> {
    const { shape, fallback } = source;
    const failures: { readonly url: string; readonly reason: string; readonly advice?: string | undefined }[] = [];
    let reason: EndReason = "ScriptUnavailable";
    for (const document of [question.document, ...(fallback ? [fallback] : [])]) {
      const { url } = document;
      const answer = await this.#deps.askDocument({ ...question, document, shape });
      if (answer.kind === "unanswered") {
        reason = "ScriptUnavailable";
        failures.push({ url, reason: answer.reason });
        continue;
      }
      const found = { ...source, document: answer.document };
      const read = this.#readScript(answer.body, found, owner);
      if (read.ok) {
        const { program, note } = await this.#toRun(read.value, found, owner);
        return { program, note: { url, ...note, ...(failures.length > 0 && { failures }) }, source: found };
      }
      reason = "ScriptInvalid";
      failures.push({ url, ...read.refusal });
    }
    const told = failures.map((failure) => failure.reason).join(" ");
    const advice = failures.map((failure) => failure.advice).findLast((one) => one !== undefined);
    return { program: [hangUpFor(reason, 480)], note: { failures, reason: told, ...(advice && { advice }) } };
  }

  async #admit(accountSid: string, later: () => number): Promise<Result<void, string>> {
    const { takeParty, directory, log } = this.#deps;
    try {
      const callsMax = await takeParty(accountSid);
      if (!callsMax.ok) return callsMax;
      const elsewhere = await directory.callsElsewhere(accountSid);
      const active = elsewhere + (this.#counts.get(accountSid) ?? 0) - later();
      const reason = `The account may have ${callsMax.value} calls at the same time, and each further party is one.`;
      return active <= callsMax.value ? ok(undefined) : refused(reason);
    } catch (fault) {
      log.error({ accountSid, err: fault }, "party not admitted");
      return refused("Whether the account may call another party could not be looked up.");
    }
  }

  /** What a call does that belongs to this owner, as far as that depends on the owner. */
  #programsFor(owner: CallOwner): Pick<LiveCallOrder, "fetch" | "inform" | "decide" | "judge" | "admit"> {
    return {
      fetch: (source, question) => this.#fetch(source, question, owner),
      inform: (source, question) => this.#inform(source, question),
      decide: (program) => this.#decide(program, owner),
      judge: this.#judgeFor(owner),
      admit: (later) => this.#admit(owner.accountSid, later),
    };
  }

  /** Never rejects: nothing depends on it. */
  async #inform({ shape }: ScriptSource, question: DocumentQuestion): Promise<Asked["note"]> {
    const { url } = question.document;
    const answer = await this.#deps.askDocument({ ...question, shape }).catch((fault: Error) => {
      this.#deps.log.error({ callSid: question.call.sid, err: fault }, "program not informed");
      return { kind: "unanswered", reason: "It could not be asked, for a fault here." } as const;
    });
    return { informed: url, ...(answer.kind === "unanswered" && { failure: answer.reason }) };
  }

  async #decide({ script, source }: OrderedProgram, owner: CallOwner): Promise<Asked> {
    const asked = await this.#toRun({ script, destinations: new Map() }, source, owner);
    return { ...asked, source: { ...source, read: this.#deps.readerOf(source.shape) } };
  }

  #readScript(body: Uint8Array, { read, document }: ScriptSource, owner: CallOwner): Result<ReadScript, ScriptFault> {
    const destinations = new Map<string, Judged>();
    const readTo: DestinationReader = (text) => {
      const judged = this.#read(text, owner);
      const destination = scriptDestination(text, judged);
      if (destination.ok) destinations.set(destination.value, judged);
      return destination;
    };
    const readUrl = urlReader(document.url, this.#deps.checkUrl);
    const script = read(body, readTo, { readUrl, bytesMax: DOCUMENT_BYTES_MAX });
    return script.ok ? ok({ script: script.value, destinations }) : script;
  }

  /** What a script requests, as far as the account may have it. */
  async #toRun({ script, destinations }: ReadScript, { shape }: StoredSource, owner: CallOwner): Promise<Asked> {
    const decided: Decided[] = [];
    if (script.some(isToldStream)) await this.#deps.readyCallbacks(owner.accountSid);
    for (const one of script) {
      if (one.kind === "confer" && isToldConference(one.conference)) await this.#deps.readyCallbacks(owner.accountSid);
      if (one.kind === "record") decided.push(await this.#toRecord(one, shape, owner));
      else if (one.kind !== "dial") decided.push(withoutDial(one));
      else decided.push(await this.#toDial(one, (to) => destinations.get(to) ?? this.#read(to, owner), owner));
    }
    const program = decided.map(({ instruction }) => instruction);
    const notes = decided.filter(({ instruction }) => instruction.kind !== "hangUp").map(({ note }) => note);
    if (notes.length > 1) return { program, note: { program: notes } };
    return { program, note: notes[0] ?? { hangUp: true } };
  }

  async #toRecord(
    { callbackUrl: url, ...one }: ScriptInstruction & { readonly kind: "record" },
    shape: PayloadShape,
    { accountSid }: CallOwner,
  ): Promise<Decided> {
    const recordingSid = this.#deps.ids.sid("RE");
    const note = { record: recordingSid, action: one.action.url };
    if (url === undefined) return { instruction: { ...one, recordingSid }, note };
    await this.#deps.readyCallbacks(accountSid);
    return { instruction: { ...one, recordingSid, callback: { url, shape } }, note: { ...note, callback: url } };
  }

  async #dial({
    call: record,
    scope,
    ringSeconds,
    maxSeconds,
    secondRingSeconds,
    keyPrompt,
    program: ordered,
    allowedCountries,
    isHungUp,
    switchesAsked,
  }: WaitingCall): Promise<void> {
    const { ids, clock, log } = this.#deps;
    const state = { ...stateOf(record, ids.sid("RE")), ringSeconds, maxSeconds, keyPrompt };
    const dial = { kind: "dial", to: record.to, ringSeconds: secondRingSeconds ?? undefined } as const;
    const owner = { accountSid: record.accountSid, allowedCountries, country: null, phone: scope.phone };
    const asked = ordered && (await this.#decide(ordered, owner));
    const program = asked?.program ?? [{ ...dial, legSid: ids.sid("LG") }];
    const call = this.#take({
      begin: beginDialling(state, program),
      scope,
      ask: () => Promise.reject(new Error("an outbound call requests no script")),
      ...(asked && { source: asked.source }),
      ...this.#programsFor(owner),
      chain: [],
      country: this.#toneCountry(scope.phone),
      isStored: true,
    });
    call.switchRecording(switchesAsked);
    const isLate = clock.now().getTime() - record.createdOn.getTime() > WAIT_MS_MAX;
    if (isHungUp) call.take({ kind: "hangUp", by: "Api", reason: "HungUp" });
    else if (isLate) call.take({ kind: "hangUp", by: "Service", reason: "Failed" });
    else {
      await call.begin(asked ? [["script", asked.note]] : []).catch((fault: unknown) => {
        log.error({ callSid: record.sid, err: fault }, "waiting call failed");
        call.take({ kind: "hangUp", by: "Service", reason: "Failed" });
      });
    }
  }

  /** The configured country, else that of the first number that has one. */
  #toneCountry(...numbers: readonly string[]): string | undefined {
    const { rules, toneCountry } = this.#deps;
    return toneCountry ?? numbers.flatMap((number) => countryOfNumber(number, rules) ?? [])[0];
  }

  /** Stores the end of a call of which only the record is left, emits its events, and sends BYE to its peers. */
  async #endLeft({ call, scope, dialogs, isTakenOver }: AbandonedCall): Promise<void> {
    const { clock, ledger, signalling } = this.#deps;
    const now = clock.now();
    const [{ call: ended }, commands] = step(stateOf(call), { kind: "hangUp", by: "Service", reason: "Failed" }, now);
    for (const [legSid, dialog] of dialogs) signalling.endLeft(legSid, dialog);
    let { eventsTold } = scope;
    const events = commands.flatMap((command) =>
      command.do === "tell" ? [statusEvent(ended, scope, { ...command, sequence: ++eventsTold })] : [],
    );
    const reason = isTakenOver
      ? "The process that had the call died."
      : "The call was stored, but the database's answer to that was lost: no process conducted the call.";
    const details = { reason };
    const steps = [{ at: now, step: "ending" as const, details }];
    const over = { forwarding: null, dialogs: new Map<string, string>() };
    await ledger.save(() => ({ call: ended, scope: { ...scope, eventsTold }, events, steps, ...over }));
  }

  #take(order: LiveCallOrder): LiveCall {
    const { signalling, media, speech, sounds, streams, conferences, ledger, clock, log } = this.#deps;
    const done = (over: LiveCall) => {
      this.#forget(over);
      this.#deps.report(over.call);
    };
    const dials = (of: LiveCall, legSid: string) => void this.#legs.set(legSid, { call: of, name: "Second" });
    const grows = (of: LiveCall, parties: number) => this.#count(of.call.accountSid, parties);
    const owes = (telling: Promise<void>) => this.#owe(telling);
    const parts = { signalling, media, speech, sounds, streams, conferences, ledger, clock, log };
    const call = new LiveCall({ ...parts, dials, owes, grows, done }, order);
    const { sid: callSid, accountSid, legs } = call.call;
    this.#calls.set(callSid, call);
    this.#count(accountSid, 1);
    for (const { sid, leg } of legs) this.#legs.set(sid, { call, name: leg });
    return call;
  }

  #forget(call: LiveCall): void {
    const { sid: callSid, accountSid } = call.call;
    if (this.#calls.delete(callSid)) this.#count(accountSid, -1);
    for (const { sid } of call.call.legs) this.#legs.delete(sid);
    this.#tellEmpty();
  }

  #count(accountSid: string, change: number): void {
    const count = (this.#counts.get(accountSid) ?? 0) + change;
    if (count > 0) this.#counts.set(accountSid, count);
    else this.#counts.delete(accountSid);
  }

  #activeOf({ accountSid, callsElsewhere }: CalledNumber): number {
    return callsElsewhere + (this.#counts.get(accountSid) ?? 0);
  }

  #owe(telling: Promise<void>): void {
    this.#owed.add(telling);
    void telling.finally(() => {
      this.#owed.delete(telling);
      this.#tellEmpty();
    });
  }

  get #isEmpty(): boolean {
    return this.activeCount === 0 && this.#owed.size === 0;
  }

  #tellEmpty(): void {
    if (this.#isEmpty) this.#whenEmpty?.();
  }

  #reject(legSid: string, rejection: Rejection): void {
    this.#deps.signalling.reject(legSid, rejection);
  }
}

/** The account for which a destination is judged. */
interface CallOwner {
  readonly accountSid: string;
  readonly allowedCountries: readonly string[] | null;
  /** For reading numbers without a plus. */
  readonly country: string | null;
  /** A number of the account. */
  readonly phone: string;
  /** The number whose call this is, if it was called. */
  readonly called?: string | undefined;
}

function ownerOf({ accountSid, account, number }: CalledNumber): CallOwner {
  const { allowedCountries, country } = account;
  return { accountSid, allowedCountries, country, phone: number, called: number };
}

type Judged = Result<Destination, DestinationFault>;
/** The settings of a number were judged when they were made; what a script names is judged here only. */
function notItself(read: Judged, { called }: CallOwner): Judged {
  const fault = read.ok && called !== undefined ? selfFault(read.value, called) : undefined;
  return fault === undefined ? read : refused({ code: "validation", reason: fault });
}

/** A script, and what was read of the destinations that it names. */
interface ReadScript {
  readonly script: CallScript;
  readonly destinations: ReadonlyMap<string, Judged>;
}

/** A callee that may not be called. */
interface LeftOut extends DestinationFault {
  readonly dial: string;
}

/** An instruction, and how the trail shows what was decided. */
interface Decided<What extends Instruction = Instruction> {
  readonly instruction: What;
  readonly note: Readonly<Record<string, unknown>>;
}

function isToldStream(one: ScriptInstruction): boolean {
  return (one.kind === "connect" || one.kind === "startStream") && one.stream.callbackUrl !== undefined;
}

function isToldConference({ callback, recording }: ConferenceOrder): boolean {
  return callback !== undefined || recording?.callbackUrl !== undefined;
}

function withoutDial(one: Exclude<ScriptInstruction, ScriptDial | { readonly kind: "record" }>): Decided {
  switch (one.kind) {
    case "say": {
      const { text, times = 1, voice } = one;
      const note = { speak: text, ...(times > 1 && { times }), ...(voice && { voice }) };
      return { instruction: { kind: "say", text, times }, note };
    }
    case "play": {
      const { url, times = 1 } = one;
      const instruction = { kind: "play", url, times } as const;
      return { instruction, note: shownInstruction(instruction) };
    }
    case "gather": {
      const prompts = one.prompts.map((prompt) => withoutDial(prompt));
      const note = { gather: prompts.map((prompt) => prompt.note), action: one.action.url };
      return { instruction: { ...one, prompts: prompts.map(({ instruction }) => instruction as Prompt) }, note };
    }
    case "hangUp":
      return { instruction: hangUpFor("ScriptHangup", one.isBusy ? 486 : 603), note: { hangUp: true } };
    case "pause":
    case "press":
    case "confer":
    case "connect":
    case "startStream":
    case "stopStream":
    case "redirect":
      return { instruction: one, note: shownInstruction(one) };
    default:
      return one satisfies never;
  }
}

/** Reads URLs as they stand in a document. */
function urlReader(base: string, checkUrl: CheckUrl): UrlReader {
  return (text) => {
    if (!URL.canParse(text, base)) return refused(`${text.slice(0, 100)} is no URL.`);
    const url = new URL(text, base);
    url.hash = "";
    const checked = checkUrl(url.href);
    return checked.ok ? ok(url.href) : checked;
  };
}

function hangUpFor(reason: EndReason, sipCode: number): HangUp {
  return { kind: "hangUp", reason, sipCode };
}

/** The response to a call that gets no record: no voice, no hops left, or the account may not take it. */
function rejectionOf(
  leg: IncomingLeg,
  { hasVoice, account }: CalledNumber,
  activeCalls: number,
): Rejection | undefined {
  if (!hasVoice) return { sipCode: 404 };
  if (account.status !== "Active" || !account.features.includes("voice")) return { sipCode: 480 };
  // RFC 3261 16.3: a request may be forwarded only while it has hops left; every call is forwarded.
  if (leg.maxForwards < 1) return { sipCode: 483 };
  return activeCalls >= limitOf(account, "concurrentCalls").requests ? { sipCode: 486 } : undefined;
}

/** The caller as records show it: only trunks, which pass the privacy request on, see a withheld caller. */
function callerOf({ isPrivate, from }: IncomingLeg): string {
  return isPrivate ? ANONYMOUS : from;
}

/** The numbers that have forwarded a call: from its headers, or from our records if a carrier dropped those. */
function passedBy({ diversions = [] }: IncomingLeg, { continued }: CalledNumber): readonly string[] {
  const chain = continued?.chain ?? [];
  return chain.length < diversions.length ? diversions.toReversed() : chain;
}

/**
 * Why a call would loop forever; undefined if it would not. Callers without a number cannot be told apart: one may call
 * a number while the call of another is being forwarded to it, so only the length of their recorded chain counts.
 */
function loopOf(leg: IncomingLeg, called: CalledNumber): string | undefined {
  const { number, continued } = called;
  const isKnown = callerOf(leg).startsWith("+");
  if (leg.diversions?.includes(number) || (isKnown && continued?.chain.includes(number))) {
    return `The call came back to ${number}, which has forwarded it already.`;
  }
  if (passedBy(leg, called).length < HOPS_MAX) return undefined;
  return `The call was forwarded ${HOPS_MAX} times before it came to ${number}.`;
}
