// Our SIP lookup provider against third-party redirect servers: Kamailio, and SIPp where misbehaviour is needed.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { lookupProviderSchema, makeProvider } from "../../src/adapters/directory/provider-config.ts";
import { SipRedirectServers } from "../../src/adapters/sip/redirect-servers.ts";
import { systemClock } from "../../src/base/clock.ts";
import { silent } from "../fakes/silent-log.ts";
import { ownPort } from "../own-port.ts";
import { type Kamailio, REDIRECTING, startKamailio } from "./kamailio.ts";
import { requirePeer } from "./peer.ts";
import { type Sipp, startSipp } from "./sipp.ts";

const kamailio = requirePeer("kamailio", "kamailio");
const sipp = requirePeer("sipp", "sip-tester");
const never = () => new AbortController().signal;
/** INVITEs are retransmitted until a server that was just started listens. */
const WAIT_MS = 60_000;

let redirects: SipRedirectServers;
beforeAll(() => {
  const sources = [{ address: "127.0.0.2" }, { address: "127.0.0.3" }];
  redirects = new SipRedirectServers({ sources, clock: systemClock, log: silent });
});
afterAll(() => redirects.close());

function providerOf(port: number, more: object = {}) {
  const config = { kind: "sip", name: "peer", servers: [`127.0.0.1:${port}`], deadlineMs: 10_000, ...more };
  return makeProvider(lookupProviderSchema.parse(config), { secret: () => undefined, redirects });
}

describe.skipIf(!kamailio)("Kamailio as a redirect server", () => {
  let port: number;
  let server: Kamailio;

  beforeAll(async () => {
    port = await ownPort();
    server = startKamailio(kamailio ?? "", port, REDIRECTING);
    await redirects.ask({ server: `127.0.0.1:${port}`, transport: "udp", user: "+1", waitMs: WAIT_MS }, never());
  });
  afterAll(() => server.stop());

  test.each([
    ["a routing number in the user part", "+12155550100", { kind: "found", routingNumber: "+12155550199" }],
    [
      "a routing number among the parameters of the URI",
      "+12155550101",
      { kind: "found", routingNumber: "+12155550198" },
    ],
    ["a number that is not ported", "+12155550102", { kind: "found" }],
    ["a number that it will not tell about", "+12155550103", { kind: "notFound" }],
    ["a number that it does not know", "+12155550105", { kind: "notFound" }],
  ])("tells of %s", async (_what, number, finding) => {
    await expect(providerOf(port).ask(number, never()), server.report()).resolves.toEqual(finding);
  });

  test("is asked in national spelling where it wants that", async () => {
    const provider = providerOf(port, { user: "{national}" });
    await expect(provider.ask("+12155550100", never())).resolves.toMatchObject({ routingNumber: "+12155550199" });
  });

  test("fails where it answers 500", async () => {
    await expect(providerOf(port).ask("+12155550104", never())).rejects.toThrow("answered 500");
  });

  test("answers many questions at once", async () => {
    const provider = providerOf(port);
    const asked = Array.from({ length: 90 }, (_, at) => provider.ask(`+1215555${10 + at}00`, never()));
    for (const finding of await Promise.all(asked)) expect(finding).toMatchObject({ routingNumber: "+12155550199" });
  });
});

describe.skipIf(!sipp)("SIPp as a server with bad manners", () => {
  const running: Sipp[] = [];
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });
  const play = async (scenario: string, words: Readonly<Record<string, string>> = {}) => {
    const port = await ownPort();
    const peer = startSipp({ program: sipp ?? "", scenario, port, calls: 1, words });
    running.push(peer);
    return { peer, provider: providerOf(port) };
  };

  test("redirects with several Contacts, the best of them last", async () => {
    const contact = "<sip:+12155550124;npdi@x>;q=0.9, <sip:[number]@x>;q=0.1, <sip:[number];npdi=yes@x;rn=2155550199>";
    const { peer, provider } = await play("redirect-server", {
      contact: contact.replaceAll("[number]", "12155550123"),
    });
    await expect(provider.ask("+12155550123", never())).resolves.toEqual({
      kind: "found",
      routingNumber: "+12155550199",
    });
    expect(await peer.exited, peer.report()).toBe(0);
  });

  test.each(["<sip:+12155550199@x>", "*", "<sip:+12155550123;npdi;rn=+4930@x>"])(
    "redirects to %s, which is not believed",
    async (contact) => {
      const { peer, provider } = await play("redirect-server", { contact });
      await expect(provider.ask("+12155550123", never())).rejects.toThrow("unreadable");
      expect(await peer.exited, peer.report()).toBe(0);
    },
  );

  test("rings: it is canceled", async () => {
    const { peer, provider } = await play("ringing-phone");
    await expect(provider.ask("+12155550123", never())).rejects.toThrow("it rang");
    expect(await peer.exited, peer.report()).toBe(0);
  });

  test("takes the call: it is hung up on", async () => {
    const { peer, provider } = await play("answering-server");
    await expect(provider.ask("+12155550123", never())).rejects.toThrow("it took the call");
    expect(await peer.exited, peer.report()).toBe(0);
  });
});
