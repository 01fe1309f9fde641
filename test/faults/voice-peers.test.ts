// Telephones and proxies of other makers against a whole Tandem: each over each transport, calling us and called by us.
// The quick form runs one cell for each peer, the long one all of them; what a peer cannot do is skipped by its reason.

import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { type Certificate, certificateFor } from "../fakes/certificate.ts";
import { ownHost, ownPort } from "../own-port.ts";
import { Baresip } from "../peers/baresip.ts";
import { relayBetween, startKamailio } from "../peers/kamailio.ts";
import { Linphone } from "../peers/linphone.ts";
import { requirePeer } from "../peers/peer.ts";
import { startRtpengine } from "../peers/rtpengine.ts";
import { startSipp } from "../peers/sipp.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { isLong } from "./form.ts";

const PROGRAMS = {
  baresip: requirePeer("baresip", "baresip-core"),
  linphonec: requirePeer("linphonec", "linphone-cli"),
  kamailio: requirePeer("kamailio", "kamailio"),
  rtpengine: requirePeer("rtpengine", "rtpengine-daemon"),
  sipOptions: requirePeer("sip-options", "sofia-sip-bin"),
  sipp: requirePeer("sipp", "sip-tester"),
};
type Program = keyof typeof PROGRAMS;

const TRANSPORTS = ["UDP", "TCP", "TLS"] as const;
const WAYS = ["calls us", "is called by us"] as const;
type Transport = (typeof TRANSPORTS)[number];
type Way = (typeof WAYS)[number];

interface Peer {
  readonly name: string;
  readonly needs: readonly Program[];
  /** The cell of the quick form. */
  readonly quick: readonly [Transport, Way];
  /** Why it cannot do a cell; undefined: it can. */
  refuses(transport: Transport, way: Way): string | undefined;
}

const PEERS: readonly Peer[] = [
  { name: "baresip", needs: ["baresip"], quick: ["TLS", "is called by us"], refuses: () => undefined },
  {
    name: "Linphone",
    needs: ["linphonec", "baresip"],
    quick: ["TCP", "calls us"],
    refuses: (transport, way) =>
      transport === "TLS" && way === "is called by us"
        ? "it uses only TLS connections that it opened itself"
        : undefined,
  },
  {
    name: "Kamailio + rtpengine",
    needs: ["kamailio", "rtpengine", "baresip", "linphonec"],
    quick: ["UDP", "calls us"],
    refuses: (transport) => (transport === "TLS" ? "Debian's kamailio has no TLS module" : undefined),
  },
];

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly legs: readonly {
    readonly status: string;
    readonly media: { readonly secure: boolean } | null;
  }[];
}

type Telephone = Baresip | Linphone;

const SERVER = "127.0.0.2";
const [PEER_HZ, FAR_HZ] = [440, 1000];

let [sipPort, farPort] = [0, 0];
let certificate: Certificate;
const tandem = useTandem(async () => {
  [sipPort, farPort] = [await ownPort(2), await ownPort(2)];
  certificate = await certificateFor(SERVER, "127.0.0.1", ownHost);
  const folder = mkdtempSync(join(tmpdir(), "tandem-peers-"));
  const authority = join(folder, "ca.pem");
  writeFileSync(authority, certificate.cert);
  // They only call us; they are called by their URIs.
  const trunk = { name: "telephones", host: "192.0.2.1", sources: ["127.0.0.1", ownHost], outbound: false };
  const file = join(folder, "tandem.config.json");
  writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: [SERVER], tls: certificate, trunks: [trunk] } }));
  return {
    environment: {
      TANDEM_CONFIG: file,
      TANDEM_SIP_PORT: String(sipPort),
      TANDEM_RTP_PORTS: "0",
      TANDEM_DRAIN_SECONDS: "1",
      NODE_EXTRA_CA_CERTS: authority,
    },
  };
});

let account: TestAccount;
let number: string;
let receiver: Server;
let script = "";
let far: Baresip;

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
  await answerOf(await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: null })), 200);
  if (!PROGRAMS.baresip) return;
  const order = { program: PROGRAMS.baresip, codec: "PCMA", hz: FAR_HZ, certificate } as const;
  far = await Baresip.start({ ...order, users: ["far"], address: ownHost, port: farPort });
});
afterEach(async () => {
  const call = await lastCall();
  if (call && call.status !== "Completed") await account.call(`/v1/Calls/${call.sid}/hangup`, { method: "POST" });
});
afterAll(async () => {
  await far?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
});

const lastCall = async () => {
  const { items } = await answerOf<List<CallBody>>(await account.call("/v1/Voice/Calls?PageSize=1"), 200);
  return items[0];
};
const reportOf = (...phones: readonly Telephone[]) => phones.map((phone) => phone.report()).join("\n---\n");
const untilHeard = (phone: Telephone, hz: number) =>
  expect.poll(() => phone.purity(hz), { ...SOON, message: reportOf(phone, far) }).toBeGreaterThan(0.9);
