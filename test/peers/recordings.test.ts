// A call between two third-party telephones, recorded with a pause, as other programs read the files: the right tone on
// the right channel over the whole length, as long as the parties were connected, without the pause.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SILENCE } from "../../src/wire/rtp/g711.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import type { RecordedCall } from "../contract/recordings.ts";
import { certificateFor } from "../fakes/certificate.ts";
import { purityOf } from "../fakes/rtp-phone.ts";
import { ownPort } from "../own-port.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { Baresip, type BaresipOrder } from "./baresip.ts";
import { requirePeer } from "./peer.ts";

const program = requirePeer("baresip", "baresip-core");
const ffmpeg = requirePeer("ffmpeg", "ffmpeg");
const ffprobe = requirePeer("ffprobe", "ffmpeg");
const sox = requirePeer("sox", "sox");

const ALICE_HZ = 440;
const BOB_HZ = 1000;
const RATE = 8_000;
/** In the segment before the pause, and in the one after it. */
const SPOKEN_SECONDS = [3, 2] as const;
const LENGTH_SECONDS_MAX = 0.04;
/** Length of the windows in which a tone is detected: 100 ms. */
const WINDOW = 800;
/** Samples in 20 ms. */
const PACKET = 160;
/** A packet whose samples stay below it is a gap. */
const SILENCE_MAX = 300;

interface CallBody extends RecordedCall {
  readonly answeredOn: string;
  readonly completedOn: string;
}

interface Trail {
  readonly steps: readonly { readonly at: string; readonly step: string; readonly details: { action?: string } }[];
}

const isHere = program && ffmpeg && ffprobe && sox;

describe.skipIf(!isHere).each(["portable", "fast"])("a recorded call over the %s path", (path) => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-heard-"));
  let sipPort = 0;
  let bobPort = 0;
  const tandem = useTandem(async () => {
    [sipPort, bobPort] = [await ownPort(), await ownPort(2)];
    const trunks = [{ name: "phones", host: "127.0.0.1", port: bobPort, sources: ["127.0.0.1"], optionsSeconds: 0 }];
    const file = join(folder, "tandem.config.json");
    writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks } }));
    return {
      environment: {
        TANDEM_CONFIG: file,
        TANDEM_SIP_PORT: String(sipPort),
        TANDEM_RTP_PORTS: "0",
        TANDEM_RTP_PATH: path,
        TANDEM_DRAIN_SECONDS: "1",
      },
    };
  });
  let account: TestAccount;
  let number: string;
  const phones: Baresip[] = [];

  beforeAll(async () => {
    const limits = { read: WIDE, write: WIDE, call: WIDE };
    account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
    number = await newNumber(tandem);
    await take(account, number);
    const voice = json("PUT", { callsForwardedTo: "+14155550199", recordInboundCalls: true });
    await answerOf(await account.call(`/v1/Phones/${number}/voice`, voice), 200);
  });
  afterEach(async () => {
    for (const phone of phones.splice(0)) await phone.stop();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const startPhone = async (order: Pick<BaresipOrder, "users" | "codec" | "hz"> & { port?: number }) => {
    const port = order.port ?? (await ownPort(2));
    const certificate = await certificateFor("127.0.0.1");
    const phone = await Baresip.start({ program: program ?? "", address: "127.0.0.1", certificate, ...order, port });
    phones.push(phone);
    return phone;
  };
  const lastCall = async () => {
    const { items } = await answerOf<List<CallBody>>(await account.call("/v1/Voice/Calls?PageSize=1"), 200);
    return items[0] as CallBody;
  };
  /** How long both parties have spoken in the segment, whenever they began. */
  const spokenSeconds = ({ recordings: { sid } }: CallBody, index: number) => {
    const file = join(tandem.dataDir, "recordings", "raw", `${sid}-${index}.ulaw2`);
    const octets = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    const spoken = [0, 1].map((leg) => octets.filter((octet, at) => at % 2 === leg && octet !== SILENCE.PCMU).length);
    return Math.min(...spoken) / RATE;
  };
  const control = async ({ sid }: CallBody, action: string) =>
    answerOf(await account.call(`/v1/Voice/Calls/${sid}/recording-control`, json("POST", { action })), 200);

  test("has each party's tone on its channel, without the pause, and lasts as long as it says", async () => {
    const bob = await startPhone({ users: ["+14155550199"], codec: "PCMA", hz: BOB_HZ, port: bobPort });
    const alice = await startPhone({ users: ["alice"], codec: "PCMU", hz: ALICE_HZ });
    alice.dial(`sip:${number}@127.0.0.2:${sipPort}`);
    await expect.poll(async () => (await lastCall())?.status, SOON).toBe("Answered");
    const call = await lastCall();
    await expect.poll(() => spokenSeconds(call, 1), SOON).toBeGreaterThan(SPOKEN_SECONDS[0]);
    await control(call, "Pause");
    const heardMs = bob.heardMs;
    await expect.poll(() => bob.heardMs, SOON).toBeGreaterThan(heardMs + 1_500);
    await control(call, "Resume");
    await expect.poll(() => spokenSeconds(call, 2), SOON).toBeGreaterThan(SPOKEN_SECONDS[1]);
    alice.hangUp();
    await expect.poll(async () => (await lastCall()).recordings.status, SOON).toBe("Completed");
    const ended = await lastCall();
    const { steps } = await answerOf<Trail>(await account.call(`/v1/Voice/Calls/${ended.sid}/why`), 200);
    const switchedMs = (action: string) => Date.parse(steps.find(({ details }) => details.action === action)?.at ?? "");
    const lengths = [
      switchedMs("Pause") - Date.parse(ended.answeredOn),
      Date.parse(ended.completedOn) - switchedMs("Resume"),
    ];
    expect(ended.recordings.segments.map(({ index }) => index)).toEqual([1, 2]);
    for (const [at, { index, durationSeconds }] of ended.recordings.segments.entries()) {
      const file = await download(account, ended.sid, index, folder);
      const seconds = (lengths[at] ?? 0) / 1000;
      expectAsLong(file, seconds);
      expect(Math.abs((durationSeconds ?? 0) - seconds)).toBeLessThan(LENGTH_SECONDS_MAX);
      const spoken = SPOKEN_SECONDS[at] ?? Number.NaN;
      expectTone(file, 1, ALICE_HZ, BOB_HZ, spoken);
      expectTone(file, 2, BOB_HZ, ALICE_HZ, spoken);
    }
  });
});

