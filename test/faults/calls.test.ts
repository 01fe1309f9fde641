// Many calls, one after another and many at the same time: each is connected and reported by events, and nothing of
// them is left in the server: no call, leg, transaction or port.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, newNumber, take, WIDE } from "../contract/numbers.ts";
import { ownPort } from "../own-port.ts";
import { requirePeer } from "../peers/peer.ts";
import { type Sipp, startSipp } from "../peers/sipp.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const program = requirePeer("sipp", "sip-tester");
const CALLS = roundsOf({ quick: 500, long: 10_000 });
const RATE = 50;
/** RFC 3261 17.1.1.2: a transaction over UDP stays for 32 s after its end. */
const FORGOTTEN = { timeout: 120_000, interval: 500 };

describe.skipIf(!program)("very many calls", () => {
  let sipPort = 0;
  let carrierPort = 0;
  const tandem = useTandem(async () => {
    [sipPort, carrierPort] = [await ownPort(), await ownPort()];
    const trunk = { name: "carrier", host: "127.0.0.1", port: carrierPort, sources: ["127.0.0.1"], optionsSeconds: 0 };
    const file = join(mkdtempSync(join(tmpdir(), "tandem-calls-")), "tandem.config.json");
    writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [trunk] } }));
    return { environment: { TANDEM_CONFIG: file, TANDEM_SIP_PORT: String(sipPort), TANDEM_DRAIN_SECONDS: "1" } };
  });
  let account: TestAccount;
  let number: string;
  const running: Sipp[] = [];

  beforeAll(async () => {
    const limits = { read: WIDE, write: WIDE, concurrentCalls: WIDE };
    account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
    number = await newNumber(tandem);
    await take(account, number);
    const voice = json("PUT", { callsForwardedTo: "+14155550199" });
    await answerOf(await account.call(`/v1/Phones/${number}/voice`, voice), 200);
  });
  afterEach(async () => {
    for (const sipp of running.splice(0)) await sipp.stop();
  });

  const figures = async () => {
    const text = await (await fetch(`${tandem.url}/metrics`)).text();
    const figure = (name: string) =>
      Number(
        text
          .split("\n")
          .find((line) => line.startsWith(`${name} `))
          ?.split(" ")[1],
      );
    return {
      calls: figure("tandem_calls"),
      legs: figure('tandem_sip_open{kind="legs"}'),
      transactions: figure('tandem_sip_open{kind="transactions"}'),
      freePorts: figure("tandem_rtp_port_pairs_free"),
      completed: figure('tandem_calls_ended_total{direction="Inbound",reason="Completed"}'),
    };
  };

  test(
    "leave nothing behind",
    async () => {
      const before = await figures();
      const play = (order: Omit<Parameters<typeof startSipp>[0], "program" | "calls">) => {
        const sipp = startSipp({ program: program ?? "", calls: CALLS, ...order });
        running.push(sipp);
        return sipp;
      };
      const callee = play({ scenario: "leaving-callee", port: carrierPort });
      const caller = play({
        scenario: "dropped-caller",
        port: await ownPort(),
        remote: `127.0.0.2:${sipPort}`,
        service: number,
        rate: RATE,
      });
      expect(await caller.exited, caller.report()).toBe(0);
      expect(await callee.exited, callee.report()).toBe(0);
      await expect.poll(figures, FORGOTTEN).toEqual({ ...before, completed: CALLS });
    },
    LONG_TIMEOUT_MS,
  );
});
