import fc from "fast-check";
import { expect, test } from "vitest";
import { ConferenceMix, conferenceTone, FRAME_SAMPLES, type MixParty, mixFrames } from "./conference-mix.ts";
import { decodeSample, encodeSample, type Law, SILENCE } from "./g711.ts";
import { RecordingTimeline } from "./recording-timeline.ts";

const FRAME_MS = 20;
const aFrame = fc.option(fc.uint8Array({ minLength: FRAME_SAMPLES, maxLength: FRAME_SAMPLES }), { nil: undefined });

function toneOf(hertz: number, law: Law, from: number): Uint8Array {
  return Uint8Array.from({ length: FRAME_SAMPLES }, (_, at) =>
    encodeSample(law, 8_000 * Math.sin((2 * Math.PI * hertz * (from + at)) / 8_000)),
  );
}

/** How much of a frequency is in what was heard. */
function levelOf(hertz: number, heard: readonly number[]): number {
  let [cosine, sine] = [0, 0];
  for (const [at, sample] of heard.entries()) {
    cosine += sample * Math.cos((2 * Math.PI * hertz * at) / 8_000);
    sine += sample * Math.sin((2 * Math.PI * hertz * at) / 8_000);
  }
  return (2 * Math.hypot(cosine, sine)) / heard.length;
}

/** Speaks for a while with a tone of its own each, and returns what each has heard. */
function converse(
  mix: ConferenceMix,
  speakers: readonly { readonly party: MixParty; readonly hertz: number; readonly law?: Law }[],
  frames = 100,
): readonly number[][] {
  const heard: number[][] = speakers.map(() => []);
  const taken = new Uint8Array(FRAME_SAMPLES);
  for (let frame = 0; frame < frames; frame++) {
    for (const [at, { party, hertz, law = "PCMU" }] of speakers.entries()) {
      const sent = frame * FRAME_SAMPLES;
      const packet = { hasMarker: frame === 0, timestamp: sent, ssrc: at, start: 0, end: FRAME_SAMPLES };
      party.hear(toneOf(hertz, law, sent), packet, law, frame * FRAME_MS);
    }
    mix.tick(frame * FRAME_MS);
    for (const [at, { party }] of speakers.entries()) {
      party.sound.fill(taken, 0, FRAME_SAMPLES, "PCMU");
      heard[at]?.push(...Array.from(taken, (octet) => decodeSample("PCMU", octet)));
    }
  }
  return heard;
}

function speaking(mix: ConferenceMix, count: number): MixParty[] {
  return Array.from({ length: count }, () => {
    const party = mix.enter();
    party.speaks = true;
    return party;
  });
}

test("each hears the sum of all others, saturated once", () => {
  fc.assert(
    fc.property(fc.array(aFrame, { minLength: 1, maxLength: 8 }), (frames) => {
      const heard: Uint8Array[] = [];
      mixFrames(frames, undefined, (party, frame) => {
        heard[party] = frame.slice();
      });
      const expected = frames.map((_, own) => {
        const others = frames.filter((_frame, place) => place !== own);
        return Uint8Array.from({ length: FRAME_SAMPLES }, (_octet, at) => {
          const sum = others.reduce((all, frame) => all + (frame ? decodeSample("PCMU", frame[at] as number) : 0), 0);
          return encodeSample("PCMU", Math.max(-32_767, Math.min(32_767, sum)));
        });
      });
      expect(heard).toStrictEqual(expected);
    }),
    { numRuns: 20 },
  );
});

test("three parties hear each other and not themselves, whatever their codecs", () => {
  const mix = new ConferenceMix(0);
  const [first, second, third] = speaking(mix, 3) as [MixParty, MixParty, MixParty];
  const heard = converse(mix, [
    { party: first, hertz: 500 },
    { party: second, hertz: 800, law: "PCMA" },
    { party: third, hertz: 1_100 },
  ]);
  const levels = heard.map((all) => [500, 800, 1_100].map((hertz) => levelOf(hertz, all.slice(4_000, 12_000))));
  for (const [listener, row] of levels.entries()) {
    for (const [speaker, level] of row.entries()) {
      if (listener === speaker) expect(level).toBeLessThan(50);
      else expect(level).toBeGreaterThan(7_000);
    }
  }
});

