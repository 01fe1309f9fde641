// The log reads PDUs of SMPP: what they say, whom they concern, and how a message ended.

import { expect, test } from "vitest";
import { dumpOf, readPdu } from "../../portal/src/screens/log/pdu.ts";

const hex = (text: string) => Buffer.from(text, "latin1").toString("hex");
const header = (command: string, length: string) => `${length}${command}0000000000000007`;
const address = (number: string) => `0101${hex(number)}00`;

function message(command: string, { esmClass = "00", text }: { readonly esmClass?: string; readonly text: string }) {
  const length = text.length.toString(16).padStart(2, "0");
  const middle = `${esmClass}0000000001000000`;
  return `${header(command, "00000000")}00${address("14155550150")}${address("17205550104")}${middle}${length}${hex(text)}`;
}

test("a text that is submitted names whom it is for", () => {
  const { fields, who, receipt } = readPdu(message("00000004", { text: "Hello" }));
  expect(who).toBe("+17205550104");
  expect(receipt).toBeUndefined();
  expect(fields).toContainEqual(["destination_addr", "17205550104"]);
  expect(fields).toContainEqual(["registered_delivery", "1"]);
  expect(fields).toContainEqual(["short_message", "Hello"]);
});

test("a text in UCS-2 is read, one of binary octets is shown as they are", () => {
  const coded = (coding: string, octets: string) => {
    const head = `${header("00000004", "00000000")}00${address("14155550150")}${address("17205550104")}`;
    return readPdu(`${head}00000000000000${coding}00${(octets.length / 2).toString(16).padStart(2, "0")}${octets}`)
      .fields;
  };
  expect(coded("08", "00480069")).toContainEqual(["short_message", "Hi"]);
  expect(coded("04", "00480069")).toContainEqual(["short_message", "00 48 00 69"]);
});

test("a receipt says how it ended, and its parameters have names", () => {
  const parameters = `001e0004${hex("7F3")}00042700010804230003030046`;
  const read = readPdu(`${message("00000005", { esmClass: "04", text: "id:7F3 stat:REJECTD err:070" })}${parameters}`);
  expect(read).toMatchObject({ who: "+14155550150", receipt: "REJECTD 070" });
  expect(read.fields).toContainEqual(["esm_class", "0x04 (receipt)"]);
  expect(read.fields).toContainEqual(["receipted_message_id", "7F3"]);
  expect(read.fields).toContainEqual(["message_state", "8 (REJECTED)"]);
  expect(read.fields).toContainEqual(["network_error_code", "03 00 46"]);
  const arrived = readPdu(message("00000005", { esmClass: "04", text: "id:1 stat:DELIVRD err:000" }));
  expect(arrived.receipt).toBe("DELIVRD");
});

test("an answer has the carrier's id", () => {
  expect(readPdu(`${header("80000004", "00000014")}${hex("7F3A")}00`).fields).toEqual([["message_id", "7F3A"]]);
});

test("whatever is cut off or no PDU is read as far as it goes", () => {
  const whole = message("00000004", { text: "Hello" });
  for (let end = 0; end <= whole.length; end++) expect(() => readPdu(whole.slice(0, end))).not.toThrow();
  for (const text of ["", "zz", "ff".repeat(2000)]) expect(() => readPdu(text)).not.toThrow();
});

test("octets are shown with their place and their signs", () => {
  expect(dumpOf(hex("Tandem\0over sixteen"))).toBe(
    [
      "0000  54 61 6e 64 65 6d 00 6f 76 65 72 20 73 69 78 74  Tandem.over sixt",
      `0010  ${"65 65 6e".padEnd(47)}  een`,
    ].join("\n"),
  );
});
