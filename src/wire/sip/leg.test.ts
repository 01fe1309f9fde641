import fc from "fast-check";
import { expect, test } from "vitest";
import { answerTo, callUp, inviteDraft, read, SDP, settingsOf, TestLeg, talk } from "../../../test/fakes/sip-legs.ts";
import { headerOf, type SipMessage } from "./message.ts";

const OTHER_SDP = SDP.replace("m=audio 4000", "m=audio 6000");

test("a call rings, is answered, acknowledged and ended by BYE", () => {
  const { alice, bob } = callUp();
  expect(alice.kinds()).toEqual(["ringing", "answered"]);
  expect(bob.kinds()).toEqual(["confirmed"]);
  expect(alice.events).toContainEqual({ kind: "answered", sdp: SDP });
  bob.take({ kind: "hangUp", reason: "done" });
  talk(bob, alice);
  expect(bob.events.at(-1)).toMatchObject({ kind: "ended", by: "us" });
  expect(alice.events.at(-1)).toMatchObject({ kind: "ended", by: "peer" });
  expect([alice.isOver, bob.isOver]).toEqual([true, true]);
});

test("a CANCEL waits for the first provisional response", () => {
  const alice = TestLeg.caller();
  const invite = alice.out();
  alice.take({ kind: "hangUp", reason: undefined });
  expect(alice.sent).toEqual([]);
  expect(alice.events.at(-1)).toMatchObject({ kind: "ended", by: "us" });
  alice.receive(answerTo(invite, 180, "bob"));
  expect(alice.out()).toMatchObject({ method: "CANCEL", cseq: 1 });
  alice.receive(answerTo(invite, 487, "bob"));
  expect(alice.isOver).toBe(true);
  expect(alice.kinds()).toEqual(["ended"]);
});

test("a CANCEL in ringing ends the callee by 487", () => {
  const alice = TestLeg.caller();
  const bob = TestLeg.callee(alice.out());
  bob.take({ kind: "ring" });
  talk(alice, bob);
  alice.take({ kind: "hangUp", reason: undefined });
  talk(alice, bob);
  expect(bob.kinds()).toEqual(["canceled"]);
  expect([alice.isOver, bob.isOver]).toEqual([true, true]);
});

test("a 200 that crosses our CANCEL is acknowledged and ended", () => {
  const alice = TestLeg.caller();
  const invite = alice.out();
  alice.receive(answerTo(invite, 180, "bob"));
  alice.take({ kind: "hangUp", reason: undefined });
  expect(alice.out().method).toBe("CANCEL");
  alice.receive(answerTo(invite, 200, "bob", "Contact: <sip:bob@127.0.0.2>\r\n", SDP));
  expect(alice.out()).toMatchObject({ method: "ACK", cseq: 1, toTag: "bob" });
  const bye = alice.out();
  expect(bye).toMatchObject({ method: "BYE", cseq: 2, uri: "sip:bob@127.0.0.2" });
  alice.receive(answerTo(bye, 200, "bob"));
  expect(alice.isOver).toBe(true);
  expect(alice.kinds()).toEqual(["ringing", "ended"]);
});

test("BYE from both sides at once ends both legs, each reported once", () => {
  const { alice, bob } = callUp();
  alice.take({ kind: "hangUp", reason: undefined });
  bob.take({ kind: "hangUp", reason: undefined });
  talk(alice, bob);
  expect([alice.isOver, bob.isOver]).toEqual([true, true]);
  expect(alice.kinds().filter((kind) => kind === "ended")).toHaveLength(1);
  expect(bob.kinds().filter((kind) => kind === "ended")).toHaveLength(1);
});

test("of several forks that answer one is kept and the others are acknowledged and ended", () => {
  const alice = TestLeg.caller();
  const invite = alice.out();
  alice.receive(answerTo(invite, 180, "one"));
  alice.receive(answerTo(invite, 183, "two", "", SDP));
  alice.receive(answerTo(invite, 180, "three"));
  expect(alice.events.map((event) => "status" in event && event.status)).toEqual([180, 183]);
  alice.receive(answerTo(invite, 200, "two", "Contact: <sip:two@127.0.0.2>\r\n", SDP));
  alice.receive(answerTo(invite, 200, "three", "Contact: <sip:three@127.0.0.3>\r\n", SDP));
  alice.receive(answerTo(invite, 200, "three", "Contact: <sip:three@127.0.0.3>\r\n", SDP));
  expect(alice.sent.map(({ method, toTag }) => [method, toTag])).toEqual([
    ["ACK", "two"],
    ["ACK", "three"],
    ["BYE", "three"],
    ["ACK", "three"],
  ]);
  expect(alice.kinds()).toEqual(["ringing", "ringing", "answered"]);
});