test("a party that may not speak is not heard, and hears the others", () => {
  const mix = new ConferenceMix(0);
  const [first, second] = speaking(mix, 2) as [MixParty, MixParty];
  first.speaks = false;
  const heard = converse(mix, [
    { party: first, hertz: 500 },
    { party: second, hertz: 800 },
  ]);
  expect(levelOf(500, heard[1]?.slice(4_000) ?? [])).toBeLessThan(1);
  expect(levelOf(800, heard[0]?.slice(4_000, 12_000) ?? [])).toBeGreaterThan(7_000);
});

test("a party that enters later is heard from then on, and one that has left is not", () => {
  const mix = new ConferenceMix(0);
  const [first] = speaking(mix, 1) as [MixParty];
  for (let ms = 0; ms <= 1_000; ms += FRAME_MS) mix.tick(ms);
  const late = mix.enter();
  late.speaks = true;
  const packet = { hasMarker: true, timestamp: 0, ssrc: 9, start: 0, end: FRAME_SAMPLES };
  late.hear(toneOf(800, "PCMU", 0), packet, "PCMU", 1_010);
  const heard: number[] = [];
  const taken = new Uint8Array(FRAME_SAMPLES);
  first.sound.clear();
  for (let ms = 1_020; ms <= 1_200; ms += FRAME_MS) {
    mix.tick(ms);
    first.sound.fill(taken, 0, FRAME_SAMPLES, "PCMU");
    heard.push(...taken);
  }
  expect(heard.filter((octet) => octet !== SILENCE.PCMU).length).toBeGreaterThan(100);
  mix.leave(late);
  mix.leave(first);
  expect(mix.isEmpty).toBe(true);
});

test("a tone is heard by all", () => {
  const mix = new ConferenceMix(0);
  const [party] = speaking(mix, 1) as [MixParty];
  mix.play(conferenceTone("enter"));
  const [heard] = converse(mix, [{ party, hertz: 0 }], 20);
  expect(Math.max(...(heard ?? []))).toBeGreaterThan(3_000);
});

test("what waits for a party that is sent something else is bounded", () => {
  const mix = new ConferenceMix(0);
  const [party] = speaking(mix, 1) as [MixParty];
  for (let ms = 0; ms <= 3_000; ms += FRAME_MS) mix.tick(ms);
  expect(party.sound.waiting).toBeLessThanOrEqual(5 * FRAME_SAMPLES);
});

test("after a pause of the thread, what is old is not mixed, and what is said from then on is heard", () => {
  const mix = new ConferenceMix(0);
  const [party, listener] = speaking(mix, 2) as [MixParty, MixParty];
  const pauseMs = 3_600_000;
  mix.tick(pauseMs);
  const { gone, waiting } = listener.sound;
  expect(gone + waiting).toBeLessThan(8 * 2_000);
  listener.sound.clear();
  const heard: number[] = [];
  const taken = new Uint8Array(FRAME_SAMPLES);
  for (let ms = 0; ms < 1_000; ms += FRAME_MS) {
    const packet = { hasMarker: ms === 0, timestamp: ms * 8, ssrc: 7, start: 0, end: FRAME_SAMPLES };
    party.hear(toneOf(500, "PCMU", ms * 8), packet, "PCMU", pauseMs + ms);
    mix.tick(pauseMs + ms);
    listener.sound.fill(taken, 0, FRAME_SAMPLES, "PCMU");
    if (ms >= 200) heard.push(...Array.from(taken, (octet) => decodeSample("PCMU", octet)));
  }
  expect(levelOf(500, heard)).toBeGreaterThan(7_000);
});

