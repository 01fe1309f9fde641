import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { correlation } from "../../../test/fakes/correlation.ts";
import { decodeSample } from "../../../test/fakes/g711.ts";
import { keyTones } from "../../../test/fakes/key-tone.ts";
import { audioPortOf, purityOf, RtpPhone } from "../../../test/fakes/rtp-phone.ts";
import { silent } from "../../../test/fakes/silent-log.ts";
import { mediaWorkerFile } from "../../../test/fakes/worker-file.ts";
import { parseNetwork } from "../../base/cidr.ts";
import type { Log } from "../../base/log.ts";
import type { MediaInput, MediaLeg, MediaTerms } from "../../domain/voice/ports.ts";
import { SILENCE } from "../../wire/rtp/g711.ts";
import { isRtcp } from "../../wire/rtp/packet.ts";
import { readReport } from "../../wire/rtp/rtcp.ts";
import { RtpEngine, type RtpSettings } from "./rtp-engine.ts";
import { Protection } from "./srtp.ts";

const UNTIL = { timeout: 120_000, interval: 10 };
const loopback = parseNetwork("127.0.0.0/8");
const SETTINGS: RtpSettings = {
  ports: { min: 0, max: 0 },
  addresses: [
    { family: 4, address: "127.0.0.1" },
    { family: 6, address: "::1" },
  ],
  publicAddresses: [],
  allowedNetworks: loopback ? [loopback] : [],
  inactivityMs: 60_000,
  path: "portable",
  rawDirectory: mkdtempSync(join(tmpdir(), "tandem-raw-")),
  workerFile: await mediaWorkerFile(),
};
const TERMS: MediaTerms = { family: 4, secure: false, codecs: ["PCMU", "PCMA"], isTrusted: true };

const brokenWorker = new URL("../../../test/fakes/ending-worker.mjs", import.meta.url);

/** Above the ports that Linux assigns by itself, and apart from other runs of these tests. */
const FIRST_PORT = 61_000 + (process.pid % 4) * 680;
const PATHS = [
  { path: "portable", ports: { min: FIRST_PORT, max: FIRST_PORT + 239 } },
  { path: "fast", ports: { min: FIRST_PORT + 340, max: FIRST_PORT + 579 } },
] as const;

/** A log that keeps its warnings. */
const keeping = (warned: string[]): Log => ({ ...silent, warn: (_fields, fact) => void warned.push(fact) });