test("a repeated 200 is acknowledged again, also after the call has ended", () => {
  const { alice, bob } = callUp();
  const answer = answerTo(read(bob.state.request?.text ?? ""), 200, "bob", "Contact: <sip:bob@127.0.0.2>\r\n", SDP);
  alice.receive(answer);
  expect(alice.out()).toMatchObject({ method: "ACK", toTag: "bob" });
  bob.take({ kind: "hangUp", reason: undefined });
  talk(alice, bob);
  alice.receive(answer);
  expect(alice.out().method).toBe("ACK");
});

test("a 200 is repeated until its ACK, and the call is given up after 64 T1", () => {
  const alice = TestLeg.caller();
  const bob = TestLeg.callee(alice.out());
  bob.take({ kind: "answer", sdp: SDP });
  bob.pass(31_999);
  expect(bob.sent.filter(({ status }) => status === 200)).toHaveLength(11);
  bob.pass(1);
  expect(bob.events.at(-1)).toMatchObject({ kind: "ended", by: "timeout", status: 408, reason: "no ACK" });
  expect(bob.sent.at(-1)?.method).toBe("BYE");
});

test("a callee that hangs up before the ACK sends its BYE after it", () => {
  const alice = TestLeg.caller();
  const bob = TestLeg.callee(alice.out());
  bob.take({ kind: "answer", sdp: SDP });
  bob.take({ kind: "hangUp", reason: undefined });
  expect(bob.sent.map(({ status }) => status)).toEqual([200]);
  talk(alice, bob);
  expect(bob.kinds()).toEqual(["ended"]);
  expect([alice.isOver, bob.isOver]).toEqual([true, true]);
});

test("a reliable 180 is repeated until PRACK, and both sides agree on it", () => {
  const alice = TestLeg.caller(inviteDraft({ lines: "Require: 100rel\r\n" }));
  const bob = TestLeg.callee(alice.out());
  bob.take({ kind: "ring" });
  bob.pass(500);
  expect(bob.sent.map((message) => headerOf(message, "rseq"))).toEqual(["1", "1"]);
  alice.receive(bob.out());
  const prack = alice.out();
  expect([prack.method, headerOf(prack, "rack")]).toEqual(["PRACK", "1 1 INVITE"]);
  alice.receive(bob.out());
  expect(alice.sent).toEqual([]);
  bob.receive(prack);
  expect(bob.out()).toMatchObject({ status: 200, method: "PRACK" });
  bob.pass(60_000);
  expect(bob.sent).toEqual([]);
  bob.take({ kind: "answer", sdp: SDP });
  talk(alice, bob);
  expect(alice.kinds()).toEqual(["ringing", "answered"]);
  expect(alice.state.dialog?.localCseq).toBe(2);
});

test("a PRACK that comes after the 200 is answered", () => {
  const alice = TestLeg.caller(inviteDraft({ lines: "Require: 100rel\r\n" }));
  const bob = TestLeg.callee(alice.out());
  bob.take({ kind: "ring" });
  bob.take({ kind: "answer", sdp: SDP });
  talk(alice, bob);
  expect(bob.kinds()).toEqual(["confirmed"]);
  bob.receive(reinvite(alice, 7, "", "PRACK", "RAck: 2 1 INVITE\r\n"));
  expect(bob.out().status).toBe(481);
  expect([alice.state.phase, bob.state.phase]).toEqual(["up", "up"]);
});

test("a re-INVITE that is canceled gets 487, and the call goes on", () => {
  const { alice, bob } = callUp();
  alice.receive(reinvite(bob, 1));
  alice.take({ kind: "cancel" });
  expect(alice.out()).toMatchObject({ status: 487, method: "INVITE" });
  alice.take({ kind: "answerOffer", sdp: SDP });
  expect(alice.sent).toEqual([]);
  expect(alice.state.phase).toBe("up");
});

test("without a PRACK the INVITE is refused", () => {
  const alice = TestLeg.caller(inviteDraft({ lines: "Require: 100rel\r\n" }));
  const bob = TestLeg.callee(alice.out());
  bob.take({ kind: "ring" });
  bob.pass(32_000);
  expect(bob.events.at(-1)).toMatchObject({ kind: "ended", by: "timeout", status: 504 });
  expect(bob.sent.at(-1)?.status).toBe(504);
});

