// A conference of third-party telephones that call two servers on one database: each hears the other and not itself, as
// if they had called the same one; who is muted, removed or left over by a dead server is so at the other one.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { certificateFor } from "../fakes/certificate.ts";
import { SipPeer } from "../fakes/sip-peer.ts";
import { ownPort } from "../own-port.ts";
import { dropDatabase, newDatabase } from "../shared-database.ts";
import { basic, json, startTandem, type Tandem } from "../tandem.ts";
import { Baresip } from "./baresip.ts";
import { requirePeer } from "./peer.ts";

const baresip = requirePeer("baresip", "baresip-core");

const HERTZ = { alice: 440, bob: 1_000 } as const;
type Name = keyof typeof HERTZ;
const NAMES = Object.keys(HERTZ) as Name[];
/** Alice calls the first server, and Bob the second. */
const SERVERS = { alice: "127.0.0.2", bob: "127.0.0.3" } as const;

interface Conference {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly participants: readonly { readonly callSid: string; readonly muted: boolean }[];
  readonly recordings: readonly Recorded[];
}

interface Recorded {
  readonly sid: string;
  readonly status: string;
  readonly callSid: string;
  readonly segments: readonly { readonly url: string }[];
}

interface Call {
  readonly sid: string;
  readonly from: string;
  readonly status: string;
}

