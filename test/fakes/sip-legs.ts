// Two legs that call each other without sockets: what one sends is written, parsed and given to the other, unless the
// test drops it.

import { stepLeg } from "../../src/wire/sip/leg.ts";
import {
  type LegCommand,
  type LegEvent,
  type LegInput,
  type LegSettings,
  type LegState,
  legTickMs,
  newCallee,
  newCaller,
} from "../../src/wire/sip/leg-state.ts";
import type { SipMessage } from "../../src/wire/sip/message.ts";
import { parseMessage } from "../../src/wire/sip/parse.ts";
import { SIP_TIMERS } from "../../src/wire/sip/timers.ts";
import { type RequestDraft, type ResponseDraft, writeRequest, writeResponse } from "../../src/wire/sip/write.ts";

export const SDP =
  "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n";
const SOURCE = { address: "127.0.0.1", port: 5060 };

export function read(text: string): SipMessage {
  const parsed = parseMessage(text);
  if (!parsed.ok) throw new Error(`${parsed.refusal.reason}\n${text}`);
  return parsed.message;
}

export function settingsOf(name: string): LegSettings {
  return { timers: SIP_TIMERS, contact: `<sip:${name}@127.0.0.1:5060>`, sessionSeconds: 1800 };
}

export function inviteDraft(changes: Partial<RequestDraft> = {}): RequestDraft {
  return {
    method: "INVITE",
    uri: "sip:bob@127.0.0.2",
    routes: [],
    maxForwards: 70,
    from: "<sip:alice@127.0.0.1>;tag=alice",
    to: "<sip:bob@127.0.0.2>",
    callId: "call",
    cseq: 1,
    lines: "",
    contentType: "application/sdp",
    body: SDP,
    ...changes,
  };
}

let branches = 0;

export class TestLeg {
  state: LegState;
  /** Messages sent that the other side has not taken yet. */
  readonly sent: SipMessage[] = [];
  readonly events: LegEvent[] = [];
  readonly #served = new Map<number, SipMessage>();
  #nextRef = 1;
  #invite: RequestDraft | undefined;
  isOver = false;
  nowMs = 0;

  constructor(state: LegState) {
    this.state = state;
    if (state.request) this.#served.set(0, state.request);
  }

  static caller(draft = inviteDraft(), settings = settingsOf("alice")): TestLeg {
    const leg = new TestLeg(newCaller(settings, draft, "alice"));
    leg.take({ kind: "dial" });
    return leg;
  }

  static callee(invite: SipMessage, tag = "bob", settings = settingsOf("bob")): TestLeg {
    return new TestLeg(newCallee(settings, invite, tag));
  }

  take(input: LegInput extends infer One ? (One extends { nowMs: number } ? Omit<One, "nowMs"> : never) : never): void {
    const [state, commands] = stepLeg(this.state, { ...input, nowMs: this.nowMs } as LegInput);
    this.state = state;
    for (const command of commands) this.#carryOut(command);
  }

  /** A message that the other side sent. */
  receive(message: SipMessage): void {
    if (message.kind === "response") this.take({ kind: "response", message });
    else if (message.method === "ACK") this.take({ kind: "ack", message });
    else if (message.method === "CANCEL") this.take({ kind: "cancel" });
    else {
      const ref = this.#nextRef++;
      this.#served.set(ref, message);
      this.take({ kind: "request", ref, message });
    }
  }

  /** The next message out; throws when nothing was sent. */
  out(): SipMessage {
    const message = this.sent.shift();
    if (!message) throw new Error("nothing was sent");
    return message;
  }

  /** Advances the clock and runs every timer at its time. */
  pass(ms: number): void {
    const endMs = this.nowMs + ms;
    let ticks = 0;
    for (let dueMs = legTickMs(this.state); dueMs <= endMs; dueMs = legTickMs(this.state)) {
      this.nowMs = Math.max(this.nowMs, dueMs);
      this.take({ kind: "tick" });
      if (++ticks > 10_000) throw new Error("a timer does not end");
    }
    this.nowMs = endMs;
  }

  kinds(): readonly string[] {
    return this.events.map(({ kind }) => kind).filter((kind) => kind !== "dialog");
  }

  #carryOut(command: LegCommand): void {
    switch (command.kind) {
      case "send":
        if (command.draft.method === "INVITE") this.#invite = command.draft;
        this.#send(command.draft);
        break;
      case "acknowledge":
        this.#send(command.draft);
        break;
      case "cancel":
        if (this.#invite) this.#send({ ...this.#invite, method: "CANCEL", lines: command.lines, body: "" });
        break;
      case "respond":
        this.#respond(command.ref, command.draft);
        break;
      case "report":
        this.events.push(command.event);
        break;
      case "over":
        this.isOver = true;
        break;
    }
  }

  #send(draft: RequestDraft): void {
    this.sent.push(read(writeRequest(draft, `SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bK${++branches}`)));
  }

  #respond(ref: number, draft: ResponseDraft): void {
    const request = this.#served.get(ref);
    if (request) this.sent.push(read(writeResponse(request, SOURCE, draft)));
  }
}

/** Carries messages both ways until no leg has anything to send; `isLost` drops some. */
export function talk(one: TestLeg, other: TestLeg, isLost: (message: SipMessage) => boolean = () => false): void {
  for (let messages = 0; messages < 1000; messages++) {
    const [from, to] = one.sent.length > 0 ? [one, other] : [other, one];
    const message = from.sent.shift();
    if (!message) return;
    if (!isLost(message)) to.receive(message);
  }
  throw new Error("they never stop talking");
}

/** A response from a peer that is not one of the legs. */
export function answerTo(request: SipMessage, status: number, tag: string, lines = "", body = ""): SipMessage {
  const contentType = body === "" ? "" : "application/sdp";
  return read(writeResponse(request, SOURCE, { status, toTag: tag, lines, contentType, body }));
}

/** An established call. */
export function callUp(draft = inviteDraft()): { readonly alice: TestLeg; readonly bob: TestLeg } {
  const alice = TestLeg.caller(draft);
  const bob = TestLeg.callee(alice.out());
  bob.take({ kind: "ring" });
  bob.take({ kind: "answer", sdp: SDP });
  talk(alice, bob);
  return { alice, bob };
}
