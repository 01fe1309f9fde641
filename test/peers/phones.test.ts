// Audio through a whole Tandem between third-party telephones, over every transport: the right tones at both ends,
// keys, SRTP, IPv6, early media, and a trunk that fails while it rings.

import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { listen } from "../contract/messages.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { type Certificate, certificateFor } from "../fakes/certificate.ts";
import { ownHost, ownPort } from "../own-port.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { Baresip, type BaresipOrder } from "./baresip.ts";
import { Linphone } from "./linphone.ts";
import { requirePeer } from "./peer.ts";
import { startSipp } from "./sipp.ts";

const baresip = requirePeer("baresip", "baresip-core");
const linphonec = requirePeer("linphonec", "linphone-cli");
const sipp = requirePeer("sipp", "sip-tester");

const BOB_NUMBER = "+14155550199";
const [ALICE_HZ, BOB_HZ, LINPHONE_HZ] = [440, 1000, 700];

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly endedBy: string | null;
  readonly legs: readonly {
    readonly sipCode: number | null;
    readonly media: { readonly secure: boolean; readonly codec: string } | null;
  }[];
}

type Telephone = Baresip | Linphone;

describe.skipIf(!baresip || !sipp).each(["portable", "fast"] as const)("telephones over the %s path", (path) => {
  let [sipPort, firstPort, secretPort, bobSixPort, malloryPort, linphonePort] = [0, 0, 0, 0, 0, 0];
  let [safePort, strictPort] = [0, 0];
  let certificate: Certificate;
  const hasLinphone = linphonec !== undefined && path === "portable";
  const tandem = useTandem(async () => {
    // TLS is on the next port.
    [sipPort, firstPort, secretPort] = [await ownPort(2), await ownPort(), await ownPort(2)];
    certificate = await certificateFor("127.0.0.2", "127.0.0.1", ownHost, "::1");
    const folder = mkdtempSync(join(tmpdir(), "tandem-phones-"));
    const authority = join(folder, "ca.pem");
    writeFileSync(authority, certificate.cert);
    const first = { name: "first", host: "127.0.0.1", port: firstPort, sources: ["127.0.0.1", "::1"], priority: 1 };
    const second = { name: "second", host: ownHost, port: secretPort + 1, priority: 2, transport: "tls", srtp: true };
    const trunks = [
      { ...first, optionsSeconds: 0 },
      { ...second, tls: { ca: certificate.cert }, optionsSeconds: 0 },
    ];
    const file = join(folder, "tandem.config.json");
    writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "::1"], tls: certificate, trunks } }));
    return {
      environment: {
        TANDEM_CONFIG: file,
        TANDEM_SIP_PORT: String(sipPort),
        TANDEM_RTP_PORTS: "0",
        TANDEM_RTP_PATH: path,
        TANDEM_DRAIN_SECONDS: "1",
        // For SIP URIs; a trunk has its own authority.
        NODE_EXTRA_CA_CERTS: authority,
      },
    };
  });
  let account: TestAccount;
  let number: string;
  let receiver: Server;
  let script = "";
  const phones = new Map<string, Telephone>();
  const closings: (() => unknown)[] = [];

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
    const order = { type: "InboundCallReceivedWebhook", url };
    await answerOf(await account.call("/v1/Webhooks", json("POST", order)), 201);
  });
  beforeAll(async () => {
    const starting: Promise<unknown>[] = [];
    const start = async (name: string, order: Pick<BaresipOrder, "codec" | "hz"> & Partial<BaresipOrder>) => {
      const port = order.port ?? (await ownPort(2));
      const own = { program: baresip ?? "", users: [name], address: "127.0.0.1", certificate };
      starting.push(Baresip.start({ ...own, ...order, port }).then((phone) => phones.set(name, phone)));
    };
    const alice = { codec: "PCMU", hz: ALICE_HZ } as const;
    const bob = { codec: "PCMA", hz: BOB_HZ } as const;
    bobSixPort = await ownPort(2);
    // It offers optional SRTP, and accepts plain RTP.
    await start("alice", { ...alice, account: "mediaenc=srtp" });
    await start("secret-alice", { ...alice, account: "mediaenc=srtp-mand" });
    await start("six-alice", { ...alice, address: "::1" });
    await start("bob", { ...bob, address: ownHost, port: 5060 });
    const secret = { address: ownHost, port: secretPort, users: [BOB_NUMBER], account: "mediaenc=srtp-mand" };
    await start("secret-bob", { ...bob, ...secret });
    await start("six-bob", { ...bob, address: "::1", port: bobSixPort });
    [safePort, strictPort] = [await ownPort(2), await ownPort(2)];
    await start("safe-bob", { ...bob, port: safePort, account: "mediaenc=srtp" });
    await start("strict-bob", { ...bob, port: strictPort, account: "mediaenc=srtp-mand" });
    malloryPort = await ownPort(2);
    const other = await certificateFor("127.0.0.1");
    await start("mallory", { ...bob, port: malloryPort, certificate: other });
    if (hasLinphone) {
      linphonePort = await ownPort();
      const order = { port: linphonePort, ca: certificate.cert, codec: "PCMU", hz: LINPHONE_HZ } as const;
      const linphone = Linphone.start({ program: linphonec ?? "", ...order });
      starting.push(linphone.then((phone) => phones.set("linphone", phone)));
    }
    await Promise.all(starting);
  });
  // So that a failing test does not make later ones fail.
  afterEach(async () => {
    const call = await lastCall();
    if (call?.status !== "Completed") await account.call(`/v1/Calls/${call?.sid}/hangup`, { method: "POST" });
    for (const close of closings.splice(0)) await close();
  });
  afterAll(async () => {
    for (const phone of phones.values()) await phone.stop();
    receiver?.closeAllConnections();
    receiver?.close();
  });

  const forwardTo = async (destination: string, how: "setting" | "script") => {
    const callsForwardedTo = how === "setting" ? destination : null;
    script = `<Response><Dial>${destination}</Dial></Response>`;
    await answerOf(await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo })), 200);
  };
  const lastCall = async () => {
    const { items } = await answerOf<List<CallBody>>(await account.call("/v1/Voice/Calls?PageSize=1"), 200);
    return items[0];
  };
  const phoneOf = (name: string) => phones.get(name) as Telephone;
  const play = async (scenario: string, hz = ALICE_HZ) => {
    const carrier = startSipp({ program: sipp ?? "", scenario, port: firstPort, calls: 1, hz });
    closings.push(() => carrier.stop());
    // Otherwise the second trunk might get the call.
    await carrier.listening();
    return carrier;
  };
  const reportOf = (...names: readonly string[]) => names.map((name) => phoneOf(name).report()).join("\n---\n");

  async function talk(from: string, uri: string, to: string): Promise<void> {
    const [caller, callee] = [phoneOf(from), phoneOf(to)];
    await caller.forget();
    await callee.forget();
    await caller.dial(uri);
    const isHeard = async (phone: Telephone, hz: number) =>
      expect.poll(() => phone.purity(hz), { ...SOON, message: reportOf(from, to) }).toBeGreaterThan(0.9);
    await isHeard(callee, from === "linphone" ? LINPHONE_HZ : ALICE_HZ);
    await isHeard(caller, to === "linphone" ? LINPHONE_HZ : BOB_HZ);
  }

  async function hangUp(from: string, to: string): Promise<CallBody | undefined> {
    await phoneOf(from).hangUp();
    await expect.poll(async () => (await lastCall())?.status, SOON).toBe("Completed");
    for (const phone of [phoneOf(from), phoneOf(to)]) {
      if (phone instanceof Baresip) await expect.poll(() => phone.isFree, SOON).toBe(true);
    }
    const call = await lastCall();
    expect(call).toMatchObject({ endReason: "Completed", endedBy: "First" });
    return call;
  }

  const dialled = (uri: string) =>
    uri
      .replace("NUMBER", number)
      .replace("PORT", String(sipPort))
      .replace("TLS", String(sipPort + 1));
  const mediaOf = (call: CallBody | undefined) => call?.legs.map(({ media }) => [media?.codec, media?.secure]);

  test("hear each other's tone and keys over TLS with SRTP, by a trunk after another failed while it rang", async () => {
    await forwardTo(BOB_NUMBER, path === "fast" ? "script" : "setting");
    const ear = await listen(account);
    const failing = await play("failing-carrier");
    await talk("secret-alice", `sip:${number}@127.0.0.2:${sipPort + 1};transport=tls`, "secret-bob");
    expect(await failing.exited, failing.report()).toBe(0);
    const [alice, bob] = [phoneOf("secret-alice") as Baresip, phoneOf("secret-bob") as Baresip];
    for (const key of "5#") alice.press(key);
    await expect.poll(() => bob.heardKeys, SOON).toBe("5#");
    const call = await hangUp("secret-alice", "secret-bob");
    expect(mediaOf(call)).toEqual([
      ["PCMU", true],
      ["PCMA", true],
    ]);
    const told = () => ear.heard.map(({ payload }) => `${payload.Leg} ${payload.Status}`);
    await ear.until(() => told().at(-1) === "Second Completed");
    expect(told().filter((event) => event === "Second Ringing")).toHaveLength(1);
    await ear.leave();
  });

  test("hear the far network while it rings", async () => {
    await forwardTo(BOB_NUMBER, "script");
    const network = await play("speaking-network", BOB_HZ);
    const alice = phoneOf("alice") as Baresip;
    alice.forget();
    alice.dial(`sip:${number}@127.0.0.2:${sipPort}`);
    await expect.poll(() => alice.purity(BOB_HZ), { ...SOON, message: alice.report() }).toBeGreaterThan(0.9);
    alice.hangUp();
    expect(await network.exited, network.report()).toBe(0);
    await expect.poll(async () => (await lastCall())?.status, SOON).toBe("Completed");
    expect(await lastCall()).toMatchObject({ endReason: "Canceled", endedBy: "First" });
    await expect.poll(() => alice.isFree, SOON).toBe(true);
  });

  test.each([
    ["UDP", "alice", `sip:NUMBER@127.0.0.2:PORT`, `sip:bob@${ownHost}`, "bob", "setting"],
    ["TCP", "alice", `sip:NUMBER@127.0.0.2:PORT;transport=tcp`, `sip:bob@${ownHost};transport=TCP`, "bob", "script"],
    ["TLS", "alice", `sip:NUMBER@127.0.0.2:TLS;transport=tls`, `sip:bob@${ownHost};transport=TLS`, "bob", "script"],
    ["IPv6", "six-alice", `sip:NUMBER@[::1]:PORT`, "sip:six-bob@[::1]:SIX", "six-bob", "setting"],
  ] as const)("hear each other's tone over %s", async (_way, from, uri, destination, to, how) => {
    await forwardTo(destination.replace("SIX", String(bobSixPort)), how);
    await talk(from, dialled(uri), to);
    const call = await hangUp(from, to);
    expect(mediaOf(call)).toEqual([
      ["PCMU", false],
      ["PCMA", false],
    ]);
  });

  test.each([
    ["offers it", "safe-bob", ""],
    ["insists on it", "strict-bob", ""],
    ["offers it, and the URI insists on it", "safe-bob", ";media=srtp"],
  ])("have SRTP over TLS where the called one %s", async (_what, to, parameter) => {
    const port = to === "safe-bob" ? safePort : strictPort;
    await forwardTo(`sip:${to}@127.0.0.1:${port + 1};transport=TLS${parameter}`, "setting");
    await talk("alice", dialled("sip:NUMBER@127.0.0.2:PORT"), to);
    expect(mediaOf(await hangUp("alice", to))).toEqual([
      ["PCMU", false],
      ["PCMA", true],
    ]);
  });

  test("are called by TLS only if their certificate is good", async () => {
    const [alice, mallory] = [phoneOf("alice") as Baresip, phoneOf("mallory") as Baresip];
    await forwardTo(`sip:mallory@127.0.0.1:${malloryPort + 1};transport=TLS`, "setting");
    alice.forget();
    alice.dial(`sip:${number}@127.0.0.2:${sipPort}`);
    await expect.poll(() => alice.hasEnded, SOON).toBe(true);
    await expect.poll(async () => (await lastCall())?.status, SOON).toBe("Completed");
    const call = await lastCall();
    expect(call).toMatchObject({ endReason: "Failed", endedBy: "Second", legs: [{}, { sipCode: null, media: null }] });
    const why = await account.call(`/v1/Calls/${call?.sid}/why`);
    const told = `127.0.0.1 (127.0.0.1:${malloryPort + 1}): Its certificate is self-signed.`;
    expect(await answerOf<{ summary: { why: string } }>(why, 200)).toMatchObject({
      summary: { why: expect.stringContaining(told) },
    });
    expect(mallory.hasEnded).toBe(false);
  });

  // The paths differ only in media, which the tests above cover.
  if (path === "fast") return;

  describe.skipIf(!hasLinphone)("one of which is Linphone", () => {
    test.each([
      ["UDP", "sip:NUMBER@127.0.0.2:PORT", `sip:bob@${ownHost}`, "setting"],
      ["TCP", "sip:NUMBER@127.0.0.2:PORT;transport=tcp", `sip:bob@${ownHost};transport=TCP`, "script"],
      ["TLS", "sip:NUMBER@127.0.0.2:TLS;transport=tls", `sip:bob@${ownHost};transport=TLS`, "setting"],
    ] as const)("calls over %s with SRTP", async (_way, uri, destination, how) => {
      await forwardTo(destination, how);
      await talk("linphone", dialled(uri), "bob");
      expect(mediaOf(await hangUp("linphone", "bob"))).toEqual([
        ["PCMU", true],
        ["PCMA", false],
      ]);
    });

    test.each([
      ["UDP", ""],
      ["TCP", ";transport=TCP"],
    ])("is called over %s", async (_way, parameter) => {
      await forwardTo(`sip:linphone@127.0.0.1:${linphonePort}${parameter}`, "script");
      await talk("alice", dialled("sip:NUMBER@127.0.0.2:PORT"), "linphone");
      expect(mediaOf(await hangUp("alice", "linphone"))).toEqual([
        ["PCMU", false],
        ["PCMU", false],
      ]);
    });
  });
});
