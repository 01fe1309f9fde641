import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, test } from "vitest";
import { type Certificate, certificateFor } from "../../../test/fakes/certificate.ts";
import { SDP } from "../../../test/fakes/sip-legs.ts";
import { type Received, SipPeer } from "../../../test/fakes/sip-peer.ts";
import { TestSignalling } from "../../../test/fakes/sip-signalling.ts";
import { ownPort } from "../../../test/own-port.ts";
import type { MediaTerms } from "../../domain/voice/ports.ts";
import { authorizationValue, digestResponse, parseCredentials, pickChallenge } from "../../wire/sip/digest.ts";
import { headerOf, type SipMessage } from "../../wire/sip/message.ts";
import { digestHash } from "./digest-account.ts";

const closings: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) void close();
});

async function peerOf(): Promise<SipPeer> {
  const peer = await SipPeer.open();
  closings.push(() => peer.close());
  return peer;
}

async function signallingOf(...order: Parameters<typeof TestSignalling.open>): Promise<TestSignalling> {
  const signalling = await TestSignalling.open(...order);
  closings.push(() => signalling.sip.close());
  return signalling;
}

/** One trunk that is the peer, for calls in both directions. */
async function world(settings: Record<string, unknown> = {}) {
  const peer = await peerOf();
  const us = await signallingOf([{ port: peer.port, sources: [peer.address], ...settings }]);
  return { peer, us };
}

