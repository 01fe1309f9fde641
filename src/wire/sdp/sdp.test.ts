import fc from "fast-check";
import { expect, test } from "vitest";
import { DIRECTIONS, type MediaDescription, type SessionDescription } from "./description.ts";
import { type Answered, acceptAnswer, answerOffer, makeOffer, type OwnSide } from "./negotiate.ts";
import { parseSdp } from "./parse.ts";
import { writeSdp } from "./write.ts";

const KEY = "d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj";
const OWN: OwnSide = {
  sessionId: "7",
  version: "1",
  connection: { family: 4, address: "192.0.2.9" },
  rtpPort: 20_000,
  rtcpPort: 20_001,
  codecs: ["PCMU", "PCMA"],
  direction: "sendrecv",
  keyFor: () => KEY,
  secure: false,
};

const offerOf = (...media: string[]) =>
  ["v=0", "o=alice 1 1 IN IP4 198.51.100.1", "s=-", "c=IN IP4 198.51.100.1", "t=0 0", ...media].join("\r\n");

function read(text: string): SessionDescription {
  const parsed = parseSdp(text);
  if (!parsed.ok) throw new Error(parsed.refusal);
  return parsed.value;
}

function answered(text: string, own: Partial<OwnSide> = {}): Answered & { readonly text: string } {
  const result = answerOffer(read(text), { ...OWN, ...own });
  if (!result.ok) throw new Error(result.refusal);
  return { ...result.value, text: writeSdp(result.value.answer) };
}

const refusalOf = (text: string, own: Partial<OwnSide> = {}) => {
  const result = answerOffer(read(text), { ...OWN, ...own });
  return result.ok ? undefined : result.refusal;
};

test("the first codec of the offer that we know is answered, with the offer's numbers for it and for keys", () => {
  const { agreed, text } = answered(
    offerOf("m=audio 4000 RTP/AVP 18 8 0 96 13", "a=rtpmap:96 telephone-event/8000", "a=fmtp:96 0-16", "a=ptime:30"),
  );
  expect(agreed).toMatchObject({ codec: "PCMA", sendPayload: 8, sendEventPayload: 96, sendNoisePayload: 13 });
  expect(agreed).toMatchObject({ remoteRtpPort: 4000, remoteRtcpPort: 4001, ptimeMs: 30, maySend: true });
  expect(agreed.remote.address).toBe("198.51.100.1");
  expect(text).toContain("m=audio 20000 RTP/AVP 8 13 96\r\nc=IN IP4 192.0.2.9\r\na=rtpmap:8 PCMA/8000\r\n");
  expect(text).toContain("a=fmtp:96 0-15\r\na=ptime:30\r\na=rtcp:20001\r\na=sendrecv\r\n");
});

test("a dynamic number for PCMU is the number it is sent by", () => {
  const { agreed } = answered(offerOf("m=audio 4000 RTP/AVP 110", "a=rtpmap:110 pcmu/8000/1"));
  expect(agreed).toMatchObject({ codec: "PCMU", sendPayload: 110, receives: [[110, "PCMU"]] });
});

test.each([
  ["a=sendonly", "recvonly", false, true],
  ["a=recvonly", "sendonly", true, false],
  ["a=inactive", "inactive", false, false],
  ["a=sendrecv", "sendrecv", true, true],
  ["c=IN IP4 0.0.0.0", "recvonly", false, true],
] as const)("a line with %s is answered %s", (line, direction, maySend, mayReceive) => {
  const { agreed, text } = answered(offerOf("m=audio 4000 RTP/AVP 0", line));
  expect(agreed).toMatchObject({ maySend, mayReceive });
  expect(text).toContain(`a=${direction}\r\n`);
});

test("a direction of the session holds for a line that has none", () => {
  const { agreed } = answered(offerOf("a=inactive", "m=audio 4000 RTP/AVP 0"));
  expect(agreed).toMatchObject({ maySend: false, mayReceive: false });
});

