// Opens the simulated telephone network, with a trunk to it for the product as to a real one.

import type { SimulatedWorld } from "../../adapters/http/routes/operations/testkit.ts";
import { CachedSpeech } from "../../adapters/speech/cached-speech.ts";
import { makeSpeechEngine } from "../../adapters/speech/speech-settings.ts";
import type { Log } from "../../base/log.ts";
import { ok, refused } from "../../base/result.ts";
import { Phones } from "../../sandbox/sip/phones.ts";
import type { Config } from "../config/config.ts";
import { type SipSettings, sipSchema } from "../config/sip.ts";
import type { VoicePart } from "../parts/voice.ts";
import type { Parts } from "../running/parts.ts";

const LOOPBACK = "127.0.0.1";

export async function openPhones(
  parts: Parts,
  { file, secret }: Config,
  log: Log,
): Promise<{ phones: Phones; settings: SipSettings }> {
  const engine = await parts.keep("voices of telephones", Promise.resolve(makeSpeechEngine(file.speech, secret)));
  const speech = new CachedSpeech(engine);
  const say = (text: string) => samplesOf(speech.say(text, new AbortController().signal));
  const phones = await parts.keep("telephones", Phones.listen({ host: LOOPBACK, port: 0, log, say }));
  const trunk = { name: "sandbox", host: LOOPBACK, port: phones.port, sources: [LOOPBACK], optionsSeconds: 0 };
  const settings = sipSchema.parse({ sourceAddresses: [LOOPBACK, LOOPBACK], trunks: [trunk] });
  // Not every system has a second loopback address.
  return { phones, settings: { ...settings, sourceAddresses: settings.sourceAddresses.slice(0, 1) } };
}

async function samplesOf(parts: AsyncIterable<Int16Array>): Promise<Int16Array> {
  const made: Int16Array[] = [];
  for await (const part of parts) made.push(part);
  return Int16Array.from(made.flatMap((part) => [...part]));
}

export function callPlacer(phones: Phones | undefined, { ports }: VoicePart): SimulatedWorld["placeCall"] {
  return async ({ from, to, durationSeconds, isAnswered }) => {
    const { TANDEM_SIP_PORT: port } = ports();
    if (!phones || port === undefined) return refused("The telephone network is not a simulated one.");
    const target = { address: LOOPBACK, port };
    const status = await phones.call({ from, to, target, durationMs: durationSeconds * 1000, isAnswered });
    return status === 200 ? ok(undefined) : refused(`The call was refused with ${status}.`);
  };
}
