import { expect, test } from "vitest";
import { read } from "../../../test/fakes/sip-legs.ts";
import type { SipMessage } from "./message.ts";
import {
  newRegistration,
  type Registration,
  type RegistrationCommand,
  type RegistrationInput,
  stepRegistration,
} from "./registration.ts";
import { NEVER_MS } from "./timers.ts";
import { type RequestDraft, writeRequest, writeResponse } from "./write.ts";

const CONTACT = "<sip:us@192.0.2.1:5060>";
const SETTINGS = {
  registrar: "sip:carrier.example",
  address: "sip:us@carrier.example",
  callId: "registration",
  tag: "us",
  expiresSeconds: 600,
};

function answerTo(draft: RequestDraft, status: number, lines = ""): SipMessage {
  const request = read(writeRequest(draft, "SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKreg"));
  return read(writeResponse(request, { address: "192.0.2.1", port: 5060 }, { status, toTag: "them", lines }));
}

type Untimed = RegistrationInput extends infer Input
  ? Input extends RegistrationInput
    ? Omit<Input, "nowMs">
    : never
  : never;

class Registering {
  state: Registration = newRegistration(SETTINGS);
  readonly sent: RequestDraft[] = [];
  readonly reports: RegistrationCommand[] = [];

  take(input: Untimed, nowMs = 0): void {
    const [state, commands] = stepRegistration(this.state, { ...input, nowMs } as RegistrationInput);
    this.state = state;
    for (const command of commands) {
      if (command.kind === "send") this.sent.push(command.draft);
      else this.reports.push(command);
    }
  }

  tick(nowMs = 0): void {
    this.take({ kind: "tick", contact: CONTACT }, nowMs);
  }

  /** The registrar answers the last REGISTER. */
  receive(status: number, lines = "", nowMs = 0): void {
    const draft = this.sent.at(-1);
    if (!draft) throw new Error("nothing was sent");
    this.take({ kind: "response", message: answerTo(draft, status, lines) }, nowMs);
  }
}

function registered(lines = ""): Registering {
  const one = new Registering();
  one.tick();
  one.receive(200, lines);
  return one;
}

test("a REGISTER asks for the interval of the settings, once", () => {
  const one = new Registering();
  expect(one.state.isUp).toBe(false);
  one.tick();
  one.tick(1_000_000);
  expect(one.sent).toMatchObject([{ method: "REGISTER", cseq: 1, lines: `Contact: ${CONTACT}\r\nExpires: 600\r\n` }]);
});

test("the registration is refreshed a minute before it expires", () => {
  const one = registered();
  expect(one.reports).toEqual([{ kind: "report", isUp: true, reason: "granted for 600 s" }]);
  one.tick(539_999);
  expect(one.sent).toHaveLength(1);
  one.tick(540_000);
  expect(one.sent.at(-1)).toMatchObject({ cseq: 2 });
});

test.each([
  ["the expires parameter of our Contact", `Contact: ${CONTACT};expires=120\r\nExpires: 300\r\n`, 120],
  ["Expires, where our Contact names no time", `Contact: ${CONTACT}\r\nExpires: 300\r\n`, 300],
  ["Expires, where only another Contact has a time", "Contact: <sip:b@192.0.2.2>;expires=90\r\nExpires: 300\r\n", 300],
  ["Expires, where our Contact has a time of zero", `Contact: ${CONTACT};expires=0\r\nExpires: 300\r\n`, 300],
  ["Expires, where the time of our Contact is no number", `Contact: ${CONTACT};expires=x\r\nExpires: 300\r\n`, 300],
  ["our Contact among others", `Contact: <sip:b@192.0.2.2>;expires=90, ${CONTACT};expires=120\r\n`, 120],
  ["what was asked for, where the response has neither", "", 600],
])("the interval is %s", (_, lines, seconds) => {
  expect(registered(lines).reports).toMatchObject([{ reason: `granted for ${seconds} s` }]);
});