/** The MP3, and a WAV of it. */
interface Downloaded {
  readonly mp3: string;
  readonly wav: string;
}

async function download(account: TestAccount, sid: string, index: number, folder: string): Promise<Downloaded> {
  const answer = await account.call(`/v1/Voice/Calls/${sid}/recordings/${index}`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
  const mp3 = join(folder, `${sid}-${index}.mp3`);
  writeFileSync(mp3, new Uint8Array(await answer.arrayBuffer()));
  const wav = `${mp3}.wav`;
  run(ffmpeg, "-v", "error", "-y", "-i", mp3, wav);
  return { mp3, wav };
}

function run(name: string | undefined, ...given: string[]): Buffer {
  const { status, stdout, stderr } = spawnSync(name ?? "", given, { maxBuffer: 64 * 1024 * 1024 });
  expect(stderr.toString()).toBe("");
  expect(status).toBe(0);
  return stdout;
}

/** The length of the decoded audio, without the encoder's padding. */
function expectAsLong({ mp3, wav }: Downloaded, seconds: number): void {
  const entries = "stream=codec_name,sample_rate,channels:format=duration";
  const probed = JSON.parse(String(run(ffprobe, "-v", "error", "-of", "json", "-show_entries", entries, mp3)));
  expect(probed.streams).toMatchObject([{ codec_name: "mp3", sample_rate: "8000", channels: 2 }]);
  const samples = Number(String(run(sox, "--i", "-s", wav)));
  expect(Math.abs(samples / RATE - seconds)).toBeLessThan(LENGTH_SECONDS_MAX);
}

/**
 * A telephone that gets no processor time may begin late and leave gaps, but never plays another tone. Everything that
 * was played is there, at least half of it in windows without a gap.
 */
function expectTone({ wav }: Downloaded, channel: 1 | 2, hz: number, otherHz: number, spoken: number): void {
  const raw = `${wav}-${channel}.raw`;
  run(sox, wav, "-t", "raw", "-e", "signed-integer", "-b", "16", raw, "remix", String(channel));
  const octets = readFileSync(raw);
  const samples = Array.from({ length: Math.floor(octets.length / 2) }, (_, at) => octets.readInt16LE(at * 2));
  const windows = Array.from({ length: Math.floor(samples.length / WINDOW) }, (_, at) =>
    samples.slice(at * WINDOW, (at + 1) * WINDOW),
  );
  for (const window of windows) expect(purityOf(window, otherHz)).toBeLessThan(0.1);
  const sounding = windows.flatMap(packetsOf).filter(hasSound);
  // Audio after the last whole window is ignored.
  expect((sounding.length * PACKET + WINDOW) / RATE).toBeGreaterThan(spoken);
  const whole = windows.filter((window) => packetsOf(window).every(hasSound));
  expect(whole.length * WINDOW).toBeGreaterThan((sounding.length * PACKET) / 2);
  const right = whole.filter((window) => purityOf(window, hz) > 0.8).length;
  expect(right / whole.length).toBeGreaterThan(0.9);
}

function packetsOf(window: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: WINDOW / PACKET }, (_, at) => window.slice(at * PACKET, (at + 1) * PACKET));
}

function hasSound(packet: readonly number[]): boolean {
  return Math.max(...packet.map(Math.abs)) >= SILENCE_MAX;
}