test("lines that are not audio, and a second audio line, are refused one by one and keep their places", () => {
  const { text } = answered(
    offerOf("m=video 5000 RTP/AVP 96", "m=audio 4000 RTP/AVP 0", "m=image 5002 udptl t38", "m=audio 4002 RTP/AVP 0"),
  );
  const lines = text.split("\r\n").filter((line) => line.startsWith("m="));
  expect(lines).toEqual([
    "m=video 0 RTP/AVP 96",
    "m=audio 20000 RTP/AVP 0",
    "m=image 0 UDPTL t38",
    "m=audio 0 RTP/AVP 0",
  ]);
});

test.each([
  ["T.38 alone", ["m=image 5002 udptl t38"], "image is not taken"],
  ["codecs we do not have", ["m=audio 4000 RTP/AVP 18 3"], "none of its codecs is PCMU or PCMA"],
  ["audio that is switched off", ["m=audio 0 RTP/AVP 0"], "the audio line is switched off"],
  ["DTLS", ["m=audio 4000 UDP/TLS/RTP/SAVPF 0"], "UDP/TLS/RTP/SAVPF is not taken"],
  ["another family", ["m=audio 4000 RTP/AVP 0", "c=IN IP6 2001:db8::1"], "this leg has no IPv6 address"],
  ["a multicast group", ["m=audio 4000 RTP/AVP 0", "c=IN IP4 224.2.1.1/127"], "the address is a multicast group"],
  ["SRTP without a key", ["m=audio 4000 RTP/SAVP 0"], "none of its key lines can be used"],
])("an offer of %s is refused with the reason", (_name, lines, reason) => {
  expect(refusalOf(offerOf(...lines))).toBe(reason);
});

test("IPv6 is agreed on where we have it", () => {
  const own = { connection: { family: 6, address: "2001:db8::9" } } as const;
  const { agreed, text } = answered(offerOf("m=audio 4000 RTP/AVP 0", "c=IN IP6 2001:db8::1"), own);
  expect(agreed.remote).toEqual({ family: 6, address: "2001:db8::1" });
  expect(text).toContain("c=IN IP6 2001:db8::9");
});

test("the first usable key line of a secure offer is answered under its tag, with our key", () => {
  const { agreed, text } = answered(
    offerOf(
      "m=audio 4000 RTP/SAVP 0",
      `a=crypto:1 AES_256_CM_HMAC_SHA1_80 inline:${KEY}`,
      `a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:${KEY}|2^20|1:4`,
      `a=crypto:3 AES_CM_128_HMAC_SHA1_32 inline:${KEY}|2^31`,
    ),
    { keyFor: () => "A".repeat(40) },
  );
  expect(text).toContain(`m=audio 20000 RTP/SAVP 0\r\n`);
  expect(text).toContain(`a=crypto:3 AES_CM_128_HMAC_SHA1_32 inline:${"A".repeat(40)}\r\n`);
  expect(agreed.keys?.theirs).toEqual({ suite: "AES_CM_128_HMAC_SHA1_32", keyAndSalt: KEY });
});

test("our offer, answered by ourselves, agrees on both ends", () => {
  for (const secure of [false, true]) {
    const offer = makeOffer({ ...OWN, secure });
    const theirs = answered(writeSdp(offer), { connection: { family: 4, address: "198.51.100.7" }, rtpPort: 30_000 });
    const agreed = acceptAnswer(offer, read(theirs.text), { ...OWN, secure });
    expect(agreed).toMatchObject({ ok: true, value: { codec: "PCMU", sendEventPayload: 101, remoteRtpPort: 30_000 } });
    expect(agreed.ok && (agreed.value.keys !== undefined) === secure).toBe(true);
  }
});

