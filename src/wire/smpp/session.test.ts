import fc from "fast-check";
import { expect, test } from "vitest";
import { encodePdu } from "../../../test/fakes/encode-pdu.ts";
import { COMMAND_ID } from "./commands.ts";
import { decodePdu } from "./decode.ts";
import { Framer } from "./framer.ts";
import {
  type BindCommand,
  type BindRequest,
  deliverSm,
  type Pdu,
  type SubmitSm,
  submitSm,
  type Unnumbered,
} from "./pdu.ts";
import { step } from "./session.ts";
import {
  newEsmeSession,
  newSmscSession,
  nextTickMs,
  type Outcome,
  type OwnerRequest,
  SESSION_SETTINGS,
  type SessionEvent,
  type SessionInput,
  type SessionState,
  windowCapacity,
} from "./session-state.ts";
import { STATUS } from "./statuses.ts";

const SETTINGS = {
  ...SESSION_SETTINGS,
  windowMax: 3,
  unansweredMax: 4,
  responseTimeoutMs: 1000,
  bindTimeoutMs: 500,
  enquireIntervalMs: 2000,
  enquireTimeoutMs: 300,
};
const NUMBER = { ton: 1, npi: 1, address: "14155550100" };
const bindAs = (command: BindCommand): Unnumbered<BindRequest> => ({
  command,
  systemId: "alice",
  password: "secret",
  systemType: "",
  interfaceVersion: 0x34,
  addrTon: 0,
  addrNpi: 0,
  addressRange: "",
});
const submit = (ref: string): OwnerRequest => ({
  ref,
  pdu: submitSm({
    source: NUMBER,
    destination: NUMBER,
    shortMessage: Uint8Array.from(ref, (letter) => letter.charCodeAt(0)),
  }),
});
const deliver = (ref: string): OwnerRequest => ({
  ref,
  pdu: deliverSm({ source: NUMBER, destination: NUMBER, shortMessage: Uint8Array.of(1) }),
});
const octets = (pdu: Unnumbered, sequence: number) => {
  const bytes = encodePdu(pdu, sequence);
  return bytes.ok ? bytes.value : expect.fail(bytes.refusal);
};

/** One end: a machine, its framer, and everything it has reported and sent. */
class End {
  state: SessionState;
  nowMs = 0;
  closed = false;
  readonly events: SessionEvent[] = [];
  /** Octets for the other end. */
  readonly sent: Uint8Array[] = [];
  readonly #framer = new Framer();

  constructor(state: SessionState) {
    this.state = state;
  }

  do(input: SessionInput): readonly SessionEvent[] {
    const before = structuredClone(this.state);
    const was = this.state;
    const [state, commands] = step(this.state, input);
    expect(was).toEqual(before);
    this.state = state;
    this.nowMs = input.nowMs;
    const said: SessionEvent[] = [];
    for (const command of commands) {
      if (command.kind === "send") this.sent.push(command.bytes);
      else if (command.kind === "close") this.closed = true;
      else said.push(command.event);
    }
    this.events.push(...said);
    return said;
  }

  hear(bytes: Uint8Array): readonly SessionEvent[] {
    const { pdus, fault } = this.#framer.push(bytes);
    const said = this.do({ kind: "received", pdus, nowMs: this.nowMs });
    return fault ? [...said, ...this.do({ kind: "garbled", reason: fault, nowMs: this.nowMs })] : said;
  }

  ask(...requests: OwnerRequest[]) {
    return this.do({ kind: "request", requests, nowMs: this.nowMs });
  }

  tick(nowMs: number) {
    return this.do({ kind: "tick", nowMs });
  }

  takeSent(): Uint8Array[] {
    return this.sent.splice(0);
  }

  /** The PDUs sent since the last call. */
  pdus(): Pdu[] {
    const framer = new Framer();
    return this.takeSent().flatMap((bytes) =>
      framer.push(bytes).pdus.map((pdu) => {
        const result = decodePdu(pdu);
        return result.ok ? result.value : expect.fail(result.refusal.reason);
      }),
    );
  }

  get outcomes(): Record<string, Outcome> {
    return Object.fromEntries(
      this.events.flatMap((event) => (event.kind === "answered" ? [[event.ref, event.outcome]] : [])),
    );
  }
}

