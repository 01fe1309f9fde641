// Two voice nodes behind Kamailio with the sample files of deploy: calls are spread, a node that is about to stop gets
// no more and keeps those that it has, one that is killed costs no new call, and both come back.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { newAccount } from "../contract/account.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { ownPort } from "../own-port.ts";
import { type Kamailio, startEdge } from "../peers/kamailio.ts";
import { requirePeer } from "../peers/peer.ts";
import { startSipp } from "../peers/sipp.ts";
import { json, type Tandem } from "../tandem.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { type Node, startTwo } from "./nodes.ts";

const sipp = requirePeer("sipp", "sip-tester");
const kamailio = requirePeer("kamailio", "kamailio");
const ROUNDS = roundsOf({ quick: 1, long: 10 });
const CALLS = 4;
/** The node is killed before that. */
const LAME_DUCK_SECONDS = 600;
/** Source addresses of the nodes. */
const ADDRESSES = ["127.0.0.2", "127.0.0.3"] as const;

interface VoiceNode extends Node {
  /** Address and port of its SIP. */
  readonly place: string;
}

describe.skipIf(!sipp || !kamailio)("two voice nodes behind Kamailio", () => {
  test(
    "new calls avoid a node that stops or is dead, and the calls of the other stay",
    async () => {
      const { nodes, edge, call } = await startBehindEdge();
      const [one, other] = nodes;
      for (let round = 1; round <= ROUNDS; round++) {
        const before = [await callsOf(one), await callsOf(other)];
        await call(CALLS);
        await expect.poll(() => sumOf(nodes), SOON).toBe(sum(before) + CALLS);
        const [ofOne, ofOther] = [await callsOf(one), await callsOf(other)];
        expect(ofOne, "calls are spread").toBeGreaterThan(before[0] ?? 0);
        expect(ofOther, "calls are spread").toBeGreaterThan(before[1] ?? 0);

        process.kill(one.tandem.pid, "SIGTERM");
        await expect.poll(() => edge.isIn(one), SOON).toBe(false);
        await call(CALLS);
        await expect.poll(() => callsOf(other), SOON).toBe(ofOther + CALLS);
        expect(await callsOf(one), "the calls of a node that is about to stop").toBe(ofOne);

        await one.tandem.kill();
        one.tandem = await one.start();
        await expect.poll(() => edge.isIn(one), SOON).toBe(true);
        expect(await callsOf(other), "the calls of the other node").toBe(ofOther + CALLS);

        await other.tandem.kill();
        // Kamailio does not know yet: those that it gives to the dead node go to the next one.
        await call(CALLS);
        await expect.poll(() => callsOf(one), SOON).toBe(CALLS);
        await expect.poll(() => edge.isIn(other), SOON).toBe(false);
        await call(CALLS);
        await expect.poll(() => callsOf(one), SOON).toBe(2 * CALLS);
        other.tandem = await other.start();
        await expect.poll(() => edge.isIn(other), SOON).toBe(true);
      }
    },
    LONG_TIMEOUT_MS,
  );
});

async function callsOf({ tandem }: Node): Promise<number> {
  const answer = await fetch(`${tandem.url}/readyz`);
  return ((await answer.json()) as { calls: number }).calls;
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
const sumOf = async (nodes: readonly Node[]) => sum(await Promise.all(nodes.map(callsOf)));

/** The nodes behind the edge, and a carrier that calls their number and takes their calls. */
async function startBehindEdge() {
  const directory = mkdtempSync(join(tmpdir(), "tandem-edge-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [edgePort, carrierPort] = [await ownPort(), await ownPort()];
  const trunk = { name: "carrier", host: "127.0.0.1", port: edgePort, sources: [`127.0.0.1:${edgePort}`] };
  const ports = [await ownPort(), await ownPort()] as const;
  const settingsFor = (at: 0 | 1) => {
    const config = join(directory, `${at}.json`);
    writeFileSync(config, JSON.stringify({ sip: { sourceAddresses: [ADDRESSES[at]], trunks: [trunk] } }));
    return {
      TANDEM_CONFIG: config,
      TANDEM_SIP_PORT: String(ports[at]),
      TANDEM_LAME_DUCK_SECONDS: String(LAME_DUCK_SECONDS),
      TANDEM_LOG_LEVEL: "warn",
    };
  };
  const started = await startTwo([settingsFor(0), settingsFor(1)]);
  const [one, other] = started.nodes.map((node, at) => Object.assign(node, { place: `${ADDRESSES[at]}:${ports[at]}` }));
  const nodes = [one, other] as [VoiceNode, VoiceNode];
  const places = nodes.map(({ place }) => place);
  const edge = startEdge(kamailio as string, { port: edgePort, nodes: places, carrier: `127.0.0.1:${carrierPort}` });
  onTestFinished(() => edge.stop());
  const number = await newForwardedNumber(nodes[0].tandem);
  return { nodes, edge: watched(edge), call: callerOf(number, edgePort, carrierPort) };
}

/** Of an account without limits; its calls are forwarded to a number of the carrier. */
async function newForwardedNumber(tandem: Tandem): Promise<string> {
  const limits = { read: WIDE, write: WIDE, concurrentCalls: WIDE };
  const account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
  const number = await newNumber(tandem);
  await take(account, number);
  await answerOf(
    await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: "+14155550199" })),
    200,
  );
  return number;
}

/** What the edge has said of its nodes. */
function watched(edge: Kamailio) {
  const lastOf = ({ place }: VoiceNode, state: "in" | "out") =>
    edge.report().lastIndexOf(`node sip:${place} is ${state}`);
  return { isIn: (node: VoiceNode) => lastOf(node, "out") <= lastOf(node, "in") };
}

/** Returns what calls so often, at once; every call is to be answered. The calls stay up. */
function callerOf(number: string, edgePort: number, carrierPort: number) {
  const program = sipp as string;
  const callee = startSipp({ program, scenario: "callee", port: carrierPort });
  onTestFinished(() => callee.stop());
  return async (calls: number) => {
    await callee.listening();
    const remote = `127.0.0.1:${edgePort}`;
    const order = { program, scenario: "dropped-caller", port: await ownPort(), remote, service: number };
    const caller = startSipp({ ...order, calls, rate: calls });
    onTestFinished(() => caller.stop());
  };
}
