// Trunks as real carriers run them, each simulated by a SIPp scenario, against our signalling.

import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { SignallingInput } from "../../src/domain/voice/ports.ts";
import { SDP } from "../fakes/sip-legs.ts";
import { TestSignalling } from "../fakes/sip-signalling.ts";
import { ownPort } from "../own-port.ts";
import { forkTo, startKamailio } from "./kamailio.ts";
import { requirePeer } from "./peer.ts";
import { type Sipp, type SippOrder, startSipp } from "./sipp.ts";

const program = requirePeer("sipp", "sip-tester");
const kamailio = requirePeer("kamailio", "kamailio");
const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

function play(order: Omit<SippOrder, "program">): Sipp {
  const sipp = startSipp({ program: program ?? "", calls: 1, ...order });
  closings.push(() => sipp.stop());
  return sipp;
}

async function open(
  trunks: readonly Record<string, unknown>[],
  react: (input: SignallingInput, us: TestSignalling) => void = () => {},
  options: Parameters<typeof TestSignalling.open>[1] = { clock: systemClock },
): Promise<TestSignalling> {
  const us: TestSignalling = await TestSignalling.open(trunks, { ...options, react: (input) => react(input, us) });
  closings.push(() => us.sip.close());
  return us;
}

async function untilDone(sipp: Sipp): Promise<void> {
  expect(await sipp.exited, sipp.report()).toBe(0);
}

/** Answers every call. */
function answer(input: SignallingInput, { sip }: TestSignalling): void {
  if (input.kind === "incoming") {
    sip.ring(input.legSid);
    sip.answer(input.legSid, SDP);
  } else if (input.kind === "offered") sip.answerOffer(input.legSid, SDP);
}

describe.skipIf(!program)("a carrier that is called", () => {
  /** Dials, hangs up when answered, and waits until the scenario has ended. */
  async function call(
    scenario: string,
    settings: Record<string, unknown> = {},
    { transport }: Pick<SippOrder, "transport"> = {},
  ) {
    const port = await ownPort();
    const carrier = play({ scenario, port, transport });
    await carrier.listening();
    const us = await open([{ port, sources: ["127.0.0.1"], ...settings }]);
    us.dial("+14155550122");
    const { sdp } = await us.next("answered", {});
    us.sip.hangUp("out");
    await untilDone(carrier);
    return { us, sdp };
  }

  test.each(["asking-carrier", "asking-proxy"])(
    "asks for credentials, once more for an old nonce: %s",
    async (scenario) => {
      await call(scenario, { credentials: { username: "tandem", password: "secret" } });
    },
  );

  test("rings reliably with early media, which is the answer, too", async () => {
    const { sdp } = await call("reliable-carrier");
    expect(sdp).toContain("m=audio");
  });

  test.each(["loose-router", "strict-router"])("stands behind a proxy: %s", async (scenario) => {
    await call(scenario);
  });

  test("forks to three telephones, two of which answer", async () => {
    const port = await ownPort();
    const carrier = play({ scenario: "forking-proxy", port });
    await carrier.listening();
    const us = await open([{ port, sources: ["127.0.0.1"] }]);
    us.dial("+14155550122");
    await us.next("answered", {});
    // The second answer comes after the first was acknowledged; once its leg got our BYE, only ours is left.
    await expect
      .poll(() => us.records.some(({ direction, text }) => direction === "Sent" && text.startsWith("BYE")), {
        timeout: 120_000,
      })
      .toBe(true);
    us.sip.hangUp("out");
    await untilDone(carrier);
  });

  test("redirects: the target that may be called is called", async () => {
    const [port, elsewhere] = [await ownPort(), await ownPort()];
    const redirector = play({ scenario: "redirector", port, words: { elsewhere: `127.0.0.1:${elsewhere}` } });
    const callee = play({ scenario: "callee", port: elsewhere });
    await Promise.all([redirector.listening(), callee.listening()]);
    const us = await open([{ port, sources: ["127.0.0.1"] }]);
    us.dial("+14155550122", { mayDial: (number) => !number.startsWith("+1900") });
    await us.next("answered", {});
    us.sip.hangUp("out");
    await untilDone(redirector);
    await untilDone(callee);
  });

  test("is reached by TCP", async () => {
    const { us } = await call("callee", { transport: "tcp" }, { transport: "t1" });
    expect(new Set(us.records.map(({ transport }) => transport))).toEqual(new Set(["TCP"]));
  });

  test.each(["refreshed-by-update", "refreshed-by-invite"])("lets us refresh the session: %s", async (scenario) => {
    const port = await ownPort();
    const carrier = play({ scenario, port });
    // Listening first: with a stopped clock nothing is retransmitted.
    await carrier.listening();
    const us = await open([{ port, sources: ["127.0.0.1"] }], () => {}, {});
    us.dial("+14155550122");
    await us.next("answered", {});
    // Half of the agreed session interval; the response to the refresh comes before our BYE.
    await us.clock.advance(45_000);
    const isRefreshed = () => us.records.some(({ text }) => /^SIP\/2.0 200.*CSeq: 2 (UPDATE|INVITE)/s.test(text));
    await expect.poll(isRefreshed, { timeout: 120_000 }).toBe(true);
    us.sip.hangUp("out");
    await untilDone(carrier);
  });

  test("takes our registration, calls by it, and takes its end", async () => {
    const port = await ownPort();
    const registrar = play({ scenario: "registrar", port });
    await registrar.listening();
    const us = await open(
      [{ port, credentials: { username: "tandem", password: "secret" }, register: { expiresSeconds: 600 } }],
      answer,
    );
    await expect.poll(() => us.sip.trunks()[0]?.registration?.isUp, { timeout: 120_000 }).toBe(true);
    const remote = `127.0.0.2:${us.port}`;
    await untilDone(play({ scenario: "caller", port: await ownPort(), remote, service: "+14155550100" }));
    await us.sip.close();
    await untilDone(registrar);
  });

  test("says that it is there, and asks whether we are", async () => {
    const port = await ownPort();
    const pinged = play({ scenario: "pinged-carrier", port });
    await pinged.listening();
    const us = await open([{ port, sources: ["127.0.0.1"], optionsSeconds: 30 }]);
    await untilDone(pinged);
    await expect.poll(() => us.sip.trunks()[0]?.reason, { timeout: 120_000 }).toBe("200 At Your Service");
    await untilDone(play({ scenario: "pinging-carrier", port: await ownPort(), remote: `127.0.0.2:${us.port}` }));
  });
});

