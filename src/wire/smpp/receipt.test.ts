import fc from "fast-check";
import { expect, test } from "vitest";
import { deliverSm } from "./pdu.ts";
import {
  canonicalMessageId,
  isReceipt,
  MESSAGE_STATE,
  makeReceiptText,
  parseReceiptText,
  readReceipt,
} from "./receipt.ts";
import { encodeUcs2 } from "./text.ts";
import type { Tlvs } from "./tlv.ts";

test.each<[string, string, ReturnType<typeof parseReceiptText>]>([
  [
    "Appendix B",
    "id:0123456789 sub:001 dlvrd:001 submit date:2603121015 done date:2603121016 stat:DELIVRD err:000 text:Hello",
    { messageId: "0123456789", state: "delivered", errorCode: "000" },
  ],
  [
    "capitals and seconds",
    "ID:ABC-1 SUB:001 DLVRD:000 SUBMIT DATE:260312101542 DONE DATE:260312101642 STAT:UNDELIV ERR:005 TEXT:",
    { messageId: "ABC-1", state: "undeliverable", errorCode: "005" },
  ],
  [
    "Jasmin: a UUID, no sub and dlvrd",
    "id:7f3c1f0e-9a9d-4a0e-b4f1-1b7f2f0a9c11 submit date:2603121015 done date:2603121016 stat:EXPIRED err:027",
    { messageId: "7f3c1f0e-9a9d-4a0e-b4f1-1b7f2f0a9c11", state: "expired", errorCode: "027" },
  ],
  ["only id and stat", "id:42 stat:REJECTD", { messageId: "42", state: "rejected" }],
  [
    "another order",
    "stat:ACCEPTD err:0 id:42 done date:2603121016",
    { messageId: "42", state: "accepted", errorCode: "0" },
  ],
  [
    "spaces behind the colons",
    "id: 42 sub: 001 stat: DELIVRD err: 000",
    { messageId: "42", state: "delivered", errorCode: "000" },
  ],
  ["spaces before them", "id : 42 stat : DELIVRD", { messageId: "42", state: "delivered" }],
  [
    "underscores",
    "id:42 submit_date:2603121015 done_date:2603121016 stat:DELIVRD",
    { messageId: "42", state: "delivered" },
  ],
  [
    "joined words",
    "id:42 submitdate:2603121015 donedate:2603121016 stat:DELIVRD",
    { messageId: "42", state: "delivered" },
  ],
  ["a four-digit year", "id:42 done date:202603121016 stat:DELIVRD", { messageId: "42", state: "delivered" }],
  [
    "a four-digit year and seconds",
    "id:42 done date:20260312101642 stat:DELIVRD",
    { messageId: "42", state: "delivered" },
  ],
  ["an ISO date", "id:42 done date:2026-03-12 10:16:42 stat:DELIVRD", { messageId: "42", state: "delivered" }],
  ["SMPP's own time", "id:42 done date:260312101642000+ stat:DELIVRD", { messageId: "42", state: "delivered" }],
  [
    "a date the calendar does not have",
    "id:42 done date:2602301016 stat:DELIVRD",
    { messageId: "42", state: "delivered" },
  ],
  ["an empty date", "id:42 submit date: done date: stat:DELIVRD err:", { messageId: "42", state: "delivered" }],
  [
    "full words",
    "message id:42 status:DELIVERED error code:0",
    { messageId: "42", state: "delivered", errorCode: "0" },
  ],
  [
    "msgid and a numbered state",
    "msgid=42, state=5, err=12",
    { messageId: "42", state: "undeliverable", errorCode: "12" },
  ],
  [
    "commas",
    "id:42,sub:001,dlvrd:001,stat:DELIVRD,err:000,text:",
    { messageId: "42", state: "delivered", errorCode: "000" },
  ],
  [
    "lines",
    "id:42\r\nsub:001\r\nstat:DELIVRD\r\nerr:000\r\n",
    { messageId: "42", state: "delivered", errorCode: "000" },
  ],
  ["quotes", `id:"42" stat:"DELIVRD"`, { messageId: "42", state: "delivered" }],
  [
    "cut off in the text",
    "id:42 sub:001 dlvrd:001 stat:DELIVRD err:000 tex",
    { messageId: "42", state: "delivered", errorCode: "000" },
  ],
  ["cut off in err", "id:42 sub:001 dlvrd:001 stat:DELIVRD er", { messageId: "42", state: "delivered" }],
  [
    "a field of its own",
    "id:42 nettype:1 stat:DELIVRD imsi:9 err:000",
    { messageId: "42", state: "delivered", errorCode: "000" },
  ],
  [
    "a text that mocks a receipt",
    "id:42 stat:UNDELIV text:id:43 stat:DELIVRD",
    { messageId: "42", state: "undeliverable" },
  ],
  ["a state nobody knows", "id:42 stat:FROBNIC", { messageId: "42", state: "unknown" }],
  ["hexadecimal err", "id:42 stat:UNDELIV err:0x45", { messageId: "42", state: "undeliverable", errorCode: "0x45" }],
  [
    "NULs",
    "id:4\u00002\0 stat:UNDELIV\0\0 err:0\u00001\0",
    { messageId: "42", state: "undeliverable", errorCode: "01" },
  ],
  ["no id", "stat:DELIVRD err:000", undefined],
  ["no stat", "id:42 err:000", undefined],
  ["an empty id", "id: stat:DELIVRD", undefined],
  ["a person's text", "Did you see my kid: he is 4", undefined],
  ["nothing", "", undefined],
])("the text form is read: %s", (_name, text, receipt) => {
  expect(parseReceiptText(text)).toEqual(receipt);
});