const untilEnded = async (endReason: string) => {
  await expect.poll(async () => (await lastCall())?.status, SOON).toBe("Completed");
  expect(await lastCall()).toMatchObject({ endReason });
};
const untilFree = async (phone: Telephone) => {
  if (phone instanceof Baresip) await expect.poll(() => phone.isFree, SOON).toBe(true);
};

for (const peer of PEERS) {
  const missing = peer.needs.filter((program) => PROGRAMS[program] === undefined);
  const cells = TRANSPORTS.flatMap((transport) => WAYS.map((way) => [transport, way] as const));
  const wanted = isLong ? cells : [peer.quick];
  for (const [transport, way] of wanted) {
    const reason = missing.length > 0 ? `${missing.join(" and ")} missing` : peer.refuses(transport, way);
    const name = `${peer.name}, over ${transport}, ${way}`;
    if (reason === undefined) describe(name, () => cell(peer, transport, way));
    else test.skip(`${name}: ${reason}`, () => {});
  }
}

function cell({ name, needs }: Peer, transport: Transport, way: Way): void {
  const parameter = transport === "UDP" ? "" : `;transport=${transport}`;
  /** Where the peer calls us, and where we call it. */
  let [ourPlace, peerPlace] = ["", ""];
  let phone: Telephone;
  let peerPort = 0;
  const closings: (() => unknown)[] = [];
  const isCaller = way === "calls us";

  const startPhone = async (): Promise<Telephone> => {
    if (name === "Linphone") return startLinphone();
    const order = { program: PROGRAMS.baresip ?? "", codec: "PCMU", hz: PEER_HZ, certificate } as const;
    const account = transport === "TLS" ? { account: "mediaenc=srtp-mand" } : {};
    return Baresip.start({ ...order, ...account, users: ["peer"], address: "127.0.0.1", port: peerPort });
  };

  const startLinphone = ({ usesInfo = false } = {}) => {
    const order = { port: peerPort, ca: certificate.cert, codec: "PCMU", hz: PEER_HZ, usesInfo } as const;
    return Linphone.start({ program: PROGRAMS.linphonec ?? "", ...order });
  };

  beforeAll(async () => {
    const isTls = transport === "TLS";
    peerPort = await ownPort(2);
    ourPlace = `${SERVER}:${isTls ? sipPort + 1 : sipPort}`;
    peerPlace = `127.0.0.1:${isTls ? peerPort + 1 : peerPort}`;
    if (needs.includes("rtpengine")) {
      const rtpengine = await startRtpengine(PROGRAMS.rtpengine ?? "");
      closings.push(() => rtpengine.stop());
      const port = await ownPort();
      const telephone = `${peerPlace}${parameter}`;
      const route = relayBetween({ server: SERVER, telephone, tandem: `${ourPlace}${parameter}` });
      const options = { hasTcp: transport === "TCP", rtpenginePort: rtpengine.port };
      const proxy = startKamailio(PROGRAMS.kamailio ?? "", port, route, options);
      closings.push(() => proxy.stop());
      ourPlace = peerPlace = `127.0.0.1:${port}`;
    }
    phone = await startPhone();
  });
  afterAll(async () => {
    await phone?.stop();
    for (const close of closings.toReversed()) await close();
  });

  /** Rings for up to `seconds`. */
  async function dial(seconds = 60): Promise<void> {
    const called = isCaller ? `sip:far@${ownHost}:${farPort}` : `sip:peer@${peerPlace}${parameter}`;
    script = `<Response><Dial Timeout="${seconds}">${called}</Dial></Response>`;
    const before = (await lastCall())?.sid;
    await phone.forget();
    far.forget();
    if (isCaller) await phone.dial(`sip:${number}@${ourPlace}${parameter}`);
    else far.dial(`sip:${number}@${SERVER}:${sipPort}`);
    await expect.poll(async () => (await lastCall())?.sid, { ...SOON, message: reportOf(phone, far) }).not.toBe(before);
  }

  async function talk(): Promise<void> {
    await dial();
    await untilHeard(far, PEER_HZ);
    await untilHeard(phone, FAR_HZ);
  }

  async function pressEachOther(): Promise<void> {
    for (const key of "5#") await phone.press(key);
    await expect.poll(() => far.heardKeys, { ...SOON, message: reportOf(phone, far) }).toBe("5#");
    for (const key of "7*") far.press(key);
    await expect.poll(() => phone.heardKeys, { ...SOON, message: reportOf(phone, far) }).toBe("7*");
  }

  const callee = () => (isCaller ? far : phone);
  const caller = () => (isCaller ? phone : far);
  const untilRinging = () =>
    expect
      .poll(async () => (await lastCall())?.legs[1]?.status, { ...SOON, message: reportOf(phone, far) })
      .toBe("Ringing");
  /** The callee does not answer; afterwards it does again. */
  async function unanswered(seconds: number, then: () => Promise<void>): Promise<void> {
    await callee().answersCalls(false);
    try {
      await dial(seconds);
      await then();
    } finally {
      await callee().answersCalls(true);
    }
  }

  test("it talks, holds the call and takes it up again", async () => {
    await talk();
    await pressEachOther();
    const offers = await offersOf();
    await phone.hold();
    await expect.poll(offersOf, { ...SOON, message: reportOf(phone, far) }).toBeGreaterThan(offers);
    const held = await offersOf();
    await phone.resume();
    await expect.poll(offersOf, { ...SOON, message: reportOf(phone, far) }).toBeGreaterThan(held);
    // What is heard from now on.
    const heard = far.heardMs;
    await expect.poll(() => far.heardMs, SOON).toBeGreaterThan(heard + 1000);
    await untilHeard(far, PEER_HZ);
    await untilHeard(phone, FAR_HZ);
    await phone.hangUp();
    await untilEnded("Completed");
    for (const one of [phone, far]) await untilFree(one);
    if (transport === "TLS") {
      expect((await lastCall())?.legs[isCaller ? 0 : 1]?.media).toMatchObject({ secure: true });
    }
  });

  test("a call is refused while it rings", async () => {
    await unanswered(60, async () => {
      await untilRinging();
      await callee().hangUp();
      await untilEnded(callee() instanceof Baresip ? "Busy" : "Rejected");
      await untilFree(caller());
    });
  });

  test("a call is not answered", async () => {
    // It may be over before anyone has seen it ring.
    await unanswered(5, async () => {
      await untilEnded("NoAnswer");
      for (const one of [phone, far]) await untilFree(one);
    });
  });

  test("a call is given up while it rings", async () => {
    await unanswered(60, async () => {
      await untilRinging();
      await caller().hangUp();
      await untilEnded("Canceled");
      for (const one of [phone, far]) await untilFree(one);
    });
  });

  test("it is restarted in mid-call: the call can be ended, and the next one works", async () => {
    await talk();
    await phone.stop();
    phone = await startPhone();
    far.hangUp();
    await untilEnded("Completed");
    await untilFree(far);
    await talk();
    far.hangUp();
    await untilEnded("Completed");
    await untilFree(far);
  });

  // baresip sends keys as events alone: SIPp does it in its place, and Linphone does behind Kamailio.
  if (needs.includes("linphonec")) test("it presses keys by INFO", pressByInfo);
  async function pressByInfo(): Promise<void> {
    await phone.stop();
    phone = await startLinphone({ usesInfo: true });
    await talk();
    await pressEachOther();
    await expect.poll(() => requestsOf("INFO"), SOON).toBeGreaterThanOrEqual(2);
    far.hangUp();
    await untilEnded("Completed");
    await untilFree(far);
  }

  /** How many offers the call has had, ours included. */
  const offersOf = () => requestsOf("INVITE");

  async function requestsOf(method: string): Promise<number> {
    const call = await lastCall();
    const rows = await account.call(`/v1/Voice/Calls/${call?.sid}/sip`);
    const { items } = await answerOf<List<{ readonly text: string }>>(rows, 200);
    return items.filter(({ text }) => text.startsWith(`${method} `)).length;
  }
}

