// Answers without an SDP: a party answers 200 without one, or acknowledges our offer without answering it. There would
// be no audio, so the call ends immediately: every party that had answered gets BYE, the record says Failed and why,
// and each leg is reported as Completed once. Media that were agreed on, early or late, are no reason to end a call.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { headerOf } from "../../src/wire/sip/message.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE, whenListed } from "../contract/numbers.ts";
import * as sip from "../fakes/sip-legs.ts";
import { type Received, SipPeer } from "../fakes/sip-peer.ts";
import { ownPort } from "../own-port.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const ROUNDS = roundsOf({ quick: 1, long: 20 });
/** Port 9 discards whatever is sent to it. */
const SDP = sip.SDP.replace("4000", "9");
const RELIABLE = "Require: 100rel\r\nRSeq: 1\r\n";
const PARTIES = { from: "+14155550111", to: "+14155550199" };

let sipPort = 0;
let carrier: SipPeer;
let caller: SipPeer;
const tandem = useTandem(async () => {
  sipPort = await ownPort();
  [carrier, caller] = [await SipPeer.open(), await SipPeer.open()];
  const trunk = { name: "carrier", host: "127.0.0.1", port: carrier.port, sources: ["127.0.0.1"], optionsSeconds: 0 };
  const file = join(mkdtempSync(join(tmpdir(), "tandem-sdp-")), "tandem.config.json");
  writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [trunk] } }));
  return { environment: { TANDEM_CONFIG: file, TANDEM_SIP_PORT: String(sipPort), TANDEM_DRAIN_SECONDS: "1" } };
});
let account: TestAccount;
let number: string;

beforeAll(async () => {
  const limits = { read: WIDE, write: WIDE, call: WIDE, concurrentCalls: WIDE };
  account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
  number = await newNumber(tandem);
  await take(account, number);
  await answerOf(await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: PARTIES.to })), 200);
});
afterAll(() => {
  carrier.close();
  caller.close();
});

interface CallBody {
  readonly sid: string;
  readonly status: string;
}

const order = async () =>
  (await answerOf<CallBody>(await account.call("/v1/Voice/Calls", json("POST", PARTIES)), 201)).sid;
const newestCall = async () =>
  (await answerOf<List<CallBody>>(await account.call("/v1/Voice/Calls?PageSize=1"), 200)).items[0]?.sid ?? "";
const callOf = async (sid: string) => answerOf<CallBody>(await account.call(`/v1/Voice/Calls/${sid}`), 200);

/** A request or response of this dialog; retransmissions of earlier dialogs are skipped. */
async function nextOf(peer: SipPeer, wanted: string | number, isOurs: (callId: string) => boolean): Promise<Received> {
  for (;;) {
    const received = await peer.next(wanted);
    if (isOurs(received.message.callId)) return received;
  }
}

let dialogs = 0;
const known = new Set<string>();
const contact = () => `Contact: <sip:callee@${carrier.address}>\r\n`;

/** The next call to the carrier. */
async function invited(): Promise<Received> {
  const invite = await nextOf(carrier, "INVITE", (callId) => !known.has(callId));
  known.add(invite.message.callId);
  return invite;
}

/** Answers 200; returns the Call-ID. */
function answerWith(invite: Received, body: string, tag = `callee${++dialogs}`): string {
  carrier.respond(invite, 200, contact(), body, tag);
  return invite.message.callId;
}

async function ringReliably(invite: Received, body: string, tag: string): Promise<void> {
  carrier.respond(invite, 183, `${contact()}${RELIABLE}`, body, tag);
  const prack = await nextOf(carrier, "PRACK", (callId) => callId === invite.message.callId);
  carrier.respond(prack, 200, "", "", tag);
}

/** Calls our number, and resolves when it has answered. */
async function callIn(body: string): Promise<{ readonly callId: string; acknowledge(sdp: string): void }> {
  const callId = `incoming${++dialogs}@127.0.0.1`;
  const uri = `sip:${number}@127.0.0.2`;
  const common = { uri, From: `<sip:+14155550123@127.0.0.1>;tag=caller${dialogs}`, "Call-ID": callId };
  caller.send(caller.request("INVITE", { ...common, To: `<${uri}>` }, body), sipPort);
  const { message } = await nextOf(caller, 200, (one) => one === callId);
  const To = headerOf(message, "to") ?? "";
  const acknowledge = (sdp: string) =>
    caller.send(caller.request("ACK", { ...common, To, CSeq: "1 ACK" }, sdp), sipPort);
  return { callId, acknowledge };
}

/** Resolves when each of these calls has got a BYE, which is answered. */
async function hungUp(peer: SipPeer, callIds: readonly string[]): Promise<void> {
  for (const left = new Set(callIds); left.size > 0; ) {
    const bye = await peer.next("BYE");
    peer.respond(bye, 200);
    left.delete(bye.message.callId);
  }
}

