// Checks what voice needs: usable source addresses of this machine, a public address where they are private, trunks,
// enough ports for audio, and a speech engine. Nothing is checked where SIP is not configured.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIP } from "node:net";
import type { SpeechEngine } from "../../../adapters/speech/engine.ts";
import { parseAddress, whyForbidden } from "../../../base/cidr.ts";
import type { Settings } from "../../../server/config/settings.ts";
import type { SipSettings } from "../../../server/config/sip.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const SIP = "SIP";
const AUDIO = "Ports for audio";
const CALLS_WANTED = 100;
const SPEECH = "Speech";
const SPEECH_MS_MAX = 15_000;

export async function checkVoice(
  sip: SipSettings | undefined,
  settings: Settings,
  openSpeech: () => SpeechEngine,
): Promise<readonly Finding[]> {
  if (!sip) return [];
  const addresses = await Promise.all(sip.sourceAddresses.map(checkSource));
  return [...addresses, checkTrunks(sip), checkPorts(settings.TANDEM_RTP_PORTS), await checkSpeech(openSpeech)];
}

async function checkSource({ address, publicAddress }: SipSettings["sourceAddresses"][number]): Promise<Finding> {
  const socket = createSocket(isIP(address) === 6 ? "udp6" : "udp4");
  try {
    socket.bind(0, address);
    await once(socket, "listening");
  } catch (error) {
    const advice = "Name addresses of this machine in sip.sourceAddresses.";
    return fail(SIP, `${address} cannot be used (${(error as NodeJS.ErrnoException).code})`, advice);
  } finally {
    socket.close();
  }
  const parsed = parseAddress(address);
  if (publicAddress === undefined && parsed && whyForbidden(parsed, []) !== undefined) {
    const advice = "Behind a NAT, say how others reach it: { address, publicAddress } in sip.sourceAddresses.";
    return warn(SIP, `${address} is not public`, advice);
  }
  return ok(SIP, publicAddress === undefined ? address : `${address}, reached as ${publicAddress}`);
}

function checkTrunks({ trunks }: SipSettings): Finding {
  const ways = trunks.filter(({ outbound }) => outbound);
  if (ways.length > 0) return ok("Trunks", trunks.map(({ name }) => name).join(", "));
  return warn("Trunks", "none takes calls out", "Name one in sip.trunks: without, only SIP URIs can be called.");
}

async function checkSpeech(openSpeech: () => SpeechEngine): Promise<Finding> {
  const engine = openSpeech();
  const began = performance.now();
  try {
    const spoken = await engine.make("1 2 3", AbortSignal.timeout(SPEECH_MS_MAX));
    const ms = Math.round(performance.now() - began);
    return ok(SPEECH, `${(spoken.length / 8000).toFixed(1)} s were made in ${ms} ms`);
  } catch (fault) {
    const advice = "See `speech` in tandem.config.json: texts of scripts and prompts cannot be spoken.";
    return fail(SPEECH, (fault as Error).message, advice);
  } finally {
    await engine.close();
  }
}

/** Two ports for each party of a call. */
function checkPorts({ min, max }: Settings["TANDEM_RTP_PORTS"]): Finding {
  const calls = Math.floor((max - min + 1) / 4);
  const found = `${min}-${max}, for ${calls} calls at once`;
  return calls >= CALLS_WANTED ? ok(AUDIO, found) : warn(AUDIO, found, "Widen TANDEM_RTP_PORTS if more are wanted.");
}