// It has programs for signalling alone, so that calls are SIPp's.
describe.skipIf(!PROGRAMS.sipOptions || !PROGRAMS.baresip)("Sofia-SIP", () => {
  test.each(["UDP", "TCP"])("asks for our health over %s", async (transport) => {
    const uri = `sip:${SERVER}:${sipPort};transport=${transport.toLowerCase()}`;
    const bind = `--bind=sip:127.0.0.1:*;transport=${transport.toLowerCase()}`;
    const { stdout } = await promisify(execFile)(PROGRAMS.sipOptions ?? "", ["--all", bind, uri]);
    expect(stdout).toMatch(/SIP\/2.0 200 OK.*Allow: INVITE/s);
  });

  test.skipIf(!PROGRAMS.sipp).each([
    ["UDP", "u1"],
    ["TCP", "t1"],
  ] as const)("cannot call over %s: a raw agent does, and presses keys by INFO", async (_transport, mode) => {
    script = `<Response><Dial>sip:far@${ownHost}:${farPort}</Dial></Response>`;
    far.forget();
    const agent = startSipp({
      ...{ program: PROGRAMS.sipp ?? "", scenario: "pressing-caller", port: await ownPort(), transport: mode },
      ...{ remote: `${SERVER}:${sipPort}`, service: number, calls: 1, words: { talk: "3000" } },
    });
    await untilHeard(far, PEER_HZ);
    await expect.poll(() => far.heardKeys, SOON).toBe("5#");
    expect(await agent.exited, agent.report()).toBe(0);
    await agent.stop();
    await untilEnded("Completed");
  });
});
