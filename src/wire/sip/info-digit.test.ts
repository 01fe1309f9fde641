import { expect, test } from "vitest";
import { inviteDraft, read } from "../../../test/fakes/sip-legs.ts";
import { digitOfInfo } from "./info-digit.ts";
import { writeRequest } from "./write.ts";

const digitOf = (contentType: string, body: string) =>
  digitOfInfo(read(writeRequest(inviteDraft({ method: "INFO", contentType, body }), "SIP/2.0/UDP a;branch=z9hG4bKi")));

test.each([
  ["application/dtmf-relay", "Signal=5\r\nDuration=120\r\n", { digit: "5", ms: 120 }],
  ["application/dtmf-relay", "Signal= 10\r\n", { digit: "*", ms: 160 }],
  ["application/dtmf-relay", "Signal=1\r\nDuration=99999\r\n", { digit: "1", ms: 8000 }],
  ["application/dtmf-relay", "Signal=1\r\nDuration=0\r\n", { digit: "1", ms: 1 }],
  ["application/dtmf", "d\r\n", { digit: "D", ms: 160 }],
  ["application/dtmf", "15", { digit: "D", ms: 160 }],
])("%s with %j is a digit", (type, body, digit) => {
  expect(digitOf(type, body)).toEqual(digit);
});

test.each([
  ["application/dtmf-relay", "Duration=120\r\n"],
  ["application/dtmf-relay", "Signal=16\r\n"],
  ["application/dtmf", "x"],
  ["text/plain", "5"],
])("%s with %j is none", (type, body) => {
  expect(digitOf(type, body)).toBeUndefined();
});
