import fc from "fast-check";
import { expect, test } from "vitest";
import { ESM_UDHI } from "../../wire/smpp/concatenation.ts";
import { type DataSm, type DeliverSm, deliverSm } from "../../wire/smpp/pdu.ts";
import { makeReceiptText } from "../../wire/smpp/receipt.ts";
import { encodeText } from "../../wire/smpp/text.ts";
import { idForQuery, idOfAnswer } from "./carrier-id.ts";
import { readIncoming } from "./incoming.ts";

const NOW = new Date("2026-11-15T12:00:00Z");
const SAME = { receiptIds: "same" } as const;
const ESM_RECEIPT = 0x04;
const FROM = { ton: 1, npi: 1, address: "14155550100" };
const TO = { ton: 3, npi: 0, address: "12345" };
const delivery = (fields: Partial<DeliverSm>): DeliverSm => ({
  ...deliverSm({ source: FROM, destination: TO, shortMessage: new Uint8Array(0) }),
  sequence: 1,
  ...fields,
});
const octets = (text: string) => encodeText(text, "GSM7").octets;

test("a message is told with its numbers, text, octets and time", () => {
  expect(readIncoming(delivery({ shortMessage: octets("hi @ €"), dataCoding: 0xf0 }), SAME, NOW)).toEqual({
    kind: "inbound",
    part: {
      from: "+14155550100",
      to: "12345",
      text: "hi @ €",
      octets: octets("hi @ €"),
      dataCoding: 0xf0,
      flash: true,
      receivedOn: NOW,
    },
  });
});

test("a part is told as one, by header and by parameters, and data as data", () => {
  const shortMessage = Uint8Array.of(5, 0, 3, 9, 2, 1, 0x41);
  expect(readIncoming(delivery({ shortMessage, esmClass: ESM_UDHI }), SAME, NOW)).toMatchObject({
    part: { text: "A", concatenation: { kind: "udh8", reference: 9, total: 2, part: 1 } },
  });
  const tlvs = { sarMsgRefNum: 700, sarTotalSegments: 3, sarSegmentSeqnum: 3 };
  expect(readIncoming(delivery({ shortMessage: octets("A"), tlvs }), SAME, NOW)).toMatchObject({
    part: { concatenation: { kind: "sar", reference: 700, total: 3, part: 3 } },
  });
  const port = Uint8Array.of(6, 5, 4, 0x0b, 0x84, 0, 0, 1, 2);
  expect(readIncoming(delivery({ shortMessage: port, esmClass: ESM_UDHI, dataCoding: 4 }), SAME, NOW)).toMatchObject({
    part: { text: undefined, octets: Uint8Array.of(1, 2), destinationPort: 2948 },
  });
});

test("data_sm is a message like any other", () => {
  const { source, destination, esmClass, registeredDelivery, dataCoding } = delivery({ dataCoding: 8 });
  const message = { serviceType: "", source, destination, esmClass, registeredDelivery, dataCoding };
  const tlvs = { messagePayload: Uint8Array.of(0x04, 0x36) };
  const pdu: DataSm = { command: "data_sm", sequence: 1, ...message, tlvs };
  expect(readIncoming(pdu, SAME, NOW)).toMatchObject({ kind: "inbound", part: { text: "ж" } });
});

test("a receipt is told in the spelling of the answers' ids", () => {
  const text = makeReceiptText({
    messageId: "31",
    state: "undeliverable",
    errorCode: "042",
    submittedAt: NOW,
    doneAt: NOW,
  });
  const receipt = delivery({ shortMessage: octets(text), esmClass: ESM_RECEIPT });
  expect(readIncoming(receipt, SAME, NOW)).toEqual({
    kind: "receipt",
    receipt: {
      carrierId: "31",
      state: "failed",
      errorCode: "042",
      doneOn: NOW,
      text,
      from: "+14155550100",
      to: "12345",
    },
  });
  for (const [receiptIds, answered, asked] of [
    ["same", "31", "31"],
    ["hex-to-decimal", "0000001F", "1F"],
    ["decimal-to-hex", "49", "49"],
  ] as const) {
    const carrierId = idOfAnswer(answered, receiptIds);
    expect(readIncoming(receipt, { receiptIds }, NOW)).toMatchObject({ receipt: { carrierId } });
    expect(idForQuery(carrierId, receiptIds)).toBe(asked);
  }
});

test("what looks like a receipt is one only when the SMSC says so", () => {
  const shortMessage = octets("id:1 stat:DELIVRD");
  expect(readIncoming(delivery({ shortMessage }), SAME, NOW).kind).toBe("inbound");
  expect(readIncoming(delivery({ shortMessage: octets("hi"), esmClass: ESM_RECEIPT }), SAME, NOW).kind).toBe("nobodys");
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
          const told = readIncoming(delivery({ shortMessage, esmClass, dataCoding, tlvs }), SAME, NOW);
          if (told.kind === "inbound") expect(told.part.octets.buffer).not.toBe(shortMessage.buffer);
        }
      },
    ),
  );
});
