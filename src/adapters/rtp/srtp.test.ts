import fc from "fast-check";
import { expect, test } from "vitest";
import type { StreamKey } from "../../wire/sdp/negotiate.ts";
import { Protection } from "./srtp.ts";

const suite = "AES_CM_128_HMAC_SHA1_80";
const hex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));
const keyOf = (text: string): StreamKey => ({ suite, keyAndSalt: Buffer.from(text, "hex").toString("base64") });
const KEY = keyOf("e1f97a0d3e018be0d64fa32c06de41390ec675ad498afeebb6960b3aabe6");
const OTHER = keyOf("00".repeat(30));

const packet = (sequence: number, payload = "abababababababababababababababab") =>
  hex(`800f${sequence.toString(16).padStart(4, "0")}decafbadcafebabe${payload}`);
const pair = () => ({
  sender: new Protection({ ours: KEY, theirs: OTHER }),
  receiver: new Protection({ ours: OTHER, theirs: KEY }),
});

test("a packet is sealed as libsrtp seals it", () => {
  const sealed = pair().sender.sealRtp(packet(0x1234));
  expect(Buffer.from(sealed ?? []).toString("hex")).toBe(
    "800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb",
  );
});

test("what is sealed is opened once, in any order of the last packets and across the end of numbers", () => {
  const { sender, receiver } = pair();
  const sealed = [65_534, 65_535, 0, 1, 2].map((sequence) => sender.sealRtp(packet(sequence)) ?? new Uint8Array());
  for (const place of [0, 2, 1, 4, 3]) {
    const octets = Uint8Array.from(sealed[place] ?? []);
    expect(receiver.openRtp(octets)?.subarray(12)).toEqual(packet(0).subarray(12));
  }
  expect(receiver.openRtp(Uint8Array.from(sealed[1] ?? []))).toBeUndefined();
});

test("no index is used twice, so that no one can subtract one payload from another", () => {
  const { sender } = pair();
  expect(sender.sealRtp(packet(7))).toBeDefined();
  expect(sender.sealRtp(packet(7, "00"))).toBeUndefined();
  expect(new Protection({ ours: KEY, theirs: KEY }, sender).sealRtp(packet(7))).toBeUndefined();
});

test("a packet of which any bit was changed is not opened", () => {
  const { sender } = pair();
  const sealed = sender.sealRtp(packet(1)) ?? new Uint8Array();
  fc.assert(
    fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
      const changed = Uint8Array.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(pair().receiver.openRtp(changed)).toBeUndefined();
    }),
  );
});

test("reports are sealed and opened once too", () => {
  const { sender, receiver } = pair();
  const report = hex("80c90001decafbad81ca0002decafbad01020304");
  const sealed = sender.sealRtcp(report);
  expect(sealed).toHaveLength(report.length + 14);
  expect(receiver.openRtcp(Uint8Array.from(sealed))).toEqual(report);
  expect(receiver.openRtcp(Uint8Array.from(sealed))).toBeUndefined();
  expect(receiver.openRtcp(sender.sealRtcp(report))).toEqual(report);
});

test("any octets are opened or not", () => {
  const { receiver } = pair();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (octets) => {
      expect(receiver.openRtp(octets)).toBeUndefined();
      expect(receiver.openRtcp(octets)).toBeUndefined();
    }),
  );
});
