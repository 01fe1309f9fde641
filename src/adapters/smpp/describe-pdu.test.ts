import fc from "fast-check";
import { expect, test } from "vitest";
import { describePdu as describe } from "./describe-pdu.ts";

const hex = (text: string) => Buffer.from(text, "latin1").toString("hex");
const address = (number: string) => `0101${hex(number)}00`;

function pdu(command: string, body: string): Uint8Array {
  const length = (16 + body.length / 2).toString(16).padStart(8, "0");
  return Buffer.from(`${length}${command}0000000000000007${body}`, "hex");
}

function message(command: string, { esmClass = "00", coding = "00", octets = "", parameters = "" }): Uint8Array {
  const length = (octets.length / 2).toString(16).padStart(2, "0");
  const addresses = `${address("14155550150")}${address("17205550104")}`;
  return pdu(command, `00${addresses}${esmClass}000000000100${coding}00${length}${octets}${parameters}`);
}

const SUBMIT = "00000004";
const DELIVER = "00000005";

test("a text that is submitted names whom it is for", () => {
  const { fields, party, receipt } = describe(message(SUBMIT, { octets: hex("Hello") }));
  expect([party, receipt]).toEqual(["+17205550104", null]);
  expect(fields).toContainEqual(["destination_addr", "17205550104"]);
  expect(fields).toContainEqual(["registered_delivery", "1"]);
  expect(fields).toContainEqual(["short_message", "Hello"]);
});

test("a text is shown in its alphabet, and one of binary octets as they are", () => {
  const shown = (coding: string, octets: string) => describe(message(SUBMIT, { coding, octets })).fields;
  expect(shown("08", "00480069")).toContainEqual(["short_message", "Hi"]);
  expect(shown("00", "1b65")).toContainEqual(["short_message", "€"]);
  expect(shown("04", "00480069")).toContainEqual(["short_message", "00 48 00 69"]);
});

test("a part of a long text says which one it is, and its header is not taken for text", () => {
  const { fields } = describe(message(SUBMIT, { esmClass: "40", octets: `050003070201${hex("Hello")}` }));
  expect(fields).toContainEqual(["part", "1 of 2, reference 7 (udh8)"]);
  expect(fields).toContainEqual(["short_message", "Hello"]);
});

test("a receipt says how it ended, and its parameters have names", () => {
  const parameters = `001e0004${hex("7F3")}00042700010804230003030046`;
  const rejected = message(DELIVER, { esmClass: "04", octets: hex("id:7F3 stat:REJECTD err:070"), parameters });
  const { fields, party, receipt } = describe(rejected);
  expect(party).toBe("+14155550150");
  expect(receipt).toEqual({ state: "rejected", errorCode: "070" });
  expect(fields).toContainEqual(["esm_class", "0x04 (receipt)"]);
  expect(fields).toContainEqual(["receipted_message_id", "7F3"]);
  expect(fields).toContainEqual(["message_state", "8 (rejected)"]);
  expect(fields).toContainEqual(["network_error_code", "03 00 46"]);
});

test("an answer has the carrier's id", () => {
  expect(describe(pdu("80000004", `${hex("7F3A")}00`))).toEqual({
    statusName: "ESME_ROK",
    fields: [["message_id", "7F3A"]],
    party: null,
    receipt: null,
  });
});

test("what is no PDU is said to be none", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (octets) => void describe(octets)));
  const whole = message(SUBMIT, { octets: hex("Hello") });
  for (let end = 0; end < whole.length; end++) {
    expect(describe(whole.subarray(0, end)).fields).toEqual([["unreadable", expect.any(String)]]);
  }
});