/** Delivers everything both ends have sent, until neither sends anything more. */
function carry(alice: End, bob: End): void {
  while (alice.sent.length + bob.sent.length > 0) {
    for (const bytes of alice.takeSent()) bob.hear(bytes);
    for (const bytes of bob.takeSent()) alice.hear(bytes);
  }
}

function meet(command: BindCommand = "bind_transceiver", settings = SETTINGS) {
  const alice = new End(newEsmeSession(bindAs(command), settings));
  const bob = new End(newSmscSession(settings));
  bob.do({ kind: "connected", nowMs: 0 });
  alice.do({ kind: "connected", nowMs: 0 });
  carry(alice, bob);
  bob.do({ kind: "answerBind", status: 0, systemId: "bob", nowMs: 0 });
  carry(alice, bob);
  return { alice, bob };
}

const requested = (end: End) =>
  end.events.flatMap((event) => (event.kind === "requested" ? [event.pdu as SubmitSm] : []));

function accept(bob: End, pdus: readonly { readonly sequence: number }[], status = 0) {
  const answers = pdus.map(
    ({ sequence }) =>
      ({ command: "submit_sm_resp", sequence, status, messageId: status ? "" : `m${sequence}`, tlvs: {} }) as const,
  );
  return bob.do({ kind: "answer", answers, nowMs: bob.nowMs });
}

test.each<BindCommand>(["bind_transmitter", "bind_receiver", "bind_transceiver"])(
  "Alice binds to Bob as %s",
  (command) => {
    const { alice, bob } = meet(command);
    expect(bob.events).toEqual([
      { kind: "bindRequested", request: { ...bindAs(command), sequence: 1 } },
      { kind: "bound", as: command, systemId: "alice" },
    ]);
    expect(alice.events).toEqual([{ kind: "bound", as: command, systemId: "bob" }]);
    expect(windowCapacity(alice.state)).toBe(3);
  },
);

test("Bob refuses Alice's password and both hang up", () => {
  const alice = new End(newEsmeSession(bindAs("bind_transceiver"), SETTINGS));
  const bob = new End(newSmscSession(SETTINGS));
  bob.do({ kind: "connected", nowMs: 0 });
  alice.do({ kind: "connected", nowMs: 0 });
  carry(alice, bob);
  bob.do({ kind: "answerBind", status: STATUS.ESME_RINVPASWD, systemId: "bob", nowMs: 0 });
  carry(alice, bob);
  expect(alice.events.map(({ kind }) => kind)).toEqual(["bindRefused", "ended"]);
  expect(alice.events[0]).toMatchObject({ status: STATUS.ESME_RINVPASWD });
  expect([alice.closed, bob.closed]).toEqual([true, true]);
});

test("a bind that is not answered times out", () => {
  for (const state of [newEsmeSession(bindAs("bind_transceiver"), SETTINGS), newSmscSession(SETTINGS)]) {
    const end = new End(state);
    end.do({ kind: "connected", nowMs: 100 });
    expect(nextTickMs(end.state)).toBe(600);
    expect(end.tick(599)).toEqual([]);
    expect(end.tick(600)).toEqual([{ kind: "ended", reason: "bind timed out" }]);
    expect([end.closed, nextTickMs(end.state)]).toEqual([true, undefined]);
  }
});

test("what is bound as a receiver sends nothing, and a transmitter is sent nothing", () => {
  const { alice, bob } = meet("bind_receiver");
  expect(alice.ask(submit("a"))).toMatchObject([{ ref: "a", outcome: { kind: "notSent" } }]);
  bob.hear(octets(submit("a").pdu, 9));
  expect(bob.pdus()).toMatchObject([{ command: "submit_sm_resp", sequence: 9, status: STATUS.ESME_RINVBNDSTS }]);
  const other = meet("bind_transmitter");
  expect(other.bob.ask(deliver("d"))).toMatchObject([{ outcome: { kind: "notSent" } }]);
  other.alice.hear(octets(deliver("d").pdu, 9));
  expect(other.alice.pdus()).toMatchObject([{ command: "deliver_sm_resp", status: STATUS.ESME_RINVBNDSTS }]);
});