describe("a call comes in", () => {
  test("from a trunk: it rings, is answered and acknowledged, and ends", async () => {
    const { peer, us } = await world();
    const invite = peer.request("INVITE", {}, SDP);
    peer.send(invite, us.port);
    expect(await us.next("incoming")).toMatchObject({
      legSid: "in1",
      trunk: "carrier",
      from: "+14155550111",
      called: ["+14155550100"],
      sdp: SDP,
      maxForwards: 70,
      peer: peer.address,
      terms: { family: 4, secure: false, codecs: ["PCMU", "PCMA"], address: "127.0.0.2", isTrusted: true },
    });
    expect((await peer.next(100)).address).toBe("127.0.0.2");
    us.sip.ring("in1");
    await peer.next(180);
    us.sip.answer("in1", SDP);
    const { message } = await peer.next(200);
    const dialog = {
      To: headerOf(message, "to") ?? "",
      From: headerOf(message, "from") ?? "",
      "Call-ID": message.callId,
    };
    peer.send(peer.request("ACK", { ...dialog, CSeq: "1 ACK" }), us.port);
    await us.next("confirmed");
    peer.send(peer.request("BYE", { ...dialog, CSeq: "2 BYE" }), us.port);
    await peer.next(200);
    expect(await us.next("ended")).toMatchObject({ legSid: "in1", by: "peer" });
    await us.clock.advance(40_000);
    expect(us.sip.open()).toEqual({ transactions: 0, legs: 0, requests: 0 });
    expect(us.records.map(({ direction }) => direction).slice(0, 3)).toEqual(["Received", "Sent", "Sent"]);
  });

  test("and its messages are recorded only while they are watched", async () => {
    const peer = await peerOf();
    let isWatched = false;
    const trunk = { port: peer.port, sources: [peer.address] };
    const us = await signallingOf([trunk], { isWatched: () => isWatched });
    peer.send(peer.request("INVITE", {}, SDP), us.port);
    await us.next("incoming");
    await peer.next(100);
    expect(us.records).toEqual([]);
    isWatched = true;
    us.sip.ring("in1");
    await peer.next(180);
    expect(us.records.map(({ direction }) => direction)).toEqual(["Sent"]);
  });

  test("and is read by the trunk's rules", async () => {
    const { peer, us } = await world({
      numbers: { countryCode: "49", nationalPrefix: "0" },
      calledIn: ["p-called-party-id", "request-uri", "to"],
    });
    const fields = {
      uri: "sip:03012345@x",
      To: "<tel:12345;phone-context=+4930>",
      "P-Called-Party-ID": "<sip:00441234567@x>",
      From: '"Anonymous" <sip:anonymous@anonymous.invalid>;tag=a',
      "P-Asserted-Identity": '"A" <sip:+4930999@x>, <tel:+4930999>',
      Privacy: "id",
      Identity: "abc",
    };
    peer.send(peer.request("INVITE", fields, SDP), us.port);
    expect(await us.next("incoming")).toMatchObject({
      from: "+4930999",
      isPrivate: true,
      called: ["+441234567", "+493012345"],
      identity: "abc",
    });
    peer.send(peer.request("INVITE", { From: "<sip:alice@x>;tag=b" }, SDP), us.port);
    expect(await us.next("incoming")).toMatchObject({ from: "alice", isPrivate: false });
    const asserted = { "P-Asserted-Identity": "<sip:alice@x>, <tel:+4930998>" };
    peer.send(peer.request("INVITE", { From: "<sip:alice@x>;tag=c", ...asserted }, SDP), us.port);
    expect(await us.next("incoming")).toMatchObject({ from: "+4930998" });
    peer.send(peer.request("INVITE", { From: "<sip:1001@x>;tag=d" }, SDP), us.port);
    expect(await us.next("incoming")).toMatchObject({ from: "1001" });
  });

  test("and is answered at the port that Via names, unless it asks for the one it came from", async () => {
    const { peer, us } = await world();
    const listener = await peerOf();
    const via = `SIP/2.0/UDP ${listener.address};branch=z9hG4bKelsewhere`;
    peer.send(peer.request("OPTIONS", { Via: via }), us.port);
    await listener.next(200);
    peer.send(peer.request("OPTIONS", { Via: `${via}2;rport` }), us.port);
    expect(headerOf((await peer.next(200)).message, "via")).toContain(`rport=${peer.port}`);
  });

  test("and is given up by CANCEL", async () => {
    const { peer, us } = await world();
    const invite = peer.request("INVITE", {}, SDP);
    peer.send(invite, us.port);
    await us.next("incoming");
    peer.send(invite.replace(/^INVITE/, "CANCEL").replace("1 INVITE", "1 CANCEL"), us.port);
    const canceled = await us.next("canceled");
    expect(canceled.legSid).toBe("in1");
    expect((await peer.next(200)).message.method).toBe("CANCEL");
    await peer.next(487);
    us.sip.answer("in1", SDP);
    us.sip.hangUp("in1");
    expect(us.sip.trunks()).toMatchObject([{ name: "carrier", calls: 0 }]);
  });

  test("and is refused with the status that is asked for", async () => {
    const { peer, us } = await world();
    peer.send(peer.request("INVITE", {}, SDP), us.port);
    await us.next("incoming");
    us.sip.reject("in1", { sipCode: 503, retryAfterSeconds: 2.5 });
    expect(headerOf((await peer.next(503)).message, "retry-after")).toBe("3");
    expect(await us.next("ended")).toMatchObject({ by: "us", sipCode: 503 });
  });

  test("and is refused where the trunk is stopped, full or too fast", async () => {
    const { peer, us } = await world({ maxCalls: 2, maxCallsPerSecond: 2 });
    const call = () => peer.send(peer.request("INVITE", {}, SDP), us.port);
    us.sip.setStopped("carrier", true);
    call();
    await peer.next(503);
    us.sip.setStopped("carrier", false);
    call();
    await us.next("incoming");
    call();
    await us.next("incoming");
    call();
    await peer.next(503);
    for (const legSid of ["in1", "in2"]) {
      us.sip.hangUp(legSid);
      await us.next("ended");
    }
    call();
    await peer.next(503);
    await us.clock.advance(1000);
    call();
    await us.next("incoming");
  });

  test("and comes twice by different ways: the second is 482", async () => {
    const { peer, us } = await world();
    const invite = peer.request("INVITE", {}, SDP);
    peer.send(invite, us.port);
    peer.send(invite.replace("z9hG4bKpeer", "z9hG4bKother"), us.port);
    await peer.next(482);
    peer.send(invite, us.port);
    expect((await us.next("incoming")).legSid).toBe("in1");
  });

  test("from an unknown sender: nothing is answered, everything is counted", async () => {
    const { peer, us } = await world();
    const unknown = await peerOf();
    for (const method of ["INVITE", "OPTIONS", "REGISTER", "BYE", "CANCEL"])
      unknown.send(unknown.request(method), us.port);
    unknown.send("x".repeat(100), us.port);
    for (let times = 0; times < 60; times++) unknown.send(unknown.request("OPTIONS"), us.port);
    await expect
      .poll(() => us.sip.drops, { timeout: 120_000 })
      .toEqual({
        request: 49,
        malformed: 1,
        response: 0,
        unread: 16,
      });
    peer.send(peer.request("OPTIONS"), us.port);
    expect(headerOf((await peer.next(200)).message, "allow")).toContain("INVITE");
    expect(unknown.left).toEqual([]);
  });

  test("from a trunk that proves who it is by digest, wherever it calls from; a replay is asked again", async () => {
    const us = await signallingOf([{ host: "203.0.113.1", callers: [{ username: "pbx", password: "secret" }] }]);
    const pbx = await peerOf();
    const invite = pbx.request("INVITE", {}, SDP);
    pbx.send(invite, us.port);
    const { message } = await pbx.next(401);
    expect(pickChallenge([headerOf(message, "www-authenticate") ?? ""])).toMatchObject({
      algorithm: "SHA-256",
      qop: "auth",
    });
    pbx.send(signed(invite, message, { cseq: 2, password: "wrong" }), us.port);
    await pbx.next(401);
    pbx.send(signed(invite, message, { cseq: 3 }), us.port);
    expect(await us.next("incoming")).toMatchObject({ trunk: "carrier" });
    pbx.send(signed(invite, message, { cseq: 4 }), us.port);
    expect(headerOf((await pbx.next(401)).message, "www-authenticate")).toContain("stale=true");
    await us.clock.advance(400_000);
    pbx.send(pbx.request("OPTIONS"), us.port);
    expect(us.sip.trunks()).toMatchObject([{ calls: 1 }]);
  });

  test("from a trunk's own host, which must prove who it is all the same", async () => {
    const { peer, us } = await world({ sources: undefined, callers: [{ username: "pbx", password: "secret" }] });
    const invite = peer.request("INVITE", {}, SDP);
    peer.send(invite, us.port);
    const { message } = await peer.next(401);
    peer.send(signed(invite, message, { cseq: 2 }), us.port);
    expect(await us.next("incoming")).toMatchObject({ trunk: "carrier" });
  });

  test("with credentials for another user, which do not count; how the host is written does not matter", async () => {
    const { peer, us } = await world({ callers: [{ username: "pbx", password: "secret" }] });
    const invite = peer.request("INVITE", {}, SDP);
    peer.send(invite, us.port);
    const { message } = await peer.next(401);
    peer.send(signed(invite, message, { cseq: 2, uri: "sip:+14155550101@127.0.0.2" }), us.port);
    await peer.next(401);
    peer.send(signed(invite, message, { cseq: 3, uri: "sip:127.0.0.2" }), us.port);
    await peer.next(401);
    peer.send(signed(invite, message, { cseq: 4, uri: "sip:%2B14155550100@sip.tandem.test;user=phone" }), us.port);
    expect(await us.next("incoming")).toMatchObject({ called: ["+14155550100"] });
  });

  test("and is renegotiated again and again; nothing is kept of what was acknowledged", async () => {
    const { peer, us } = await world();
    peer.send(peer.request("INVITE", {}, SDP), us.port);
    await us.next("incoming");
    us.sip.answer("in1", SDP);
    const { message } = await peer.next(200);
    const dialog = {
      To: headerOf(message, "to") ?? "",
      From: headerOf(message, "from") ?? "",
      "Call-ID": message.callId,
    };
    peer.send(peer.request("ACK", { ...dialog, CSeq: "1 ACK" }), us.port);
    await us.next("confirmed");
    for (let cseq = 2; cseq < 6; cseq++) {
      peer.send(peer.request("INVITE", { ...dialog, CSeq: `${cseq} INVITE` }, SDP), us.port);
      await us.next("offered");
      us.sip.answerOffer("in1", SDP);
      await peer.next(200);
      expect(us.sip.open()).toMatchObject({ legs: 1, requests: 1 });
      peer.send(peer.request("ACK", { ...dialog, CSeq: `${cseq} ACK` }), us.port);
      await expect.poll(() => us.sip.open().requests, { timeout: 120_000 }).toBe(0);
    }
  });

  /** The INVITE again, with credentials that answer the challenge. */
  function signed(
    invite: string,
    asked: SipMessage,
    {
      cseq,
      password = "secret",
      uri = "sip:+14155550100@127.0.0.2",
    }: { cseq: number; password?: string; uri?: string },
  ): string {
    const challenge = pickChallenge([headerOf(asked, "www-authenticate") ?? ""]);
    if (!challenge) throw new Error("no challenge");
    const request = { method: "INVITE", uri, body: SDP };
    const use = { count: 1, cnonce: "c" };
    const value = authorizationValue(challenge, { username: "pbx", password }, request, use, digestHash);
    return invite
      .replace("z9hG4bK", `z9hG4bK${cseq}`)
      .replace("\r\nFrom", `\r\nAuthorization: ${value}\r\nFrom`)
      .replace("CSeq: 1", `CSeq: ${cseq}`);
  }
});