test("the SDP of a reliable 183 counts where the 200 has none", () => {
  const alice = TestLeg.caller();
  const invite = alice.out();
  alice.receive(answerTo(invite, 183, "bob", "Require: 100rel\r\nRSeq: 7\r\nContact: <sip:bob@127.0.0.2>\r\n", SDP));
  expect(headerOf(alice.out(), "rack")).toBe("7 1 INVITE");
  alice.receive(answerTo(invite, 200, "bob", "Contact: <sip:bob@127.0.0.2>\r\n"));
  expect(alice.events).toContainEqual({ kind: "answered", sdp: SDP });
});

test("an INVITE without an SDP is answered by our offer, and the ACK brings the answer", () => {
  const alice = TestLeg.caller(inviteDraft({ body: "", contentType: "" }));
  const bob = TestLeg.callee(alice.out());
  bob.take({ kind: "answer", sdp: SDP });
  alice.receive(bob.out());
  const ack = alice.out();
  bob.receive(read(ack.text.replace("Content-Length: 0\r\n\r\n", `Content-Type: application/sdp\r\n\r\n${OTHER_SDP}`)));
  expect(bob.events).toContainEqual({ kind: "confirmed", sdp: OTHER_SDP });
});

function reinvite(from: TestLeg, cseq: number, body = OTHER_SDP, method = "INVITE", lines = ""): SipMessage {
  const dialog = from.state.dialog;
  const head =
    `${method} sip:x@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKr${cseq}${method}\r\n` +
    `From: ${dialog?.local}\r\nTo: ${dialog?.remote}\r\nCall-ID: ${dialog?.callId}\r\nCSeq: ${cseq} ${method}\r\n` +
    `Contact: <sip:moved@127.0.0.9>\r\n${lines}`;
  return read(body === "" ? `${head}\r\n` : `${head}Content-Type: application/sdp\r\n\r\n${body}`);
}

test("a re-INVITE is answered, moves the target, and one offer is dealt with at a time", () => {
  const { alice, bob } = callUp();
  alice.receive(reinvite(bob, 1));
  expect(alice.events).toContainEqual({ kind: "offered", sdp: OTHER_SDP });
  alice.receive(reinvite(bob, 2, SDP, "UPDATE"));
  expect(alice.out()).toMatchObject({ status: 500, method: "UPDATE" });
  alice.take({ kind: "answerOffer", sdp: SDP });
  expect(alice.out()).toMatchObject({ status: 200, method: "INVITE", body: SDP });
  alice.pass(500);
  expect(alice.out()).toMatchObject({ status: 200, method: "INVITE" });
  alice.receive(reinvite(bob, 3));
  expect(alice.out()).toMatchObject({ status: 500, method: "INVITE" });
  alice.receive(reinvite(bob, 1, "", "ACK"));
  alice.pass(60_000);
  expect(alice.sent).toEqual([]);
  expect(alice.kinds()).not.toContain("renegotiated");
  alice.take({ kind: "hangUp", reason: undefined });
  expect(alice.out()).toMatchObject({ method: "BYE", uri: "sip:moved@127.0.0.9" });
});

test("a re-INVITE without an SDP gets our offer, and its ACK renegotiates", () => {
  const { alice, bob } = callUp();
  alice.receive(reinvite(bob, 1, ""));
  expect(alice.events).toContainEqual({ kind: "offered", sdp: undefined });
  alice.take({ kind: "answerOffer", sdp: SDP });
  alice.receive(reinvite(bob, 1, OTHER_SDP, "ACK"));
  expect(alice.events.at(-1)).toEqual({ kind: "renegotiated", sdp: OTHER_SDP });
});

test("requests of a callee that has only rung are taken in order, and no re-INVITE among them", () => {
  const alice = TestLeg.caller();
  alice.receive(answerTo(alice.out(), 180, "bob", "Contact: <sip:bob@127.0.0.2>\r\n"));
  const dialog = alice.state.early[0]?.dialog;
  const bob = new TestLeg({
    ...alice.state,
    dialog: dialog && { ...dialog, local: dialog.remote, remote: dialog.local },
  });
  alice.receive(reinvite(bob, 5, "", "INFO"));
  expect(alice.out().status).toBe(200);
  alice.receive(reinvite(bob, 5, "", "INFO"));
  expect(alice.out().status).toBe(500);
  alice.receive(reinvite(bob, 6));
  expect(alice.out().status).toBe(491);
  alice.receive(reinvite(bob, 7, OTHER_SDP, "UPDATE"));
  expect(alice.events.at(-1)).toEqual({ kind: "offered", sdp: OTHER_SDP });
});