test("before binding every request is answered with the bind status", () => {
  const bob = new End(newSmscSession(SETTINGS));
  bob.do({ kind: "connected", nowMs: 0 });
  bob.hear(octets({ command: "query_sm", messageId: "1", source: NUMBER }, 4));
  bob.hear(octets({ command: "enquire_link" }, 5));
  expect(bob.pdus()).toMatchObject([
    { command: "query_sm_resp", sequence: 4, status: STATUS.ESME_RINVBNDSTS },
    { command: "enquire_link_resp", sequence: 5, status: 0 },
  ]);
});

test("Bob answers in another order and each submit gets its own answer", () => {
  const { alice, bob } = meet();
  alice.ask(submit("a"), submit("b"), submit("c"));
  carry(alice, bob);
  expect(windowCapacity(alice.state)).toBe(0);
  accept(bob, requested(bob).toReversed());
  carry(alice, bob);
  const sequences = requested(bob).map(({ sequence }) => `m${sequence}`);
  expect(
    Object.entries(alice.outcomes).map(([ref, outcome]) => [ref, outcome.kind === "accepted" && outcome.messageId]),
  ).toEqual([
    ["c", sequences[2]],
    ["b", sequences[1]],
    ["a", sequences[0]],
  ]);
  expect(windowCapacity(alice.state)).toBe(3);
});

test("the window is never passed", () => {
  const { alice } = meet();
  const said = alice.ask(...["a", "b", "c", "d", "e"].map(submit));
  expect(said).toEqual(
    ["d", "e"].map((ref) => ({ kind: "answered", ref, outcome: { kind: "notSent", reason: "window full" } })),
  );
  expect(alice.pdus().length).toBe(3);
});

test.each([
  [STATUS.ESME_RTHROTTLED, "throttled"],
  [STATUS.ESME_RMSGQFUL, "throttled"],
  [STATUS.ESME_RINVDSTADR, "rejected"],
  [0x400, "rejected"],
])("status %i is reported as %s", (status, kind) => {
  const { alice, bob } = meet();
  alice.ask(submit("a"));
  carry(alice, bob);
  accept(bob, requested(bob), status);
  carry(alice, bob);
  expect(alice.outcomes.a).toEqual({ kind, status });
});

test("an answer lost is an outcome unknown, and the submit is not sent again", () => {
  const { alice, bob } = meet();
  alice.ask(submit("a"));
  carry(alice, bob);
  accept(bob, requested(bob));
  bob.takeSent();
  expect(nextTickMs(alice.state)).toBe(1000);
  expect(alice.tick(999)).toEqual([]);
  expect(alice.tick(1000)).toEqual([
    { kind: "answered", ref: "a", outcome: { kind: "unknown", reason: "not answered in time" } },
  ]);
  expect(alice.sent).toEqual([]);
  expect(windowCapacity(alice.state)).toBe(3);
});

test("an answer that comes too late is reported as late", () => {
  const { alice, bob } = meet();
  alice.ask(submit("a"));
  carry(alice, bob);
  alice.tick(1000);
  accept(bob, requested(bob));
  carry(alice, bob);
  expect(alice.events.at(-1)).toMatchObject({ kind: "answeredLate", ref: "a", outcome: { kind: "accepted" } });
  accept(bob, requested(bob));
  expect(bob.events.at(-1)).toMatchObject({ kind: "noticed" });
});

test("when the connection dies every outstanding submit is unknown", () => {
  const { alice, bob } = meet();
  alice.ask(submit("a"), submit("b"));
  const said = alice.do({ kind: "closed", nowMs: 5 });
  expect(said.map(({ kind }) => kind)).toEqual(["answered", "answered", "ended"]);
  expect(alice.outcomes).toEqual({
    a: { kind: "unknown", reason: "connection closed" },
    b: { kind: "unknown", reason: "connection closed" },
  });
  expect(alice.do({ kind: "closed", nowMs: 6 })).toEqual([]);
  expect(alice.ask(submit("c"))).toMatchObject([{ outcome: { kind: "notSent" } }]);
  for (const bytes of alice.takeSent()) bob.hear(bytes);
  expect(requested(bob).length).toBe(2);
});

