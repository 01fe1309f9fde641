import fc from "fast-check";
import { expect, test } from "vitest";
import { UsageError } from "../../exit-codes.ts";
import { readNumbers, readOptOuts } from "./twilio-csv.ts";

test("the console's list of numbers is read, with names and capabilities in any of their spellings", () => {
  const header = ["Phone Number", "Friendly Name", "Capabilities"];
  const rows = [
    ["+1 (415) 555-0100", "Support", "Voice, SMS, MMS"],
    ["'+14155550101", "(415) 555-0101", '{"voice":false,"sms":true,"mms":false,"fax":true}'],
    ["+14155550102", "", ""],
    ["+14155550100", "Again", ""],
    ["n/a", "", ""],
  ];
  expect(readNumbers([header, ...rows], null)).toEqual({
    items: [
      { number: "+14155550100", name: "Support", features: ["SMS", "MMS", "VOICE"] },
      { number: "+14155550101", name: null, features: ["SMS"] },
      { number: "+14155550102", name: null, features: undefined },
    ],
    leftOut: [
      { row: 4, reason: "+14155550100 is listed twice." },
      { row: 5, reason: '"n/a" is no number such as +14155550100.' },
    ],
  });
});

test("a column for each capability is read, too", () => {
  const rows = [
    ["phone_number", "capabilities.voice", "capabilities.sms", "capabilities.mms"],
    ["+14155550100", "true", "true", "false"],
  ];
  expect(readNumbers(rows, null).items).toEqual([{ number: "+14155550100", name: null, features: ["SMS", "VOICE"] }]);
});

test("a number without a plus is one of the account's country where it is valid there, and E.164 digits otherwise", () => {
  const numbers = ["(415) 555-0100", "14155550101", "'020 7946 0123", "442079460124", "+442079460125"];
  const listed = (country: string | null) =>
    readNumbers([["Phone Number"], ...numbers.map((number) => [number])], country).items.map(({ number }) => number);
  expect(listed("US")).toEqual(["+14155550100", "+14155550101", "+442079460124", "+442079460125"]);
  expect(listed("GB")).toEqual(["+14155550101", "+442079460123", "+442079460124", "+442079460125"]);
  expect(listed(null)).toEqual(["+14155550101", "+442079460124", "+442079460125"]);
  const log = [
    ["From", "To", "Body", "Direction"],
    ["415-555-0111", "415-555-0100", "STOP", "inbound"],
  ];
  expect(readOptOuts(log, "US").items).toEqual([{ number: "+14155550111", from: "+14155550100" }]);
});

test("a list of opt-outs is read, with the number that they do not want to hear from where it is given", () => {
  const rows = [
    ["To", "From"],
    ["+14155550111", "+14155550100"],
    ["+14155550112", "MG123"],
    ["", ""],
  ];
  expect(readOptOuts(rows, null)).toEqual({
    items: [
      { number: "+14155550111", from: "+14155550100" },
      { number: "+14155550112", from: undefined },
    ],
    leftOut: [{ row: 3, reason: '"" is no number.' }],
  });
});

test("of a log of messages the last word of each person counts", () => {
  const header = ["From", "To", "Body", "Status", "SentDate", "ErrorCode", "Direction"];
  const inbound = (from: string, body: string, date: string) => [
    from,
    "+14155550100",
    body,
    "received",
    date,
    "",
    "inbound",
  ];
  const log = [
    header,
    inbound("+14155550111", " Stop. ", "2026-01-02T00:00:00Z"),
    inbound("+14155550112", "STOP", "2026-01-01T00:00:00Z"),
    inbound("+14155550112", "START", "2026-01-03T00:00:00Z"),
    inbound("+14155550113", "please stop that", "2026-01-01T00:00:00Z"),
    ["+14155550100", "+14155550114", "Hi", "failed", "2026-01-01T00:00:00Z", "21610", "outbound-api"],
    ["+14155550100", "+14155550115", "STOP", "delivered", "2026-01-01T00:00:00Z", "", "outbound-api"],
    ["whatsapp:+1", "+14155550100", "STOP", "received", "", "", "inbound"],
  ];
  expect(readOptOuts(log, null)).toEqual({
    items: [
      { number: "+14155550111", from: "+14155550100" },
      { number: "+14155550114", from: "+14155550100" },
    ],
    leftOut: [{ row: 7, reason: "It opts out, but its numbers cannot be read." }],
  });
});

test("a log without dates is taken for the newest first, as it is exported", () => {
  const header = ["From", "To", "Body", "Direction"];
  const rows = ["START", "STOP"].map((body) => ["+14155550111", "+14155550100", body, "inbound"]);
  expect(readOptOuts([header, ...rows], null).items).toEqual([]);
  expect(readOptOuts([header, ...rows.reverse()], null).items).toHaveLength(1);
});

test("a file without the columns is refused with their names", () => {
  expect(() => readNumbers([["a", "b"]], null)).toThrow(UsageError);
  expect(() => readOptOuts([["a", "b"]], null)).toThrow("There is no column with the people");
});

test("any cells are read", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string(), { maxLength: 4 }), { maxLength: 8 }), (rows) => {
      for (const header of [
        ["Phone Number", "Capabilities"],
        ["To", "From"],
        ["From", "To", "Body", "Direction"],
      ]) {
        const { items, leftOut } =
          header[0] === "Phone Number" ? readNumbers([header, ...rows], null) : readOptOuts([header, ...rows], null);
        expect(items.length + leftOut.length).toBeLessThanOrEqual(rows.length);
      }
    }),
  );
});