test("every key line of an offer has its own key", () => {
  for (const secure of [true, "preferred"] as const) {
    const { crypto = [] } = makeOffer({ ...OWN, secure, keyFor: (suite) => suite }).media[0] ?? {};
    expect(crypto).toHaveLength(2);
    expect(new Set(crypto.map(({ keyAndSalt }) => keyAndSalt)).size).toBe(2);
  }
});

test("SRTP that is preferred is agreed on with a peer that has it, and not with one that has not", () => {
  const own = { ...OWN, secure: "preferred" } as const;
  const offer = makeOffer(own);
  expect(writeSdp(offer)).toMatch(/m=audio 20000 RTP\/AVP .*\r\n(?:.*\r\n)*a=crypto:1 .*\r\n/);
  const keys = { ours: { keyAndSalt: KEY }, theirs: { suite: "AES_CM_128_HMAC_SHA1_80", keyAndSalt: KEY } };
  const crypto = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`;
  for (const protocol of ["RTP/AVP", "RTP/SAVP"]) {
    const answer = read(offerOf(`m=audio 4000 ${protocol} 0`, crypto));
    expect(acceptAnswer(offer, answer, own)).toMatchObject({ ok: true, value: { keys } });
  }
  const plain = acceptAnswer(offer, read(offerOf("m=audio 4000 RTP/AVP 0")), own);
  expect(plain.ok && plain.value.keys).toBe(undefined);
  const { agreed, text } = answered(offerOf("m=audio 4000 RTP/AVP 0", crypto), own);
  expect(agreed).toMatchObject({ keys });
  expect(text).toContain("m=audio 20000 RTP/AVP 0\r\n");
});

test("an answer that changes the number of keys is sent its number and may send either", () => {
  const offer = makeOffer(OWN);
  const answer = read(offerOf("m=audio 4000 RTP/AVP 8 97", "a=rtpmap:97 telephone-event/8000"));
  const agreed = acceptAnswer(offer, answer, OWN);
  expect(agreed).toMatchObject({ ok: true, value: { codec: "PCMA", sendPayload: 8, sendEventPayload: 97 } });
  expect(agreed.ok && agreed.value.receives).toEqual([
    [0, "PCMU"],
    [8, "PCMA"],
    [101, "event"],
    [97, "event"],
  ]);
});

test("an answer that refuses our audio, or takes the key off it, is refused", () => {
  const offer = makeOffer({ ...OWN, secure: true });
  const plain = acceptAnswer(offer, read(offerOf("m=audio 4000 RTP/AVP 0")), OWN);
  expect(plain).toEqual({ ok: false, refusal: "the answer says RTP/AVP to an offer of RTP/SAVP" });
  const off = acceptAnswer(makeOffer(OWN), read(offerOf("m=audio 0 RTP/AVP 0")), OWN);
  expect(off).toEqual({ ok: false, refusal: "the audio line is switched off" });
});

test("an offer that continues a session keeps its refused lines in their places", () => {
  const { answer } = answered(offerOf("m=video 5000 RTP/AVP 96", "m=audio 4000 RTP/AVP 8"));
  const again = makeOffer({ ...OWN, version: "2" }, answer);
  expect(again.media.map(({ media, port }) => [media, port])).toEqual([
    ["video", 0],
    ["audio", 20_000],
  ]);
});

test.each([
  ["", "does not begin with v=0"],
  ["v=0\r\nm=audio 1 RTP/AVP 0", "has no o= line"],
  ["v=0\r\no=- 1 1 IN IP4 192.0.2.1", "has no media line"],
  [
    "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\nm=audio 1 RTP/AVP 0",
    "a media line has no c= line, and neither has the session",
  ],
  ["v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\nc=IN IP4 host.example", "a c= line does not name an IP address"],
  ["v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\nm=audio 70000 RTP/AVP 0", "a media line is no media, port and protocol"],
  [`v=0\r\n${"a=x\r\n".repeat(600)}`, "more than 512 lines"],
  [`v=0\r\n${"x".repeat(17_000)}`, "longer than 16384 characters"],
  [offerOf(...Array(17).fill("m=audio 1 RTP/AVP 0")), "more than 16 media lines"],
])("the description %j is refused: %s", (text, reason) => {
  expect(parseSdp(text)).toEqual({ ok: false, refusal: reason });
});

const port = fc.integer({ min: 1, max: 65_535 });
const connection = fc.oneof(
  fc.ipV4().map((address) => ({ family: 4 as const, address })),
  fc.ipV6().map((address) => ({ family: 6 as const, address })),
);
const payload = fc.record({
  payload: fc.integer({ min: 96, max: 127 }),
  name: fc.constantFrom("PCMU", "telephone-event", "opus", "CN"),
  clockRate: fc.constantFrom(8000, 48_000),
  channels: fc.constantFrom(1, 2),
});
const media: fc.Arbitrary<MediaDescription> = fc
  .record(
    {
      media: fc.constantFrom("audio", "video"),
      port,
      protocol: fc.constantFrom("RTP/AVP", "RTP/SAVP"),
      connection,
      direction: fc.constantFrom(...DIRECTIONS),
      payloads: fc.uniqueArray(payload, { minLength: 1, maxLength: 6, selector: (format) => format.payload }),
      ptimeMs: fc.integer({ min: 1, max: 100 }),
      rtcpPort: port,
      rtcpConnection: connection,
      hasRtcpMux: fc.boolean(),
      crypto: fc.constantFrom([], [{ tag: 1, suite: "X_1", keyAndSalt: KEY, hasMki: false, sessionParameters: [] }]),
    },
    { requiredKeys: ["media", "port", "protocol", "connection", "direction", "payloads", "hasRtcpMux", "crypto"] },
  )
  .map(({ rtcpConnection, ...line }) => ({
    ...line,
    ...(line.rtcpPort !== undefined && rtcpConnection && { rtcpConnection }),
    formats: line.payloads.map((format) => String(format.payload)),
  }));
const number = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const description: fc.Arbitrary<SessionDescription> = fc.record({
  origin: fc.record({ sessionId: number, version: number, connection }),
  media: fc.array(media, { minLength: 1, maxLength: 4 }),
});

test("what is written is read back the same", () => {
  fc.assert(
    fc.property(description, (value) => {
      expect(parseSdp(writeSdp(value))).toEqual({ ok: true, value });
    }),
  );
});

const LINE_PIECES = [
  "v=0",
  "o=- 1 1 IN IP4 192.0.2.1",
  "c=IN IP4 0.0.0.0",
  "c=IN IP6 ::",
  "m=audio 4000 RTP/AVP 0 8 101",
  "m=audio 4000/2 RTP/SAVP 8",
  "m=image 9 udptl t38",
  "a=rtpmap:101 telephone-event/8000",
  "a=rtpmap:0 telephone-event/8000",
  "a=sendonly",
  "a=ptime:0",
  "a=rtcp:70000",
  `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`,
];

test("whatever is offered is read or refused, and what is read is answered line by line or refused", () => {
  const line = fc.oneof(fc.constantFrom(...LINE_PIECES), fc.string({ maxLength: 60 }));
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.array(line, { maxLength: 30 }).map((lines) => ["v=0", "o=- 1 1 IN IP4 1.2.3.4", ...lines].join("\r\n")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parseSdp(text);
      if (!parsed.ok) return void expect(parsed.refusal).not.toBe("");
      const result = answerOffer(parsed.value, OWN);
      if (!result.ok) return void expect(result.refusal).not.toBe("");
      const { answer } = result.value;
      expect(answer.media.map(({ media: name }) => name)).toEqual(parsed.value.media.map(({ media: name }) => name));
      expect(answer.media.filter((each) => each.port !== 0)).toHaveLength(1);
      expect(parseSdp(writeSdp(answer))).toMatchObject({ ok: true });
    }),
    { numRuns: 200 },
  );
});