test.skipIf(!program || !kamailio)(
  "a call through Kamailio proves who we are, rings at two telephones and follows its route",
  async () => {
    const [port, one, two] = [await ownPort(), await ownPort(), await ownPort()];
    const proxy = startKamailio(kamailio ?? "", port, forkTo(`127.0.0.1:${one}`, `127.0.0.1:${two}`));
    closings.push(() => proxy.stop());
    const credentials = { username: "tandem", password: "secret" };
    // It answers our OPTIONS probes when it has started.
    const us = await open([{ port, sources: ["127.0.0.1"], optionsSeconds: 1, failoverSeconds: 30, credentials }]);
    await expect.poll(() => us.sip.trunks()[0]?.reason, { timeout: 120_000, message: proxy.report() }).toBe("200 OK");
    const ringing = play({ scenario: "ringing-phone", port: one });
    const callee = play({ scenario: "callee", port: two });
    await Promise.all([ringing.listening(), callee.listening()]);
    us.dial("+14155550122");
    await us.next("answered", {});
    us.sip.hangUp("out");
    await untilDone(ringing);
    await untilDone(callee);
    expect(us.records.map(({ text }) => text.split("\r\n")[0])).toContainEqual(expect.stringMatching(/^SIP\/2.0 407 /));
    const bye = us.records.find(({ direction, text }) => direction === "Sent" && text.startsWith("BYE"));
    expect(bye).toMatchObject({
      peer: `127.0.0.1:${port}`,
      text: expect.stringContaining(`Route: <sip:127.0.0.1:${port};lr`),
    });
  },
);

describe.skipIf(!program)("a carrier that calls", () => {
  async function take(scenario: string, transport?: "u1" | "t1") {
    const us = await open([{ sources: ["127.0.0.1"] }], answer);
    const remote = `127.0.0.2:${us.port}`;
    const caller = play({ scenario, port: await ownPort(), remote, service: "+14155550100", transport });
    await untilDone(caller);
    return us;
  }

  test("refreshes, holds, offers nothing and presses a key", async () => {
    const us = await take("busy-caller");
    const kinds: string[] = [];
    for (const kind of [
      "incoming",
      "confirmed",
      "offered",
      "offered",
      "offered",
      "renegotiated",
      "digit",
      "ended",
    ] as const) {
      kinds.push((await us.next(kind)).kind);
    }
    expect(kinds).toHaveLength(8);
  });

  test("lets us refresh the session", async () => {
    const us = await open([{ sources: ["127.0.0.1"] }], answer, {});
    const remote = `127.0.0.2:${us.port}`;
    const caller = play({ scenario: "refreshed-caller", port: await ownPort(), remote, service: "+14155550100" });
    await us.next("confirmed", {});
    await us.clock.advance(45_000);
    await untilDone(caller);
  });

  test("offers late", async () => {
    const us = await take("late-offering-caller");
    expect(await us.next("incoming")).not.toHaveProperty("sdp", expect.any(String));
    expect((await us.next("confirmed")).sdp).toContain("m=audio");
  });

  test("wants a reliable 180", async () => {
    const port = await ownPort();
    // Answers when the 180 was acknowledged, as the peer's PRACK shows.
    const us = await open([{ sources: ["127.0.0.1"] }], (input, { sip }) => {
      if (input.kind === "incoming") sip.ring(input.legSid);
    });
    const remote = `127.0.0.2:${us.port}`;
    const caller = play({ scenario: "reliable-caller", port, remote, service: "+14155550100" });
    const { legSid } = await us.next("incoming");
    await expect
      .poll(() => us.records.some(({ direction, text }) => direction === "Sent" && /CSeq: 2 PRACK/.test(text)), {
        timeout: 120_000,
      })
      .toBe(true);
    us.sip.answer(legSid, SDP);
    await untilDone(caller);
  });

  test("calls by TCP", async () => {
    await take("caller", "t1");
  });
});
