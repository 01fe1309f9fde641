// The sample of the SIP edge serves the carrier and the nodes, and no stranger.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { SipPeer } from "../fakes/sip-peer.ts";
import { ownPort } from "../own-port.ts";
import { startEdge } from "./kamailio.ts";
import { requirePeer } from "./peer.ts";

const program = requirePeer("kamailio", "kamailio");
const SOON = { timeout: 120_000 };
/** Enough for each of its processes. */
const TRIES = 20;

describe.skipIf(!program)("Kamailio with the sample of the edge", () => {
  test("passes on what the carrier and the nodes send, also a node that is out, and nothing of a stranger", async () => {
    const target = await SipPeer.open();
    onTestFinished(() => target.close());
    const [port, nodePort] = [await ownPort(), await ownPort()];
    const place = `127.0.0.3:${nodePort}`;
    const edge = startEdge(program as string, { port, nodes: [place], carrier: target.address });
    onTestFinished(() => edge.stop());
    const node = await socketAt("127.0.0.3", nodePort);
    const stranger = await socketAt("127.0.0.9");
    const answers: string[] = [];
    stranger.on("message", (octets) => void answers.push(octets.toString("latin1")));
    await expect.poll(() => edge.report(), SOON).toContain(`node sip:${place} is out`);

    const within = (callId: string) => target.request("BYE", withinCall(callId, target.address, port));
    for (let at = 0; at < TRIES; at++) {
      stranger.send(within(`stranger-${at}`), port, "127.0.0.1");
      stranger.send(target.request("OPTIONS", { uri: `sip:127.0.0.1:${port}` }), port, "127.0.0.1");
    }
    target.send(within("carrier"), port, "127.0.0.1");
    node.send(within("node"), port, "127.0.0.1");
    const passed = () => target.left.filter(({ method }) => method === "BYE").map(({ callId }) => callId);
    await expect.poll(() => new Set(passed()), SOON).toEqual(new Set(["carrier", "node"]));
    expect(answers).toEqual([]);
  });
});

/** A request within a call that leads from the edge to the place. */
function withinCall(callId: string, place: string, edgePort: number): Record<string, string> {
  return {
    uri: `sip:callee@${place}`,
    Route: `<sip:127.0.0.1:${edgePort};lr>`,
    To: "<sip:callee@127.0.0.1>;tag=callee",
    "Call-ID": callId,
  };
}

async function socketAt(address: string, port = 0): Promise<Socket> {
  const socket = createSocket("udp4");
  await once(socket.bind(port, address), "listening");
  onTestFinished(() => void socket.close());
  return socket;
}