test("while a call ends, and after it, offers are refused with 481", () => {
  const { alice, bob } = callUp();
  alice.take({ kind: "hangUp", reason: undefined });
  const bye = alice.out();
  for (const isOver of [false, true]) {
    expect(alice.isOver).toBe(isOver);
    alice.receive(reinvite(bob, isOver ? 2 : 1));
    expect(alice.out().status).toBe(481);
    alice.receive(answerTo(bye, 200, "bob"));
  }
});

test("the silence of an INVITE that was answered does not end the BYE", () => {
  const { alice } = callUp();
  alice.take({ kind: "hangUp", reason: undefined });
  const bye = alice.out();
  alice.take({ kind: "unanswered", method: "INVITE", cseq: 1, status: 408 });
  alice.receive(answerTo(bye, 100, "bob"));
  expect(alice.isOver).toBe(false);
  alice.take({ kind: "unanswered", method: "BYE", cseq: bye.cseq, status: 408 });
  expect(alice.isOver).toBe(true);
});

test("an offer that is not taken is refused by 488, and the call goes on", () => {
  const { alice, bob } = callUp();
  alice.receive(reinvite(bob, 1));
  alice.take({ kind: "answerOffer", sdp: undefined });
  expect(alice.out().status).toBe(488);
  expect(alice.state.phase).toBe("up");
});

test("an UPDATE without an SDP refreshes the session at once", () => {
  const { alice, bob } = callUp();
  alice.receive(reinvite(bob, 1, "", "UPDATE", "Supported: timer\r\nSession-Expires: 90;refresher=uac\r\n"));
  const response = alice.out();
  expect([response.status, headerOf(response, "session-expires")]).toEqual([200, "90;refresher=uac"]);
  alice.pass(90_000 - 30_000);
  expect(alice.events.at(-1)).toMatchObject({ kind: "ended", by: "timeout", reason: "the session was not refreshed" });
});

test("the refresher sends UPDATE after half of the interval, and the session lives on", () => {
  const { alice, bob } = callUp();
  // Bob's 200 made Alice, the caller, the refresher.
  expect(alice.state.session).toMatchObject({ seconds: 1800, isRefresher: true });
  for (let round = 0; round < 5; round++) {
    alice.pass(900_000);
    bob.pass(900_000);
    expect(alice.sent.map(({ method }) => method)).toEqual(["UPDATE"]);
    talk(alice, bob);
  }
  expect([alice.state.phase, bob.state.phase]).toEqual(["up", "up"]);
});

test("a re-INVITE against our own gets 491; ours is sent again after theirs", () => {
  const { alice, bob } = callUp();
  alice.state = { ...alice.state, mayUpdate: false };
  alice.pass(900_000);
  const ours = alice.out();
  expect(ours).toMatchObject({ method: "INVITE", body: SDP });
  alice.receive(reinvite(bob, 1));
  expect(alice.out().status).toBe(491);
  alice.receive(answerTo(ours, 491, "bob"));
  alice.pass(3000);
  expect(alice.out()).toMatchObject({ method: "INVITE", cseq: ours.cseq + 1 });
});

test("a refresh that is answered by 481 ends the call", () => {
  const { alice } = callUp();
  alice.pass(900_000);
  alice.receive(answerTo(alice.out(), 481, "bob"));
  expect(alice.events.at(-1)).toMatchObject({ kind: "ended", by: "timeout", status: 481 });
});

test("422 makes the INVITE ask for the longer interval", () => {
  const alice = TestLeg.caller();
  alice.receive(answerTo(alice.out(), 422, "bob", "Min-SE: 3600\r\n"));
  const again = alice.out();
  expect([again.cseq, headerOf(again, "session-expires")]).toEqual([2, "3600"]);
});

test("422 without a longer interval is a refusal, as 300 is", () => {
  for (const status of [422, 300]) {
    const alice = TestLeg.caller();
    alice.receive(answerTo(alice.out(), status, "bob"));
    expect(alice.sent).toEqual([]);
    expect(alice.events).toMatchObject([{ kind: "failed", status }]);
    expect(alice.isOver).toBe(true);
  }
});