test("a submit that SMPP cannot carry is not sent and hurts no other", () => {
  const { alice, bob } = meet();
  const bad = { ref: "bad", pdu: { ...submit("x").pdu, shortMessage: new Uint8Array(300) } } as OwnerRequest;
  alice.ask(submit("a"), bad, submit("b"));
  carry(alice, bob);
  expect(alice.outcomes.bad).toMatchObject({ kind: "notSent" });
  expect(requested(bob).length).toBe(2);
});

test("silence is asked about, and an answer of any kind ends the worry", () => {
  const { alice, bob } = meet();
  expect(nextTickMs(alice.state)).toBe(2000);
  alice.tick(2000);
  carry(alice, bob);
  expect(nextTickMs(alice.state)).toBe(4000);
  alice.tick(4000);
  expect(alice.pdus()).toMatchObject([{ command: "enquire_link" }]);
  expect(alice.tick(4299)).toEqual([]);
  alice.hear(octets(deliver("d").pdu, 77));
  expect(alice.tick(4300).map(({ kind }) => kind)).toEqual([]);
});

test("a peer that stays silent is left, and its submits are unknown", () => {
  const { alice } = meet(undefined, { ...SETTINGS, responseTimeoutMs: 60_000 });
  alice.ask(submit("a"));
  alice.tick(2000);
  alice.tick(2300);
  expect(alice.outcomes.a).toEqual({ kind: "unknown", reason: "enquire_link not answered" });
  expect(alice.events.at(-1)).toEqual({ kind: "ended", reason: "enquire_link not answered" });
  expect(alice.closed).toBe(true);
});

test("Alice unbinds when her submits are answered, and takes no more meanwhile", () => {
  const { alice, bob } = meet();
  alice.ask(submit("a"));
  carry(alice, bob);
  alice.do({ kind: "unbind", nowMs: 10 });
  expect(alice.ask(submit("b"))).toMatchObject([{ outcome: { kind: "notSent", reason: "session draining" } }]);
  expect(alice.sent).toEqual([]);
  accept(bob, requested(bob));
  carry(alice, bob);
  expect(alice.outcomes.a?.kind).toBe("accepted");
  expect(alice.events.at(-1)).toEqual({ kind: "ended", reason: "unbound" });
  expect(bob.events.at(-1)).toEqual({ kind: "ended", reason: "unbound by the peer" });
});

test("draining waits for the owner's answers too, turns new requests away, and ends in time", () => {
  const { alice, bob } = meet();
  bob.ask(deliver("d"));
  carry(alice, bob);
  alice.do({ kind: "unbind", nowMs: 10 });
  bob.ask(deliver("e"));
  carry(alice, bob);
  expect(bob.outcomes.e).toEqual({ kind: "rejected", status: STATUS.ESME_RX_T_APPN });
  expect(alice.state.phase).toBe("draining");
  alice.tick(1010);
  expect(alice.pdus()).toMatchObject([{ command: "unbind" }]);
  alice.tick(1510);
  expect(alice.events.at(-1)).toEqual({ kind: "ended", reason: "unbind not answered" });
});

test("Bob's deliver_sm is answered when Alice's owner says so, not before", () => {
  const { alice, bob } = meet();
  bob.ask(deliver("d"));
  carry(alice, bob);
  expect(bob.outcomes).toEqual({});
  const [pdu] = requested(alice);
  const answer = {
    command: "deliver_sm_resp",
    sequence: pdu?.sequence ?? 0,
    status: 0,
    messageId: "",
    tlvs: {},
  } as const;
  alice.do({ kind: "answer", answers: [answer], nowMs: 0 });
  carry(alice, bob);
  expect(bob.outcomes.d).toMatchObject({ kind: "accepted" });
  alice.do({ kind: "answer", answers: [answer], nowMs: 0 });
  expect(alice.sent).toEqual([]);
  expect(alice.events.at(-1)).toMatchObject({ kind: "noticed", what: "deliver_sm_resp answers nothing" });
});

test("a repeat under a number still unanswered is not reported twice", () => {
  const { alice } = meet();
  alice.hear(octets(deliver("d").pdu, 7));
  alice.hear(octets(deliver("d").pdu, 7));
  expect(requested(alice).length).toBe(1);
  expect(alice.state.unanswered.length).toBe(1);
});

