// Calls through a whole Tandem, with SIPp as the surrounding telephones and carriers.

import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { headerOf } from "../../src/wire/sip/message.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { type Ear, listen, type Trail } from "../contract/messages.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { SDP } from "../fakes/sip-legs.ts";
import { SipPeer } from "../fakes/sip-peer.ts";
import { killedHosts, ownPort } from "../own-port.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { type Kamailio, sendBackTo, startKamailio } from "./kamailio.ts";
import { requirePeer } from "./peer.ts";
import { type Sipp, type SippOrder, startSipp } from "./sipp.ts";

const program = requirePeer("sipp", "sip-tester");
const kamailio = requirePeer("kamailio", "kamailio");

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly endedBy: string | null;
  readonly legs: readonly {
    readonly leg: string;
    readonly status: string;
    readonly sipCode: number | null;
    readonly media: { readonly codec: string; readonly packetsReceived: number } | null;
  }[];
}

interface SipRow {
  readonly leg: string;
  readonly direction: string;
  readonly peer: string;
  readonly transport: string;
  readonly startLine: string;
  readonly text: string;
}

const SIX = [
  "First Ringing",
  "First Answered",
  "Second Ringing",
  "Second Answered",
  "First Completed",
  "Second Completed",
];

const peerTest = test.skipIf(!program);

