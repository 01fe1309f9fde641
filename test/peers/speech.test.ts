// What parties hear and press, through a whole Tandem: texts of scripts, prompts and keys, with SIPp and baresip as the
// telephones and our own telephone where the audio is measured sample by sample.

import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { FliteEngine } from "../../src/adapters/speech/flite-engine.ts";
import { SharedSpeech } from "../../src/adapters/speech/shared-speech.ts";
import { KEY_PROMPT } from "../../src/domain/voice/index.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { listen, type Trail } from "../contract/messages.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { certificateFor } from "../fakes/certificate.ts";
import { correlation } from "../fakes/correlation.ts";
import { keyTones } from "../fakes/key-tone.ts";
import { RtpPhone } from "../fakes/rtp-phone.ts";
import { fliteWorkerFile } from "../fakes/worker-file.ts";
import { ownPort } from "../own-port.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { Baresip } from "./baresip.ts";
import { requirePeer } from "./peer.ts";
import { type Sipp, type SippOrder, startSipp } from "./sipp.ts";

const sippProgram = requirePeer("sipp", "sip-tester");
const baresipProgram = requirePeer("baresip", "baresip-core");

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly endedBy: string | null;
  readonly legs: readonly { readonly leg: string; readonly status: string }[];
}

const CLOSED = "The office is closed today, and opens again on Monday at nine. Goodbye!";