test("more than the owner can answer is refused for now", () => {
  const { alice, bob } = meet();
  for (let sequence = 1; sequence <= 6; sequence++) alice.hear(octets(deliver("d").pdu, sequence));
  expect(requested(alice).length).toBe(4);
  expect(alice.pdus()).toMatchObject(
    [5, 6].map((sequence) => ({ command: "deliver_sm_resp", sequence, status: STATUS.ESME_RX_T_APPN })),
  );
  for (let sequence = 1; sequence <= 5; sequence++) bob.hear(octets(submit("s").pdu, sequence));
  expect(bob.pdus()).toMatchObject([{ command: "submit_sm_resp", sequence: 5, status: STATUS.ESME_RTHROTTLED }]);
});

test("generic_nack rejects the request it names and is only noticed otherwise", () => {
  const { alice } = meet();
  alice.ask(submit("a"), submit("b"));
  const [first] = alice.pdus();
  alice.hear(octets({ command: "generic_nack", status: STATUS.ESME_RINVCMDLEN }, first?.sequence ?? 0));
  expect(alice.outcomes).toEqual({ a: { kind: "rejected", status: STATUS.ESME_RINVCMDLEN } });
  alice.hear(octets({ command: "generic_nack", status: STATUS.ESME_RINVCMDID }, 0));
  expect(alice.events.at(-1)).toMatchObject({ kind: "noticed" });
  expect(alice.state.outstanding.length).toBe(1);
});

test("an answer of another kind, to nothing asked, or repeated settles nothing", () => {
  const { alice } = meet();
  alice.ask(submit("a"));
  const sequence = alice.pdus()[0]?.sequence ?? 0;
  const response = { command: "submit_sm_resp", status: 0, messageId: "1", tlvs: {} } as const;
  alice.hear(octets({ command: "cancel_sm_resp", status: 0 }, sequence));
  alice.hear(octets(response, sequence + 1));
  expect(alice.outcomes).toEqual({});
  alice.hear(octets(response, sequence));
  alice.hear(octets({ ...response, messageId: "2" }, sequence));
  expect(alice.outcomes.a).toMatchObject({ kind: "accepted", messageId: "1" });
  expect(alice.events.filter(({ kind }) => kind === "answered").length).toBe(1);
});

test("an answer that cannot be read is unknown, unless its header tells the error", () => {
  const { alice } = meet();
  alice.ask(submit("a"), submit("b"));
  const [a, b] = alice.pdus().map(({ sequence }) => sequence);
  const garbled = (sequence = 0, status: number) => {
    const bytes = octets({ command: "submit_sm_resp", status: 0, messageId: "1234", tlvs: {} }, sequence);
    bytes[bytes.length - 1] = 65;
    bytes[11] = status;
    return bytes;
  };
  alice.hear(garbled(a, 0));
  alice.hear(garbled(b, STATUS.ESME_RTHROTTLED));
  expect(alice.outcomes).toEqual({
    a: { kind: "unknown", reason: "answer unreadable" },
    b: { kind: "throttled", status: STATUS.ESME_RTHROTTLED },
  });
  expect(alice.sent).toEqual([]);
});

test("a request that cannot be read is answered with why", () => {
  const { bob } = meet();
  const bytes = octets(submit("a").pdu, 12);
  bytes.fill(65, 16, 22);
  bob.hear(bytes);
  for (const [sequence, id] of [
    [13, 0x112],
    [14, COMMAND_ID.submit_multi],
    [15, COMMAND_ID.replace_sm],
    [16, COMMAND_ID.outbind],
    [17, COMMAND_ID.alert_notification],
  ] as const) {
    const unknown = octets({ command: "enquire_link" }, sequence);
    new DataView(unknown.buffer, unknown.byteOffset).setUint32(4, id);
    bob.hear(unknown);
  }
  expect(bob.pdus()).toMatchObject([
    { command: "submit_sm_resp", sequence: 12, status: STATUS.ESME_RINVSERTYP },
    { command: "generic_nack", sequence: 13, status: STATUS.ESME_RINVCMDID },
    { command: "generic_nack", sequence: 14, status: STATUS.ESME_RINVCMDID },
    { command: "replace_sm_resp", sequence: 15, status: STATUS.ESME_RINVCMDID },
  ]);
});

