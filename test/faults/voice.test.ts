// kill -9 of the server during live calls: after the restart every call is Completed with a reason, each of its events
// is sent once and in order, and both parties got their BYE.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { ownPort } from "../own-port.ts";
import { requirePeer } from "../peers/peer.ts";
import { type Sipp, startSipp } from "../peers/sipp.ts";
import { forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { countOf, expectToldOnce } from "./ended-calls.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const program = requirePeer("sipp", "sip-tester");
const ROUNDS = roundsOf({ quick: 2, long: 20 });
const CALLS = 50;

describe.skipIf(!program)("calls of a server that is killed", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tandem-voice-"));
  const running: Sipp[] = [];
  let tandem: Tandem | undefined;

  afterEach(async () => {
    for (const sipp of running.splice(0)) await sipp.stop();
    await tandem?.stop();
    forgetTandem(dataDir);
  });

  test(
    "are ended and told of by the next one, and both parties are hung up on",
    async () => {
      const [sipPort, carrierPort, callerPort] = [await ownPort(), await ownPort(), await ownPort()];
      const trunk = {
        name: "carrier",
        host: "127.0.0.1",
        port: carrierPort,
        sources: ["127.0.0.1"],
        optionsSeconds: 0,
      };
      const file = join(dataDir, "tandem.config.json");
      writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [trunk] } }));
      const environment = {
        TANDEM_CONFIG: file,
        TANDEM_SIP_PORT: String(sipPort),
        TANDEM_RTP_PORTS: "0",
        TANDEM_DRAIN_SECONDS: "1",
      };
      tandem = await startTandem({ dataDir, environment });
      const account = await newAccount(tandem, {
        features: ["voice"],
        limits: { read: WIDE, write: WIDE, concurrentCalls: WIDE },
        allowedCountries: ["US"],
      });
      const number = await newNumber(tandem);
      await take(account, number);
      await answerOf(
        await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: "+14155550199" })),
        200,
      );
      let owner: Pick<TestAccount, "call"> = account;
      for (let round = 1; round <= ROUNDS; round++) {
        const play = (order: Omit<Parameters<typeof startSipp>[0], "program" | "calls">) => {
          const sipp = startSipp({ program: program ?? "", calls: CALLS, ...order });
          running.push(sipp);
          return sipp;
        };
        const callee = play({ scenario: "callee", port: carrierPort });
        await callee.listening();
        const caller = play({
          scenario: "dropped-caller",
          port: callerPort,
          remote: `127.0.0.2:${sipPort}`,
          service: number,
          rate: 25,
        });
        await expect.poll(() => countOf(owner, "Answered"), SOON).toBe(CALLS);
        await tandem.kill();
        tandem = await startTandem({ dataDir, environment });
        owner = accessOf(tandem, account);
        expect(await caller.exited, caller.report()).toBe(0);
        expect(await callee.exited, callee.report()).toBe(0);
        await expect.poll(() => countOf(owner, "Completed"), SOON).toBe(CALLS * round);
        console.log(`round ${round}/${ROUNDS}: ${CALLS} calls ended`);
      }
      await expectToldOnce(owner);
    },
    LONG_TIMEOUT_MS,
  );
});

/** The same account on a restarted server, on another port. */
function accessOf({ url }: Tandem, account: TestAccount): Pick<TestAccount, "call"> {
  const headers = { Authorization: `Basic ${Buffer.from(`${account.sid}:${account.token}`).toString("base64")}` };
  return { call: (path, init) => fetch(url + path, { ...init, headers: { ...headers, ...init?.headers } }) };
}