test.each([
  ["DELIVRD", "delivered"],
  ["delivered", "delivered"],
  ["EXPIRED", "expired"],
  ["EXPIRD", "expired"],
  ["DELETED", "deleted"],
  ["UNDELIV", "undeliverable"],
  ["Undeliverable", "undeliverable"],
  ["FAILED", "undeliverable"],
  ["ACCEPTD", "accepted"],
  ["ACCEPTED", "accepted"],
  ["UNKNOWN", "unknown"],
  ["REJECTD", "rejected"],
  ["REJECTED", "rejected"],
  ["ENROUTE", "enroute"],
  ["BUFFERED", "enroute"],
  ["SKIPPED", "skipped"],
  ["SCHEDULED", "scheduled"],
])("%s means %s", (word, state) => {
  expect(parseReceiptText(`id:1 stat:${word} err:000`)?.state).toBe(state);
});

const NUMBER = { ton: 1, npi: 1, address: "14155550100" };
const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const deliver = (text: string, esmClass: number, tlvs: Tlvs = {}, dataCoding = 0) =>
  deliverSm({ source: NUMBER, destination: NUMBER, shortMessage: ascii(text), esmClass, tlvs, dataCoding });

test("a receipt's text in a person's message is a person's message", () => {
  const pdu = deliver("id:42 stat:DELIVRD err:000", 0);
  expect(isReceipt(pdu)).toBe(false);
  expect(readReceipt(pdu)).toBeUndefined();
  expect(readReceipt({ ...pdu, esmClass: 0x04 })).toEqual({ messageId: "42", state: "delivered", errorCode: "000" });
});

test("a receipt is read from TLVs, with or without a text", () => {
  const tlvs = { receiptedMessageId: "7b", messageState: 5, networkErrorCode: Uint8Array.of(3, 1, 2) };
  expect(readReceipt(deliver("", 0x04, tlvs))).toEqual({ messageId: "7b", state: "undeliverable", errorCode: "258" });
  expect(readReceipt(deliver("", 0, tlvs))?.messageId).toBe("7b");
  const both = deliver("id:123 stat:DELIVRD err:000 done date:2603121016", 0x04, tlvs);
  expect(readReceipt(both)).toEqual({ messageId: "7b", state: "undeliverable", errorCode: "258" });
  expect(readReceipt(deliver("id:123 stat:UNDELIV err:77", 0x04, tlvs))?.errorCode).toBe("77");
});