test("a stream that is lost ends the session with a nack", () => {
  const { alice, bob } = meet();
  alice.ask(submit("a"));
  alice.takeSent();
  alice.hear(Uint8Array.of(0, 0, 0, 8, 1, 2, 3, 4));
  expect(alice.pdus()).toMatchObject([{ command: "generic_nack", sequence: 0, status: STATUS.ESME_RINVCMDLEN }]);
  expect(alice.outcomes.a?.kind).toBe("unknown");
  expect(alice.closed).toBe(true);
  expect(bob.closed).toBe(false);
});

test("a second bind is refused, and Alice takes none", () => {
  const { alice, bob } = meet();
  bob.hear(octets(bindAs("bind_receiver"), 30));
  expect(bob.pdus()).toMatchObject([{ command: "bind_receiver_resp", sequence: 30, status: STATUS.ESME_RALYBND }]);
  alice.hear(octets(bindAs("bind_receiver"), 31));
  expect(alice.pdus()).toMatchObject([{ command: "generic_nack", sequence: 31, status: STATUS.ESME_RINVCMDID }]);
});

test("sequence numbers go round at 0x7fffffff", () => {
  const { alice, bob } = meet();
  alice.state = { ...alice.state, nextSequence: 0x7ffffffe };
  alice.ask(submit("a"), submit("b"), submit("c"));
  carry(alice, bob);
  expect(requested(bob).map(({ sequence }) => sequence)).toEqual([0x7ffffffe, 0x7fffffff, 1]);
  accept(bob, requested(bob));
  carry(alice, bob);
  expect(Object.values(alice.outcomes).every(({ kind }) => kind === "accepted")).toBe(true);
});

test("query_sm goes through the window and brings its answer", () => {
  const { alice, bob } = meet();
  alice.ask({ ref: "q", pdu: { command: "query_sm", messageId: "m1", source: NUMBER } });
  carry(alice, bob);
  const { sequence } = bob.state.unanswered[0] ?? expect.fail();
  const response = {
    command: "query_sm_resp",
    sequence,
    status: 0,
    messageId: "m1",
    finalDate: "",
    messageState: 2,
    errorCode: 0,
  } as const;
  bob.do({ kind: "answer", answers: [response], nowMs: 0 });
  carry(alice, bob);
  expect(alice.outcomes.q).toEqual({ kind: "accepted", messageId: "m1", response });
});

test("whatever is lost, late or out of order between them, each submit has one outcome and Bob sees it at most once", () => {
  const act = fc.oneof(
    { weight: 4, arbitrary: fc.constant("submit" as const) },
    { weight: 4, arbitrary: fc.constant("carry" as const) },
    { weight: 4, arbitrary: fc.constant("answer" as const) },
    fc.constantFrom("answerLast", "throttle", "loseAnswers", "wait", "deliver", "unbind", "cut"),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const { alice, bob } = meet();
      let asked = 0;
      let nowMs = 0;
      const at = (end: End) => {
        end.nowMs = nowMs;
        return end;
      };
      for (const name of acts) {
        if (name === "submit") at(alice).ask(submit(`s${asked++}`));
        else if (name === "deliver") at(bob).ask(deliver(`d${asked}`));
        else if (name === "carry") carry(at(alice), at(bob));
        else if (name === "answer") accept(at(bob), bob.state.unanswered.slice(0, 1));
        else if (name === "answerLast") accept(at(bob), bob.state.unanswered.slice(-1));
        else if (name === "throttle") accept(at(bob), bob.state.unanswered.slice(0, 1), STATUS.ESME_RTHROTTLED);
        else if (name === "loseAnswers") bob.takeSent();
        else if (name === "unbind") alice.do({ kind: "unbind", nowMs });
        else if (name === "cut") for (const end of [alice, bob]) end.do({ kind: "closed", nowMs });
        else {
          nowMs += 600;
          for (const end of [alice, bob]) end.tick(nowMs);
        }
        expect(alice.state.outstanding.length).toBeLessThanOrEqual(SETTINGS.windowMax);
        expect(alice.state.overdue.length).toBeLessThanOrEqual(SETTINGS.windowMax);
        expect(bob.state.unanswered.length).toBeLessThanOrEqual(SETTINGS.unansweredMax);
      }
      alice.do({ kind: "closed", nowMs });
      const refs = alice.events.flatMap((event) => (event.kind === "answered" ? [event.ref] : []));
      expect(refs.toSorted()).toEqual(Array.from({ length: asked }, (_, index) => `s${index}`).toSorted());
      const seen = requested(bob).map(({ shortMessage }) => String.fromCharCode(...shortMessage));
      expect(new Set(seen).size).toBe(seen.length);
      const { outcomes } = alice;
      for (const ref of seen) expect(outcomes[ref]?.kind).not.toBe("notSent");
      const ended = alice.events.filter(({ kind }) => kind === "ended");
      expect(ended.length).toBe(1);
      const afterwards = alice.events.slice(alice.events.findIndex(({ kind }) => kind === "ended") + 1);
      expect(afterwards.every((event) => event.kind === "answered" && event.outcome.kind === "notSent")).toBe(true);
      for (const { sequence, shortMessage } of requested(bob)) {
        const outcome = outcomes[String.fromCharCode(...shortMessage)];
        if (outcome?.kind === "accepted") expect(outcome.messageId).toBe(`m${sequence}`);
      }
    }),
    { numRuns: 400 },
  );
});

