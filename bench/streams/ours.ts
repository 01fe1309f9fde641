// Our streams for their benchmark: a leg for each, whose sound goes to the program over a WebSocket and comes back, all
// of it by the product's own code. Arguments: streams, the first port of the phones, the program's port, and `watched`
// where it is to be known what waits. Sends each phone's port and the port to send to when all streams are open, and
// whenever its parent asks, what waits.

import { createSecureContext } from "node:tls";
import { newAddressGuard } from "../../src/adapters/guard/address-guard.ts";
import { MediaStreams } from "../../src/adapters/media-streams/media-streams.ts";
import { parseNetwork } from "../../src/base/cidr.ts";
import { systemClock } from "../../src/base/clock.ts";
import { makeIds } from "../../src/base/ids.ts";
import { ok } from "../../src/base/result.ts";
import type { MediaLeg } from "../../src/domain/voice/ports.ts";
import { openLeg, startEngine } from "../media/legs.ts";

/** What the program sent and the phones did not get yet, in ms of sound. */
export interface WaitingSound {
  readonly meanMs: number;
  readonly mostMs: number;
}

interface Waiting {
  played: number;
  gone: number;
}

const OCTETS_PER_MS = 8;
/** As many as an account may have. */
const STREAMS_OF_ACCOUNT = 100;
const [count, phonePort, programPort, watched] = process.argv.slice(2) as [string, string, string, string?];

// The relay alone does not keep the process running.
process.on("disconnect", () => process.exit());
const ids = makeIds(systemClock);
const engine = startEngine("fast");
const streams = new MediaStreams({
  guard: newAddressGuard({ allowedNetworks: ["loopback"] }),
  secureContext: createSecureContext(),
  privateNetworks: [parseNetwork("127.0.0.0/8") ?? []].flat(),
  sign: async () => ok({}),
  clock: systemClock,
  ids,
});
const waiting: Waiting[] = [];

function watch(leg: MediaLeg): MediaLeg {
  const own: Waiting = { played: 0, gone: 0 };
  waiting.push(own);
  const stream: MediaLeg["stream"] = (ear) => {
    const audio = leg.stream({
      hear(frame) {
        own.gone = frame.gone;
        ear.hear(frame);
      },
      marked: (mark) => ear.marked(mark),
    });
    return {
      ...audio,
      play(octets) {
        own.played += octets.length;
        audio.play(octets);
      },
    };
  };
  return { stream } as MediaLeg;
}

function openStream(media: MediaLeg, accountSid: string): Promise<void> {
  return new Promise((resolve, reject) => {
    streams.open({
      accountSid,
      callSid: ids.sid("CA"),
      shape: "Twilio",
      order: { url: `ws://127.0.0.1:${programPort}/`, name: "", tracks: "inbound", parameters: [] },
      isTwoWay: true,
      media: watched === undefined ? media : watch(media),
      opened: () => resolve(),
      ended: ({ fault }) => reject(new Error(`a stream ended: ${fault}`)),
    });
  });
}

let accountSid = "";
const lines: string[] = [];
for (let stream = 0; stream < Number(count); stream++) {
  if (stream % STREAMS_OF_ACCOUNT === 0) accountSid = ids.sid("AC");
  const { leg, line } = await openLeg(engine, Number(phonePort) + stream);
  await openStream(leg, accountSid);
  lines.push(line);
}

process.on("message", () => {
  const ms = waiting.map(({ played, gone }) => (played - gone) / OCTETS_PER_MS);
  const meanMs = ms.reduce((sum, each) => sum + each, 0) / ms.length;
  process.send?.({ meanMs, mostMs: Math.max(...ms) } satisfies WaitingSound);
});
process.send?.(lines);
