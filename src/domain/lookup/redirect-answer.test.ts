import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readContacts } from "./redirect-answer.ts";

const NUMBER = "+12155550123";
const FOUND = { kind: "found", routingNumber: "+12155550199" };

function read(...contacts: string[]) {
  const result = readContacts({ number: NUMBER, carriers: new Map([["4711", "Example Mobile"]]) }, contacts);
  return result.ok ? result.value : result.refusal;
}

describe("the Contact of a redirect server", () => {
  test.each([
    `sip:${NUMBER};rn=+12155550199;npdi@192.0.2.1`,
    `sip:${NUMBER};npdi=yes;rn=2155550199@192.0.2.1:5060;user=phone`,
    "sip:12155550123;rn=12155550199;npdi=yes@lrn.example",
    "sip:2155550123;rn=2155550199;npdi=yes;cic=+16789@lrn.example",
    `sip:${NUMBER}@192.0.2.1;rn=+12155550199;npdi`,
    `sips:${NUMBER};npdi@[2001:db8::1]:5061;rn=2155550199;rn-context=+1;transport=tls`,
    `sip:${NUMBER};rn=+12155550199@192.0.2.1;rn=+12155550198?Subject=x`,
    `tel:${NUMBER};npdi;rn=+1-215-555-0199`,
  ])("%s tells the routing number", (uri) => {
    expect(read(uri)).toEqual(FOUND);
  });

  test("tells that a number is not ported, or nothing of it", () => {
    expect(read(`sip:${NUMBER};npdi@192.0.2.1`)).toEqual({ kind: "found" });
    expect(read(`sip:${NUMBER}@192.0.2.1;npdi=yes`)).toEqual({ kind: "found" });
    expect(read(`sip:${NUMBER};cic=+16789@192.0.2.1`)).toEqual({ kind: "notFound" });
    expect(read(`sip:${NUMBER};npdi;spn=4711@192.0.2.1`)).toEqual({ kind: "found", carrierName: "Example Mobile" });
  });

  test("counts only if it is of the number that was asked for, and the first that tells something counts", () => {
    const other = "sip:+12155550124;rn=+12155550198;npdi@192.0.2.1";
    expect(read(other)).toBe("unreadable");
    expect(read(other, `sip:${NUMBER}@192.0.2.1`, `sip:${NUMBER};rn=+12155550199;npdi@192.0.2.1`)).toEqual(FOUND);
    expect(read()).toBe("unreadable");
  });

  test.each([
    `sip:${NUMBER};rn=;npdi@192.0.2.1`,
    `sip:${NUMBER};rn=+442079460000;npdi@192.0.2.1`,
    `sip:${NUMBER};npdi;NPDI@192.0.2.1`,
    `sip:${NUMBER};npdi@192.0.2.1;rn=%`,
    `sip:${NUMBER};npdi`,
    "sip:192.0.2.1;npdi",
    "sip:alice@192.0.2.1;npdi",
    `mailto:${NUMBER};npdi@192.0.2.1`,
    "*",
    "",
  ])("%j is not believed", (uri) => {
    expect(read(uri)).toBe("unreadable");
  });

  test("may be anything, and never gives a routing number outside the asked number's plan", () => {
    const pieces = ["sip:", "tel:", NUMBER, ";", "npdi", "rn=", "2155550199", "+44", "@", "192.0.2.1", "?", "%2B", "="];
    const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 3 }));
    const uri = fc.array(piece, { maxLength: 12 }).map((all) => all.join(""));
    fc.assert(
      fc.property(fc.array(uri, { maxLength: 4 }), (contacts) => {
        const result = readContacts({ number: NUMBER }, contacts);
        if (!result.ok || result.value.kind === "notFound") return;
        expect(result.value.routingNumber ?? "+12155550199").toMatch(/^\+1\d{10}$/);
      }),
      { numRuns: 300 },
    );
  });
});
