import { expect, test } from "vitest";
import { inviteDraft, read } from "../../../test/fakes/sip-legs.ts";
import { refusalOf } from "./request-check.ts";
import { type RequestDraft, writeRequest } from "./write.ts";

const refused = (changes: Partial<RequestDraft>) =>
  refusalOf(read(writeRequest(inviteDraft(changes), "SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKcheck")));

test.each<[string, Partial<RequestDraft>]>([
  ["an INVITE with an SDP", {}],
  ["an INVITE without a body", { body: "" }],
  ["a body of another type outside of an INVITE", { method: "OPTIONS", contentType: "text/plain", body: "x" }],
  ["extensions that we know", { lines: "Require: 100rel, Timer\r\n" }],
  ["the last hop", { maxForwards: 1 }],
  ["an Accept with SDP", { lines: "Accept: text/plain, application/sdp;level=1\r\n" }],
  ["an Accept with everything", { lines: "Accept: */*\r\n" }],
  ["an encoding that changes nothing", { lines: "Content-Encoding: Identity\r\n" }],
  ["a short interval without support for timers", { lines: "Session-Expires: 60\r\n" }],
  ["the shortest interval", { lines: "Supported: timer\r\nSession-Expires: 90\r\n" }],
])("%s is acceptable", (_, changes) => {
  expect(refused(changes)).toBeUndefined();
});

test.each<[string, Partial<RequestDraft>, number]>([
  ["a method that we do not support", { method: "MESSAGE" }, 405],
  ["a transfer", { method: "REFER" }, 603],
  ["a method that we do not know", { method: "DANCE" }, 501],
  ["a URI of another scheme", { uri: "mailto:a@b" }, 416],
  ["the end of the hops", { maxForwards: 0 }, 483],
  ["a body of another type", { contentType: "text/plain" }, 415],
  ["a compressed SDP", { lines: "Content-Encoding: gzip\r\n" }, 415],
  ["an Accept without SDP", { lines: "Accept: text/plain\r\n" }, 406],
  ["an interval that is too short", { lines: "Supported: timer\r\nSession-Expires: 89\r\n" }, 422],
])("%s is refused", (_, changes, status) => {
  expect(refused(changes)).toMatchObject({ status });
});

test("an extension that we do not know is named in the refusal", () => {
  expect(refused({ lines: "Require: 100rel, foo\r\n" })).toEqual({ status: 420, lines: "Unsupported: foo\r\n" });
});
