import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ClientCommand,
  type ClientInput,
  type ClientTransaction,
  clientTickMs,
  newClientTransaction,
  stepClient,
} from "./client-transaction.ts";
import {
  newServerTransaction,
  type ServerCommand,
  type ServerInput,
  type ServerTransaction,
  serverTickMs,
  stepServer,
} from "./server-transaction.ts";
import { SIP_TIMERS } from "./timers.ts";

type Timed<Input> = Input extends unknown ? Omit<Input, "nowMs"> : never;

/** A machine with a clock; `log` holds its commands with their times. */
class Run<State, Input, Command> {
  state: State;
  nowMs = 0;
  readonly log: (readonly [number, Command])[] = [];
  readonly #step: (state: State, input: Input) => readonly [State, readonly Command[]];
  readonly #tickMs: (state: State) => number;

  constructor(
    state: State,
    step: (state: State, input: Input) => readonly [State, readonly Command[]],
    tickMs: (state: State) => number,
  ) {
    this.state = state;
    this.#step = step;
    this.#tickMs = tickMs;
  }

  take(input: Timed<Input>): readonly Command[] {
    const [state, commands] = this.#step(this.state, { ...input, nowMs: this.nowMs } as Input);
    this.state = state;
    for (const command of commands) this.log.push([this.nowMs, command]);
    return commands;
  }

  pass(ms: number): void {
    const endMs = this.nowMs + ms;
    let ticks = 0;
    for (let dueMs = this.#tickMs(this.state); dueMs <= endMs; dueMs = this.#tickMs(this.state)) {
      this.nowMs = Math.max(this.nowMs, dueMs);
      this.take({ kind: "tick" } as unknown as Timed<Input>);
      if (++ticks > 1000) throw new Error("a timer does not end");
    }
    this.nowMs = endMs;
  }

  times(command: Command): readonly number[] {
    return this.log.flatMap(([ms, one]) => (one === command ? [ms] : []));
  }
}

const client = (isInvite: boolean, isReliable = false) =>
  new Run<ClientTransaction, ClientInput, ClientCommand>(
    newClientTransaction(isInvite, isReliable, 0, SIP_TIMERS),
    stepClient,
    clientTickMs,
  );
const server = (isInvite: boolean, isReliable = false) =>
  new Run<ServerTransaction, ServerInput, ServerCommand>(
    newServerTransaction(isInvite, isReliable, SIP_TIMERS),
    stepServer,
    serverTickMs,
  );

test("an INVITE is sent again after 0.5, 1.5, 3.5 … s and given up after 32 s (timers A and B)", () => {
  const run = client(true);
  run.pass(100_000);
  expect(run.times("resend")).toEqual([500, 1500, 3500, 7500, 15_500, 31_500]);
  expect(run.log.slice(-2)).toEqual([
    [32_000, "timedOut"],
    [32_000, "terminated"],
  ]);
});

test("another request is sent again at most every 4 s (timers E and F)", () => {
  const run = client(false);
  run.pass(100_000);
  expect(run.times("resend")).toEqual([500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]);
  expect(run.times("timedOut")).toEqual([32_000]);
});

test("over a reliable transport nothing is sent again", () => {
  for (const isInvite of [true, false]) {
    const run = client(isInvite, true);
    run.pass(100_000);
    expect(run.log.map(([, command]) => command)).toEqual(["timedOut", "terminated"]);
  }
});

test("a provisional response stops the INVITE's retransmissions and its timeout", () => {
  const run = client(true);
  run.take({ kind: "response", status: 100 });
  run.pass(1_000_000);
  expect(run.log).toEqual([[0, "deliver"]]);
});

test("a refusal is delivered once, acknowledged every time, and forgotten after 32 s (timer D)", () => {
  const run = client(true);
  expect(run.take({ kind: "response", status: 486 })).toEqual(["acknowledge", "deliver"]);
  expect(run.take({ kind: "response", status: 486 })).toEqual(["acknowledge"]);
  run.pass(32_000);
  expect(run.times("terminated")).toEqual([32_000]);
  expect(run.take({ kind: "response", status: 486 })).toEqual([]);
});

test.each([300, 699])("an INVITE that is refused with %i is acknowledged", (status) => {
  expect(client(true).take({ kind: "response", status })).toEqual(["acknowledge", "deliver"]);
});

test("every 2xx goes up for 32 s (timer M)", () => {
  const run = client(true);
  run.take({ kind: "response", status: 200 });
  expect(run.take({ kind: "response", status: 200 })).toEqual(["deliver"]);
  run.pass(32_000);
  expect(run.state.phase).toBe("terminated");
});

