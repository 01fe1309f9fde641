import { describe, expect, test } from "vitest";
import { read, SDP, settingsOf } from "../../../test/fakes/sip-legs.ts";
import type { Dialog } from "./dialog.ts";
import { stepLeg } from "./leg.ts";
import { type LegCommand, type LegInput, type LegState, newCallee, newLeft } from "./leg-state.ts";
import type { SipMessage } from "./message.ts";
import { type RequestDraft, writeRequest, writeResponse } from "./write.ts";

const VIA = "SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bKedge";
const SOURCE = { address: "127.0.0.1", port: 5060 };

/** A request of the peer to a leg that we are called on. */
function requestOf(method: string, cseq: number, lines: string, body = ""): SipMessage {
  const from = "<sip:alice@127.0.0.1>;tag=alice";
  const to = `<sip:bob@127.0.0.2>${method === "INVITE" ? "" : ";tag=bob"}`;
  const contact = "Contact: <sip:alice@127.0.0.1>\r\n";
  const draft = { method, uri: "sip:bob@127.0.0.2", routes: [], from, to, callId: "call", cseq, body };
  return read(writeRequest({ ...draft, lines: `${contact}${lines}` }, VIA));
}

function answerTo(draft: RequestDraft, status: number, lines = ""): SipMessage {
  return read(writeResponse(read(writeRequest(draft, VIA)), SOURCE, { status, toTag: "them", lines }));
}

type Untimed = LegInput extends infer Input ? (Input extends LegInput ? Omit<Input, "nowMs"> : never) : never;

class Stepped {
  state: LegState;

  constructor(state: LegState) {
    this.state = state;
  }

  take(input: Untimed, nowMs = 0): readonly LegCommand[] {
    const [state, commands] = stepLeg(this.state, { ...input, nowMs } as LegInput);
    this.state = state;
    return commands;
  }

  /** The status of the response to a request in the dialog. */
  statusOf(message: SipMessage): number | undefined {
    const response = this.take({ kind: "request", ref: 7, message }).find(({ kind }) => kind === "respond");
    return response?.kind === "respond" ? response.draft.status : undefined;
  }
}

describe("PRACK", () => {
  const callee = (require = "Require: 100rel\r\n") =>
    new Stepped(newCallee(settingsOf("bob"), requestOf("INVITE", 5, require, SDP), "bob"));
  const prack = (rack: string) => requestOf("PRACK", 6, `RAck: ${rack}\r\n`);

  test("acknowledges the ringing of its INVITE", () => {
    const leg = callee();
    leg.take({ kind: "ring" });
    expect(leg.state.unpracked).toBeDefined();
    expect(leg.statusOf(prack("1 5 INVITE"))).toBe(200);
    expect(leg.state.unpracked).toBeUndefined();
  });

  test.each(["2 5 INVITE", "1 6 INVITE", "1 5 BYE", ""])("that names something else is refused: %s", (rack) => {
    const leg = callee();
    leg.take({ kind: "ring" });
    expect(leg.statusOf(prack(rack))).toBe(481);
    expect(leg.state.unpracked).toBeDefined();
  });

  test("before the ringing, or where it was not required, is refused", () => {
    expect(callee().statusOf(prack("1 5 INVITE"))).toBe(481);
    const leg = callee("");
    leg.take({ kind: "ring" });
    expect(leg.statusOf(prack("1 5 INVITE"))).toBe(481);
  });
});