describe.skipIf(!baresip)("two telephones at two servers", () => {
  const scratch = mkdtempSync(join(tmpdir(), "tandem-conference-nodes-"));
  let databaseUrl: string;
  const servers = new Map<Name, Tandem>();
  const ports = new Map<Name, number>();
  const phones = new Map<Name, Baresip>();
  const phoneOf = (name: Name) => phones.get(name) as Baresip;
  /** What the second server has of the first. */
  let shared: Readonly<Record<string, string>> = {};
  let account: TestAccount;
  let number: string;
  let receiver: Server;
  /** What each caller is answered. */
  let scriptOf = (_name: Name) => "";
  /** What was reported when a caller was in the conference no longer. */
  const after: { readonly name: Name; readonly body: string }[] = [];

  beforeAll(async () => {
    databaseUrl = await newDatabase();
    await startServer("alice");
    const { dataDir, operatorToken } = servers.get("alice") as Tandem;
    const key = readFileSync(join(dataDir, "secret.key"), "utf8").trim();
    shared = { TANDEM_SECRET_KEY: key, TANDEM_OPERATOR_TOKEN: operatorToken };
    const bob = await startServer("bob");
    const limits = { read: WIDE, write: WIDE, call: WIDE };
    account = await newAccount(bob, { features: ["voice"], limits, allowedCountries: ["US"] });
    number = await newNumber(bob);
    await take(account, number);
    receiver = createServer(async (request, response) => {
      const body = await text(request);
      const name = NAMES.find((one) => body.includes(one)) ?? "alice";
      if (request.url !== "/after") return void response.end(scriptOf(name));
      after.push({ name, body });
      response.end("<Response><Hangup/></Response>");
    });
    await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await answerOf(await account.call("/v1/Webhooks", json("POST", { type: "InboundCallReceivedWebhook", url })), 201);
    const certificate = await certificateFor("127.0.0.1");
    for (const name of NAMES) {
      const own = { program: baresip ?? "", users: [name], address: "127.0.0.1", port: await ownPort(2), certificate };
      phones.set(name, await Baresip.start({ ...own, codec: name === "bob" ? "PCMA" : "PCMU", hz: HERTZ[name] }));
    }
  });
  afterEach(async () => {
    for (const phone of phones.values()) phone.hangUp();
    const open = async () => (await calls()).filter(({ status }) => status !== "Completed");
    await expect.poll(open, SOON).toEqual([]);
    after.length = 0;
  });
  afterAll(async () => {
    for (const phone of phones.values()) await phone.stop();
    receiver?.closeAllConnections();
    receiver?.close();
    for (const server of servers.values()) await server.stop();
    await dropDatabase(databaseUrl);
    rmSync(scratch, { recursive: true });
  });

  async function startServer(name: Name): Promise<Tandem> {
    const port = await ownPort(2);
    const path = join(scratch, `${name}.json`);
    // Telephones are known to both servers; neither server is known to the other.
    const telephones = { sources: ["127.0.0.1"], optionsSeconds: 0 };
    const trunks = [{ name: "telephones", host: "127.0.0.1", port: await ownPort(), ...telephones }];
    writeFileSync(path, JSON.stringify({ sip: { sourceAddresses: [SERVERS[name]], trunks } }));
    const voice = { TANDEM_CONFIG: path, TANDEM_SIP_PORT: String(port), TANDEM_RTP_PORTS: "0" };
    const server = await startTandem({ databaseUrl, environment: { ...shared, ...voice, TANDEM_DRAIN_SECONDS: "1" } });
    servers.set(name, server);
    ports.set(name, port);
    return server;
  }

  /** Whose API is called. */
  let asked: Name = "bob";
  const ask = (path: string, init: RequestInit = {}) => {
    const headers = { ...basic(account.sid, account.token), ...(init.headers as Record<string, string>) };
    return fetch(`${servers.get(asked)?.url}${path}`, { ...init, headers });
  };
  const listOf = async <Item>(path: string) => (await answerOf<List<Item>>(await ask(path), 200)).items;
  const calls = () => listOf<Call>("/v1/Voice/Calls?PageSize=10");
  const callOf = async (name: Name) =>
    (await calls()).find(({ from, status }) => from === name && status !== "Completed");
  const newest = async () => (await listOf<Conference>("/v1/Voice/Conferences"))[0];

  /** Alice's server has the conference, and Bob comes to it. */
  async function meet(conference: string, ofAlice = "", ofBob = ""): Promise<Conference> {
    scriptOf = (name) => {
      const more = name === "alice" ? ofAlice : ofBob;
      return `<Response><Dial Action="/after"><Conference Beep="false"${more}>${conference}</Conference></Dial></Response>`;
    };
    for (const [at, name] of NAMES.entries()) {
      phoneOf(name).forget();
      phoneOf(name).dial(`sip:${number}@${SERVERS[name]}:${ports.get(name)}`);
      await expect.poll(async () => (await newest())?.participants.length, SOON).toBe(at + 1);
    }
    return (await newest()) as Conference;
  }

  /** Waits until a telephone hears the other one, or nothing, and never itself. */
  async function hears(listener: Name, speakers: readonly Name[]): Promise<void> {
    const heard = () => NAMES.filter((name) => phoneOf(listener).purity(HERTZ[name]) > 0.3);
    await expect.poll(heard, { ...SOON, message: phoneOf(listener).report() }).toEqual(speakers);
    for (const name of NAMES)
      if (!speakers.includes(name)) expect(phoneOf(listener).purity(HERTZ[name])).toBeLessThan(0.05);
  }

  test("each hears the other and not itself, is in the conference once, and is told once to have left", async () => {
    const { sid } = await meet("team");
    await hears("alice", ["bob"]);
    await hears("bob", ["alice"]);
    const [alice, bob] = [await callOf("alice"), await callOf("bob")];
    expect(await newest()).toMatchObject({
      ...{ sid, status: "InProgress" },
      participants: [{ callSid: alice?.sid }, { callSid: bob?.sid }],
    });
    phoneOf("bob").hangUp();
    await expect.poll(async () => (await newest())?.participants, SOON).toMatchObject([{ callSid: alice?.sid }]);
    phoneOf("alice").hangUp();
    await expect.poll(async () => (await newest())?.status, SOON).toBe("Completed");
    expect(await newest()).toMatchObject({ sid, endReason: "LastParticipantLeft" });
    const path = "/v1/Events?Type=ConferenceChanged&OrderByDirection=Ascending&PageSize=100";
    const events = await listOf<{ payload: { ConferenceSid: string; Event: string; CallSid: string | null } }>(path);
    expect(
      events.flatMap(({ payload: { ConferenceSid, Event, CallSid } }) =>
        ConferenceSid === sid ? [[Event, CallSid]] : [],
      ),
    ).toEqual([
      ["ParticipantJoined", alice?.sid],
      ["ParticipantJoined", bob?.sid],
      ["Started", null],
      ["ParticipantLeft", bob?.sid],
      ["ParticipantLeft", alice?.sid],
      ["Ended", null],
    ]);
  });

  test("one who is muted there is not heard, and one who is removed there goes on with its program", async () => {
    const { sid } = await meet("asked");
    const bob = (await callOf("bob"))?.sid;
    await hears("alice", ["bob"]);
    const participant = `/v1/Voice/Conferences/${sid}/participants/${bob}`;
    await answerOf(await ask(participant, json("PATCH", { muted: true })), 200);
    const loudest = () => Math.max(...NAMES.map((name) => phoneOf("alice").purity(HERTZ[name])));
    await expect.poll(loudest, SOON).toBeLessThan(0.05);
    await hears("bob", ["alice"]);
    await answerOf(await ask(participant, { method: "DELETE" }), 204);
    await expect.poll(() => after.map(({ name }) => name), SOON).toEqual(["bob"]);
    expect(JSON.parse(after[0]?.body ?? "")).toMatchObject({ DialCallStatus: "Completed", ConferenceSid: sid });
    await expect.poll(() => phoneOf("bob").isFree, SOON).toBe(true);
    expect((await newest())?.participants).toHaveLength(1);
  });

  test("one whose conference ends there goes on with its program", async () => {
    const { sid } = await meet("over", ' EndConferenceOnExit="true"');
    await hears("bob", ["alice"]);
    phoneOf("alice").hangUp();
    await expect.poll(() => after.map(({ name }) => name), SOON).toContain("bob");
    expect(JSON.parse(after.find(({ name }) => name === "bob")?.body ?? "")).toMatchObject({
      ...{ DialCallStatus: "Completed", ConferenceSid: sid },
    });
    await expect.poll(async () => (await newest())?.endReason, SOON).toBe("EndOnExit");
  });

  test("a conference is recorded where it is, also for one who came from the other server", async () => {
    await meet("recorded", "", ' Record="true"');
    const bob = (await callOf("bob"))?.sid;
    await hears("alice", ["bob"]);
    await hears("bob", ["alice"]);
    phoneOf("bob").hangUp();
    phoneOf("alice").hangUp();
    await expect.poll(async () => (await newest())?.recordings[0]?.status, SOON).toBe("Completed");
    // Its file is on the disk of the first server.
    asked = "alice";
    const [recorded] = (await newest())?.recordings ?? [];
    asked = "bob";
    expect(recorded).toMatchObject({ callSid: bob });
    expect((await fetch(recorded?.segments[0]?.url ?? "")).status).toBe(200);
    const call = await answerOf<{ programRecordings: readonly object[] }>(await ask(`/v1/Voice/Calls/${bob}`), 200);
    expect(call.programRecordings).toMatchObject([{ sid: recorded?.sid, source: "Conference" }]);
  });

  test("an INVITE with a made-up ticket gets what a number that does not exist gets", async () => {
    await meet("closed");
    const peer = await SipPeer.open();
    const answerTo = async (user: string) => {
      const uri = `sip:${user}@${SERVERS.alice}`;
      const invite = peer.request("INVITE", { uri, To: `<${uri}>` });
      peer.send(invite, ports.get("alice") ?? 0, SERVERS.alice);
      // An answer is repeated until it is acknowledged.
      let { message } = await peer.next(404);
      while (!invite.includes(`Call-ID: ${message.callId}\r`)) ({ message } = await peer.next(404));
      return { reason: message.reason, headers: message.headers.filter((_, at) => at % 2 === 0) };
    };
    const until = (Date.now() + 10_000).toString(36);
    const unknown = await answerTo("+14155550177");
    expect(await answerTo(`conference-${"0".repeat(32)}-${until}-${"0".repeat(32)}`)).toEqual(unknown);
    expect(await answerTo("closed")).toEqual(unknown);
    expect((await newest())?.participants).toHaveLength(2);
    peer.close();
  });

  test("when the server of a party dies, the party is out of the conference of the other one", async () => {
    await meet("half");
    await hears("alice", ["bob"]);
    const alice = await callOf("alice");
    asked = "alice";
    await servers.get("bob")?.kill();
    await expect.poll(async () => (await newest())?.participants, SOON).toMatchObject([{ callSid: alice?.sid }]);
    phoneOf("alice").hangUp();
    await expect.poll(async () => (await newest())?.endReason, SOON).toBe("LastParticipantLeft");
    await startServer("bob");
    asked = "bob";
  });

  test("when the server that has the conference stops, who came from the other one goes on with its program", async () => {
    const { sid } = await meet("stopping");
    await hears("bob", ["alice"]);
    await servers.get("alice")?.stop();
    await expect.poll(() => after.map(({ name }) => name), SOON).toEqual(["bob"]);
    expect(JSON.parse(after[0]?.body ?? "")).toMatchObject({ DialCallStatus: "Completed", ConferenceSid: sid });
    expect(await newest()).toMatchObject({ sid, status: "Completed", endReason: "LastParticipantLeft" });
    await startServer("alice");
  });

  test("when the server dies that has the conference, who came from the other one goes on with its program", async () => {
    const { sid } = await meet("dying");
    await hears("bob", ["alice"]);
    await servers.get("alice")?.kill();
    await expect.poll(() => after.map(({ name }) => name), SOON).toEqual(["bob"]);
    expect(JSON.parse(after[0]?.body ?? "")).toMatchObject({ DialCallStatus: "Completed", ConferenceSid: sid });
    expect(await newest()).toMatchObject({ sid, status: "Completed", endReason: "Failed", participants: [] });
    for (const name of NAMES) await expect.poll(() => phoneOf(name).isFree, SOON).toBe(true);
  });
});
