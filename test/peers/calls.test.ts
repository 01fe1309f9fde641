// Calls through a whole Tandem, with SIPp as the telephones and carriers around it.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { type Ear, listen } from "../contract/messages.ts";
import { answerOf, type List, newNumber, take, WIDE } from "../contract/numbers.ts";
import { ownPort } from "../own-port.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { requirePeer } from "./peer.ts";
import { type Sipp, type SippOrder, startSipp } from "./sipp.ts";

const program = requirePeer("sipp", "sip-tester");

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

const SIX = [
  "First Ringing",
  "First Answered",
  "Second Ringing",
  "Second Answered",
  "First Completed",
  "Second Completed",
];

describe.skipIf(!program)("calls with SIPp", () => {
  let sipPort = 0;
  /** Where the carrier takes calls, and from where it calls. */
  let carrierPort = 0;
  const tandem = useTandem(async () => {
    [sipPort, carrierPort] = [await ownPort(), await ownPort()];
    const sip = {
      sourceAddresses: ["127.0.0.2", "127.0.0.3"],
      trunks: [{ name: "carrier", host: "127.0.0.1", port: carrierPort, sources: ["127.0.0.1"], optionsSeconds: 0 }],
    };
    const file = join(mkdtempSync(join(tmpdir(), "tandem-voice-")), "tandem.config.json");
    writeFileSync(file, JSON.stringify({ sip }));
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

  const play = (order: Omit<SippOrder, "program">) => {
    const sipp = startSipp({ program: program ?? "", ...order });
    running.push(sipp);
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
  const toldOf = async (ear: Ear, isLast: (told: readonly string[]) => boolean) => {
    const told = () =>
      ear.heard
        .filter(({ type }) => type === "CallStatusChangedWebhook")
        .map(({ payload }) => `${payload.Leg} ${payload.Status}`);
    await ear.until(() => isLast(told()));
    await ear.leave();
    return told();
  };

  test("a call to a number is forwarded to its destination, with sound both ways", async () => {
    await forwardTo("+14155550199");
    const ear = await listen(account);
    const callee = play({ scenario: "callee", port: carrierPort, calls: 1 });
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
    for (const { media } of call.legs) expect(media?.packetsReceived).toBeGreaterThan(5);
  });
});