describe.skipIf(!sippProgram)("speech and keys", async () => {
  let sipPort = 0;
  let carrierPort = 0;
  const engine = new FliteEngine({ voice: "slt", workerFile: await fliteWorkerFile() });
  const tandem = useTandem(async () => {
    [sipPort, carrierPort] = [await ownPort(), await ownPort()];
    const trunk = { name: "carrier", host: "127.0.0.1", port: carrierPort, sources: ["127.0.0.1"], optionsSeconds: 0 };
    const file = join(mkdtempSync(join(tmpdir(), "tandem-speech-")), "tandem.config.json");
    writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [trunk] } }));
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
  let receiver: Server;
  let script = "";
  const running: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    const limits = { read: WIDE, write: WIDE, call: WIDE };
    account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
    number = await newNumber(tandem);
    await take(account, number);
    receiver = createServer((request, response) => {
      request.resume();
      response.end(script);
    });
    await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await answerOf(await account.call("/v1/Webhooks", json("POST", { type: "InboundCallReceivedWebhook", url })), 201);
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });
  afterAll(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await engine.close();
  });

  const play = (order: Omit<SippOrder, "program">): Sipp => {
    const sipp = startSipp({ program: sippProgram ?? "", ...order });
    running.push(sipp);
    return sipp;
  };
  const phone = async (): Promise<RtpPhone> => {
    const opened = await RtpPhone.open();
    running.push({ stop: async () => opened.close() });
    return opened;
  };
  const find = async (sid: string) => answerOf<CallBody>(await account.call(`/v1/Voice/Calls/${sid}`), 200);
  const lastCall = async () => {
    const { items } = await answerOf<List<CallBody>>(await account.call("/v1/Voice/Calls?PageSize=1"), 200);
    return items[0] as CallBody;
  };
  const place = async (order: object) =>
    answerOf<CallBody>(
      await account.call("/v1/Voice/Calls", json("POST", { to: "+14155550198", requireKeyPress: true, ...order })),
      201,
    );
  const spoken = async (text: string): Promise<number[]> => {
    const samples: number[] = [];
    const parts = new SharedSpeech(engine).say({ accountSid: "AC1", text }, new AbortController().signal);
    for await (const part of parts) samples.push(...part);
    return samples;
  };
  const callIn = async (words: Readonly<Record<string, string>>, scenario = "dropped-caller") =>
    play({
      ...{ scenario, port: await ownPort(), calls: 1, words },
      ...{ remote: `127.0.0.2:${sipPort}`, service: number },
    });

  test("a caller hears the text of a script to its last syllable, and is hung up on", async () => {
    script = `<Response><Hangup>${CLOSED}</Hangup></Response>`;
    const ear = await listen(account);
    const listener = await phone();
    const caller = await callIn({ audio: String(listener.port) });
    expect(await caller.exited, caller.report()).toBe(0);
    const said = await spoken(CLOSED);
    const heard = listener.samples("PCMU");
    expect(correlation(said, heard)).toBeGreaterThan(0.99);
    // The last half second separately: a cut would hardly show in the whole.
    expect(correlation(said.slice(-4000), heard.slice(-(4000 + 2400 + 160)))).toBeGreaterThan(0.99);
    await ear.until(({ payload }) => payload.Status === "Completed");
    expect(ear.heard.map(({ type, payload }) => `${type} ${payload.Leg ?? ""} ${payload.Status ?? ""}`)).toEqual([
      "InboundCallReceivedWebhook  ",
      "CallStatusChangedWebhook First Answered",
      "CallStatusChangedWebhook First Completed",
    ]);
    await ear.leave();
    expect(await lastCall()).toMatchObject({ endReason: "ScriptHangup", endedBy: "Service", legs: [{ leg: "First" }] });
  });

  test.each([
    ["a text that is too long", "word ".repeat(801), "4000 characters"],
    ["control characters", "Good\u0085bye", "control characters"],
    ["SSML", "<![CDATA[<speak>Good<break/>bye</speak>]]>", "SSML"],
    ["SSML as elements", "<speak>Goodbye</speak>", "Hangup holds text alone"],
  ])("a script with %s is invalid: the call is not answered, and why says it", async (_what, text, reason) => {
    script = `<Response><Hangup>${text}</Hangup></Response>`;
    const caller = await callIn({ status: "480" }, "refused-caller");
    expect(await caller.exited, caller.report()).toBe(0);
    await expect.poll(async () => (await lastCall()).endReason, SOON).toBe("ScriptInvalid");
    const { sid } = await lastCall();
    const why = await answerOf<Trail>(await account.call(`/v1/Voice/Calls/${sid}/why`), 200);
    expect(why.summary.why).toContain(reason);
  });

  test("a text that the voice cannot say ends the call all the same, and why says it", async () => {
    script = "<Response><Hangup>再见</Hangup></Response>";
    const caller = await callIn({});
    expect(await caller.exited, caller.report()).toBe(0);
    await expect.poll(async () => (await lastCall()).status, SOON).toBe("Completed");
    const { sid, endReason } = await lastCall();
    expect(endReason).toBe("ScriptHangup");
    const why = await answerOf<Trail>(await account.call(`/v1/Voice/Calls/${sid}/why`), 200);
    expect(why.summary.why).toContain("could not be spoken");
  });

  test("a key by INFO connects the second party", async () => {
    const port = await ownPort();
    const agent = play({ scenario: "pressing-callee", port, calls: 1 });
    const customer = play({ scenario: "callee", port: carrierPort, calls: 1 });
    const { sid } = await place({ from: `sip:agent@127.0.0.1:${port}` });
    await expect.poll(async () => (await find(sid)).status, SOON).toBe("Answered");
    await answerOf(await account.call(`/v1/Voice/Calls/${sid}/hangup`, { method: "POST" }), 200);
    expect(await agent.exited, agent.report()).toBe(0);
    expect(await customer.exited, customer.report()).toBe(0);
  });

  test("a key as a tone connects the second party, and the prompt was heard", async () => {
    const port = await ownPort();
    const hand = await phone();
    play({ scenario: "callee-without-sound", port, calls: 1, words: { audio: String(hand.port) } });
    play({ scenario: "callee", port: carrierPort, calls: 1 });
    const said = await spoken(KEY_PROMPT);
    const { sid } = await place({ from: `sip:agent@127.0.0.1:${port}` });
    const to = await audioPortOf(sid);
    await expect.poll(() => hand.heard.length * 160, SOON).toBeGreaterThan(said.length);
    expect((await find(sid)).legs).toHaveLength(1);
    // Before the audio is checked, which is slow: a key is awaited for twenty seconds.
    await hand.sendSound(to, "PCMU", keyTones("5", "PCMU"), "127.0.0.2");
    await expect.poll(() => find(sid), SOON).toMatchObject({ status: "Answered", endReason: null });
    expect(correlation(said, hand.samples("PCMU"))).toBeGreaterThan(0.99);
    await answerOf(await account.call(`/v1/Voice/Calls/${sid}/hangup`, { method: "POST" }), 200);
  });

  /** The audio port of the call's first leg, from its INVITE. */
  const audioPortOf = async (sid: string): Promise<number> => {
    const sdp = async () => {
      const answer = await account.call(`/v1/Voice/Calls/${sid}/sip`);
      const { items } = await answerOf<List<{ text: string }>>(answer, 200);
      return /^m=audio (\d+)/m.exec(items[0]?.text ?? "")?.[1];
    };
    await expect.poll(sdp, SOON).toBeDefined();
    return Number(await sdp());
  };

  test.skipIf(!baresipProgram)("a key by RFC 4733 connects the second party", async () => {
    const port = await ownPort(2);
    const own = { users: ["agent"], address: "127.0.0.1", port, codec: "PCMU", hz: 440 } as const;
    const certificate = await certificateFor("127.0.0.1");
    const agent = await Baresip.start({ program: baresipProgram ?? "", certificate, ...own });
    running.push(agent);
    play({ scenario: "callee", port: carrierPort, calls: 1 });
    const { sid } = await place({ from: `sip:agent@127.0.0.1:${port}`, keyPressPrompt: "Please press a key." });
    await expect.poll(async () => (await find(sid)).legs[0]?.status, SOON).toBe("Answered");
    // baresip accepts keys once its side of the call is established.
    await expect
      .poll(async () => {
        agent.press("7");
        return (await find(sid)).status;
      }, SOON)
      .toBe("Answered");
    await answerOf(await account.call(`/v1/Voice/Calls/${sid}/hangup`, { method: "POST" }), 200);
  });

  test("without a key the second party is never dialled", async () => {
    const port = await ownPort();
    const customer = play({ scenario: "callee", port: carrierPort, calls: 1 });
    play({ scenario: "callee-without-sound", port, calls: 1 });
    const { sid } = await place({ from: `sip:agent@127.0.0.1:${port}` });
    await expect.poll(async () => (await find(sid)).status, { ...SOON, timeout: 120_000 }).toBe("Completed");
    expect(await find(sid)).toMatchObject({ endReason: "NotAcknowledged", legs: [{ leg: "First" }] });
    await customer.stop();
    const why = await answerOf<Trail>(await account.call(`/v1/Voice/Calls/${sid}/why`), 200);
    expect(why.summary.why).toContain("pressed no key");
  });

  test.each([
    ["too long", "x".repeat(501)],
    ["empty", ""],
    ["SSML", "<speak>Press</speak>"],
    ["with control characters", "Press\u0007"],
  ])("a prompt that is %s is refused", async (_what, keyPressPrompt) => {
    const order = { from: "+14155550197", to: "+14155550198", requireKeyPress: true, keyPressPrompt };
    const answer = await account.call("/v1/Voice/Calls", json("POST", order));
    expect(await answerOf(answer, 400)).toMatchObject({ errors: { keyPressPrompt: [expect.any(String)] } });
  });

  test("a prompt without a demand for a key is refused", async () => {
    const order = { from: "+14155550197", to: "+14155550198", keyPressPrompt: "Press." };
    const answer = await account.call("/v1/Voice/Calls", json("POST", order));
    expect(await answerOf(answer, 400)).toMatchObject({ errors: { keyPressPrompt: [expect.any(String)] } });
  });
});