test("reliable responses are acknowledged in the order of their numbers", () => {
  const alice = TestLeg.caller();
  const invite = alice.out();
  const reliable = (rseq: number) => answerTo(invite, 183, "bob", `Require: 100rel\r\nRSeq: ${rseq}\r\n`);
  alice.receive(reliable(7));
  alice.receive(reliable(9));
  alice.receive(reliable(8));
  alice.receive(reliable(9));
  const racks = alice.sent.map((message) => `${message.cseq} ${headerOf(message, "rack")}`);
  expect(racks).toEqual(["2 7 1 INVITE", "3 8 1 INVITE", "4 9 1 INVITE"]);
});

test("a provisional response that claims to be reliable with RSeq 0 gets no PRACK", () => {
  const alice = TestLeg.caller();
  alice.receive(answerTo(alice.out(), 180, "bob", "Require: 100rel\r\nRSeq: 0\r\n"));
  expect(alice.sent).toEqual([]);
});

test("an unreliable response in between does not make a repeated reliable one new", () => {
  const alice = TestLeg.caller();
  const invite = alice.out();
  const reliable = answerTo(invite, 183, "bob", "Require: 100rel\r\nRSeq: 7\r\n");
  alice.receive(reliable);
  expect(alice.out().method).toBe("PRACK");
  alice.receive(answerTo(invite, 180, "bob"));
  alice.receive(reliable);
  expect(alice.sent).toEqual([]);
});

test("an INVITE is sent anew four times at most", () => {
  const alice = TestLeg.caller();
  for (let cseq = 1; cseq <= 4; cseq++) {
    alice.receive(answerTo(alice.out(), 422, "bob", "Min-SE: 3600\r\n"));
    expect(alice.sent).toMatchObject([{ method: "INVITE", cseq: cseq + 1 }]);
  }
  alice.receive(answerTo(alice.out(), 422, "bob", "Min-SE: 3600\r\n"));
  expect(alice.sent).toEqual([]);
  expect(alice.kinds()).toEqual(["failed"]);
});

test("the ACK has the CSeq of the INVITE that was answered", () => {
  const alice = TestLeg.caller();
  alice.receive(answerTo(alice.out(), 422, "bob", "Min-SE: 3600\r\n"));
  alice.receive(answerTo(alice.out(), 200, "bob", "Contact: <sip:bob@127.0.0.2>\r\n", SDP));
  expect(alice.out()).toMatchObject({ method: "ACK", cseq: 2 });
});

test("only a challenged BYE that is pending is sent again with credentials", () => {
  const { alice } = callUp();
  const line = "Authorization: x\r\n";
  alice.take({ kind: "authorize", method: "BYE", cseq: 1, line });
  expect(alice.sent).toEqual([]);
  alice.take({ kind: "hangUp", reason: undefined });
  const bye = alice.out();
  alice.take({ kind: "authorize", method: "INFO", cseq: bye.cseq, line });
  alice.take({ kind: "authorize", method: "BYE", cseq: bye.cseq - 1, line });
  expect(alice.sent).toEqual([]);
  alice.take({ kind: "authorize", method: "BYE", cseq: bye.cseq, line });
  const again = alice.out();
  expect([again.method, again.cseq, headerOf(again, "authorization")]).toEqual(["BYE", bye.cseq + 1, "x"]);
});

test("an offer of ours goes out in a re-INVITE with our new Contact, and again when it crossed the peer's", () => {
  const { alice, bob } = callUp();
  const contact = "<sip:alice@127.0.0.9:5060>";
  alice.take({ kind: "reoffer", sdp: OTHER_SDP, contact });
  const offer = alice.out();
  expect([offer.method, offer.body, headerOf(offer, "contact")]).toEqual(["INVITE", OTHER_SDP, contact]);
  alice.receive(answerTo(offer, 491, "bob"));
  alice.pass(2999);
  expect(alice.sent).toEqual([]);
  alice.pass(1);
  const [again] = alice.sent;
  expect(again?.body).toBe(OTHER_SDP);
  talk(alice, bob);
  expect(bob.events.at(-1)).toEqual({ kind: "offered", sdp: OTHER_SDP });
  bob.take({ kind: "answerOffer", sdp: SDP });
  talk(alice, bob);
  expect(alice.events.at(-1)).toEqual({ kind: "renegotiated", sdp: SDP });
  expect(bob.state.dialog?.target).toBe("sip:alice@127.0.0.9:5060");
});