describe("a session refresh", () => {
  const dialog: Dialog = {
    callId: "call",
    localTag: "us",
    remoteTag: "them",
    local: "<sip:us@127.0.0.1>;tag=us",
    remote: "<sip:them@127.0.0.2>;tag=them",
    localCseq: 1,
    remoteCseq: -1,
    target: "sip:them@127.0.0.2",
    routes: [],
  };

  /** A leg whose session is due for a refresh, and the request that refreshes it. */
  function refreshed(mayUpdate: boolean) {
    const session = { seconds: 1800, isRefresher: true, dueMs: 1000 };
    const leg = new Stepped({ ...newLeft(settingsOf("us"), dialog), session, mayUpdate, localSdp: SDP });
    expect(leg.take({ kind: "tick" }, 999)).toEqual([]);
    const [sent] = leg.take({ kind: "tick" }, 1000);
    if (sent?.kind !== "send") throw new Error("nothing was sent");
    return { leg, draft: sent.draft };
  }

  test("is an UPDATE without a body where the peer takes one", () => {
    const { leg, draft } = refreshed(true);
    expect(draft).toMatchObject({ method: "UPDATE", body: "" });
    expect(leg.take({ kind: "response", message: answerTo(draft, 200) })).toEqual([]);
    expect(leg.state.refresh).toBeUndefined();
  });

  test("is else a re-INVITE with our SDP, whose 200 is acknowledged", () => {
    const { leg, draft } = refreshed(false);
    expect(draft).toMatchObject({ method: "INVITE", body: SDP });
    expect(leg.take({ kind: "response", message: answerTo(draft, 180) })).toEqual([]);
    expect(leg.state.refresh).toBeDefined();
    expect(leg.take({ kind: "response", message: answerTo(draft, 200) })).toMatchObject([
      { kind: "acknowledge", draft: { method: "ACK", cseq: draft.cseq } },
    ]);
    expect(leg.state.refresh).toBeUndefined();
  });

  test.each([
    ["Session-Expires: 600;refresher=uac\r\n", 600],
    ["", 1800],
  ])("that is answered with %j agrees on %i s", (lines, seconds) => {
    const { leg, draft } = refreshed(true);
    leg.take({ kind: "response", message: answerTo(draft, 200, lines) });
    expect(leg.state.session?.seconds).toBe(seconds);
  });

  test.each([
    ["Min-SE: 3600\r\n", 3600],
    ["", 1800],
  ])("that is too short (%j) is sent again at once, for %i s", (lines, seconds) => {
    const { leg, draft } = refreshed(true);
    leg.take({ kind: "response", message: answerTo(draft, 422, lines) }, 2000);
    expect(leg.state.session).toMatchObject({ seconds, dueMs: 2000 });
  });

  test("that is refused is not acknowledged here", () => {
    const { leg, draft } = refreshed(false);
    expect(leg.take({ kind: "response", message: answerTo(draft, 300) })).toEqual([]);
  });

  test("is not settled by the response to another request", () => {
    const { leg, draft } = refreshed(true);
    leg.take({ kind: "response", message: answerTo({ ...draft, cseq: draft.cseq - 1 }, 200) });
    leg.take({ kind: "response", message: answerTo({ ...draft, method: "INVITE" }, 200) });
    expect(leg.state.refresh).toEqual({ method: "UPDATE", cseq: draft.cseq, isOffer: false });
  });

  test("that the peer does not know is a re-INVITE the next time", () => {
    const { leg, draft } = refreshed(true);
    leg.take({ kind: "response", message: answerTo(draft, 501) });
    expect(leg.state.mayUpdate).toBe(false);
    expect(leg.state.phase).toBe("up");
  });

  test.each([481, 408])("that is answered with %i ends the call", (status) => {
    const { leg, draft } = refreshed(true);
    const commands = leg.take({ kind: "response", message: answerTo(draft, status) });
    expect(commands).toMatchObject([
      { kind: "report", event: { kind: "ended", by: "timeout", status } },
      { kind: "send", draft: { method: "BYE" } },
    ]);
  });

  test("that crosses another is sent again later, and sooner by who was called", () => {
    for (const [role, waitMs] of [
      ["caller", 3000],
      ["callee", 1000],
    ] as const) {
      const { leg, draft } = refreshed(true);
      leg.state = { ...leg.state, role };
      leg.take({ kind: "response", message: answerTo(draft, 491) }, 2000);
      expect(leg.state.session?.dueMs).toBe(2000 + waitMs);
    }
  });
});