describe.each(PATHS)("on the $path path", ({ path, ports }) => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  const told: MediaInput[] = [];
  const warned: string[] = [];
  const engine = new RtpEngine({ ...SETTINGS, ports, path }, (input) => told.push(input), keeping(warned));
  afterAll(async () => {
    await engine.close();
    // The path that was asked for is the one that was tested.
    expect(warned).not.toContain("the fast path of media is not available; the portable one is used");
  });

  function startEngine(settings: Partial<RtpSettings>, log: Log = silent): RtpEngine {
    const own = new RtpEngine({ ...SETTINGS, path, ...settings }, (input) => told.push(input), log);
    closing.push(() => own.close());
    return own;
  }

  /** Datagrams may overtake orders to the thread; when this leg is open, all earlier orders have been carried out. */
  async function carriedOut(by = engine): Promise<void> {
    const opened = await by.open("last");
    if (opened.ok) opened.value.close();
  }

  async function openPhone(address?: string): Promise<RtpPhone> {
    const phone = await RtpPhone.open(address);
    closing.push(() => phone.close());
    return phone;
  }

  async function openLeg(engine: RtpEngine, sid: string): Promise<MediaLeg> {
    const opened = await engine.open(sid);
    if (!opened.ok) throw new Error(opened.refusal);
    return opened.value;
  }

  interface Party {
    readonly answer: string;
    readonly phone: RtpPhone;
    readonly leg: MediaLeg;
    readonly port: number;
  }

  /** A leg whose peer offered `lines`. */
  async function party(sid: string, lines: string[] = [], address?: string, by = engine): Promise<Party> {
    const phone = await openPhone(address);
    const leg = await openLeg(by, sid);
    const answer = leg.answer(phone.sdp(...lines), TERMS);
    if (!answer.ok) throw new Error(answer.refusal);
    await carriedOut(by);
    return { phone, leg, port: audioPortOf(answer.value), answer: answer.value };
  }

  const PCMU_ONLY = ["m=audio PORT RTP/AVP 0 101", "a=rtpmap:101 telephone-event/8000"];
  const PCMA_ONLY = ["m=audio PORT RTP/AVP 8 96", "a=rtpmap:96 telephone-event/8000"];

  async function heardAtLeast(phone: RtpPhone, packets: number): Promise<void> {
    await expect.poll(() => phone.heard.length, UNTIL).toBeGreaterThanOrEqual(packets);
  }

  test("tones are heard at the other end, both ways, also across PCMA and PCMU", async () => {
    const alice = await party("alice", PCMU_ONLY);
    const bob = await party("bob", PCMA_ONLY);
    alice.leg.joinWith(bob.leg);
    await carriedOut();
    await alice.phone.sendTone(alice.port, "PCMU", 440, 50);
    await bob.phone.sendTone(bob.port, "PCMA", 1000, 50);
    await heardAtLeast(bob.phone, 50);
    await heardAtLeast(alice.phone, 50);
    expect(bob.phone.purity("PCMA", 440)).toBeGreaterThan(0.98);
    expect(alice.phone.purity("PCMU", 1000)).toBeGreaterThan(0.98);
    expect(await bob.leg.measure()).toMatchObject({ codec: "PCMA", secure: false, packetsReceived: 50 });
    expect(await alice.leg.close()).toMatchObject({
      codec: "PCMU",
      secure: false,
      packetsReceived: 50,
      packetsLost: 0,
    });
    expect(await bob.leg.close()).toMatchObject({ codec: "PCMA", packetsReceived: 50 });
  });

  describe("a recording", () => {
    const raw = (name: string) => join(SETTINGS.rawDirectory, `${path}-${name}`);
    const size = (name: string) => statSync(raw(name), { throwIfNoEntry: false })?.size ?? 0;
    /** The samples of a channel from the first that is not silent to the last. */
    const spoken = (name: string, channel: 0 | 1) => {
      const octets = [...readFileSync(raw(name))].filter((_, at) => at % 2 === channel);
      const isSpoken = (octet: number) => octet !== SILENCE.PCMU;
      const part = octets.slice(octets.findIndex(isSpoken), octets.findLastIndex(isSpoken) + 1);
      return part.map((octet) => decodeSample("PCMU", octet));
    };

    test("has what the first peer says on the left and what the second says on the right, as PCMU", async () => {
      const alice = await party("alice", PCMU_ONLY);
      const bob = await party("bob", PCMA_ONLY);
      alice.leg.joinWith(bob.leg);
      const order = { file: `${path}-tones`, startedOn: new Date() };
      const recorder = engine.record(alice.leg, bob.leg, order);
      await carriedOut();
      await alice.phone.sendTone(alice.port, "PCMU", 440, 8);
      await bob.phone.sendTone(bob.port, "PCMA", 1000, 8);
      await heardAtLeast(bob.phone, 8);
      await heardAtLeast(alice.phone, 8);
      await expect.poll(() => size("tones"), UNTIL).toBeGreaterThan(8000);
      const samples = await recorder.stop(new Date());
      expect(samples * 2).toBe(size("tones"));
      for (const [channel, hz] of [
        [0, 440],
        [1, 1000],
      ] as const) {
        expect(spoken("tones", channel).length).toBeGreaterThan(1200);
        expect(purityOf(spoken("tones", channel), hz)).toBeGreaterThan(0.95);
      }
      // Later audio is not recorded, and the legs stay joined.
      await alice.phone.sendTone(alice.port, "PCMU", 440, 8);
      await heardAtLeast(bob.phone, 16);
      expect(size("tones")).toBe(samples * 2);
    });

    test("of one peer alone has silence on the right, and that peer's silence is told once", async () => {
      const alice = await party("lonely", PCMA_ONLY);
      const recorder = engine.record(alice.leg, undefined, { file: `${path}-alone`, startedOn: new Date() });
      alice.leg.listenForSilence(200);
      await carriedOut();
      const silences = () => told.filter(({ legSid, kind }) => legSid === "lonely" && kind === "silence").length;
      await alice.phone.sendTone(alice.port, "PCMA", 440, 20);
      await expect.poll(() => size("alone"), UNTIL).toBeGreaterThan(12_000);
      // No audio came for a while, which is no silence.
      expect(silences()).toBe(0);
      await alice.phone.sendSound(alice.port, "PCMA", new Uint8Array(20 * 160).fill(SILENCE.PCMA));
      await expect.poll(silences, UNTIL).toBe(1);
      const samples = await recorder.stop(new Date());
      expect(samples * 2).toBe(size("alone"));
      expect(purityOf(spoken("alone", 0).slice(0, 3_000), 440)).toBeGreaterThan(0.95);
      expect(spoken("alone", 1)).toEqual([]);
      // Listened for once more, and no more.
      alice.leg.listenForSilence(200);
      alice.leg.listenForSilence(undefined);
      await carriedOut();
      await alice.phone.sendSound(alice.port, "PCMA", new Uint8Array(20 * 160).fill(SILENCE.PCMA));
      await carriedOut();
      expect(silences()).toBe(1);
    });

    test("lasts from the moment it was asked for to the moment it was to end, however late that is heard of", async () => {
      const alice = await party("alice", PCMU_ONLY);
      const bob = await party("bob", PCMU_ONLY);
      const startedOn = new Date(Date.now() - 900);
      const recorder = engine.record(alice.leg, bob.leg, { file: `${path}-late`, startedOn });
      const seconds = (await recorder.stop(new Date(startedOn.getTime() + 800))) / 8000;
      expect(seconds).toBeGreaterThan(0.76);
      expect(seconds).toBeLessThan(0.84);
    });

    test.skipIf(process.platform !== "linux")("that cannot be written is told, and the call goes on", async () => {
      const alice = await party("alice", PCMU_ONLY);
      const bob = await party("bob", PCMU_ONLY);
      alice.leg.joinWith(bob.leg);
      symlinkSync("/dev/full", raw("full"));
      const recorder = engine.record(alice.leg, bob.leg, { file: `${path}-full`, startedOn: new Date() });
      const faults = () => told.filter(({ kind }) => kind === "recordingFault");
      await expect.poll(faults, UNTIL).toMatchObject([{ legSid: "alice", reason: expect.stringContaining("ENOSPC") }]);
      await alice.phone.sendTone(alice.port, "PCMU", 440, 8);
      await heardAtLeast(bob.phone, 8);
      expect(await recorder.stop(new Date())).toBe(0);
    });

    test("of a relay that ends is what was written of it", async () => {
      const own = startEngine({ ports: { min: ports.max + 93, max: ports.max + 99 } });
      const [alice, bob] = [await openLeg(own, "alice"), await openLeg(own, "bob")];
      const recorder = own.record(alice, bob, { file: `${path}-lost`, startedOn: new Date() });
      await expect.poll(() => size("lost"), UNTIL).toBeGreaterThan(0);
      await own.close();
      expect((await recorder.stop(new Date())) * 2).toBe(size("lost"));
    });
  });

  test("what a peer hears is one stream: source, numbers and times go on when the speaker changes", async () => {
    const alice = await party("alice", PCMU_ONLY);
    const bob = await party("bob", PCMU_ONLY);
    alice.leg.play({ kind: "ringback" });
    await heardAtLeast(alice.phone, 5);
    alice.leg.joinWith(bob.leg);
    await carriedOut();
    await bob.phone.sendTone(bob.port, "PCMU", 1000, 10);
    await expect.poll(() => alice.phone.purity("PCMU", 1000), UNTIL).toBeGreaterThan(0.5);
    bob.phone.ssrc = 0x9999;
    bob.phone.sequence = 60_000;
    bob.phone.timestamp = 1;
    await bob.phone.sendTone(bob.port, "PCMU", 1000, 10);
    const total = (await bob.leg.close())?.packetsReceived ?? 0;
    expect(total).toBeGreaterThanOrEqual(10);
    const { heard } = alice.phone;
    expect(new Set(heard.map(({ ssrc }) => ssrc)).size).toBe(1);
    for (const [at, packet] of heard.entries()) {
      const before = heard[at - 1];
      if (!before) continue;
      expect((packet.sequence - before.sequence) & 0xffff).toBe(1);
      expect((packet.timestamp - before.timestamp) >>> 0).toBeGreaterThanOrEqual(160);
      expect((packet.timestamp - before.timestamp) >>> 0).toBeLessThan(8000 * 60);
    }
  });

  test("a caller hears the ringing tone of its country, and of North America by default", async () => {
    const american = await party("american", PCMU_ONLY);
    const german = await party("german", PCMA_ONLY);
    american.leg.play({ kind: "ringback" });
    german.leg.play({ kind: "ringback", country: "DE" });
    await heardAtLeast(american.phone, 20);
    await heardAtLeast(german.phone, 20);
    expect(american.phone.purity("PCMU", 440)).toBeGreaterThan(0.35);
    expect(american.phone.purity("PCMU", 480)).toBeGreaterThan(0.35);
    expect(german.phone.purity("PCMA", 425)).toBeGreaterThan(0.95);
    american.leg.stopPlaying();
  });

  /** Loud and different everywhere, as speech is, so that a gap or a cut would show. */
  const speech = Int16Array.from(
    { length: 8000 },
    (_, at) => 6000 * Math.sin(at * at * 2e-5) + 3000 * Math.sin(at / 3),
  );
  const playedTo = (sid: string) => told.filter(({ legSid, kind }) => legSid === sid && kind === "played").length;

  test.each([
    ["PCMU", PCMU_ONLY],
    ["PCMA", PCMA_ONLY],
  ] as const)(
    "speech is heard whole in %s with its silence, part by part, and its end is reported",
    async (law, lines) => {
      const caller = await party(`hears ${law}`, [...lines]);
      const audio = (async function* () {
        for (let at = 0; at < 8000; at += 1000) yield speech.subarray(at, at + 1000);
      })();
      caller.leg.play({ kind: "speech", audio, tailMs: 100 });
      await expect.poll(() => playedTo(`hears ${law}`), UNTIL).toBe(1);
      await heardAtLeast(caller.phone, 55);
      const heard = caller.phone.samples(law);
      expect(heard).toHaveLength(8800);
      expect(correlation(speech, heard)).toBeGreaterThan(0.999);
      expect(heard.slice(8000).every((sample) => Math.abs(sample) < 10)).toBe(true);
    },
  );

  test("speech that something takes the place of is not made further, and its end is not reported", async () => {
    const caller = await party("interrupted", PCMU_ONLY);
    let isStopped = false;
    const audio = (async function* () {
      try {
        for (;;) yield speech;
      } finally {
        isStopped = true;
      }
    })();
    caller.leg.play({ kind: "speech", audio, tailMs: 0 });
    await heardAtLeast(caller.phone, 3);
    caller.leg.play({ kind: "busy" });
    await expect.poll(() => isStopped, UNTIL).toBe(true);
    await carriedOut();
    caller.phone.heard.length = 0;
    await heardAtLeast(caller.phone, 10);
    expect(caller.phone.purity("PCMU", 480) + caller.phone.purity("PCMU", 620)).toBeGreaterThan(0.9);
    expect(playedTo("interrupted")).toBe(0);
  });

  test("speech in parts that are short, or late, is heard whole too", async () => {
    const caller = await party("late", PCMU_ONLY);
    const audio = (async function* () {
      for (let at = 0; at < 2000; at += 100) {
        yield speech.subarray(at, at + 100);
        yield new Int16Array();
      }
      await heardAtLeast(caller.phone, 10);
      yield speech.subarray(2000, 4000);
    })();
    caller.leg.play({ kind: "speech", audio, tailMs: 0 });
    await expect.poll(() => playedTo("late"), UNTIL).toBe(1);
    await heardAtLeast(caller.phone, 25);
    expect(correlation(speech.subarray(0, 4000), caller.phone.samples("PCMU"))).toBeGreaterThan(0.999);
  });

  test("speech goes on, unheard, while its peer holds, and one without a sound ends at once", async () => {
    const holder = await party("holder", [...PCMU_ONLY, "a=sendonly"]);
    holder.leg.play({
      kind: "speech",
      audio: (async function* () {
        yield speech.subarray(0, 800);
      })(),
      tailMs: 0,
    });
    await expect.poll(() => playedTo("holder"), UNTIL).toBe(1);
    expect(holder.phone.heard).toHaveLength(0);
    holder.leg.play({ kind: "speech", audio: (async function* () {})(), tailMs: 20 });
    await expect.poll(() => playedTo("holder"), UNTIL).toBe(2);
  });

  test("keys are heard as tones in the audio while they are listened for", async () => {
    const caller = await party("whistler", PCMA_ONLY);
    const keys = () =>
      told.flatMap((input) => (input.legSid === "whistler" && input.kind === "key" ? input.digit : []));
    await caller.phone.sendSound(caller.port, "PCMA", keyTones("1", "PCMA"));
    await carriedOut();
    caller.leg.listenForKeys(true);
    await carriedOut();
    await caller.phone.sendSound(caller.port, "PCMA", keyTones("5", "PCMA"));
    await expect.poll(keys, UNTIL).toEqual(["5"]);
    caller.leg.listenForKeys(false);
    await carriedOut();
    await caller.phone.sendSound(caller.port, "PCMA", keyTones("9", "PCMA"));
    await carriedOut();
    expect(keys()).toEqual(["5"]);
  });

  test("keys that are listened for are reported when they go down, once, though event and tone both come", async () => {
    const caller = await party("typist", PCMU_ONLY);
    const heard = () =>
      told.flatMap((input) =>
        input.legSid === "typist" && (input.kind === "key" || input.kind === "digit")
          ? `${input.kind} ${input.digit}`
          : [],
      );
    await caller.phone.sendKey(caller.port, 101, 1);
    await expect.poll(heard, UNTIL).toEqual(["digit 1"]);
    caller.leg.listenForKeys(true);
    await carriedOut();
    await caller.phone.sendSound(caller.port, "PCMU", keyTones("5", "PCMU"));
    await caller.phone.sendKey(caller.port, 101, 5);
    await caller.phone.sendKey(caller.port, 101, 6);
    await expect.poll(heard, UNTIL).toEqual(["digit 1", "key 5", "digit 5", "key 6", "digit 6"]);
  });

  test("early media takes the place of the ringing tone, and is heard one way only", async () => {
    const caller = await party("caller", PCMU_ONLY);
    const callee = await party("callee", PCMA_ONLY);
    caller.leg.play({ kind: "ringback" });
    await heardAtLeast(caller.phone, 3);
    caller.leg.listenTo(callee.leg);
    await carriedOut();
    await callee.phone.sendTone(callee.port, "PCMA", 700, 100);
    await caller.phone.sendTone(caller.port, "PCMU", 300, 20);
    await expect.poll(() => caller.phone.purity("PCMU", 700), UNTIL).toBeGreaterThan(0.8);
    expect(callee.phone.heard).toHaveLength(0);
    caller.leg.joinWith(callee.leg);
    await carriedOut();
    await caller.phone.sendTone(caller.port, "PCMU", 300, 20);
    await heardAtLeast(callee.phone, 20);
  });

  test("packets of outsiders are not heard, wherever they come from and whatever they are", async () => {
    const alice = await party("alice", PCMU_ONLY);
    const bob = await party("bob", PCMU_ONLY);
    alice.leg.joinWith(bob.leg);
    await carriedOut();
    await alice.phone.sendTone(alice.port, "PCMU", 440, 20);
    const elsewhere = await openPhone("127.0.0.2");
    await elsewhere.sendTone(alice.port, "PCMU", 2000, 50, "127.0.0.1");
    const otherPort = await openPhone();
    otherPort.ssrc = alice.phone.ssrc;
    await otherPort.sendTone(alice.port, "PCMU", 2000, 50);
    await alice.phone.sendOctets(alice.port, new Uint8Array(5));
    await alice.phone.sendOctets(alice.port, new Uint8Array(400).fill(0x80));
    await alice.phone.sendPacket(alice.port, 18, new Uint8Array(20));
    await alice.phone.sendTone(alice.port, "PCMU", 440, 20);
    await bob.phone.sendTone(bob.port, "PCMU", 880, 20);
    await heardAtLeast(bob.phone, 40);
    await heardAtLeast(alice.phone, 20);
    expect(bob.phone.heard).toHaveLength(40);
    expect(bob.phone.purity("PCMU", 440)).toBeGreaterThan(0.9);
    expect(elsewhere.heard).toHaveLength(0);
    expect(otherPort.heard).toHaveLength(0);
    expect(await alice.leg.close()).toMatchObject({ packetsReceived: 40 });
  });

  test("a phone behind a NAT that sends from another port gets its audio there, once it has proved itself", async () => {
    const alice = await party("alice", PCMU_ONLY);
    const bob = await party("bob", PCMU_ONLY);
    alice.leg.joinWith(bob.leg);
    await carriedOut();
    const mapped = await openPhone();
    await mapped.sendTone(alice.port, "PCMU", 440, 10);
    await heardAtLeast(bob.phone, 8);
    await bob.phone.sendTone(bob.port, "PCMU", 880, 10);
    await heardAtLeast(mapped, 10);
    expect(alice.phone.heard).toHaveLength(0);
  });

  test("a flood costs the leg that is flooded its surplus, and no other leg anything", async () => {
    const alice = await party("alice", PCMU_ONLY);
    const bob = await party("bob", PCMU_ONLY);
    const carol = await party("carol", PCMU_ONLY);
    const dave = await party("dave", PCMU_ONLY);
    alice.leg.joinWith(bob.leg);
    await carriedOut();
    carol.leg.joinWith(dave.leg);
    await carriedOut();
    const beganMs = performance.now();
    const flood = (async () => {
      for (let time = 0; time < 10; time++) await alice.phone.sendTone(alice.port, "PCMU", 440, 500);
    })();
    for (let time = 0; time < 10; time++) await carol.phone.sendTone(carol.port, "PCMU", 600, 5);
    await flood;
    await heardAtLeast(dave.phone, 50);
    expect(dave.phone.purity("PCMU", 600)).toBeGreaterThan(0.98);
    await heardAtLeast(bob.phone, 100);
    expect(bob.phone.heard.length).toBeLessThan(500 * (2 + (performance.now() - beganMs) / 1000));
  });

  test("keys go to the other leg under its own number, are reported once, and stop at a leg that knows none", async () => {
    const alice = await party("presser", PCMU_ONLY);
    const bob = await party("bob", PCMA_ONLY);
    alice.leg.joinWith(bob.leg);
    await carriedOut();
    await alice.phone.sendKey(alice.port, 101, 5);
    await alice.phone.sendKey(alice.port, 101, 11);
    await alice.phone.sendTone(alice.port, "PCMU", 440, 3);
    await heardAtLeast(bob.phone, 15);
    expect(bob.phone.heard.filter(({ payload }) => payload === 96)).toHaveLength(12);
    const keys = () => told.filter(({ legSid }) => legSid === "presser");
    await expect.poll(() => keys().length, UNTIL).toBe(2);
    expect(keys().map((input) => input.kind === "digit" && [input.digit, input.ms, input.isRelayed])).toEqual([
      ["5", 80, true],
      ["#", 80, true],
    ]);
    const plain = await party("plain", ["m=audio PORT RTP/AVP 0"]);
    expect(plain.leg.sendDigit("1", 100)).toBe(false);
  });

  test("a digit that we send is an event with one timestamp, ended three times", async () => {
    const alice = await party("alice", PCMA_ONLY);
    expect(alice.leg.sendDigit("7", 100)).toBe(true);
    await heardAtLeast(alice.phone, 7);
    const { heard } = alice.phone;
    expect(new Set(heard.map(({ timestamp }) => timestamp)).size).toBe(1);
    expect(heard.every(({ payload }) => payload === 96)).toBe(true);
    expect(heard[0]?.hasMarker).toBe(true);
    const events = heard.map(({ octets, start }) => [...octets.subarray(start, start + 4)]);
    expect(events[0]).toEqual([7, 10, 0, 160]);
    expect(events.slice(-3)).toEqual(Array(3).fill([7, 0x8a, 3, 32]));
  });

  test("a peer on hold is sent nothing, and hears again when it offers so", async () => {
    const alice = await party("holding", PCMU_ONLY);
    const bob = await party("bob", PCMU_ONLY);
    alice.leg.joinWith(bob.leg);
    await carriedOut();
    for (const hold of ["a=sendonly", "a=inactive", "c=IN IP4 0.0.0.0"]) {
      expect(bob.leg.answer(bob.phone.sdp("m=audio PORT RTP/AVP 0", hold), TERMS)).toMatchObject({ ok: true });
      await carriedOut();
      await alice.phone.sendTone(alice.port, "PCMU", 440, 10);
    }
    // Alice's key events arrive after all of her audio, and are reported.
    await alice.phone.sendKey(alice.port, 101, 1);
    await expect.poll(() => told.filter(({ legSid }) => legSid === "holding").length, UNTIL).toBe(1);
    expect(bob.phone.heard).toHaveLength(0);
    bob.leg.answer(bob.phone.sdp("m=audio PORT RTP/AVP 0"), TERMS);
    await carriedOut();
    await alice.phone.sendTone(alice.port, "PCMU", 440, 10);
    await heardAtLeast(bob.phone, 10);
  });

  test("our offer is answered, and media flows over IPv6", async () => {
    const six = await party("six", PCMU_ONLY, "::1");
    const phone = await openPhone();
    const leg = await openLeg(engine, "four");
    const port = audioPortOf(leg.offer(TERMS));
    expect(leg.accept(phone.sdp("m=audio PORT RTP/AVP 8"))).toEqual({ ok: true, value: undefined });
    six.leg.joinWith(leg);
    await carriedOut();
    await six.phone.sendTone(six.port, "PCMU", 500, 20);
    await phone.sendTone(port, "PCMA", 900, 20);
    await heardAtLeast(phone, 20);
    await heardAtLeast(six.phone, 20);
    expect(phone.purity("PCMA", 500)).toBeGreaterThan(0.95);
    expect(six.phone.purity("PCMU", 900)).toBeGreaterThan(0.95);
  });

  test("comfort noise is passed on to a leg that knows it and made audible to one that does not", async () => {
    const alice = await party("alice", ["m=audio PORT RTP/AVP 0 13"]);
    const bob = await party("bob", ["m=audio PORT RTP/AVP 8 13"]);
    alice.leg.joinWith(bob.leg);
    await carriedOut();
    await alice.phone.sendPacket(alice.port, 13, Uint8Array.of(60));
    await heardAtLeast(bob.phone, 1);
    expect(bob.phone.heard[0]).toMatchObject({ payload: 13 });
    const carol = await party("carol", ["m=audio PORT RTP/AVP 0"]);
    alice.leg.joinWith(carol.leg);
    await carriedOut();
    await alice.phone.sendPacket(alice.port, 13, Uint8Array.of(60));
    await heardAtLeast(carol.phone, 5);
    expect(carol.phone.heard[0]).toMatchObject({ payload: 0 });
  });

  test("a leg from whose peer nothing comes is reported as inactive, and one on hold is not", async () => {
    const impatient = startEngine({ inactivityMs: 1, ports: { min: ports.max + 31, max: ports.max + 60 } });
    await party("held", ["m=audio PORT RTP/AVP 0", "a=sendonly"], undefined, impatient);
    await party("silent", [], undefined, impatient);
    await expect.poll(() => told.map(({ legSid }) => legSid), UNTIL).toContain("silent");
    expect(told.map(({ legSid }) => legSid)).not.toContain("held");
  });

  test("the range of ports is a bound: when all are taken a leg is refused, and closing frees them", async () => {
    const small = startEngine({ ports: { min: ports.max + 2, max: ports.max + 6 } });
    const one = await openLeg(small, "one");
    const two = await openLeg(small, "two");
    expect(await small.open("three")).toEqual({ ok: false, refusal: "full" });
    expect([audioPortOf(one.offer(TERMS)), audioPortOf(two.offer(TERMS))]).toEqual([ports.max + 3, ports.max + 5]);
    expect(await one.close()).toBeUndefined();
    expect(small.free).toBe(1);
    expect(await small.open("three")).toMatchObject({ ok: true });
  });

  test("ports that another user has are passed over, however many, and one line tells of them", async () => {
    const range = { ports: { min: ports.max + 61, max: ports.max + 102 } };
    const lines: string[] = [];
    const [first, second] = [startEngine(range), startEngine(range, keeping(lines))];
    const legs = await Promise.all(Array.from({ length: 20 }, (_, at) => openLeg(first, `one ${at}`)));
    expect(legs.map((leg) => audioPortOf(leg.offer(TERMS)))).toContain(ports.max + 61);
    const other = await openLeg(second, "other");
    expect(audioPortOf(other.offer(TERMS))).toBe(ports.max + 101);
    expect(lines).toEqual(["media ports could not be opened"]);
    expect(await second.open("more")).toEqual({ ok: false, refusal: "full" });
    expect(second.free).toBe(20);
  });

  test("the SDP of a peer that is no trunk may name public and allowed addresses only", async () => {
    const leg = await openLeg(engine, "leg");
    const sdp = (address: string) =>
      ["v=0", "o=- 1 1 IN IP4 1.2.3.4", "c=IN IP4 1.2.3.4", "m=audio 9 RTP/AVP 0", `c=IN IP4 ${address}`].join("\n");
    const stranger = { ...TERMS, isTrusted: false };
    expect(leg.answer(sdp("10.0.0.5"), stranger)).toEqual({
      ok: false,
      refusal: "its SDP names 10.0.0.5, a private address; TANDEM_ALLOWED_NETWORKS can allow it",
    });
    expect(leg.answer(sdp("10.0.0.5"), TERMS)).toMatchObject({ ok: true });
    expect(leg.answer(sdp("127.0.0.9"), stranger)).toMatchObject({ ok: true });
    expect(leg.answer(sdp("0.0.0.0"), stranger)).toMatchObject({ ok: true });
  });

  test("when our address has changed, a leg under way is heard at the new one from its next offer on", async () => {
    const own = startEngine({ ports: { min: ports.max + 111, max: ports.max + 118 } });
    const alice = await party("alice", PCMU_ONLY, "127.0.0.1", own);
    const bob = await party("bob", PCMU_ONLY, "127.0.0.1", own);
    alice.leg.joinWith(bob.leg);
    own.useAddresses({ addresses: [{ family: 4, address: "127.0.0.7" }], publicAddresses: [] });
    const offer = alice.leg.offer(TERMS);
    expect(offer).toContain("c=IN IP4 127.0.0.7");
    expect(audioPortOf(offer)).toBe(alice.port);
    expect(alice.leg.accept(alice.phone.sdp(...PCMU_ONLY))).toMatchObject({ ok: true });
    await expect
      .poll(async () => {
        await alice.phone.sendTone(alice.port, "PCMU", 440, 1, "127.0.0.7");
        return bob.phone.heard.length;
      }, UNTIL)
      .toBeGreaterThan(5);
    alice.phone.heard.length = 0;
    await bob.phone.sendTone(bob.port, "PCMU", 1000, 5);
    await heardAtLeast(alice.phone, 5);
  });

  describe("a peer behind a NAT", () => {
    const [OUTSIDE, OURS, STRANGER] = ["127.0.0.4", "127.0.0.1", "127.0.0.9"];
    /** Its SDP names an address of its own network, at which it cannot be reached. */
    const INSIDE = ["v=0", "o=- 1 1 IN IP4 10.0.0.5", "c=IN IP4 10.0.0.5", "t=0 0", "m=audio 4000 RTP/AVP 0"].join(
      "\n",
    );
    const latched = { ...TERMS, isTrusted: false, latch: [OUTSIDE] };

    async function joined(terms: MediaTerms) {
      const leg = await openLeg(engine, "inside");
      const answer = leg.answer(INSIDE, terms);
      if (!answer.ok) throw new Error(answer.refusal);
      const bob = await party("bob", PCMU_ONLY);
      leg.joinWith(bob.leg);
      await carriedOut();
      return { leg, port: audioPortOf(answer.value), bob, phone: await openPhone(OUTSIDE) };
    }

    test("is sent audio where its own comes from, and a third party moves nothing", async () => {
      const { port, bob, phone } = await joined(latched);
      const stranger = await openPhone(STRANGER);
      await stranger.sendTone(port, "PCMU", 700, 20, OURS);
      await bob.phone.sendTone(bob.port, "PCMU", 1000, 5);
      await phone.sendTone(port, "PCMU", 440, 20, OURS);
      await heardAtLeast(bob.phone, 18);
      // Another port of the same address comes too late: the peer is known.
      const neighbour = await openPhone(OUTSIDE);
      for (const intruder of [stranger, neighbour]) await intruder.sendTone(port, "PCMU", 700, 20, OURS);
      await bob.phone.sendTone(bob.port, "PCMU", 1000, 50);
      await heardAtLeast(phone, 50);
      expect(phone.purity("PCMU", 1000)).toBeGreaterThan(0.98);
      expect(bob.phone.purity("PCMU", 440)).toBeGreaterThan(0.98);
      expect([stranger.heard, neighbour.heard]).toEqual([[], []]);
    });

    test("may have moved when it makes a new offer", async () => {
      const { leg, port, bob, phone } = await joined(latched);
      await phone.sendTone(port, "PCMU", 440, 10, OURS);
      await heardAtLeast(bob.phone, 8);
      const moved = await openPhone(OUTSIDE);
      expect(leg.answer(INSIDE, latched)).toMatchObject({ ok: true });
      await carriedOut();
      await moved.sendTone(port, "PCMU", 440, 10, OURS);
      await heardAtLeast(bob.phone, 16);
      await bob.phone.sendTone(bob.port, "PCMU", 1000, 10);
      await heardAtLeast(moved, 10);
      expect(phone.heard).toEqual([]);
    });

    test("is told of where it is not looked for there", async () => {
      told.length = 0;
      const { port, phone } = await joined(TERMS);
      await phone.sendTone(port, "PCMU", 440, 50, OURS);
      const elsewhere = { kind: "elsewhere", legSid: "inside", agreed: "10.0.0.5", address: OUTSIDE };
      await expect.poll(() => told, UNTIL).toContainEqual(expect.objectContaining(elsewhere));
    });
  });

  test("the version of our description goes up when it changes, and a repeated offer gets the same answer", async () => {
    const { phone, leg } = await party("alice", PCMU_ONLY);
    const again = leg.answer(phone.sdp(...PCMU_ONLY), TERMS);
    expect(again).toMatchObject({ ok: true, value: expect.stringMatching(/^o=- \d+ 1 /m) });
    expect(leg.answer(phone.sdp(...PCMU_ONLY), TERMS)).toEqual(again);
    const held = leg.answer(phone.sdp(...PCMU_ONLY, "a=sendonly"), TERMS);
    expect(held).toMatchObject({ ok: true, value: expect.stringMatching(/^o=- \d+ 2 /m) });
  });

  test("a closed leg does nothing more and says the same again", async () => {
    const { phone, leg, port } = await party("alice", PCMU_ONLY);
    await phone.sendTone(port, "PCMU", 440, 1);
    const figures = await leg.close();
    leg.play({ kind: "ringback" });
    expect(leg.sendDigit("1", 100)).toBe(false);
    expect(await leg.close()).toEqual(figures);
    expect(figures).toMatchObject({ codec: "PCMU" });
  });

  test("a leg that agreed on SRTP is spoken to in nothing else, and what is not authentic is not heard", async () => {
    for (const suite of ["AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"] as const) {
      const key = randomBytes(30).toString("base64");
      const secure = ["m=audio PORT RTP/SAVP 0", `a=crypto:4 ${suite} inline:${key}`];
      const alice = await party("alice", secure);
      const bob = await party("bob", PCMA_ONLY);
      const ourKey = /inline:(\S+)/.exec(alice.answer)?.[1] ?? "";
      const protection = new Protection({
        ours: { suite, keyAndSalt: key },
        theirs: { suite, keyAndSalt: ourKey },
      });
      alice.leg.joinWith(bob.leg);
      await carriedOut();
      await alice.phone.sendTone(alice.port, "PCMU", 1500, 10);
      alice.phone.seal = (octets) => protection.sealRtp(octets) ?? octets;
      alice.phone.open = (octets) => protection.openRtp(octets);
      alice.phone.sequence = 65_520;
      await alice.phone.sendTone(alice.port, "PCMU", 440, 40);
      await bob.phone.sendTone(bob.port, "PCMA", 1000, 40);
      await heardAtLeast(bob.phone, 40);
      await heardAtLeast(alice.phone, 40);
      expect(bob.phone.purity("PCMA", 440)).toBeGreaterThan(0.98);
      expect(alice.phone.purity("PCMU", 1000)).toBeGreaterThan(0.98);
      expect(await alice.leg.close()).toMatchObject({ secure: true, packetsReceived: 40, packetsLost: 0 });
    }
  });

  test("where SRTP is demanded an offer without it is refused, and our own offer asks for it", async () => {
    const phone = await openPhone();
    const leg = await openLeg(engine, "demanding");
    const terms = { ...TERMS, secure: true };
    expect(leg.answer(phone.sdp(), terms)).toEqual({
      ok: false,
      refusal: "its SDP does not offer SRTP, which is demanded",
    });
    expect(leg.offer(terms)).toMatch(/m=audio \d+ RTP\/SAVP 0 8 101[\s\S]*a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:/);
    expect(leg.accept(phone.sdp())).toMatchObject({ ok: false });
  });

  test("hundreds of legs that come and go leave no port taken", async () => {
    const free = engine.free;
    for (let round = 0; round < 10; round++) {
      const legs = await Promise.all(Array.from({ length: 25 }, (_, at) => openLeg(engine, `leg ${at}`)));
      await Promise.all(legs.map((leg) => leg.close()));
    }
    expect(engine.free).toBe(free);
  });

  test("a relay that ends loses its legs, says so of each, and the next leg has another", async () => {
    const reasons: unknown[] = [];
    const own = new RtpEngine(
      { ...SETTINGS, path, ports: { min: ports.max + 61, max: ports.max + 90 }, workerFile: brokenWorker },
      (input) => told.push(input),
      { ...silent, error: (fields) => reasons.push(fields.legs) },
    );
    closing.push(() => own.close());
    expect(await own.open("lost-1")).toEqual({ ok: false, refusal: "full" });
    expect(await own.open("lost-2")).toEqual({ ok: false, refusal: "full" });
    expect(told.filter(({ legSid }) => legSid.startsWith("lost-"))).toMatchObject([
      { kind: "inactive", legSid: "lost-1" },
      { kind: "inactive", legSid: "lost-2" },
    ]);
    expect(reasons).toEqual([1, 1]);
    expect(own.free).toBe(15);
  });

  test("a leg whose relay ends hears nothing any more, which is told", async () => {
    const workerFile = new URL("../../../test/fakes/leaving-worker.mjs", import.meta.url);
    const own = startEngine({ ports: { min: ports.max + 61, max: ports.max + 90 }, workerFile });
    const leg = await openLeg(own, "left");
    leg.listenForKeys(true);
    const left = () => told.filter(({ legSid }) => legSid === "left");
    await expect.poll(left, UNTIL).toMatchObject([{ kind: "inactive", isLost: true }]);
  });

  test("peers are told the address that hears them: the public one, the bound one, or signalling's on a wildcard", async () => {
    const terms = { ...TERMS, address: "127.0.0.7" };
    const four = (address: string) => [{ family: 4 as const, address }];
    const addressTold = async (settings: Partial<RtpSettings>) => {
      const own = startEngine({ ports: { min: ports.max + 91, max: ports.max + 98 }, ...settings });
      const sdp = (await openLeg(own, "told")).offer(terms);
      await own.close();
      return /^c=IN IP4 (.*)\r$/m.exec(sdp)?.[1];
    };
    expect(await addressTold({ addresses: four("127.0.0.1") })).toBe("127.0.0.1");
    expect(await addressTold({ addresses: four("0.0.0.0") })).toBe("127.0.0.7");
    expect(await addressTold({ addresses: four("0.0.0.0"), publicAddresses: four("192.0.2.1") })).toBe("192.0.2.1");
  });

  test("peers get reports of what was heard of them, on their port for reports or on the one for both", async () => {
    const reports = await openPhone();
    const alice = await party("alice", ["m=audio PORT RTP/AVP 0", `a=rtcp:${reports.port}`]);
    const bob = await party("bob", ["m=audio PORT RTP/AVP 0", "a=rtcp-mux"]);
    expect(bob.answer).toContain("a=rtcp-mux");
    alice.leg.joinWith(bob.leg);
    await carriedOut();
    await alice.phone.sendTone(alice.port, "PCMU", 440, 10);
    const lastBlock = (phone: RtpPhone) => {
      const report = phone.heard.filter(({ octets }) => isRtcp(octets)).map(({ octets }) => readReport(octets));
      return report.at(-1);
    };
    await expect.poll(() => lastBlock(reports)?.blocks[0]?.ssrc, UNTIL).toBe(alice.phone.ssrc);
    // Bob has sent nothing, so the report to him covers only what we sent.
    await expect.poll(() => lastBlock(bob.phone)?.senderClock, UNTIL).toBeGreaterThan(0);
    expect(lastBlock(bob.phone)?.ssrc).toBe(bob.phone.heard[0]?.ssrc);
    expect(alice.phone.heard.filter(({ octets }) => isRtcp(octets))).toHaveLength(0);
  });
});
