// Opens legs of our relay for benchmarks, each for a phone of its own on this machine.

import { tmpdir } from "node:os";
import { RtpEngine } from "../../src/adapters/rtp/rtp-engine.ts";
import type { MediaLeg, MediaTerms } from "../../src/domain/voice/ports.ts";
import { silentLog } from "./silent-log.ts";

const TERMS: MediaTerms = { family: 4, secure: false, codecs: ["PCMU", "PCMA"], isTrusted: true };

export interface PhoneLeg {
  readonly leg: MediaLeg;
  /** For the phone: its port, and the port to send to. */
  readonly line: string;
}

export function startEngine(path: "portable" | "fast", folder: string = tmpdir()): RtpEngine {
  return new RtpEngine(
    {
      ports: { min: 20_000, max: 25_999 },
      addresses: [{ family: 4, address: "127.0.0.1" }],
      publicAddresses: [],
      allowedNetworks: [],
      inactivityMs: 60_000,
      path,
      rawDirectory: folder,
      workerFile: new URL("../../dist/media-worker.js", import.meta.url),
    },
    () => {},
    silentLog,
  );
}

export async function openLeg(engine: RtpEngine, phonePort: number): Promise<PhoneLeg> {
  const opened = await engine.open(`leg ${phonePort}`);
  if (!opened.ok) throw new Error("no port is free");
  const sdp = `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\nc=IN IP4 127.0.0.1\r\nm=audio ${phonePort} RTP/AVP 0\r\n`;
  const answer = opened.value.answer(sdp, TERMS);
  if (!answer.ok) throw new Error(answer.refusal);
  return { leg: opened.value, line: `${phonePort} ${/^m=audio (\d+)/m.exec(answer.value)?.[1]}` };
}