test("any inputs in any order keep the rules and never throw", () => {
  const commandId = fc.constantFrom(...Object.values(COMMAND_ID), 0x112);
  const pdu = fc
    .tuple(commandId, fc.constantFrom(0, 8, 0x58), fc.nat(6), fc.uint8Array({ maxLength: 40 }))
    .map(([id, status, sequence, body]) => {
      const bytes = new Uint8Array(16 + body.length);
      bytes.set(body, 16);
      const view = new DataView(bytes.buffer);
      for (const [at, value] of [
        [0, bytes.length],
        [4, id],
        [8, status],
        [12, sequence],
      ] as const)
        view.setUint32(at, value);
      return bytes;
    });
  const answer = fc.record({
    command: fc.constantFrom("submit_sm_resp" as const, "deliver_sm_resp" as const),
    sequence: fc.nat(6),
    status: fc.constantFrom(0, 0x58),
    messageId: fc.constantFrom("1", "x".repeat(80)),
    tlvs: fc.constant({}),
  });
  const bindResponse = octets({ command: "bind_transceiver_resp", status: 0, systemId: "", tlvs: {} }, 1);
  const input = fc.oneof(
    fc.constant({ kind: "connected" as const }),
    fc.record({
      kind: fc.constant("received" as const),
      pdus: fc.array(fc.oneof(pdu, fc.constant(bindResponse), fc.constant(octets(deliver("d").pdu, 3))), {
        maxLength: 3,
      }),
    }),
    fc.record({
      kind: fc.constant("request" as const),
      requests: fc.array(fc.constantFrom(submit("a"), deliver("b")), { maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant("answer" as const), answers: fc.array(answer, { maxLength: 3 }) }),
    fc.record({
      kind: fc.constant("answerBind" as const),
      status: fc.constantFrom(0, 14),
      systemId: fc.constantFrom("bob", "x".repeat(20)),
    }),
    fc.constant({ kind: "tick" as const }),
    fc.constantFrom(
      { kind: "unbind" as const },
      { kind: "closed" as const },
      { kind: "garbled" as const, reason: "x" },
    ),
  );
  const life = fc.array(fc.tuple(input, fc.nat(700)), { maxLength: 40 });
  fc.assert(
    fc.property(life, fc.boolean(), (inputs, isEsme) => {
      const end = new End(isEsme ? newEsmeSession(bindAs("bind_transceiver"), SETTINGS) : newSmscSession(SETTINGS));
      let nowMs = 0;
      let asked = 0;
      for (const [one, wait] of [[{ kind: "connected" as const }, 0] as const, ...inputs]) {
        nowMs += wait;
        if (one.kind === "request") asked += one.requests.length;
        end.do({ ...one, nowMs } as SessionInput);
        expect(end.state.outstanding.length).toBeLessThanOrEqual(SETTINGS.windowMax);
        expect(end.state.unanswered.length).toBeLessThanOrEqual(SETTINGS.unansweredMax);
        const answered = end.events.filter(({ kind }) => kind === "answered").length;
        expect(answered + end.state.outstanding.length).toBe(asked);
      }
      expect(end.events.filter(({ kind }) => kind === "ended").length).toBe(end.state.phase === "closed" ? 1 : 0);
    }),
    { numRuns: 600 },
  );
});
