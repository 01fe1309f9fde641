import fc from "fast-check";
import { expect, test } from "vitest";
import { phoneOfSid, twilioPhoneSid } from "./phone-sid.ts";

test("a number's sid is read back, that of a short code with leading zeros too", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+?\d{1,15}$/), (number) => {
      const sid = twilioPhoneSid(number);
      expect(sid).toMatch(/^PN[0-9a-f]{32}$/);
      expect(phoneOfSid(sid ?? "")).toBe(number);
    }),
  );
});

test("what is no number has no sid, and what is no sid no number", () => {
  expect(twilioPhoneSid("sip:alice@pbx.example")).toBeNull();
  expect(phoneOfSid(`PN${"0".repeat(32)}`)).toBeUndefined();
});
