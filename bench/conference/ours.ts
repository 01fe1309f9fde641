// Our media engine for the conference benchmark. Arguments: `conference` or `calls`, path (portable, fast), legs, the
// first port of the phones. Opens the legs, half of them in PCMA, brings all into one conference or joins them in
// pairs, and prints the port of each; exits when its input ends.

import { tmpdir } from "node:os";
import { RtpEngine } from "../../src/adapters/rtp/rtp-engine.ts";
import type { MediaLeg, MediaTerms } from "../../src/domain/voice/ports.ts";
import { silentLog } from "../media/silent-log.ts";
import { payloadOf } from "./payload.ts";

const [form, path, legs, phonePort] = process.argv.slice(2) as [
  "conference" | "calls",
  "portable" | "fast",
  string,
  string,
];
const TERMS: MediaTerms = { family: 4, secure: false, codecs: ["PCMU", "PCMA"], isTrusted: true };

const engine = new RtpEngine(
  {
    ports: { min: 20_000, max: 20_999 },
    addresses: [{ family: 4, address: "127.0.0.1" }],
    publicAddresses: [],
    allowedNetworks: [],
    inactivityMs: 60_000,
    path,
    rawDirectory: tmpdir(),
    workerFile: new URL("../../dist/media-worker.js", import.meta.url),
  },
  () => {},
  silentLog,
);

// The relay alone does not keep the process running.
process.stdin.resume();
process.stdin.on("end", () => process.exit());

const opened: MediaLeg[] = [];
const mix = engine.mix();
for (let leg = 0; leg < Number(legs); leg++) opened.push(await openLeg(leg));
for (const [at, leg] of opened.entries()) {
  const other = opened[at + 1];
  if (form === "conference") mix.set(leg, { speaks: true, hears: true });
  else if (at % 2 === 0 && other) leg.joinWith(other);
}
// Opened after all orders have been carried out.
await engine.open("last");
console.log("ready");

async function openLeg(at: number): Promise<MediaLeg> {
  const leg = await engine.open(`leg ${at}`);
  if (!leg.ok) throw new Error("no port is free");
  const media = `m=audio ${Number(phonePort) + at} RTP/AVP ${payloadOf(at)}`;
  const answer = leg.value.answer(`v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\nc=IN IP4 127.0.0.1\r\n${media}\r\n`, TERMS);
  if (!answer.ok) throw new Error(answer.refusal);
  console.log(/^m=audio (\d+)/m.exec(answer.value)?.[1]);
  return leg.value;
}
