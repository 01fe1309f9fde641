import fc from "fast-check";
import { expect, test } from "vitest";
import { countSegments } from "../../../rules/sms/segment.ts";
import { encodePdu } from "../../../test/fakes/encode-pdu.ts";
import { outgoing } from "../../../test/fakes/outgoing.ts";
import { parseSmppTime } from "../../../test/fakes/parse-smpp-time.ts";
import type { Outgoing } from "../../domain/messaging/index.ts";
import { readBody } from "../../wire/smpp/concatenation.ts";
import { joinParts } from "../../wire/smpp/reassembly.ts";
import { decodeText } from "../../wire/smpp/text.ts";
import { numberOf, smppAddress } from "./address.ts";
import { type LinkSettings, linkSettings } from "./link-settings.ts";
import { submitsOf } from "./outgoing.ts";

const NOW_MS = Date.UTC(2026, 10, 15, 12);
const LEAST = { name: "a", host: "b", systemId: "c", password: "d" };

function submits(message: Partial<Outgoing>, settings: Partial<LinkSettings> = {}) {
  const whole = outgoing({ expiresOn: new Date(NOW_MS + 1000), ...message });
  const result = submitsOf(whole, { ...linkSettings.parse(LEAST), ...settings }, 0x1234, NOW_MS);
  return result.ok ? result.value : expect.fail(`refused with ${result.refusal}`);
}

test.each([
  ["+14155550100", { ton: 1, npi: 1, address: "14155550100" }],
  ["12345", { ton: 3, npi: 0, address: "12345" }],
  ["Tandem", { ton: 5, npi: 0, address: "Tandem" }],
])("%s is addressed as %j", (number, address) => {
  expect(smppAddress(number, undefined)).toEqual({ ok: true, value: address });
  expect(numberOf(address)).toBe(number);
});

test("a link may address everyone in its own way", () => {
  const addressing = { source: { ton: 0, npi: 1 }, destination: { ton: 2, npi: 8 } };
  expect(submits({}, { addressing })).toMatchObject([
    { source: { ton: 0, npi: 1, address: "12125550000" }, destination: { ton: 2, npi: 8, address: "14155550100" } },
  ]);
});

test("a short code is network specific, whatever other senders are, unless the link says otherwise", () => {
  const sourceOf = (addressing: LinkSettings["addressing"]) => submits({ from: "72345" }, { addressing })[0]?.source;
  const source = { ton: 1, npi: 1 };
  expect(sourceOf({})).toEqual({ ton: 3, npi: 0, address: "72345" });
  expect(sourceOf({ source })).toEqual({ ton: 3, npi: 0, address: "72345" });
  expect(sourceOf({ source, shortCode: { ton: 0, npi: 1 } })).toEqual({ ton: 0, npi: 1, address: "72345" });
});

test("a short code that a carrier calls international is one all the same", () => {
  expect(numberOf({ ton: 1, npi: 1, address: "72345" })).toBe("72345");
  expect(numberOf({ ton: 1, npi: 1, address: "6834000" })).toBe("+6834000");
});

test.each(["udh", "sar", "payload"] as const)(
  "every part cut by %s carries our reference, unless the link sends none",
  (longMessages) => {
    const message = { sid: "OM0199a1b2c3d470008f00000000beef", text: "x".repeat(400) };
    const references = (settings: Partial<LinkSettings>) =>
      submits(message, { longMessages, ...settings }).map(({ tlvs }) => tlvs.userMessageReference);
    expect(new Set(references({}))).toEqual(new Set([0xbeef]));
    expect(new Set(references({ sendReference: false }))).toEqual(new Set([undefined]));
    expect(submits({ ...message, text: "short" })).toMatchObject([{ tlvs: { userMessageReference: 0xbeef } }]);
  },
);

test("every text arrives as it was written, cut in every way", () => {
  const near = fc
    .constantFrom(158, 159, 160, 161, 69, 70, 71)
    .chain((length) =>
      fc.string({ unit: fc.constantFrom("a", "a", "a", "a", "a", "€", "ж"), minLength: length - 2, maxLength: length }),
    );
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.string({ maxLength: 900 }), near);
  fc.assert(
    fc.property(text, fc.constantFrom("udh", "sar", "payload"), (sent, longMessages) => {
      const pdus = submits({ text: sent }, { longMessages });
      const bodies = pdus.map((pdu) => ({ ...readBody(pdu), dataCoding: pdu.dataCoding }));
      const parts = bodies.map(({ octets, partOf, dataCoding }) => ({
        ...(partOf ?? { kind: "udh8" as const, reference: 0, total: 1, part: 1 }),
        ...{ messageId: "", scope: "", from: "", to: "", dataCoding, octets },
      }));
      const { octets, dataCoding, missing } = joinParts(parts);
      expect(missing).toEqual([]);
      expect(decodeText({ dataCoding, octets })).toBe(sent);
      if (longMessages !== "payload") expect(pdus.length).toBe(countSegments(sent).count);
      for (const pdu of pdus) expect(encodePdu(pdu, 1).ok).toBe(true);
    }),
  );
});

test("parts carry 8 bits of the reference by header and 16 by parameter", () => {
  const text = "x".repeat(161);
  expect(submits({ text }).map((pdu) => readBody(pdu).partOf)).toEqual([
    { kind: "udh8", reference: 0x34, total: 2, part: 1 },
    { kind: "udh8", reference: 0x34, total: 2, part: 2 },
  ]);
  expect(submits({ text }, { longMessages: "sar" })[1]).toMatchObject({
    esmClass: 0,
    tlvs: { sarMsgRefNum: 0x1234, sarTotalSegments: 2, sarSegmentSeqnum: 2 },
  });
});

test("a long message goes whole in message_payload, a short one never", () => {
  const [long, ...others] = submits({ text: "x".repeat(161) }, { longMessages: "payload" });
  expect(others).toEqual([]);
  expect([long?.shortMessage.length, long?.tlvs.messagePayload?.length]).toEqual([0, 161]);
  const [short] = submits({ text: "x".repeat(160) }, { longMessages: "payload" });
  expect([short?.shortMessage.length, short?.tlvs.messagePayload]).toEqual([160, undefined]);
});

test.each([
  ["hello", 0x00],
  ["жизнь", 0x08],
])("%s goes under data_coding %i", (text, dataCoding) => {
  expect(submits({ text })).toMatchObject([{ dataCoding }]);
});

test("the SMSC is told until when, in the form the link wants", () => {
  const expiresOn = new Date(NOW_MS + 3 * 3600_000);
  const until = (validity: LinkSettings["validity"]) => submits({ expiresOn }, { validity })[0]?.validityPeriod ?? "";
  for (const validity of ["relative", "absolute"] as const) {
    expect(parseSmppTime(until(validity), new Date(NOW_MS))).toEqual(expiresOn);
  }
  expect(until("relative").at(-1)).toBe("R");
  expect(until("off")).toBe("");
});