/** The account's events of a call, in order. */
async function toldOf(sid: string): Promise<readonly string[]> {
  interface Told {
    readonly resourceSid: string;
    readonly payload: { readonly Leg: string; readonly Status: string; readonly EndReason: string | null };
  }
  await whenListed(account);
  const path = "/v1/Events?PageSize=1000&OrderByDirection=Ascending&Type=CallStatusChangedWebhook";
  const { items } = await answerOf<List<Told>>(await account.call(path), 200);
  const own = items.filter(({ resourceSid }) => resourceSid === sid);
  return own.map(
    ({ payload }) => `${payload.Leg} ${payload.Status}${payload.EndReason ? ` ${payload.EndReason}` : ""}`,
  );
}

async function expectFailed(sid: string, told: readonly string[]): Promise<void> {
  await expect
    .poll(() => callOf(sid), SOON)
    .toMatchObject({
      status: "Completed",
      endReason: "Failed",
      endedBy: "Service",
      answeredOn: null,
    });
  const why = await answerOf<{ summary: { why: string } }>(await account.call(`/v1/Voice/Calls/${sid}/why`), 200);
  expect(why.summary.why).toContain("The party answered without an SDP, so no media were agreed on.");
  expect(await toldOf(sid)).toEqual(told);
}

const ANSWERED = ["First Ringing", "First Answered"];
const FAILED = ["First Completed Failed", "Second Completed Failed"];

const MUTE: Readonly<Record<string, () => Promise<void>>> = {
  async "the first party of an outbound call answers without"() {
    const sid = await order();
    const callId = answerWith(await invited(), "");
    await hungUp(carrier, [callId]);
    await expectFailed(sid, ["First Completed Failed"]);
  },
  async "the second party of an outbound call answers without"() {
    const sid = await order();
    const callIds = [answerWith(await invited(), SDP), answerWith(await invited(), "")];
    await hungUp(carrier, callIds);
    await expectFailed(sid, [...ANSWERED, ...FAILED]);
  },
  async "the second party rang reliably, but said nothing of media there either"() {
    const sid = await order();
    const first = answerWith(await invited(), SDP);
    const invite = await invited();
    await ringReliably(invite, "", "reliable");
    const callIds = [first, answerWith(invite, "", "reliable")];
    await hungUp(carrier, callIds);
    await expectFailed(sid, [...ANSWERED, "Second Ringing", ...FAILED]);
  },
  async "the second party answers without, and only another fork had said where its media are"() {
    const sid = await order();
    const first = answerWith(await invited(), SDP);
    const invite = await invited();
    carrier.respond(invite, 183, contact(), SDP, "fork");
    const callIds = [first, answerWith(invite, "", "winner")];
    await hungUp(carrier, callIds);
    await expectFailed(sid, [...ANSWERED, "Second Ringing", ...FAILED]);
  },
  async "the party that an inbound call is forwarded to answers without"() {
    const { callId, acknowledge } = await callIn(SDP);
    acknowledge("");
    const second = answerWith(await invited(), "");
    await hungUp(carrier, [second]);
    await hungUp(caller, [callId]);
    await expectFailed(await newestCall(), [...ANSWERED, ...FAILED]);
  },
  async "our offer to a caller who made none is acknowledged without an answer"() {
    const { callId, acknowledge } = await callIn("");
    acknowledge("");
    await hungUp(caller, [callId]);
    await expectFailed(await newestCall(), ["First Ringing", "First Completed Failed"]);
    const invites = carrier.take().filter(({ method, callId: one }) => method === "INVITE" && !known.has(one));
    expect(invites).toEqual([]);
  },
};

test(
  "a call whose media were never agreed on is ended, and its record says why",
  async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [name, run] of Object.entries(MUTE)) {
        await run();
        console.log(`round ${round}/${ROUNDS}: ${name}`);
      }
    }
    const { items } = await answerOf<List<CallBody>>(await account.call("/v1/Voice/Calls?PageSize=1000"), 200);
    expect(items.filter(({ status }) => status !== "Completed")).toEqual([]);
    expect(items).toHaveLength(ROUNDS * Object.keys(MUTE).length);
  },
  LONG_TIMEOUT_MS,
);

test("an answer without an SDP ends no call whose media a reliable provisional answer agreed on", async () => {
  const sid = await order();
  const first = answerWith(await invited(), SDP);
  const invite = await invited();
  await ringReliably(invite, SDP, "early");
  const second = answerWith(invite, "", "early");
  await expect.poll(async () => (await callOf(sid)).status, SOON).toBe("Answered");
  await answerOf(await account.call(`/v1/Voice/Calls/${sid}/hangup`, { method: "POST" }), 200);
  await hungUp(carrier, [first, second]);
});

test("a caller without an offer who answers ours in the ACK is connected", async () => {
  const { callId, acknowledge } = await callIn("");
  acknowledge(SDP);
  const second = answerWith(await invited(), SDP);
  const sid = await newestCall();
  await expect.poll(async () => (await callOf(sid)).status, SOON).toBe("Answered");
  await answerOf(await account.call(`/v1/Voice/Calls/${sid}/hangup`, { method: "POST" }), 200);
  await hungUp(caller, [callId]);
  await hungUp(carrier, [second]);
});