describe("a call goes out", () => {
  test("by a trunk, from the first source address, with caller, diversion and identity", async () => {
    const { peer, us } = await world({ numbers: { countryCode: "1", called: "digits", caller: "national" } });
    us.dial("+14155550122", { divertedFrom: "+14155550133", identity: "token" });
    const invite = await peer.next("INVITE");
    expect([invite.address, invite.port]).toEqual(["127.0.0.2", us.port]);
    const { message } = invite;
    expect(message.uri).toBe(`sip:14155550122@127.0.0.1:${peer.port}`);
    expect(message.from.uri).toBe(`sip:4155550100@127.0.0.1:${peer.port}`);
    expect(headerOf(message, "max-forwards")).toBe("69");
    expect(headerOf(message, "p-asserted-identity")).toBe(`<sip:4155550100@127.0.0.1:${peer.port}>`);
    expect(headerOf(message, "diversion")).toContain("sip:4155550133@");
    expect(headerOf(message, "history-info")).toContain("index=1.1");
    expect(headerOf(message, "identity")).toBe("token");
    peer.respond(invite, 183, "", SDP);
    expect(await us.next("ringing")).toMatchObject({ sipCode: 183, sdp: SDP });
    peer.respond(invite, 200, `Contact: <sip:bob@${peer.address}>\r\n`, SDP);
    expect(await us.next("answered")).toMatchObject({ legSid: "out", sdp: SDP });
    const ack = await peer.next("ACK");
    // The ACK may be late: the 200 is repeated, and gets the same ACK.
    peer.respond(invite, 200, `Contact: <sip:bob@${peer.address}>\r\n`, SDP);
    expect((await peer.next("ACK")).message.via.branch).toBe(ack.message.via.branch);
    us.sip.hangUp("out", "done");
    expect(await us.next("ended")).toMatchObject({ by: "us" });
    const bye = await peer.next("BYE");
    expect(headerOf(bye.message, "reason")).toBe('SIP;text="done"');
    peer.respond(bye, 200);
    await expect.poll(() => us.sip.open().legs, { timeout: 120_000 }).toBe(0);
    await us.clock.advance(40_000);
    expect(us.sip.open()).toEqual({ transactions: 0, legs: 0, requests: 0 });
  });

  test("and nothing of it is kept for the transactions that outlive it", async () => {
    const { peer, us } = await world();
    const call = new WeakRef(
      await (async () => {
        const ofCall = { sdp: SDP };
        us.dial("+14155550122", { offer: () => ofCall.sdp });
        const invite = await peer.next("INVITE");
        peer.respond(invite, 200, `Contact: <sip:bob@${peer.address}>\r\n`, SDP);
        await us.next("answered");
        await peer.next("ACK");
        us.sip.hangUp("out");
        await us.next("ended");
        peer.respond(await peer.next("BYE"), 200);
        return ofCall;
      })(),
    );
    await expect.poll(() => us.sip.open().legs, { timeout: 120_000 }).toBe(0);
    expect(us.sip.open().transactions).toBeGreaterThan(0);
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    await expect
      .poll(
        () => {
          collect();
          return call.deref();
        },
        { timeout: 120_000 },
      )
      .toBeUndefined();
  });

  test("without the caller's number where it is withheld", async () => {
    const { peer, us } = await world();
    us.dial("+14155550122", { isPrivate: true });
    const { message } = await peer.next("INVITE");
    expect(message.from.uri).toBe("sip:anonymous@anonymous.invalid");
    expect(headerOf(message, "privacy")).toBe("id");
    expect(headerOf(message, "p-asserted-identity")).toContain("+14155550100");
    expect(us.records).toMatchObject([{ direction: "Sent", withheld: "+14155550100" }]);
  });

  test("by the next trunk on 5xx, also in mid-ringing, and on silence; not on 486", async () => {
    const [one, two, three] = [await peerOf(), await peerOf(), await peerOf()];
    const us = await signallingOf(
      [one, two, three].map((peer, at) => ({ name: `t${at}`, port: peer.port, priority: at, failoverSeconds: 4 })),
    );
    us.dial("+14155550122");
    const first = await one.next("INVITE");
    one.respond(first, 180);
    await us.next("ringing");
    one.respond(first, 503);
    await one.next("ACK");
    const second = await two.next("INVITE");
    expect(second.message.callId).not.toBe(first.message.callId);
    await us.clock.advance(4000);
    const third = await three.next("INVITE");
    three.respond(third, 180);
    three.respond(third, 486);
    expect(await us.next("refused")).toMatchObject({ sipCode: 486, reason: "trunk t2: 486 Busy Here" });
    // The one that was silent answers after all.
    two.respond(second, 200, `Contact: <sip:bob@${two.address}>\r\n`, SDP);
    await two.next("ACK");
    await two.next("BYE");
  });

  test("with the trunk's credentials, again when only the nonce was too old, and not twice when they are wrong", async () => {
    const { peer, us } = await world({ credentials: { username: "us", password: "secret" } });
    us.dial("+14155550122");
    const challenge = (nonce: string, more = "") =>
      `Proxy-Authenticate: Digest realm="carrier", nonce="${nonce}", algorithm=MD5, qop="auth"${more}\r\n`;
    peer.respond(await peer.next("INVITE"), 407, challenge("n1"));
    const signed = await peer.next("INVITE");
    expect(signed.message.cseq).toBe(2);
    expect(responseOf(signed)).toBe(true);
    peer.respond(signed, 407, challenge("n2", ", stale=true"));
    const fresh = await peer.next("INVITE");
    expect(responseOf(fresh)).toBe(true);
    peer.respond(fresh, 407, challenge("n3"));
    expect(await us.next("refused")).toMatchObject({ sipCode: 407 });
  });

  test("with the next count where the trunk gives a nonce again", async () => {
    const { peer, us } = await world({ credentials: { username: "us", password: "secret" } });
    us.dial("+14155550122");
    const challenge = 'WWW-Authenticate: Digest realm="carrier", nonce="n", algorithm=SHA-256, qop="auth"\r\n';
    const countIn = ({ message }: Received) => parseCredentials(headerOf(message, "authorization") ?? "")?.count;
    peer.respond(await peer.next("INVITE"), 401, challenge);
    const signed = await peer.next("INVITE");
    peer.respond(signed, 200, `Contact: <sip:bob@${peer.address}>\r\n`, SDP);
    await us.next("answered");
    expect(countIn(await peer.next("ACK"))).toBe(1);
    us.sip.hangUp("out");
    peer.respond(await peer.next("BYE"), 401, challenge);
    const bye = await peer.next("BYE");
    expect([countIn(signed), countIn(bye)]).toEqual([1, 2]);
    peer.respond(bye, 200);
    await expect.poll(() => us.sip.open().legs, { timeout: 120_000 }).toBe(0);
  });

  function responseOf({ message }: Received): boolean {
    const given = parseCredentials(headerOf(message, "proxy-authorization") ?? "");
    if (!given) return false;
    const value = `Digest realm="carrier", nonce="${given.nonce}", algorithm=MD5, qop="auth"`;
    const challenge = pickChallenge([value]);
    const request = { method: "INVITE", uri: message.uri, body: "" };
    const account = { username: "us", password: "secret" };
    return challenge !== undefined && digestResponse(challenge, account, request, given, digestHash) === given.response;
  }

  test("where a redirection leads, if it may be called", async () => {
    const { peer, us } = await world();
    const other = await peerOf();
    const asked: string[] = [];
    const mayDial = (number: string) => asked.push(number) > 0 && number !== "+19005550100";
    us.dial("+14155550122", { mayDial });
    const contacts = `Contact: <sip:+19005550100@${other.address}>, <sip:+14155550177@${other.address}>;q=0.5\r\n`;
    peer.respond(await peer.next("INVITE"), 302, contacts);
    const { message } = await other.next("INVITE");
    expect(message.uri).toBe(`sip:+14155550177@${other.address}`);
    expect(asked).toEqual(["+19005550100", "+14155550177"]);
  });

  test("where a redirection leads that names no number, as to any SIP URI: by the rules, past the guard", async () => {
    const { peer, us } = await world();
    const other = await peerOf();
    const asked: string[] = [];
    const mayDial = (destination: string) => asked.push(destination) > 0 && !destination.includes("carol");
    us.dial("+14155550122", { mayDial });
    const forbidden = `<sip:carol@${other.address}>, <sip:bob@10.0.0.1;lr;transport=tcp?Subject=x>`;
    peer.respond(await peer.next("INVITE"), 302, `Contact: ${forbidden}, <sip:bob;x=y@${other.address};user=ip>\r\n`);
    const { message } = await other.next("INVITE");
    expect(message.uri).toBe(`sip:bob;x=y@${other.address};user=ip`);
    expect(headerOf(message, "p-asserted-identity")).toBeUndefined();
    const user = "sip:bob@10.0.0.1;transport=tcp";
    expect(asked).toEqual([`sip:carol@${other.address}`, user, `sip:bob;x=y@${other.address}`]);
    us.sip.hangUp("out");
    await us.next("ended");
    us.dial("+14155550122", { legSid: "out2" });
    peer.respond(await peer.next("INVITE"), 302, "Contact: <sip:bob@10.0.0.1>\r\n");
    expect((await us.next("refused")).reason).toContain("TANDEM_ALLOWED_NETWORKS");
  });

  test("where a redirection names a number at a host of others: past the guard, too", async () => {
    const { peer, us } = await world();
    us.dial("+14155550122");
    peer.respond(await peer.next("INVITE"), 302, "Contact: <sip:+14155550177@10.0.0.1>\r\n");
    expect((await us.next("refused")).reason).toContain("TANDEM_ALLOWED_NETWORKS");
  });

  test("to a SIP URI with its headers, and to no address that the guard forbids", async () => {
    const { us } = await world();
    const phone = await peerOf();
    us.dial(`sip:bob@${phone.address}?X-Tenant=acme%20inc`);
    const invite = await phone.next("INVITE");
    expect(headerOf(invite.message, "x-tenant")).toBe("acme inc");
    expect(headerOf(invite.message, "p-asserted-identity")).toBeUndefined();
    phone.respond(invite, 603);
    expect(await us.next("refused")).toMatchObject({ sipCode: 603 });
    us.dial("sip:bob@10.0.0.1");
    const { reason, sipCode } = await us.next("refused");
    expect([sipCode, reason]).toEqual([503, expect.stringContaining("TANDEM_ALLOWED_NETWORKS")]);
  });

  test("and a Contact that the guard forbids is not followed", async () => {
    const { us } = await world();
    const phone = await peerOf();
    us.dial(`sip:bob@${phone.address}`);
    phone.respond(await phone.next("INVITE"), 200, "Contact: <sip:bob@10.0.0.1>\r\n", SDP);
    await us.next("answered");
    const ack = await phone.next("ACK");
    expect(ack.message.uri).toBe("sip:bob@10.0.0.1");
  });

  test("and a Contact at a trunk is not followed: no peer leads us there", async () => {
    const gate = await peerOf();
    const { us } = await world({ sources: ["127.0.0.1", gate.address] });
    const phone = await peerOf();
    us.dial(`sip:bob@${phone.address}`);
    phone.respond(await phone.next("INVITE"), 200, `Contact: <sip:911@${gate.address}>\r\n`, SDP);
    await us.next("answered");
    await phone.next("ACK");
    us.sip.hangUp("out");
    await phone.next("BYE");
    expect(gate.left).toEqual([]);
  });

  test("to a SIP URI that leads to a trunk as a number, if that may be called", async () => {
    const gate = await peerOf();
    const { us, peer } = await world({ sources: ["127.0.0.1", gate.address] });
    const mayDial = (text: string) => text !== "911";
    us.dial(`sip:%39%31%31;x=y@${gate.address}`, { mayDial });
    expect((await us.next("refused")).reason).toBe("127.0.0.1 is a trunk. It may not be called.");
    us.dial(`sip:+14155550177;x=y@${gate.address}?X-A=b`, { mayDial, legSid: "out2" });
    const { message } = await peer.next("INVITE");
    expect(message.uri).toBe(`sip:+14155550177@${peer.address}`);
    expect(headerOf(message, "x-a")).toBeUndefined();
    expect(gate.left).toEqual([]);
  });

  test("and is given up while it rings", async () => {
    const { peer, us } = await world();
    us.dial("+14155550122");
    const invite = await peer.next("INVITE");
    peer.respond(invite, 180);
    await us.next("ringing");
    us.sip.hangUp("out");
    expect(await us.next("ended")).toMatchObject({ by: "us" });
    const cancel = await peer.next("CANCEL");
    expect(cancel.message.via.branch).toBe(invite.message.via.branch);
    peer.respond(cancel, 200);
    peer.respond(invite, 487);
    await peer.next("ACK");
  });

  test("from the second source where the first cannot be bound", async () => {
    const peer = await peerOf();
    const us = await signallingOf([{ port: peer.port }], {
      sources: [{ address: "192.0.2.77" }, { address: "127.0.0.3", publicAddress: "203.0.113.7" }],
    });
    us.dial("+14155550122");
    const { address, message } = await peer.next("INVITE");
    expect(address).toBe("127.0.0.3");
    expect(message.via.host).toBe("203.0.113.7");
    expect(headerOf(message, "contact")).toContain("203.0.113.7");
  });

  test("from the first source again when it can be bound", async () => {
    const peer = await peerOf();
    const holder = await signallingOf([], { sources: [{ address: "127.0.0.5" }] });
    const us = await signallingOf([{ port: peer.port }], {
      sources: [{ address: "127.0.0.5" }, { address: "127.0.0.6" }],
      port: holder.port,
    });
    const [, port] = us.sip.ports;
    expect(us.sip.ports).toEqual([0, holder.port]);
    await holder.sip.close();
    // The sockets take a moment to close, and so does the next attempt to bind.
    await expect
      .poll(
        async () => {
          await us.clock.advance(10_000);
          return us.sip.ports;
        },
        { timeout: 120_000 },
      )
      .toEqual([port, port]);
    us.dial("+14155550122");
    expect((await peer.next("INVITE")).address).toBe("127.0.0.5");
  });

  test("from the second source when the first is taken from the machine, also calls under way, and back again", async () => {
    const peer = await peerOf();
    const here = new Set(["127.0.0.2", "127.0.0.3"]);
    let changes = 0;
    const us = await signallingOf([{ port: peer.port }], {
      hasAddress: async (address) => here.has(address),
      onSources: () => changes++,
    });
    us.dial("+14155550122");
    const first = await peer.next("INVITE");
    expect(first.address).toBe("127.0.0.2");
    peer.respond(first, 200, `Contact: <sip:bob@${peer.address}>\r\n`, SDP);
    await us.next("answered");
    await peer.next("ACK");
    here.delete("127.0.0.2");
    await us.clock.advance(2000);
    expect(await us.next("moved")).toMatchObject({ legSid: "out", address: "127.0.0.3" });
    expect([us.sip.sources, changes]).toEqual([
      [
        { address: "127.0.0.2", isUp: false },
        { address: "127.0.0.3", isUp: true },
      ],
      1,
    ]);
    us.sip.reoffer("out", SDP.replace("4000", "4444"));
    const again = await peer.next("INVITE");
    expect([again.address, again.message.callId]).toEqual(["127.0.0.3", first.message.callId]);
    expect(headerOf(again.message, "contact")).toContain("127.0.0.3");
    expect(again.message.body).toContain("4444");
    peer.respond(again, 200, `Contact: <sip:bob@${peer.address}>\r\n`, SDP);
    expect(await us.next("renegotiated")).toMatchObject({ legSid: "out", sdp: SDP });
    expect((await peer.next("ACK")).address).toBe("127.0.0.3");
    us.dial("+14155550122", { legSid: "out2" });
    expect((await peer.next("INVITE")).address).toBe("127.0.0.3");
    here.add("127.0.0.2");
    await expect
      .poll(
        async () => {
          await us.clock.advance(2000);
          return us.sip.sources[0]?.isUp;
        },
        { timeout: 120_000 },
      )
      .toBe(true);
    us.dial("+14155550133", { legSid: "out3" });
    const isThird = ({ message }: Received) => message.uri.includes("+14155550133");
    let third = await peer.next("INVITE");
    while (!isThird(third)) third = await peer.next("INVITE");
    expect(third.address).toBe("127.0.0.2");
  });

  test("to the servers that SRV names, the next where one fails", async () => {
    const [one, two] = [await peerOf(), await peerOf()];
    const us = await signallingOf([{ host: "carrier.test" }], {
      names: {
        naptr: async () => [],
        srv: async (name) =>
          name === "_sip._udp.carrier.test"
            ? [one, two].map(({ port }, priority) => ({ name: `gw${priority}.test`, port, priority, weight: 1 }))
            : [],
        addresses: async () => [{ address: "127.0.0.1", family: 4 }],
      },
    });
    us.dial("+14155550122");
    one.respond(await one.next("INVITE"), 500);
    const invite = await two.next("INVITE");
    expect(invite.message.uri).toBe("sip:+14155550122@carrier.test");
    two.respond(invite, 404);
    expect(await us.next("refused")).toMatchObject({ sipCode: 404 });
  });

  test("by TCP, and the other direction comes over the same connection", async () => {
    const { us, them } = await pairOf({ transport: "tcp" });
    await callThrough(us, them);
    expect(us.records.every(({ transport }) => transport === "TCP")).toBe(true);
  });

  test.each(["udp", "tcp"])("over IPv6 by %s", async (transport) => {
    const sources = [{ address: "::1" }];
    const them = await signallingOf([{ name: "us", host: "::1" }], { sources });
    const us = await signallingOf([{ name: "them", host: "::1", port: them.port, transport }], { sources });
    await callThrough(us, them);
    expect(us.records[0]?.text).toContain(`@[::1]:${them.port}`);
    expect(us.records[0]?.peer).toBe(`[::1]:${them.port}`);
  });

  test("by TLS to a peer whose certificate is good, and to no other", async () => {
    const pem = await certificateFor("127.0.0.4");
    const { us, them } = await pairOf({ transport: "tls", tls: { ca: pem.cert } }, pem);
    await callThrough(us, them);
    expect(us.records.every(({ transport }) => transport === "TLS")).toBe(true);
    const doubting = await signallingOf([{ host: "127.0.0.4", port: them.sip.tlsPorts[0], transport: "tls" }]);
    doubting.dial("+14155550122");
    const fault = `127.0.0.4 (127.0.0.4:${them.sip.tlsPorts[0]}): Its certificate is self-signed.`;
    expect(await doubting.next("refused")).toMatchObject({ isOurs: true, reason: `trunk carrier: ${fault}` });
    expect(doubting.sip.trunks()).toMatchObject([{ reason: fault }]);
  });

  /** We call them; they know us by our address. */
  async function pairOf(trunk: Record<string, unknown>, pem?: Certificate) {
    const them = await signallingOf([{ name: "us", host: "127.0.0.2" }], {
      sources: [{ address: "127.0.0.4" }],
      tls: pem && { ...pem, port: 0 },
    });
    const port = pem ? them.sip.tlsPorts[0] : them.port;
    const us = await signallingOf([{ name: "them", host: "127.0.0.4", port, ...trunk }]);
    return { us, them };
  }

  async function callThrough(us: TestSignalling, them: TestSignalling): Promise<void> {
    us.dial("+14155550122");
    const { legSid, called } = await them.next("incoming");
    expect(called).toEqual(["+14155550122"]);
    them.sip.ring(legSid);
    await us.next("ringing");
    them.sip.answer(legSid, SDP);
    await us.next("answered");
    await them.next("confirmed");
    them.sip.hangUp(legSid);
    expect(await us.next("ended")).toMatchObject({ by: "peer" });
    await expect.poll(() => [us.sip.open().legs, them.sip.open().legs], { timeout: 120_000 }).toEqual([0, 0]);
  }

  test("and audio is latched to the address of its signalling where that is wanted, and to a trunk's networks", async () => {
    const port = await ownPort();
    const trunk = { port, media: "latch", mediaNetworks: ["192.0.2.0/24"] };
    const us = await signallingOf([trunk]);
    const dialled = ["+14155550122", "sip:bob@127.0.0.5;media=latch", "sip:bob@127.0.0.5"];
    const latches = dialled.map(
      (target, at) =>
        new Promise((resolve) =>
          us.dial(target, {
            legSid: `out${at}`,
            offer: ({ latch }) => {
              resolve(latch);
              return SDP;
            },
          }),
        ),
    );
    expect(await Promise.all(latches)).toEqual([["127.0.0.1", "192.0.2.0/24"], ["127.0.0.5"], undefined]);
  });

  test.each([
    ["sip:bob@127.0.0.1:PORT", false],
    ["sip:bob@127.0.0.1:PORT;transport=TCP", false],
    ["sip:bob@127.0.0.1:PORT;transport=TLS", "preferred"],
    ["sip:bob@127.0.0.1:PORT;transport=TLS;media=srtp", true],
  ])("to %s, and SRTP is offered: %s", async (uri, secure) => {
    const us = await signallingOf([]);
    const port = await ownPort();
    const terms = new Promise<MediaTerms>((resolve) => {
      us.dial(uri.replace("PORT", String(port)), {
        offer: (asked) => {
          resolve(asked);
          return SDP;
        },
      });
    });
    expect(await terms).toMatchObject({ secure, isTrusted: false });
  });

  test.each(["tcp", "tls"])("and says that %s was refused, at the trunk as well", async (transport) => {
    const port = await ownPort();
    const us = await signallingOf([{ port, transport }]);
    us.dial("+14155550122");
    const fault = `127.0.0.1:${port} refused the connection: nothing listens there for ${transport.toUpperCase()}.`;
    expect(await us.next("refused")).toMatchObject({ isOurs: true, reason: `trunk carrier: ${fault}` });
    expect(us.sip.trunks()).toMatchObject([{ reason: fault }]);
  });

  test("and says within seconds that nothing listens for UDP", async () => {
    const port = await ownPort();
    const us = await signallingOf([{ port }]);
    us.dial("+14155550122");
    await us.clock.advance(4000);
    const reason = `trunk carrier: 127.0.0.1:${port} refused the connection: nothing listens there for UDP.`;
    expect(await us.next("refused")).toMatchObject({ isOurs: true, reason });
  });

  test("and tells of a peer that gives no response", async () => {
    const { peer, us } = await world();
    us.dial("+14155550122");
    await peer.next("INVITE");
    await us.clock.advance(4000);
    expect(await us.next("silent")).toMatchObject({ reason: `No response came from ${peer.address} (UDP).` });
    peer.respond(await peer.next("INVITE"), 486);
    expect(await us.next("refused")).not.toHaveProperty("isOurs");
  });

  test("and says where a server has no TLS", async () => {
    const server = createServer((socket) => socket.end("SIP/2.0 400 No TLS\r\n\r\n"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    closings.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const us = await signallingOf([{ port, transport: "tls" }]);
    us.dial("+14155550122");
    const reason = expect.stringContaining(`127.0.0.1:${port} and we could not agree on TLS`);
    expect(await us.next("refused")).toMatchObject({ isOurs: true, reason });
  });

  test("and says where there is no such name", async () => {
    const us = await signallingOf([{ host: "nowhere.test", port: 5060 }], {
      names: {
        naptr: async () => [],
        srv: async () => [],
        addresses: () => Promise.reject(new Error("The name nowhere.test has no address.")),
      },
    });
    us.dial("+14155550122");
    const reason = "trunk carrier: The name nowhere.test has no address.";
    expect(await us.next("refused")).toMatchObject({ isOurs: true, reason });
  });

  test("not at all where no trunk takes it", async () => {
    const us = await signallingOf([]);
    us.dial("+14155550122");
    expect(await us.next("refused")).toMatchObject({ sipCode: 503, reason: "no trunk takes calls" });
  });
});

test("a leg of a process that died is ended from what it left", async () => {
  const { peer, us } = await world();
  us.dial("+14155550122");
  peer.respond(await peer.next("INVITE"), 200, `Contact: <sip:bob@${peer.address}>\r\n`, SDP);
  await us.next("answered");
  const { dialog } = await us.next("dialog");
  const { message } = await peer.next("ACK");
  const heir = await signallingOf([{ port: peer.port }]);
  heir.sip.endLeft("out", dialog);
  heir.sip.endLeft("out", "{}");
  heir.sip.endLeft("out", "no JSON");
  const bye = await peer.next("BYE");
  expect(bye.port).toBe(heir.port);
  expect([bye.message.callId, bye.message.toTag, bye.message.uri]).toEqual([
    message.callId,
    message.toTag,
    `sip:bob@${peer.address}`,
  ]);
  expect(bye.message.cseq).toBeGreaterThan(1);
  peer.respond(bye, 200);
});

describe("a trunk is watched", () => {
  test("by OPTIONS: silence takes it down, an answer brings it back", async () => {
    const { peer, us } = await world({ optionsSeconds: 30 });
    await peer.next("OPTIONS");
    await us.clock.advance(32_000);
    await expect
      .poll(() => us.sip.trunks(), { timeout: 120_000 })
      .toMatchObject([{ isUp: false, reason: "no answer to OPTIONS" }]);
    await us.clock.advance(30_000);
    // Retransmissions of the first transaction arrive first; answers to them no longer have any effect.
    const answer = async (): Promise<void> => {
      peer.respond(await peer.next("OPTIONS"), 404);
      return answer();
    };
    void answer();
    await expect.poll(() => us.sip.trunks(), { timeout: 120_000 }).toMatchObject([{ isUp: true }]);
  });

  test("by REGISTER: challenged, granted, refreshed, asked for longer, refused", async () => {
    const { peer, us } = await world({
      credentials: { username: "us", password: "secret" },
      register: { expiresSeconds: 60 },
    });
    const first = await peer.next("REGISTER");
    peer.respond(first, 401, 'WWW-Authenticate: Digest realm="r", nonce="n"\r\n');
    const signed = await peer.next("REGISTER");
    expect(headerOf(signed.message, "authorization")).toContain('username="us"');
    peer.respond(signed, 423, "Min-Expires: 120\r\n");
    const longer = await peer.next("REGISTER");
    expect(headerOf(longer.message, "expires")).toBe("120");
    const contact = headerOf(longer.message, "contact");
    peer.respond(longer, 200, `Contact: ${contact};expires=90\r\n`);
    await expect.poll(() => us.sip.trunks()[0]?.registration?.isUp, { timeout: 120_000 }).toBe(true);
    await us.clock.advance(59_000);
    expect(peer.left).toEqual([]);
    await us.clock.advance(1100);
    const refresh = await peer.next("REGISTER");
    expect([refresh.message.callId, refresh.message.cseq]).toEqual([first.message.callId, 4]);
    peer.respond(refresh, 403);
    await expect
      .poll(() => us.sip.trunks()[0]?.registration, { timeout: 120_000 })
      .toEqual({ isUp: false, reason: "403 Forbidden" });
    await us.clock.advance(5100);
    const again = await peer.next("REGISTER");
    expect(again.message.cseq).toBe(5);
    peer.respond(again, 200);
    await expect.poll(() => us.sip.trunks()[0]?.registration?.isUp, { timeout: 120_000 }).toBe(true);
    const closed = us.sip.close();
    const leave = await peer.next("REGISTER");
    expect(headerOf(leave.message, "expires")).toBe("0");
    peer.respond(leave, 200);
    await closed;
  });
});