describe("calls", () => {
  let sipPort = 0;
  /** Where the carrier receives calls, and from where it calls. */
  let carrierPort = 0;
  /** Where lookups are answered. */
  let redirectPort = 0;
  const tandem = useTandem(async () => {
    [sipPort, carrierPort, redirectPort] = [await ownPort(), await ownPort(), await ownPort()];
    const sip = {
      sourceAddresses: ["127.0.0.2", "127.0.0.3"],
      trunks: [{ name: "carrier", host: "127.0.0.1", port: carrierPort, sources: ["127.0.0.1"], optionsSeconds: 0 }],
    };
    const file = join(mkdtempSync(join(tmpdir(), "tandem-voice-")), "tandem.config.json");
    const lrn = { kind: "sip", name: "lrn", servers: [`127.0.0.1:${redirectPort}`], callingCodes: ["44"] };
    writeFileSync(file, JSON.stringify({ sip, lookup: { providers: [{ ...lrn, deadlineMs: 10_000 }] } }));
    return {
      environment: {
        TANDEM_CONFIG: file,
        TANDEM_SIP_PORT: String(sipPort),
        TANDEM_RTP_PORTS: "0",
        TANDEM_DRAIN_SECONDS: "1",
      },
    };
  });
  let account: TestAccount;
  let number: string;
  const running: Sipp[] = [];

  beforeAll(async () => {
    const limits = { read: WIDE, write: WIDE, call: WIDE };
    account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
    number = await newNumber(tandem);
    await take(account, number);
  });
  afterEach(async () => {
    for (const sipp of running.splice(0)) await sipp.stop();
  });

  /** A scenario that is called listens when this resolves. */
  const play = async (order: Omit<SippOrder, "program">) => {
    const sipp = startSipp({ program: program ?? "", ...order });
    running.push(sipp);
    if (order.remote === undefined) await sipp.listening();
    return sipp;
  };
  const callIn = async (more: Partial<SippOrder> = {}) =>
    play({
      scenario: "caller",
      port: await ownPort(),
      remote: `127.0.0.2:${sipPort}`,
      service: number,
      calls: 1,
      ...more,
    });
  const forwardTo = async (callsForwardedTo: string | null) =>
    answerOf(await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo })), 200);
  const lastCall = async () => {
    const { items } = await answerOf<List<CallBody>>(await account.call("/v1/Voice/Calls?PageSize=1"), 200);
    return items[0] as CallBody;
  };
  const rowsOf = async (sid: string) =>
    (await answerOf<List<SipRow>>(await account.call(`/v1/Voice/Calls/${sid}/sip`), 200)).items;
  const toldOf = async (ear: Ear, isLast: (told: readonly string[]) => boolean) => {
    const told = () =>
      ear.heard
        .filter(({ type }) => type === "CallStatusChangedWebhook")
        .map(({ payload }) => `${payload.Leg} ${payload.Status}`);
    await ear.until(() => isLast(told()));
    await ear.leave();
    return told();
  };

  peerTest("a call to a number is forwarded to its destination, with sound both ways", async () => {
    await forwardTo("+14155550199");
    const ear = await listen(account);
    const callee = await play({ scenario: "callee", port: carrierPort, calls: 1 });
    const caller = await callIn();
    expect(await caller.exited, caller.report()).toBe(0);
    expect(await callee.exited, callee.report()).toBe(0);
    expect(await toldOf(ear, (told) => told.at(-1) === "Second Completed")).toStrictEqual(SIX);
    const call = await lastCall();
    expect(call).toMatchObject({ status: "Completed", endReason: "Completed", endedBy: "First" });
    expect(call.legs).toMatchObject([
      { leg: "First", status: "Completed", media: { codec: "PCMU" } },
      { leg: "Second", status: "Completed", media: { codec: "PCMU" } },
    ]);
    for (const { media } of call.legs) expect(media?.packetsReceived).toBeGreaterThan(0);
  });

  peerTest("a call to a number that is nobody's is answered with 404, and leaves nothing", async () => {
    const before = await lastCall();
    const caller = await callIn({ scenario: "refused-caller", service: "+13035569999", words: { status: "404" } });
    expect(await caller.exited, caller.report()).toBe(0);
    expect(await lastCall()).toEqual(before);
  });

  peerTest.each([
    ["486", "Busy"],
    ["603", "Rejected"],
    ["480", "NoAnswer"],
    ["500", "Failed"],
  ])("when the destination answers %s, the caller is hung up on: %s", async (status, endReason) => {
    await forwardTo("+14155550199");
    const ear = await listen(account);
    await play({ scenario: "refuser", port: carrierPort, words: { status } });
    const caller = await callIn({ scenario: "dropped-caller" });
    expect(await caller.exited, caller.report()).toBe(0);
    const told = await toldOf(ear, (events) => events.at(-1) === "Second Completed");
    expect(told).toStrictEqual(["First Ringing", "First Answered", "First Completed", "Second Completed"]);
    const call = await lastCall();
    expect(call).toMatchObject({ endReason, endedBy: "Second" });
    expect(call.legs[1]).toMatchObject({ sipCode: Number(status), media: null });
  });

  peerTest("a lookup asks the redirect server, once", async () => {
    const contact = "<sip:+442079460000;npdi;rn=+447700900123@127.0.0.1>";
    const server = await play({ scenario: "redirect-server", port: redirectPort, calls: 1, words: { contact } });
    const lookUp = () => account.call("/carrierLookup/v1/Numbers/+442079460000");
    const found = await lookUp();
    expect(found.headers.get("x-lookup-source")).toBe("sip");
    expect(await server.exited, server.report()).toBe(0);
    expect(await (await lookUp()).json()).toEqual(await found.json());
  });

  peerTest("who withholds who they are stands in none of the SIP messages of the call", async () => {
    await forwardTo("+14155550199");
    const [caller, callee] = [
      await SipPeer.open(),
      await play({ scenario: "refuser", port: carrierPort, calls: 1, words: { status: "486" } }),
    ];
    const identity = { Privacy: "id", "P-Asserted-Identity": '"Alice" <sip:+14155550142@127.0.0.1>' };
    const uri = `sip:${number}@127.0.0.2`;
    const fields = { uri, To: `<${uri}>`, From: '"Alice" <sip:4155550142@127.0.0.1>;tag=alice', ...identity };
    caller.send(caller.request("INVITE", fields, SDP), sipPort);
    const { message } = await caller.next(200);
    const dialog = { ...fields, To: headerOf(message, "to") ?? "", "Call-ID": message.callId };
    caller.send(caller.request("ACK", { ...dialog, CSeq: "1 ACK" }), sipPort);
    caller.respond(await caller.next("BYE"), 200);
    expect(await callee.exited, callee.report()).toBe(0);
    const { sid, ...call } = await lastCall();
    expect(call).toMatchObject({ from: "anonymous" });
    const texts = async () => {
      const list = await account.call(`/v1/Voice/Calls/${sid}/sip`);
      return (await answerOf<List<{ text: string }>>(list, 200)).items.map(({ text }) => text);
    };
    await expect.poll(async () => (await texts()).join("\n"), SOON).toContain("SIP/2.0 486");
    const shown = (await texts()).join("\n");
    expect(shown).toContain("P-Asserted-Identity: ***");
    expect(shown).toContain("<sip:***@127.0.0.1>;tag=alice");
    expect(shown).not.toMatch(/5550142|Alice/);
    const capture = await account.call(`/v1/Voice/Calls/${sid}/sip.pcap`);
    expect(Buffer.from(await capture.arrayBuffer()).includes("5550142")).toBe(false);
    caller.close();
  });

  describe("that go round in a circle", () => {
    let trunk: Kamailio | undefined;
    afterEach(() => trunk?.stop());

    /** A trunk that sends every call back. */
    const loop = async (keeps: "diversions" | "nothing") => {
      trunk = startKamailio(kamailio ?? "", carrierPort, sendBackTo(`127.0.0.2:${sipPort}`, keeps));
      const peer = await SipPeer.open();
      const options = peer.request("OPTIONS", { uri: "sip:127.0.0.1" });
      // It responds when it has started.
      const answers = () => {
        peer.send(options, carrierPort, "127.0.0.1");
        return peer.left.length;
      };
      await expect.poll(answers, { ...SOON, message: trunk.report() }).toBeGreaterThan(0);
      peer.close();
    };
    /** Numbers that each forward to the next. */
    const chain = async (count: number, last: (numbers: readonly string[]) => string) => {
      const numbers: string[] = [];
      for (let n = 0; n < count; n++) {
        numbers.push(await newNumber(tandem));
        await take(account, numbers[n] ?? "");
      }
      for (const [at, one] of numbers.entries()) {
        const callsForwardedTo = numbers[at + 1] ?? last(numbers);
        await answerOf(await account.call(`/v1/Phones/${one}/voice`, json("PUT", { callsForwardedTo })), 200);
      }
      return numbers;
    };
    /** Calls the first number, which hangs up, and returns the outcomes of the calls, the first one first. */
    const callFirst = async ([first = ""]: readonly string[]) => {
      const { sid: before } = await lastCall();
      const caller = await callIn({ scenario: "dropped-caller", service: first });
      expect(await caller.exited, caller.report()).toBe(0);
      const made = async () => {
        const path = "/v1/Voice/Calls?PageSize=50&OrderByDirection=Descending";
        const { items } = await answerOf<List<CallBody & { to: string }>>(await account.call(path), 200);
        return items.slice(
          0,
          items.findIndex(({ sid }) => sid === before),
        );
      };
      await expect.poll(async () => (await made()).every(({ status }) => status === "Completed"), SOON).toBe(true);
      return (await made()).toReversed().map(({ to, legs }) => ({ to, sipCode: legs[1]?.sipCode }));
    };
    const circleTest = test.skipIf(!program || !kamailio);

    circleTest("a number that has forwarded the call before answers 482", async () => {
      await loop("diversions");
      const [one = "", two = ""] = await chain(2, ([first = ""]) => first);
      expect(await callFirst([one])).toMatchObject([{ to: one }, { to: two, sipCode: 482 }]);
    });

    circleTest("the sixth number that would forward a call answers 482", async () => {
      await loop("diversions");
      const numbers = await chain(7, () => "+14155550199");
      const calls = await callFirst(numbers);
      expect(calls.map(({ to }) => to)).toEqual(numbers.slice(0, 5));
      expect(calls.at(-1)).toMatchObject({ sipCode: 482 });
    });

    circleTest("where the trunk hides who has forwarded it, we know it all the same", async () => {
      await loop("nothing");
      const [one = "", two = ""] = await chain(2, ([first = ""]) => first);
      expect(await callFirst([one])).toMatchObject([{ to: one }, { to: two, sipCode: 482 }]);
    });
  });

  /** Calls the number once for each form, after `sendTo` has made it forward to that form. */
  async function expectEveryForm(host: string, sendTo: (uri: string) => Promise<unknown>) {
    const port = await ownPort();
    const forms = [
      [`sip:alice@${host}`, "UDP", 5060, ""],
      [`sip:alice@${host}:${port}`, "UDP", port, ""],
      [`sip:alice@${host};transport=TCP`, "TCP", 5060, ""],
      [`sip:alice@${host}?X-Tenant=acme%20inc&Subject=7`, "UDP", 5060, "X-Tenant: acme inc\r\nSubject: 7\r\n"],
      [`sip:alice@${host}:${port};transport=tcp?X-Tenant=%C3%A9`, "TCP", port, "X-Tenant: é\r\n"],
    ] as const;
    for (const transport of ["u1", "t1"] as const) {
      for (const at of [5060, port]) {
        await play({ scenario: "brief-callee", address: host, port: at, transport });
      }
    }
    const sids: string[] = [];
    for (const [uri, transport] of forms) {
      await sendTo(uri);
      const caller = await callIn({ scenario: "dropped-caller", transport: transport === "TCP" ? "t1" : "u1" });
      expect(await caller.exited, `${uri}\n${caller.report()}`).toBe(0);
      sids.push((await lastCall()).sid);
    }
    for (const [at, [uri, transport, toPort, lines]] of forms.entries()) {
      const dialled = async () =>
        (await rowsOf(sids[at] ?? "")).find(({ leg, direction }) => leg === "Second" && direction === "Sent");
      await expect.poll(dialled, SOON).toMatchObject({
        startLine: `INVITE ${uri.split("?")[0]} SIP/2.0`,
        transport,
        peer: `${host}:${toPort}`,
        text: expect.stringContaining(lines),
      });
      const call = await answerOf<CallBody>(await account.call(`/v1/Voice/Calls/${sids[at]}`), 200);
      expect(call).toMatchObject({ status: "Completed", endReason: "Completed", endedBy: "Second" });
    }
  }

  peerTest("a call is forwarded to every form of SIP URI, over UDP and TCP", () =>
    expectEveryForm(killedHosts[0], forwardTo),
  );

  peerTest("a caller may refresh the session, hold in both ways, and ask for an offer", async () => {
    await forwardTo("+14155550199");
    await play({ scenario: "callee", port: carrierPort });
    const caller = await callIn({ scenario: "busy-caller" });
    expect(await caller.exited, caller.report()).toBe(0);
    const { sid } = await lastCall();
    const answerTo = async (cseq: string) =>
      (await rowsOf(sid)).find(({ direction, text }) => direction === "Sent" && text.includes(`\r\nCSeq: ${cseq}\r\n`))
        ?.text;
    await expect.poll(() => answerTo("7 BYE"), SOON).toContain("SIP/2.0 200 OK");
    expect(await answerTo("3 INVITE")).toContain("a=recvonly");
    expect(await answerTo("5 INVITE")).toMatch(/m=audio [1-9]/);
  });

  peerTest.each(["late-offering-caller", "reliable-caller"])("a call of the %s is answered", async (scenario) => {
    await forwardTo("+14155550199");
    await play({ scenario: "callee", port: carrierPort });
    const caller = await callIn({ scenario });
    expect(await caller.exited, caller.report()).toBe(0);
  });

  describe("without a fixed destination", () => {
    let receiver: Server;
    /** The receiver's response; while it is undefined, the receiver does not respond. */
    let script: string | undefined;

    beforeAll(async () => {
      receiver = createServer((request, response) => {
        request.resume();
        if (script !== undefined) response.end(script);
      });
      await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      const order = { type: "InboundCallReceivedWebhook", url };
      await answerOf(await account.call("/v1/Webhooks", json("POST", order)), 201);
      await forwardTo(null);
    });
    afterAll(() => {
      receiver.closeAllConnections();
      receiver.close();
    });

    peerTest("the call script forwards the call, and its webhook takes the place of the first Ringing", async () => {
      const port = await ownPort();
      script = `<Response><Dial><Sip>sip:alice@127.0.0.1:${port}</Sip></Dial></Response>`;
      const ear = await listen(account);
      const callee = await play({ scenario: "callee", port, calls: 1 });
      const caller = await callIn();
      expect(await caller.exited, caller.report()).toBe(0);
      expect(await callee.exited, callee.report()).toBe(0);
      expect(await toldOf(ear, (told) => told.at(-1) === "Second Completed")).toStrictEqual(SIX.slice(1));
      const { sid } = await lastCall();
      const events = ear.heard.filter(({ resourceSid }) => resourceSid === sid);
      expect(events.map(({ payload }) => payload.Sequence)).toStrictEqual([1, 2, 3, 4, 5, 6]);
      expect(events[0]?.type).toBe("InboundCallReceivedWebhook");
    });

    peerTest("a script may name every form of SIP URI", () =>
      expectEveryForm(killedHosts[1], async (uri) => {
        script = `<Response><Dial>${uri.replaceAll("&", "&amp;")}</Dial></Response>`;
      }),
    );

    peerTest.each([
      ["hangs up", "<Response><Hangup/></Response>", "603", "ScriptHangup"],
      ["is invalid", "<Response>\n<Enqueue/></Response>", "480", "ScriptInvalid"],
      ["calls emergency services", "<Response><Dial>911</Dial></Response>", "480", "Failed"],
      ["calls another country", "<Response><Dial>+4930123456</Dial></Response>", "480", "Failed"],
    ])("a script that %s ends the call unanswered", async (_what, answer, status, endReason) => {
      script = answer;
      const ear = await listen(account);
      const caller = await callIn({ scenario: "refused-caller", words: { status } });
      expect(await caller.exited, caller.report()).toBe(0);
      expect(await toldOf(ear, (told) => told.length > 0)).toStrictEqual(["First Completed"]);
      expect(await lastCall()).toMatchObject({ endReason, endedBy: "Service", legs: [{ leg: "First" }] });
    });

    peerTest("why tells where an invalid script is wrong", async () => {
      script = "<Response>\n  <Enqueue/>\n</Response>";
      const ear = await listen(account);
      const caller = await callIn({ scenario: "refused-caller", words: { status: "480" } });
      expect(await caller.exited, caller.report()).toBe(0);
      await toldOf(ear, (told) => told.length > 0);
      const { sid } = await lastCall();
      const why = await answerOf<Trail>(await account.call(`/v1/Voice/Calls/${sid}/why`), 200);
      expect(why.summary.why).toContain("Hangup or Reject, not Enqueue");
      expect(why.steps.find(({ step }) => step === "script")?.details).toMatchObject({ line: 2 });
    });

    peerTest("a caller that gives up while the script is awaited is told as Canceled", async () => {
      script = undefined;
      const ear = await listen(account);
      const caller = await callIn({ scenario: "giving-up-caller" });
      expect(await caller.exited, caller.report()).toBe(0);
      expect(await toldOf(ear, (told) => told.length > 0)).toStrictEqual(["First Completed"]);
      expect(await lastCall()).toMatchObject({ endReason: "Canceled", endedBy: "First" });
    });
  });

  describe("placed through the API", () => {
    const place = async (order: object, status = 201) =>
      answerOf<CallBody>(await account.call("/v1/Voice/Calls", json("POST", order)), status);
    const statusOf = async (sid: string) =>
      (await answerOf<CallBody>(await account.call(`/v1/Calls/${sid}`), 200)).status;

    peerTest("a call rings the first party, then the second, and ends when it is hung up", async () => {
      const port = await ownPort();
      const ear = await listen(account);
      const agent = await play({ scenario: "callee", port, calls: 1 });
      const customer = await play({ scenario: "callee", port: carrierPort, calls: 1 });
      const { sid, ...call } = await place({ from: `sip:agent@127.0.0.1:${port}`, to: "+14155550198" });
      expect(call).toMatchObject({ status: "Started", callerId: number, legs: [{ leg: "First", status: "Started" }] });
      await expect.poll(() => statusOf(sid), SOON).toBe("Answered");
      expect((await account.call(`/v1/Voice/Calls/${sid}`, { method: "DELETE" })).status).toBe(409);
      const hungUp = await account.call(`/v1/Voice/Calls/${sid}/hangup`, { method: "POST" });
      expect(await answerOf(hungUp, 200)).toMatchObject({ status: "Completed", endReason: "HungUp", endedBy: "Api" });
      expect(await agent.exited, agent.report()).toBe(0);
      expect(await customer.exited, customer.report()).toBe(0);
      expect(await toldOf(ear, (told) => told.at(-1) === "Second Completed")).toStrictEqual(SIX);
      const again = await account.call(`/v1/Voice/Calls/${sid}/hangup`, { method: "POST" });
      expect(await answerOf(again, 200)).toMatchObject({ endReason: "HungUp" });
    });

    peerTest("a first party that is busy is all that is called", async () => {
      const port = await ownPort();
      const ear = await listen(account);
      await play({ scenario: "refuser", port, words: { status: "486" } });
      const { sid } = await place({ from: `sip:agent@127.0.0.1:${port}`, to: "+14155550198" });
      expect(await toldOf(ear, (told) => told.length > 0)).toStrictEqual(["First Completed"]);
      const call = await answerOf<CallBody>(await account.call(`/v1/Voice/Calls/${sid}`), 200);
      expect(call).toMatchObject({ endReason: "Busy", endedBy: "First", legs: [{ sipCode: 486 }] });
    });

    peerTest("the SIP messages of a call are kept, as rows and as packets, and go with it", async () => {
      const { sid } = await lastCall();
      const messages = async () => {
        const list = await account.call(`/v1/Voice/Calls/${sid}/sip`);
        return (await answerOf<List<{ startLine: string; direction: string }>>(list, 200)).items;
      };
      await expect.poll(async () => (await messages()).length, SOON).toBeGreaterThanOrEqual(3);
      expect((await messages())[0]).toMatchObject({ direction: "Sent", startLine: expect.stringMatching(/^INVITE /) });
      const capture = await account.call(`/v1/Voice/Calls/${sid}/sip.pcap`);
      const bytes = new Uint8Array(await capture.arrayBuffer());
      expect(capture.headers.get("content-type")).toBe("application/vnd.tcpdump.pcap");
      expect([...bytes.subarray(0, 4)]).toEqual([0xa1, 0xb2, 0xc3, 0xd4]);
      expect(Buffer.from(bytes).includes("INVITE sip:agent@127.0.0.1")).toBe(true);
      expect((await account.call(`/v1/Voice/Calls/${sid}`, { method: "DELETE" })).status).toBe(204);
      expect((await account.call(`/v1/Voice/Calls/${sid}/sip`)).status).toBe(404);
    });

    peerTest("no answer within the time to ring ends the call", async () => {
      const silent = await SipPeer.open();
      onTestFinished(() => silent.close());
      const { sid } = await place({ from: `sip:agent@${silent.address}`, to: "+14155550198", ringSeconds: 5 });
      await expect.poll(() => statusOf(sid), SOON).toBe("Completed");
      expect(await lastCall()).toMatchObject({ sid, endReason: "NoAnswer", endedBy: "First" });
    });
  });

  test("a trunk that the operator has stopped takes no calls until it is started", async () => {
    const trunk = async () => {
      const { items } = await answerOf<List<{ stoppedOn: string | null }>>(
        await tandem.operator("/operator/v1/Trunks"),
        200,
      );
      return items[0];
    };
    expect(await trunk()).toMatchObject({ name: "carrier", isUp: true, stoppedOn: null, calls: 0 });
    const turn = async (verb: string) =>
      answerOf(await tandem.operator(`/operator/v1/Trunks/carrier/${verb}`, { method: "POST" }), 200);
    expect(await turn("stop")).toMatchObject({ name: "carrier", stoppedOn: expect.any(String) });
    const order = { from: "+14155550197", to: "+14155550198", ringSeconds: 5 };
    const place = async () => {
      const { sid } = await answerOf<CallBody>(await account.call("/v1/Calls", json("POST", order)), 201);
      const ended = async () => answerOf<CallBody>(await account.call(`/v1/Calls/${sid}`), 200);
      await expect.poll(async () => (await ended()).status, SOON).toBe("Completed");
      return (await ended()).endReason;
    };
    // It takes effect within a second.
    await expect.poll(place, SOON).toBe("Failed");
    expect(await turn("start")).toEqual({ name: "carrier", stoppedOn: null });
    const state = (await (await fetch(`${tandem.url}/readyz`)).json()) as Record<string, unknown>;
    expect(state).toMatchObject({ trunks: { carrier: "up" }, calls: 0 });
    expect(await (await fetch(`${tandem.url}/metrics`)).text()).toMatch(
      /tandem_calls_ended_total\{direction="Outbound",reason="Failed"\}/,
    );
  });

  describe("are refused", () => {
    const order = async (body: object, who = account) => {
      const answer = await who.call("/v1/Calls", json("POST", { from: "+14155550197", to: "+14155550198", ...body }));
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
    };

    test.each<[string, object, string, string]>([
      ["to an emergency number", { to: "911" }, "emergency-number", "to"],
      ["to a premium number", { to: "+19005550100" }, "premium-number", "to"],
      ["to a country that is not allowed", { from: "+4930123456" }, "country-not-allowed", "from"],
      ["to what is no destination", { to: "sip:nobody" }, "validation", "to"],
      ["to a private network", { to: "sip:alice@10.1.2.3" }, "validation", "to"],
      ["with somebody else's caller id", { callerId: "+14155550196" }, "validation", "callerId"],
    ])("%s", async (_what, body, code, field) => {
      const refused = await order(body);
      expect(refused).toMatchObject({ status: 400, body: { code, errors: { [field]: [expect.any(String)] } } });
    });

    test("where voice is off, and where nobody could be shown as the caller", async () => {
      const off = await newAccount(tandem);
      expect(await order({}, off)).toMatchObject({ status: 403, body: { code: "feature-off" } });
      await off.change({ features: ["voice"], allowedCountries: ["US"] });
      expect(await order({}, off)).toMatchObject({ status: 400, body: { errors: { callerId: [expect.any(String)] } } });
    });

    test("beyond as many as an account may have under way", async () => {
      await account.change({ limits: { concurrentCalls: { requests: 1, windowSeconds: 1 } } });
      const silent = await SipPeer.open();
      onTestFinished(() => silent.close());
      const from = `sip:nobody@${silent.address}`;
      const first = await order({ from });
      expect(first.status).toBe(201);
      const second = await order({ from });
      expect(second).toMatchObject({ status: 429, body: { code: "rate-limited" } });
      expect(second.headers.get("retry-after")).toBe("10");
      const hungUp = await account.call(`/v1/Calls/${first.body.sid}/hangup`, { method: "POST" });
      expect(await answerOf(hungUp, 200)).toMatchObject({ status: "Completed", endReason: "HungUp" });
    });

    test("when they are forwarded to an emergency number", async () => {
      const put = await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: "112" }));
      expect(await answerOf(put, 400)).toMatchObject({ code: "emergency-number" });
    });
  });
});