test("a state TLV alone is completed by the text's id, and the other way round", () => {
  expect(readReceipt(deliver("id:9 stat:ENROUTE", 0x04, { messageState: 2 }))).toEqual({
    messageId: "9",
    state: "delivered",
  });
  expect(readReceipt(deliver("stat:DELIVRD", 0x04, { receiptedMessageId: "9" }))).toEqual({
    messageId: "9",
    state: "unknown",
  });
});

test("an unreadable receipt is still not a person's message", () => {
  const pdu = deliver("garbage", 0x04);
  expect(readReceipt(pdu)).toBeUndefined();
  expect(isReceipt(pdu)).toBe(true);
});

test("a receipt in UCS-2 or in message_payload is read", () => {
  const text = "id:42 stat:DELIVRD";
  const ucs2 = { ...deliver("", 0x04, {}, 8), shortMessage: encodeUcs2(text) };
  expect(readReceipt(ucs2)?.messageId).toBe("42");
  expect(readReceipt(deliver("", 0x04, { messagePayload: ascii(text) }))?.messageId).toBe("42");
});

test("what our SMSC writes is read back", () => {
  const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
  const minute = fc
    .integer({ min: 0, max: 20 * 365 * 1440 })
    .map((minutes) => new Date(Date.UTC(2020, 0, 1) + minutes * 60_000));
  fc.assert(
    fc.property(id, fc.constantFrom(...MESSAGE_STATE), minute, fc.string(), (messageId, state, doneAt, text) => {
      const written = makeReceiptText({ messageId, state, errorCode: "001", submittedAt: doneAt, doneAt, text });
      expect(parseReceiptText(written)).toEqual({ messageId, state, errorCode: "001" });
      expect(written.length).toBeLessThanOrEqual(254);
    }),
  );
});

test("any text and any PDU give a receipt or nothing", () => {
  const word = fc.constantFrom(
    "id:",
    "stat:",
    "err:",
    "done date:",
    "text:",
    " ",
    "DELIVRD",
    "42",
    '"',
    "=",
    "26031210",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 30 }), (words) => {
      parseReceiptText(words.join(""));
    }),
    { numRuns: 1000 },
  );
});

test("an id in hexadecimal and in decimal are one id", () => {
  expect(canonicalMessageId("0000001F", "hex")).toBe(canonicalMessageId("0031", "decimal"));
  expect(canonicalMessageId("7f3c-x", "hex")).toBe("7f3c-x");
});

test("the usual text, and whatever comes close to it, is read as any other", () => {
  const word = fc.constantFrom(
    "id",
    "sub",
    "stat",
    "err",
    "text",
    "DELIVRD",
    "UNDELIV",
    "expired",
    "1",
    "a-b_c",
    "000",
    "",
  );
  const mark = fc.constantFrom(":", " ", "=", "  ", "\0", ";", "");
  const usual = fc
    .tuple(word, word, word, word, mark)
    .map(
      ([id, count, state, error, end]) =>
        `id:${id} sub:${count} dlvrd:001 submit date:2611181010 done date:2611181011 stat:${state} err:${error} text${end}stat:FAILED`,
    );
  const spoiled = fc.tuple(usual, fc.nat(120), fc.oneof(word, mark)).map(([text, at, piece]) => {
    return text.slice(0, at) + piece + text.slice(at + 1);
  });
  fc.assert(
    fc.property(fc.oneof(usual, spoiled), (text) => {
      // With a space before it no text is the usual one.
      expect(parseReceiptText(text)).toEqual(parseReceiptText(` ${text}`));
    }),
    { numRuns: 2_000 },
  );
});
