import { afterEach, expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { SDP } from "../../../test/fakes/sip-legs.ts";
import { SipPeer } from "../../../test/fakes/sip-peer.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { SipRedirectServers } from "./redirect-servers.ts";

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

const never = () => new AbortController().signal;

async function world() {
  const server = await SipPeer.open();
  const clock = new VirtualClock();
  const sources = [{ address: "127.0.0.2" }, { address: "127.0.0.3" }];
  const us = new SipRedirectServers({ sources, clock, log: silent });
  closings.push(
    () => us.close(),
    () => server.close(),
  );
  const ask = (signal = never()) =>
    us.ask({ server: server.address, transport: "udp", user: "+12155550123", waitMs: 500 }, signal);
  /** Runs the last timers of a query; returns what is still open. */
  const rest = async () => {
    await clock.advance(200_000);
    return us.open;
  };
  return { server, clock, us, ask, rest };
}

test("a redirection is acknowledged, and its Contacts are reported by their q", async () => {
  const { server, ask, rest } = await world();
  const asked = ask();
  const invite = await server.next("INVITE");
  expect(invite.address).toBe("127.0.0.2");
  expect(invite.message.uri).toBe(`sip:+12155550123@${server.address}`);
  expect(invite.message.body).toContain("a=inactive");
  server.respond(invite, 302, "Contact: <sip:a@x>;q=0.1, <sip:b;npdi@x;rn=1>\r\nContact: sip:c@x;q=0.5\r\n");
  expect(await asked).toEqual({ status: 302, contacts: ["sip:b;npdi@x;rn=1", "sip:c@x", "sip:a@x"] });
  await server.next("ACK");
  expect(await rest()).toBe(0);
});

test("a refusal is an answer, without Contacts", async () => {
  const { server, ask, rest } = await world();
  const asked = ask();
  const invite = await server.next("INVITE");
  server.respond(invite, 100);
  server.respond(invite, 404);
  expect(await asked).toEqual({ status: 404, contacts: [] });
  expect(await rest()).toBe(0);
});

test("a server that rings is canceled, and taken for a failure", async () => {
  const { server, ask, rest } = await world();
  const asked = ask();
  const invite = await server.next("INVITE");
  server.respond(invite, 180, "Contact: <sip:phone@127.0.0.9>\r\n");
  await expect(asked).rejects.toThrow("it rang (180)");
  server.respond(await server.next("CANCEL"), 200);
  server.respond(invite, 487);
  await server.next("ACK");
  expect(await rest()).toBe(0);
});

test("a server that takes the call is hung up on, wherever its Contact is, and taken for a failure", async () => {
  const { server, ask, rest } = await world();
  const asked = ask();
  const invite = await server.next("INVITE");
  server.respond(invite, 200, "Contact: <sip:phone@127.0.0.9>\r\n", SDP);
  await expect(asked).rejects.toThrow("it took the call");
  await server.next("ACK");
  server.respond(await server.next("BYE"), 200);
  expect(await rest()).toBe(0);
});

test("a server that is silent is given up in time; what it says too late is ended", async () => {
  const { server, clock, ask, rest } = await world();
  const asked = ask();
  const refused = expect(asked).rejects.toThrow("no answer within 500 ms");
  const invite = await server.next("INVITE");
  await clock.advance(500);
  await refused;
  server.respond(invite, 200, `Contact: <sip:phone@${server.address}>\r\n`, SDP);
  await server.next("ACK");
  server.respond(await server.next("BYE"), 200);
  expect(await rest()).toBe(0);
});

test("a question that is aborted is given up, and canceled as soon as that is allowed", async () => {
  const { server, ask, rest } = await world();
  const abort = new AbortController();
  const asked = ask(abort.signal);
  const invite = await server.next("INVITE");
  abort.abort();
  await expect(asked).rejects.toThrow("given up");
  server.respond(invite, 100);
  await server.next("CANCEL");
  server.respond(invite, 487);
  expect(await rest()).toBe(0);
});

test("what nobody asked for gets no answer, and what cannot be read is no answer", async () => {
  const { server, ask, rest } = await world();
  const asked = ask();
  const invite = await server.next("INVITE");
  server.send(server.request("INVITE", {}, SDP), invite.port);
  server.send(server.request("OPTIONS"), invite.port);
  server.send(`SIP/2.0 302 Moved\r\nVia: nonsense\r\nContact: <sip:a@x>\r\n\r\n${"x".repeat(60)}`, invite.port);
  server.respond(
    { ...invite, message: { ...invite.message, headers: ["via", "SIP/2.0/UDP x;branch=z9hG4bKno"] } },
    302,
  );
  server.respond(invite, 503);
  expect(await asked).toEqual({ status: 503, contacts: [] });
  expect(server.left.map(({ method, status }) => `${method} ${status}`)).not.toContain("OPTIONS 200");
  expect(await rest()).toBe(0);
});

test("an address that is none, or that ours cannot reach, is a failure", async () => {
  const { us } = await world();
  const ask = (server: string) => us.ask({ server, transport: "udp", user: "+1", waitMs: 500 }, never());
  await expect(ask("a b")).rejects.toThrow("not an address");
  await expect(ask("[2001:db8::1]")).rejects.toThrow("no address");
  await us.close();
  await expect(ask("127.0.0.1:5060")).rejects.toThrow("closed");
});
