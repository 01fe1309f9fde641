import { afterEach, describe, expect, test } from "vitest";
import { SDP } from "../../../test/fakes/sip-legs.ts";
import { SipPeer } from "../../../test/fakes/sip-peer.ts";
import { TestSignalling } from "../../../test/fakes/sip-signalling.ts";
import { newAddressGuard } from "../guard/address-guard.ts";

const TICKET = `conference-${"0".repeat(32)}`;
const ID = "0".repeat(32);
/** No address is allowed but those of nodes. */
const guard = newAddressGuard({ allowedNetworks: [] });
const readTicket = (user: string) => (user === TICKET ? ID : undefined);

const closings: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) void close();
});

async function nodeAt(address: string, trunks: readonly Record<string, unknown>[] = []): Promise<TestSignalling> {
  const node = await TestSignalling.open(trunks, { sources: [{ address }], guard, readTicket });
  closings.push(() => node.sip.close());
  return node;
}

async function peerOf(): Promise<SipPeer> {
  const peer = await SipPeer.open();
  closings.push(() => peer.close());
  return peer;
}

function dial(node: TestSignalling, place: string, ticket = TICKET): void {
  node.sip.dialNode({ legSid: "out", place, ticket, offer: () => SDP });
}

describe("a node brings a party to another one", () => {
  test("with a ticket: it is answered, and either hangs up", async () => {
    const [one, two] = [await nodeAt("127.0.0.2"), await nodeAt("127.0.0.3")];
    expect(two.sip.place).toBe(`127.0.0.3:${two.port}`);
    dial(one, two.sip.place ?? "");
    expect(await two.next("bridged")).toMatchObject({
      ...{ legSid: "in1", ticket: ID, sdp: SDP },
      terms: { family: 4, secure: false, isTrusted: true },
    });
    two.sip.answer("in1", SDP);
    expect(await one.next("answered")).toMatchObject({ legSid: "out", sdp: SDP });
    await two.next("confirmed");
    two.sip.reoffer("in1", SDP);
    await one.next("offered");
    one.sip.answerOffer("out", SDP);
    await two.next("renegotiated");
    two.sip.hangUp("in1");
    expect(await one.next("ended")).toMatchObject({ legSid: "out", by: "peer" });
    await two.next("ended");
    dial(one, two.sip.place ?? "");
    await two.next("bridged");
    two.sip.answer("in2", SDP);
    await one.next("answered");
    await two.next("confirmed");
    one.sip.hangUp("out", "Left");
    expect(await two.next("ended")).toMatchObject({ legSid: "in2", by: "peer", said: 'SIP;text="Left"' });
    await one.next("ended");
    for (const node of [one, two]) {
      await node.clock.advance(40_000);
      expect(node.sip.open()).toEqual({ transactions: 0, legs: 0, requests: 0 });
    }
  });

  test("that refuses it", async () => {
    const [one, two] = [await nodeAt("127.0.0.2"), await nodeAt("127.0.0.3")];
    dial(one, two.sip.place ?? "");
    await two.next("bridged");
    two.sip.reject("in1", { sipCode: 404 });
    expect(await one.next("refused")).toMatchObject({ legSid: "out", sipCode: 404 });
    await two.next("ended");
  });

  test("and gives up before it is answered", async () => {
    const [one, two] = [await nodeAt("127.0.0.2"), await nodeAt("127.0.0.3")];
    dial(one, two.sip.place ?? "");
    await two.next("bridged");
    one.sip.hangUp("out");
    await two.next("canceled");
    await one.next("ended");
  });

  test("that is a trunk's host as well, which the ticket is stronger than", async () => {
    const one = await nodeAt("127.0.0.2");
    const two = await nodeAt("127.0.0.3", [{ host: "127.0.0.2" }]);
    dial(one, two.sip.place ?? "");
    await two.next("bridged");
    expect(two.sip.trunks()).toMatchObject([{ calls: 0 }]);
  });

  test.each(["", "127.0.0.3", "node.example.com:5060", "[::1]:5060"])(
    "unless its place cannot be reached: %j",
    async (place) => {
      const one = await nodeAt("127.0.0.2");
      dial(one, place);
      expect(await one.next("refused")).toMatchObject({ legSid: "out", sipCode: 503, isOurs: true });
    },
  );
});

describe("a made-up ticket", () => {
  const inviteOf = (peer: SipPeer, user: string) => {
    const uri = `sip:${user}@127.0.0.2`;
    return peer.request("INVITE", { uri, To: `<${uri}>` }, SDP);
  };
  const MADE_UP = `conference-${"1".repeat(32)}`;

  test("of a stranger gets no answer, like any other number", async () => {
    const us = await nodeAt("127.0.0.2");
    const peer = await peerOf();
    peer.send(inviteOf(peer, MADE_UP), us.port);
    peer.send(inviteOf(peer, "+14155550100"), us.port);
    // It is read after the others, which have got nothing.
    peer.send(inviteOf(peer, TICKET), us.port);
    await us.next("bridged");
    expect((await peer.next(100)).message.callId).toBeDefined();
    expect(us.sip.drops).toMatchObject({ request: 2 });
    expect(us.sip.open()).toMatchObject({ legs: 1 });
  });

  test("of a trunk is a call to a number that does not exist", async () => {
    const peer = await peerOf();
    const us = await nodeAt("127.0.0.2", [{ port: peer.port, sources: [peer.address] }]);
    peer.send(inviteOf(peer, MADE_UP), us.port);
    expect(await us.next("incoming")).toMatchObject({ legSid: "in1", called: [] });
  });
});
