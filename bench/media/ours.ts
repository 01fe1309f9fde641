// Our relay for the media benchmark. Arguments: path (portable, fast), calls, the first port of the phones, and a
// folder where calls are to be recorded. Opens two legs a call, as a call does, and prints for each phone its port and
// the port to send to; exits when its input ends.

import { tmpdir } from "node:os";
import { RtpEngine } from "../../src/adapters/rtp/rtp-engine.ts";
import type { MediaLeg, MediaTerms } from "../../src/domain/voice/ports.ts";
import { silentLog } from "./silent-log.ts";

const [path, calls, phonePort, folder] = process.argv.slice(2) as ["portable" | "fast", string, string, string?];
const TERMS: MediaTerms = { family: 4, secure: false, codecs: ["PCMU", "PCMA"], isTrusted: true };

const engine = new RtpEngine(
  {
    ports: { min: 20_000, max: 25_999 },
    addresses: [{ family: 4, address: "127.0.0.1" }],
    publicAddresses: [],
    allowedNetworks: [],
    inactivityMs: 60_000,
    path,
    rawDirectory: folder ?? tmpdir(),
    workerFile: new URL("../../dist/media-worker.js", import.meta.url),
  },
  () => {},
  silentLog,
);

// The relay alone does not keep the process running.
process.stdin.resume();
process.stdin.on("end", () => process.exit());

let port = Number(phonePort);
const lines: string[] = [];
for (let call = 0; call < Number(calls); call++) {
  const [first, second] = [await openLeg(), await openLeg()];
  first.joinWith(second);
  if (folder !== undefined) engine.record(first, second, { file: `${call}.ulaw2`, startedOn: new Date() });
}
await openLeg();
console.log(lines.slice(0, -1).join("\n"));
console.log("ready");

async function openLeg(): Promise<MediaLeg> {
  const opened = await engine.open(`leg ${port}`);
  if (!opened.ok) throw new Error("no port is free");
  const sdp = `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\nc=IN IP4 127.0.0.1\r\nm=audio ${port} RTP/AVP 0\r\n`;
  const answer = opened.value.answer(sdp, TERMS);
  if (!answer.ok) throw new Error(answer.refusal);
  lines.push(`${port++} ${/^m=audio (\d+)/m.exec(answer.value)?.[1]}`);
  return opened.value;
}
