import fc from "fast-check";
import { expect, test } from "vitest";
import { ESM_UDHI } from "../../wire/smpp/concatenation.ts";
import { type DataSm, type DeliverSm, deliverSm } from "../../wire/smpp/pdu.ts";
import { makeReceiptText } from "../../wire/smpp/receipt.ts";
import { encodeText } from "../../wire/smpp/text.ts";
import { idForQuery, idOfAnswer } from "./carrier-id.ts";
import { decodePart, readIncoming } from "./incoming.ts";

const NOW = new Date("2026-11-15T12:00:00Z");
const SAME = { receiptIds: "same" } as const;
const PLACE = { carrier: "bob", link: "link", session: "1" };
const ESM_RECEIPT = 0x04;
const FROM = { ton: 1, npi: 1, address: "14155550100" };
const TO = { ton: 3, npi: 0, address: "12345" };
const delivery = (fields: Partial<DeliverSm>): DeliverSm => ({
  ...deliverSm({ source: FROM, destination: TO, shortMessage: new Uint8Array(0) }),
  sequence: 1,
  ...fields,
});
const octets = (text: string) => encodeText(text, "GSM7").octets;

const partIn = (fields: Partial<DeliverSm>) => {
  const incoming = readIncoming(delivery(fields), SAME, PLACE, NOW);
  return incoming.kind === "inbound" ? incoming.part : expect.fail(incoming.kind);
};
const textIn = (fields: Partial<DeliverSm>) => {
  const part = partIn(fields);
  return decodePart(part.octets, part.dataCoding);
};

test("a message is reported with its place, numbers and octets, which say the text", () => {
  const fields = { shortMessage: octets("hi @ €"), dataCoding: 0xf0 };
  expect(partIn(fields)).toEqual({
    ...PLACE,
    from: "+14155550100",
    to: "12345",
    octets: octets("hi @ €"),
    dataCoding: 0xf0,
    repeatKey: expect.stringMatching(/^[\w-]{27}$/),
  });
  expect(textIn(fields)).toBe("hi @ €");
});

test("what says the same has the same key, and nothing else has", () => {
  const first = Uint8Array.of(5, 0, 3, 9, 2, 1, 0x41);
  const keys = [
    { shortMessage: octets("A") },
    { shortMessage: octets("B") },
    { shortMessage: octets("A"), dataCoding: 3 },
    { shortMessage: octets("A"), source: TO },
    { shortMessage: octets("A"), destination: FROM },
    { shortMessage: first, esmClass: ESM_UDHI },
    { shortMessage: first.with(3, 8), esmClass: ESM_UDHI },
    { shortMessage: first.with(5, 2), esmClass: ESM_UDHI },
  ].map((fields) => partIn(fields).repeatKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(partIn({ shortMessage: octets("A"), sequence: 2 }).repeatKey).toBe(keys[0]);
});

test("a part is reported as one, by header and by parameters, and data as data", () => {
  const header = { shortMessage: Uint8Array.of(5, 0, 3, 9, 2, 1, 0x41), esmClass: ESM_UDHI };
  expect(partIn(header).partOf).toEqual({ reference: 9, total: 2, index: 1 });
  expect(textIn(header)).toBe("A");
  const tlvs = { sarMsgRefNum: 700, sarTotalSegments: 3, sarSegmentSeqnum: 3 };
  expect(partIn({ shortMessage: octets("A"), tlvs }).partOf).toEqual({ reference: 700, total: 3, index: 3 });
  const port = { shortMessage: Uint8Array.of(6, 5, 4, 0x0b, 0x84, 0, 0, 1, 2), esmClass: ESM_UDHI, dataCoding: 4 };
  expect(partIn(port).octets).toEqual(Uint8Array.of(1, 2));
  expect(textIn(port)).toBe("\u0001\u0002");
});

test("data_sm is a message like any other", () => {
  const { source, destination, esmClass, registeredDelivery, dataCoding } = delivery({ dataCoding: 8 });
  const message = { serviceType: "", source, destination, esmClass, registeredDelivery, dataCoding };
  const tlvs = { messagePayload: Uint8Array.of(0x04, 0x36) };
  const pdu: DataSm = { command: "data_sm", sequence: 1, ...message, tlvs };
  expect(readIncoming(pdu, SAME, PLACE, NOW)).toMatchObject({
    kind: "inbound",
    part: { octets: Uint8Array.of(0x04, 0x36), dataCoding: 8 },
  });
  expect(decodePart(tlvs.messagePayload, 8)).toBe("ж");
});

test("a receipt is reported in the spelling of the answers' ids", () => {
  const text = makeReceiptText({
    messageId: "31",
    state: "undeliverable",
    errorCode: "042",
    submittedAt: NOW,
    doneAt: NOW,
  });
  const receipt = delivery({ shortMessage: octets(text), esmClass: ESM_RECEIPT });
  expect(readIncoming(receipt, SAME, PLACE, NOW)).toEqual({
    kind: "receipt",
    receipt: {
      carrier: "bob",
      carrierId: "31",
      state: "failed",
      errorCode: "042",
      receivedOn: NOW,
      about: { from: "12345", to: "+14155550100", reference: null },
    },
  });
  const tlvs = { userMessageReference: 0xbeef };
  expect(readIncoming({ ...receipt, tlvs }, SAME, PLACE, NOW)).toMatchObject({
    receipt: { about: { reference: 0xbeef } },
  });
  for (const [receiptIds, answered, asked] of [
    ["same", "31", "31"],
    ["hex-to-decimal", "0000001F", "1F"],
    ["decimal-to-hex", "49", "49"],
  ] as const) {
    const carrierId = idOfAnswer(answered, receiptIds);
    expect(readIncoming(receipt, { receiptIds }, PLACE, NOW)).toMatchObject({ receipt: { carrierId } });
    expect(idForQuery(carrierId, receiptIds)).toBe(asked);
  }
});

test("what looks like a receipt is one only when the SMSC says so", () => {
  const shortMessage = octets("id:1 stat:DELIVRD");
  expect(readIncoming(delivery({ shortMessage }), SAME, PLACE, NOW).kind).toBe("inbound");
  expect(readIncoming(delivery({ shortMessage: octets("hi"), esmClass: ESM_RECEIPT }), SAME, PLACE, NOW).kind).toBe(
    "receiptOfNothing",
  );
});

test("an id longer than any answer can hold is nobody's, and a code is bounded", () => {
  const read = (id: string, code = "1") => {
    const tlvs = { messagePayload: octets(`id:${id} stat:UNDELIV err:${code}`) };
    return readIncoming(delivery({ esmClass: ESM_RECEIPT, tlvs }), SAME, PLACE, NOW);
  };
  expect(read("x".repeat(65)).kind).toBe("receiptOfNothing");
  expect(read("x".repeat(64), "7".repeat(500))).toMatchObject({
    receipt: { carrierId: "x".repeat(64), errorCode: "7".repeat(32) },
  });
});

test("whatever comes is read, and nothing told points into what came", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 254 }),
      fc.nat(255),
      fc.nat(255),
      fc.string(),
      (shortMessage, esmClass, dataCoding, receiptedMessageId) => {
        for (const tlvs of [{}, { receiptedMessageId }]) {
          const told = readIncoming(delivery({ shortMessage, esmClass, dataCoding, tlvs }), SAME, PLACE, NOW);
          if (told.kind === "inbound") expect(told.part.octets.buffer).not.toBe(shortMessage.buffer);
        }
      },
    ),
  );
});