test("clocks that drift are followed: after minutes, all is heard", () => {
  const mix = new ConferenceMix(0);
  const parties = speaking(mix, 2) as [MixParty, MixParty];
  const sent = [0, 0];
  const heard: number[] = [];
  const taken = new Uint8Array(FRAME_SAMPLES);
  const lastMs = 120_000;
  for (let ms = 0; ms < lastMs; ms += FRAME_MS) {
    for (const [at, party] of parties.entries()) {
      const clockMs = ms * (at === 0 ? 1.0003 : 0.9997);
      for (let frame = sent[at] as number; frame * FRAME_MS <= clockMs; frame++) {
        const timestamp = frame * FRAME_SAMPLES;
        const packet = { hasMarker: frame === 0, timestamp, ssrc: at, start: 0, end: FRAME_SAMPLES };
        party.hear(toneOf(500 + 300 * at, "PCMU", timestamp), packet, "PCMU", ms);
        sent[at] = frame + 1;
      }
    }
    mix.tick(ms);
    for (const { sound } of parties) sound.fill(taken, 0, FRAME_SAMPLES, "PCMU");
    if (ms >= lastMs - 500) heard.push(...Array.from(taken, (octet) => decodeSample("PCMU", octet)));
  }
  expect(levelOf(500, heard)).toBeGreaterThan(7_000);
});

test("a party whose packets take longer from now on is heard again at once", () => {
  const mix = new ConferenceMix(0);
  const [party, listener] = speaking(mix, 2) as [MixParty, MixParty];
  const heard: number[] = [];
  const taken = new Uint8Array(FRAME_SAMPLES);
  for (let ms = 0; ms < 3_000; ms += FRAME_MS) {
    // After a second each packet takes 100 ms more.
    const sent = ms < 1_000 ? ms : ms - 100;
    if (ms < 1_000 || sent >= 1_000) {
      const timestamp = (sent / FRAME_MS) * FRAME_SAMPLES;
      const packet = { hasMarker: sent === 0, timestamp, ssrc: 7, start: 0, end: FRAME_SAMPLES };
      party.hear(toneOf(500, "PCMU", timestamp), packet, "PCMU", ms);
    }
    mix.tick(ms);
    listener.sound.fill(taken, 0, FRAME_SAMPLES, "PCMU");
    if (ms >= 1_500 && ms < 2_500) heard.push(...Array.from(taken, (octet) => decodeSample("PCMU", octet)));
  }
  expect(levelOf(500, heard)).toBeGreaterThan(7_000);
});

/** What is on the first track, as samples, and the octets of the second. */
function recordedOn(timeline: RecordingTimeline, endMs: number) {
  const [first, second]: [number[], number[]] = [[], []];
  for (let octets = timeline.take(endMs); octets; octets = timeline.take(endMs)) {
    for (let at = 0; at < octets.length; at += 2) {
      first.push(decodeSample("PCMU", octets[at] as number));
      second.push(octets[at + 1] as number);
    }
  }
  return { first, second };
}

test("what all say together is recorded on one track, from the moment at which it begins, with silence where it paused", () => {
  const mix = new ConferenceMix(0);
  const [one, two] = speaking(mix, 2) as [MixParty, MixParty];
  const speakers = [
    { party: one, hertz: 500 },
    { party: two, hertz: 1_250, law: "PCMA" },
  ] as const;
  const timeline = new RecordingTimeline(200);
  mix.timeline = timeline;
  converse(mix, speakers, 90);
  const { first, second } = recordedOn(timeline, 1_700);
  expect(first).toHaveLength(12_000);
  expect(new Set(second)).toEqual(new Set([SILENCE.PCMU]));
  for (const hertz of [500, 1_250]) expect(levelOf(hertz, first.slice(400))).toBeGreaterThan(7_000);
  // The thread pauses for three seconds.
  mix.tick(5_000);
  recordedOn(timeline, 4_000);
  expect(recordedOn(timeline, 4_500).first.every((sample) => Math.abs(sample) < 10)).toBe(true);
  mix.timeline = undefined;
  mix.play(conferenceTone("enter"));
  mix.tick(5_500);
  expect(recordedOn(timeline, 5_500).first.every((sample) => Math.abs(sample) < 10)).toBe(true);
});

test("tones of the conference are recorded", () => {
  const mix = new ConferenceMix(0);
  mix.enter();
  mix.timeline = new RecordingTimeline(0);
  mix.play(conferenceTone("enter"));
  mix.tick(500);
  expect(levelOf(330, recordedOn(mix.timeline, 150).first.slice(200))).toBeGreaterThan(2_000);
});