test("responses that are provisional or to an earlier REGISTER change nothing", () => {
  const one = new Registering();
  one.tick();
  one.receive(199);
  expect(one.state.phase).toBe("asking");
  const [first] = one.sent;
  if (!first) throw new Error("nothing was sent");
  one.take({ kind: "authorize", line: "Authorization: x\r\n" });
  one.take({ kind: "response", message: answerTo(first, 200) });
  expect(one.state.phase).toBe("asking");
  one.receive(200);
  expect(one.state.phase).toBe("up");
  one.receive(403);
  expect(one.state.phase).toBe("up");
});

test("a redirection is a failure", () => {
  const one = new Registering();
  one.tick();
  one.receive(300);
  expect(one.reports).toMatchObject([{ isUp: false }]);
  expect(one.state).toMatchObject({ phase: "down", isUp: false });
});

test("a challenged REGISTER is sent again with credentials, and with the next CSeq", () => {
  const one = new Registering();
  one.take({ kind: "authorize", line: "Authorization: early\r\n" });
  expect(one.sent).toEqual([]);
  one.tick();
  one.take({ kind: "authorize", line: "Authorization: x\r\n" });
  expect(one.sent.at(-1)).toMatchObject({
    cseq: 2,
    lines: `Contact: ${CONTACT}\r\nExpires: 600\r\nAuthorization: x\r\n`,
  });
});

test("a longer interval that the registrar requires is asked for at once", () => {
  const one = new Registering();
  one.tick();
  one.receive(423, "Min-Expires: 3600\r\n");
  expect(one.sent.at(-1)).toMatchObject({ cseq: 2, lines: `Contact: ${CONTACT}\r\nExpires: 3600\r\n` });
});

test.each([
  [423, "Min-Expires: 600\r\n"],
  [423, ""],
  [403, "Min-Expires: 3600\r\n"],
])("a %i with %j is a failure", (status, lines) => {
  const one = new Registering();
  one.tick();
  one.receive(status, lines);
  expect(one.sent).toHaveLength(1);
  expect(one.reports).toMatchObject([{ isUp: false }]);
});

test("after failures the REGISTER is sent again, each time later, and not before Retry-After", () => {
  const one = new Registering();
  one.tick();
  one.take({ kind: "unanswered", status: 408 });
  expect(one.reports).toEqual([{ kind: "report", isUp: false, reason: "no answer (408)" }]);
  expect(one.state.dueMs).toBe(5000);
  one.tick(5000);
  one.receive(503, "", 5000);
  expect(one.state.dueMs).toBe(15_000);
  one.tick(15_000);
  one.receive(503, "Retry-After: 120 (maintenance)\r\n", 15_000);
  expect(one.state.dueMs).toBe(135_000);
});

test("silence counts only while a REGISTER is pending", () => {
  const one = registered();
  one.take({ kind: "unanswered", status: 408 });
  expect(one.state).toMatchObject({ phase: "up", isUp: true });
});

test("leaving removes the Contact, and any end of that is the end", () => {
  const ends: readonly ((one: Registering) => void)[] = [
    (one) => one.receive(200),
    (one) => one.receive(403),
    (one) => one.take({ kind: "unanswered", status: 408 }),
  ];
  for (const end of ends) {
    const one = registered();
    one.take({ kind: "leave" });
    expect(one.sent.at(-1)).toMatchObject({ cseq: 2, lines: `Contact: ${CONTACT}\r\nExpires: 0\r\n` });
    one.tick(NEVER_MS);
    expect(one.sent).toHaveLength(2);
    one.take({ kind: "authorize", line: "Authorization: x\r\n" });
    expect(one.sent.at(-1)).toMatchObject({
      cseq: 3,
      lines: `Contact: ${CONTACT}\r\nExpires: 0\r\nAuthorization: x\r\n`,
    });
    end(one);
    expect(one.state).toMatchObject({ phase: "gone", isUp: false });
    one.tick(NEVER_MS);
    expect(one.sent).toHaveLength(3);
  }
});

test("who is not registered leaves without a word", () => {
  const one = new Registering();
  one.take({ kind: "leave" });
  expect(one.sent).toEqual([]);
  expect(one.state.phase).toBe("gone");
});