test("a transport that fails is reported once", () => {
  const run = client(false);
  expect(run.take({ kind: "transportFault" })).toEqual(["unreachable", "terminated"]);
  expect(run.take({ kind: "transportFault" })).toEqual([]);
  const refused = client(true);
  refused.take({ kind: "response", status: 486 });
  expect(refused.take({ kind: "transportFault" })).toEqual(["terminated"]);
});

test.each([undefined, 100, 200, 486])("a request that is given up after %s ends only if it is open", (status) => {
  const run = client(true);
  if (status !== undefined) run.take({ kind: "response", status });
  const isOpen = status === undefined || status === 100;
  expect(run.take({ kind: "abandon" })).toEqual(isOpen ? ["terminated"] : []);
});

test("a refused INVITE is repeated until its ACK, with at most 4 s between (timers G and H)", () => {
  const run = server(true);
  run.take({ kind: "respond", status: 404 });
  run.pass(8000);
  expect(run.times("resend")).toEqual([500, 1500, 3500, 7500]);
  run.take({ kind: "ack" });
  run.pass(100_000);
  expect(run.times("resend")).toHaveLength(4);
  expect(run.times("terminated")).toEqual([13_000]);
  const unheard = server(true);
  unheard.take({ kind: "respond", status: 404 });
  unheard.pass(100_000);
  expect(unheard.times("terminated")).toEqual([32_000]);
});

test("a request that comes again gets the last response again", () => {
  const run = server(false);
  expect(run.take({ kind: "request" })).toEqual([]);
  run.take({ kind: "respond", status: 200 });
  expect(run.take({ kind: "request" })).toEqual(["resend"]);
  expect(run.take({ kind: "respond", status: 500 })).toEqual([]);
  run.pass(32_000);
  expect(run.times("terminated")).toEqual([32_000]);
});

test("after a 2xx the ACK goes up, and repeated INVITEs are soaked up", () => {
  const run = server(true);
  run.take({ kind: "respond", status: 200 });
  expect(run.take({ kind: "request" })).toEqual([]);
  expect(run.take({ kind: "respond", status: 200 })).toEqual(["send"]);
  expect(run.take({ kind: "ack" })).toEqual(["deliverAck"]);
});

test("every client transaction ends: one final response or one failure, whatever comes in between", () => {
  const input = fc.oneof(
    fc.record({ kind: fc.constant("response" as const), status: fc.integer({ min: 100, max: 699 }) }),
    fc.constant({ kind: "transportFault" as const }),
    fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
  );
  fc.assert(
    fc.property(fc.boolean(), fc.boolean(), fc.array(input, { maxLength: 20 }), (isInvite, isReliable, inputs) => {
      const run = client(isInvite, isReliable);
      let finals = 0;
      for (const one of inputs) {
        if (one.kind === "pass") run.pass(one.ms);
        else {
          const commands = run.take(one);
          const isFinal = one.kind === "response" && one.status >= 200 && commands.includes("deliver");
          if (isFinal && run.state.phase !== "accepted") finals++;
        }
      }
      if (run.state.phase !== "proceeding") {
        run.pass(200_000);
        expect(run.state.phase).toBe("terminated");
        expect(run.times("terminated")).toHaveLength(1);
      }
      expect(finals + run.times("timedOut").length + run.times("unreachable").length).toBeLessThanOrEqual(1);
    }),
  );
});

test("an ACK means something only to an INVITE that was answered", () => {
  for (const isInvite of [true, false]) {
    const proceeding = newServerTransaction(isInvite, false, SIP_TIMERS);
    expect(stepServer(proceeding, { kind: "ack", nowMs: 0 })).toEqual([proceeding, []]);
  }
  const [refusedInvite] = stepServer(newServerTransaction(true, false, SIP_TIMERS), {
    kind: "respond",
    status: 404,
    nowMs: 0,
  });
  const confirmed = { phase: "confirmed", deadlineMs: 5010 };
  expect(stepServer(refusedInvite, { kind: "ack", nowMs: 10 })).toMatchObject([confirmed, []]);
  const [answeredBye] = stepServer(newServerTransaction(false, false, SIP_TIMERS), {
    kind: "respond",
    status: 200,
    nowMs: 0,
  });
  expect(stepServer(answeredBye, { kind: "ack", nowMs: 10 })).toEqual([answeredBye, []]);
});
