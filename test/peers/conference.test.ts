// Conferences of third-party telephones: each hears all others and never itself, in both codecs.

import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { certificateFor } from "../fakes/certificate.ts";
import { ownPort } from "../own-port.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { Baresip } from "./baresip.ts";
import { requirePeer } from "./peer.ts";

const baresip = requirePeer("baresip", "baresip-core");

const HERTZ = { alice: 440, bob: 1_000, carol: 700 } as const;
type Name = keyof typeof HERTZ;
const NAMES = Object.keys(HERTZ) as Name[];

describe.skipIf(!baresip).each(["portable", "fast"] as const)("three telephones over the %s path", (path) => {
  let sipPort = 0;
  const tandem = useTandem(async () => {
    sipPort = await ownPort(2);
    const file = join(mkdtempSync(join(tmpdir(), "tandem-conference-")), "tandem.config.json");
    const trunk = {
      name: "first",
      host: "127.0.0.1",
      port: await ownPort(),
      sources: ["127.0.0.1"],
      optionsSeconds: 0,
    };
    writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2"], trunks: [trunk] } }));
    return {
      environment: {
        TANDEM_CONFIG: file,
        TANDEM_SIP_PORT: String(sipPort),
        TANDEM_RTP_PORTS: "0",
        TANDEM_RTP_PATH: path,
        TANDEM_DRAIN_SECONDS: "1",
      },
    };
  });
  let account: TestAccount;
  let number: string;
  let receiver: Server;
  /** What each caller is answered. */
  let scriptOf = (_name: Name) => "";
  const phones = new Map<Name, Baresip>();
  const phoneOf = (name: Name) => phones.get(name) as Baresip;

  beforeAll(async () => {
    const limits = { read: WIDE, write: WIDE, call: WIDE };
    account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
    number = await newNumber(tandem);
    await take(account, number);
    receiver = createServer(async (request, response) => {
      const body = await text(request);
      response.end(scriptOf(NAMES.find((name) => body.includes(name)) ?? "alice"));
    });
    await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await answerOf(await account.call("/v1/Webhooks", json("POST", { type: "InboundCallReceivedWebhook", url })), 201);
    const certificate = await certificateFor("127.0.0.1");
    const starting = NAMES.map(async (name) => {
      const own = { program: baresip ?? "", users: [name], address: "127.0.0.1", port: await ownPort(2), certificate };
      phones.set(name, await Baresip.start({ ...own, codec: name === "bob" ? "PCMA" : "PCMU", hz: HERTZ[name] }));
    });
    await Promise.all(starting);
  });
  afterEach(async () => {
    for (const phone of phones.values()) phone.hangUp();
    await expect.poll(openCalls, SOON).toBe(0);
  });
  afterAll(async () => {
    for (const phone of phones.values()) await phone.stop();
    receiver?.closeAllConnections();
    receiver?.close();
  });

  async function openCalls(): Promise<number> {
    const { items } = await answerOf<List<{ status: string }>>(await account.call("/v1/Voice/Calls?PageSize=10"), 200);
    return items.filter(({ status }) => status !== "Completed").length;
  }

  function call(...names: readonly Name[]): void {
    for (const name of names) {
      phoneOf(name).forget();
      phoneOf(name).dial(`sip:${number}@127.0.0.2:${sipPort}`);
    }
  }

  /** Waits until a telephone hears these, and nothing of the others nor of itself. */
  async function hears(listener: Name, speakers: readonly Name[]): Promise<void> {
    const heard = () => NAMES.filter((name) => phoneOf(listener).purity(HERTZ[name]) > 0.3);
    await expect.poll(heard, { ...SOON, message: phoneOf(listener).report() }).toEqual(speakers);
    for (const name of NAMES)
      if (!speakers.includes(name)) expect(phoneOf(listener).purity(HERTZ[name])).toBeLessThan(0.05);
  }

  test("each hears the others and not itself", async () => {
    scriptOf = () => '<Response><Dial><Conference Beep="false">team</Conference></Dial></Response>';
    call(...NAMES);
    await hears("alice", ["bob", "carol"]);
    await hears("bob", ["alice", "carol"]);
    await hears("carol", ["alice", "bob"]);
  });

  test("a muted party hears the others, and is not heard", async () => {
    scriptOf = (name) => {
      const muted = name === "carol" ? ' Muted="true"' : "";
      return `<Response><Dial><Conference Beep="false"${muted}>quiet</Conference></Dial></Response>`;
    };
    call(...NAMES);
    await hears("carol", ["alice", "bob"]);
    await hears("alice", ["bob"]);
    await hears("bob", ["alice"]);
  });

  test("when the party leaves whose leaving ends it, the others' programs go on", async () => {
    scriptOf = (name) => {
      const ends = name === "alice" ? ' EndConferenceOnExit="true"' : "";
      return `<Response><Dial><Conference Beep="false"${ends}>over</Conference></Dial></Response>`;
    };
    call(...NAMES);
    await hears("alice", ["bob", "carol"]);
    phoneOf("alice").hangUp();
    for (const name of NAMES) await expect.poll(() => phoneOf(name).isFree, SOON).toBe(true);
  });
});
