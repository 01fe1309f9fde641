// Registrations of real peers with us, and ours with them.

import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { SignallingInput } from "../../src/domain/voice/ports.ts";
import type { DigestAlgorithm } from "../../src/wire/sip/digest.ts";
import { type Certificate, certificateFor } from "../fakes/certificate.ts";
import { SDP } from "../fakes/sip-legs.ts";
import { TestSignalling } from "../fakes/sip-signalling.ts";
import { ownPort } from "../own-port.ts";
import { Baresip } from "./baresip.ts";
import { REGISTRAR, startKamailio } from "./kamailio.ts";
import { requirePeer } from "./peer.ts";

const baresip = requirePeer("baresip", "baresip-core");
const kamailio = requirePeer("kamailio", "kamailio");

const SOON = { timeout: 120_000 };
const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

interface Order {
  readonly trunk: Record<string, unknown>;
  readonly certificate?: Certificate;
  readonly digests?: readonly DigestAlgorithm[];
  /** Answers a call with this, or not at all. */
  readonly answer?: string;
}

async function open({ trunk, certificate, answer, digests }: Order): Promise<TestSignalling> {
  const react = (input: SignallingInput) => {
    if (input.kind === "incoming" && answer !== undefined) us.sip.answer(input.legSid, answer);
  };
  const tls = certificate && { port: 0, ...certificate };
  const us: TestSignalling = await TestSignalling.open([trunk], { clock: systemClock, react, tls, digests });
  closings.push(() => us.sip.close());
  return us;
}

const stateOf = (us: TestSignalling) => us.sip.trunks()[0];

describe.skipIf(!baresip)("baresip registers with us", () => {
  async function phoneAt(us: TestSignalling, transport: string, certificate: Certificate): Promise<Baresip> {
    const port = transport === "tls" ? us.sip.tlsPorts[0] : us.port;
    const phone = await Baresip.start({
      ...{ program: baresip ?? "", users: ["office"], address: "127.0.0.1", port: await ownPort(2) },
      ...{ codec: "PCMU", hz: 440, certificate },
      registrar: { place: `127.0.0.2:${port};transport=${transport}`, password: "secret" },
    });
    closings.push(() => phone.stop());
    return phone;
  }

  test.each(["udp", "tcp", "tls"])("over %s, is called there, and calls", async (transport) => {
    const certificate = await certificateFor("127.0.0.2", "127.0.0.1");
    const registrar = { username: "office", password: "secret", requestUri: "contact" };
    const trunk = { host: undefined, registrar, optionsSeconds: 1 };
    const us = await open({ trunk, certificate, answer: SDP, digests: ["MD5"] });
    const phone = await phoneAt(us, transport, certificate);
    await expect
      .poll(() => stateOf(us), { ...SOON, message: phone.report() })
      .toMatchObject({ isUp: true, registration: { reason: expect.stringContaining(transport.toUpperCase()) } });
    us.dial("+14155550122");
    await us.next("answered", {});
    us.sip.hangUp("out");
    await expect.poll(() => phone.isFree, SOON).toBe(true);
    phone.forget();
    phone.dial(
      `sip:+14155550100@127.0.0.2:${transport === "tls" ? us.sip.tlsPorts[0] : us.port};transport=${transport}`,
    );
    expect(await us.next("incoming", {})).toMatchObject({ trunk: "carrier", called: ["+14155550100"] });
    await us.next("confirmed", {});
    phone.hangUp();
    expect(await us.next("ended", {})).toMatchObject({ by: "peer" });
    // The health checks over its flow are answered.
    expect(stateOf(us)).toMatchObject({ isUp: true, reason: "registered" });
    if (transport === "udp") return;
    await phone.stop();
    await expect.poll(() => stateOf(us), SOON).toMatchObject({ isUp: false, reason: "not registered" });
  });

  test("with a wrong password, and stays out", async () => {
    const certificate = await certificateFor("127.0.0.1");
    const trunk = { host: undefined, registrar: { username: "office", password: "other" } };
    const us = await open({ trunk, digests: ["MD5"] });
    const phone = await phoneAt(us, "udp", certificate);
    await expect.poll(() => phone.report(), SOON).toMatch(/401|[Uu]nauthori/);
    expect(stateOf(us)).toMatchObject({ isUp: false, reason: "not registered" });
  });
});

describe.skipIf(!kamailio)("Kamailio", () => {
  test("registers with us, and is called there by the number", async () => {
    const trunk = { host: undefined, registrar: { username: "office", password: "secret" } };
    const us = await open({ trunk, digests: ["MD5"] });
    const port = await ownPort();
    const place = `127.0.0.2:${us.port}`;
    const proxy = startKamailio(kamailio ?? "", port, REGISTRAR, {
      registrations: [{ user: "office", password: "secret", place }],
    });
    closings.push(() => proxy.stop());
    await expect.poll(() => stateOf(us), { ...SOON, message: proxy.report() }).toMatchObject({ isUp: true });
    us.dial("+14155550122");
    expect(await us.next("refused", {})).toMatchObject({ sipCode: 486 });
    expect(us.records[0]?.text).toMatch(new RegExp(`^INVITE sip:[+]14155550122@127.0.0.1:${port}`));
  });

  test("takes our registration", async () => {
    const port = await ownPort();
    const proxy = startKamailio(kamailio ?? "", port, REGISTRAR);
    closings.push(() => proxy.stop());
    const credentials = { username: "tandem", password: "secret" };
    const us = await open({ trunk: { port, credentials, register: { expiresSeconds: 60 } } });
    await expect
      .poll(() => stateOf(us)?.registration, { ...SOON, message: proxy.report() })
      .toMatchObject({ isUp: true });
  });
});