test("digits come and go by INFO", () => {
  const { alice, bob } = callUp();
  alice.take({ kind: "sendDigit", digit: "5", ms: 120 });
  talk(alice, bob);
  expect(bob.events.at(-1)).toEqual({ kind: "digit", digit: "5", ms: 120 });
  expect(bob.state.phase).toBe("up");
});

test("methods that we do not take are refused inside a call without ending it", () => {
  const { alice, bob } = callUp();
  bob.receive(reinvite(alice, 8, "", "REFER"));
  const declined = bob.out();
  expect([declined.status, headerOf(declined, "reason")]).toEqual([
    603,
    expect.stringContaining("SIP;cause=603;text="),
  ]);
  bob.receive(reinvite(alice, 9, "", "MESSAGE"));
  expect(bob.out().status).toBe(405);
  bob.receive(reinvite(alice, 9, "", "MESSAGE"));
  expect(bob.out().status).toBe(500);
  bob.receive(reinvite(alice, 10, "<xml/>", "INFO"));
  expect(bob.out().status).toBe(415);
  bob.receive(reinvite(alice, 11, "", "INFO"));
  expect(bob.out().status).toBe(200);
  expect(bob.state.phase).toBe("up");
});

test("requests follow the recorded route, loosely or strictly", () => {
  const routed = (parameter: string) => {
    const alice = TestLeg.caller();
    const lines = `Contact: <sip:bob@127.0.0.2>\r\nRecord-Route: <sip:two@127.0.0.8${parameter}>, <sip:one@127.0.0.7${parameter}>\r\n`;
    alice.receive(
      answerTo(
        read(alice.out().text.replace("\r\nMax-", `\r\n${lines.split("\r\n")[1]}\r\nMax-`)),
        200,
        "bob",
        lines,
        SDP,
      ),
    );
    return alice.out();
  };
  const loose = routed(";lr");
  expect(loose.uri).toBe("sip:bob@127.0.0.2");
  expect(headerOf(loose, "route")).toBe("<sip:one@127.0.0.7;lr>");
  const strict = routed("");
  expect(strict.uri).toBe("sip:one@127.0.0.7");
  expect(strict.headers.filter((_, at, all) => all[at - 1] === "route").at(-1)).toBe("<sip:bob@127.0.0.2>");
});

test("whatever happens in whatever order, the end is reported at most once and nothing is reported after it", () => {
  const deed = fc.constantFrom(
    "talk",
    "lose",
    "ring",
    "answer",
    "reject",
    "hangUpA",
    "hangUpB",
    "reofferA",
    "answerOffer",
    "digit",
    "pass",
    "long",
  );
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 25 }), (deeds) => {
      const alice = TestLeg.caller(inviteDraft(), settingsOf("alice"));
      const bob = TestLeg.callee(alice.out());
      for (const [at, kind] of deeds.entries()) {
        if (kind === "talk") talk(alice, bob);
        else if (kind === "lose") talk(alice, bob, ({ cseq }) => (cseq + at) % 2 === 0);
        else if (kind === "ring") bob.take({ kind: "ring" });
        else if (kind === "answer") bob.take({ kind: "answer", sdp: SDP });
        else if (kind === "reject") bob.take({ kind: "reject", status: 486, lines: "" });
        else if (kind === "hangUpA") alice.take({ kind: "hangUp", reason: undefined });
        else if (kind === "hangUpB") bob.take({ kind: "hangUp", reason: undefined });
        else if (kind === "reofferA" && bob.state.dialog) alice.receive(reinvite(bob, at + 2));
        else if (kind === "answerOffer") alice.take({ kind: "answerOffer", sdp: SDP });
        else if (kind === "digit") alice.take({ kind: "sendDigit", digit: "1", ms: 100 });
        else for (const leg of [alice, bob]) leg.pass(kind === "long" ? 2_000_000 : 700);
      }
      // No leg stays open: after everything was given up, both are over.
      for (const leg of [alice, bob]) leg.take({ kind: "hangUp", reason: undefined });
      alice.take({ kind: "unanswered", method: "INVITE", cseq: 1, status: 408 });
      for (const leg of [alice, bob]) {
        leg.pass(300_000);
        const ends = leg.events.findIndex(({ kind }) => kind === "ended" || kind === "failed" || kind === "canceled");
        expect(ends).toBe(leg.events.length - 1);
        expect(leg.isOver).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
