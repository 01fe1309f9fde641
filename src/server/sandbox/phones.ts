// Opens the simulated telephone network, and returns a trunk to it for the product like one to a real carrier.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { takeFromLimit } from "../../adapters/http/core/run-operation.ts";
import { stillSignsIn } from "../../adapters/http/core/sign-in.ts";
import { readE164 } from "../../adapters/http/reading/read-number.ts";
import type { SimulatedWorld } from "../../adapters/http/routes/operations/testkit.ts";
import { SharedSpeech } from "../../adapters/speech/shared-speech.ts";
import { makeSpeechEngine } from "../../adapters/speech/speech-settings.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { FetchedSound, Sounds } from "../../domain/voice/index.ts";
import { Phones } from "../../sandbox/sip/phones.ts";
import type { Config } from "../config/config.ts";
import { type SipSettings, sipSchema } from "../config/sip.ts";
import type { VoicePart } from "../parts/voice.ts";
import type { Context } from "../running/part.ts";
import type { Parts } from "../running/parts.ts";
import { Softphones } from "./softphones.ts";

export const REAL_PHONES = "The telephone network is not a simulated one.";

const LOOPBACK = "127.0.0.1";
const SOURCES = ["127.0.0.2", "127.0.0.3"];

export async function openPhones(
  parts: Parts,
  { file, secret }: Config,
  log: Log,
): Promise<{ phones: Phones; settings: SipSettings }> {
  const engine = await parts.keep("voices of telephones", Promise.resolve(makeSpeechEngine(file.speech, secret)));
  const speech = new SharedSpeech(engine);
  const say = (text: string) => samplesOf(speech.say({ accountSid: "sandbox", text }, new AbortController().signal));
  const phones = await parts.keep("telephones", Phones.listen({ host: LOOPBACK, port: 0, log, say }));
  const trunk = { name: "sandbox", host: LOOPBACK, port: phones.port, sources: [LOOPBACK], optionsSeconds: 0 };
  // Not every system has more than one loopback address.
  const isOurs = await Promise.all(SOURCES.map(isOfThisMachine));
  const sourceAddresses = isOurs.every(Boolean) ? SOURCES : [LOOPBACK];
  return { phones, settings: sipSchema.parse({ sourceAddresses, trunks: [trunk] }) };
}

async function samplesOf(parts: AsyncIterable<Int16Array>): Promise<Int16Array> {
  const made: Int16Array[] = [];
  for await (const part of parts) made.push(part);
  const all = new Int16Array(made.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of made) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function isOfThisMachine(address: string): Promise<boolean> {
  const socket = createSocket("udp4");
  try {
    socket.bind(0, address);
    await once(socket, "listening");
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}

/** The whole sound, or why there is none. */
async function wordsOf(sounds: Sounds, sound: FetchedSound): Promise<Result<Int16Array, string>> {
  const played = new AbortController();
  try {
    return ok(await samplesOf(sounds.play(sound, played.signal)));
  } catch (fault) {
    return refused(fault instanceof Error ? fault.message : String(fault));
  } finally {
    played.abort();
  }
}

export function callPlacer(phones: Phones | undefined, { places, sounds }: VoicePart): SimulatedWorld["placeCall"] {
  return async ({ from, to, durationSeconds, isAnswered, digits, audio }) => {
    const [target] = places();
    const heard = sounds();
    if (!phones || !target || !heard) return refused(REAL_PHONES);
    const words = audio ? await wordsOf(heard, audio) : ok(undefined);
    if (!words.ok) return words;
    const durationMs = durationSeconds * 1000;
    const call = { from, to, target, durationMs, isAnswered, digits, words: words.value };
    const status = await phones.call(call);
    return status === 200 ? ok(undefined) : refused(`The call was refused with ${status}.`);
  };
}

export function softphonesOf(phones: Phones, { places }: VoicePart, context: Context): Softphones {
  const { store, credentials, limits, log } = context;
  const isOwn = async (accountSid: string, number: string) => {
    const phone = await store.phones.find(accountSid, number);
    return phone !== undefined && phone.status !== "Removed";
  };
  return new Softphones({
    phones,
    isOwn,
    mayGoOn: (headers) => stillSignsIn(credentials, "account", headers),
    async dial({ account, number: from }, given, user) {
      const to = readE164(given, account.country);
      if (!to.ok) return refused(to.refusal.reason);
      // The socket may have been open for long, and its account may have changed.
      const current = (await store.accounts.find(account.sid)) ?? account;
      const denied = await takeFromLimit({ limits }, current, "call", 1, { limitHeaders: null });
      if (denied) return refused(denied.detail ?? "Too many calls were made.");
      if (!(await isOwn(account.sid, to.value))) return refused("This is not a number of yours.");
      const [target] = places();
      const call = target && phones.dial({ from, to: to.value, target }, user);
      return call ? ok(call) : refused("The telephone network is full.");
    },
    log,
  });
}
