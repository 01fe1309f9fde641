// Speech engines that crash and stall: no caller stays connected, no engine process is left, and `why` has the reason.

import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import type { Trail } from "../contract/messages.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { ownPort } from "../own-port.ts";
import { requirePeer } from "../peers/peer.ts";
import { type Sipp, startSipp } from "../peers/sipp.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { LONG_TIMEOUT_MS } from "./form.ts";

const program = requirePeer("sipp", "sip-tester");

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
}

/** An engine that does what the text says, and records its pid. */
const engineOf = (file: string) => `
  require("node:fs").appendFileSync(${JSON.stringify(file)}, process.pid + "\\n");
  process.stdin.on("data", (text) => {
    if (String(text).includes("crash")) process.kill(process.pid, "SIGSEGV");
    if (String(text).includes("stall")) setInterval(() => {}, 1000);
  });`;

describe.skipIf(!program)("a speech engine", () => {
  let sipPort = 0;
  const folder = mkdtempSync(join(tmpdir(), "tandem-speech-faults-"));
  const seen = join(folder, "engines");
  const tandem = useTandem(async () => {
    sipPort = await ownPort();
    const trunk = {
      name: "carrier",
      host: "127.0.0.1",
      port: await ownPort(),
      sources: ["127.0.0.1"],
      optionsSeconds: 0,
    };
    const sip = { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [trunk] };
    const speech = { engine: "command", command: [process.execPath, "-e", engineOf(seen)] };
    const file = join(folder, "tandem.config.json");
    writeFileSync(file, JSON.stringify({ sip, speech }));
    return { environment: { TANDEM_CONFIG: file, TANDEM_SIP_PORT: String(sipPort), TANDEM_RTP_PORTS: "0" } };
  });
  let account: TestAccount;
  let number: string;
  let receiver: Server;
  let script = "";
  const running: Sipp[] = [];

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
    for (const sipp of running.splice(0)) await sipp.stop();
  });
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  const lastCall = async () => {
    const { items } = await answerOf<List<CallBody>>(await account.call("/v1/Voice/Calls?PageSize=1"), 200);
    return items[0] as CallBody;
  };
  const engines = () => (existsSync(seen) ? readFileSync(seen, "utf8").trim().split("\n").map(Number) : []);
  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  test.each([
    ["that crashes", "Please crash.", "SIGSEGV"],
    ["that stalls", "Please stall.", "no speech for 15 s"],
    ["that says nothing", "Please.", "no WAV"],
  ])(
    "%s keeps no caller on the line",
    async (_what, text, reason) => {
      script = `<Response><Hangup>${text}</Hangup></Response>`;
      const port = await ownPort();
      const caller = startSipp({
        ...{ program: program ?? "", scenario: "dropped-caller", port, calls: 1 },
        ...{ remote: `127.0.0.2:${sipPort}`, service: number },
      });
      running.push(caller);
      expect(await caller.exited, caller.report()).toBe(0);
      await expect.poll(async () => (await lastCall()).status, SOON).toBe("Completed");
      const { sid, endReason } = await lastCall();
      expect(endReason).toBe("ScriptHangup");
      const why = await answerOf<Trail>(await account.call(`/v1/Voice/Calls/${sid}/why`), 200);
      expect(why.summary.why).toContain(reason);
      await expect.poll(() => engines().filter(isAlive), SOON).toEqual([]);
      expect(engines().length).toBeGreaterThan(0);
    },
    LONG_TIMEOUT_MS,
  );
});
