import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCallDestination } from "./call-destination.ts";

const ok = (value: string) => ({ ok: true, value }) as const;
const parseNumber = (text: string) =>
  /^\+?\d{7,15}$/.test(text)
    ? ok(`+${text.replace("+", "")}`)
    : ({ ok: false, refusal: { reason: "This is not a number." } } as const);
const read = (text: string) => readCallDestination(text, parseNumber);

describe("calls may be sent to", () => {
  test("a number, which is stored in E.164", () => expect(read("14155550190")).toStrictEqual(ok("+14155550190")));

  test.each([
    "sip:alice@example.com",
    "sip:+14155550190@pbx.example.com:5070",
    "sip:alice@example.com;transport=TLS",
    "SIP:alice@example.com;transport=tcp",
    "sip:alice@example.com;transport=TLS;media=srtp",
    "sip:alice@example.com;media=latch",
    "sip:alice@example.com;transport=tls;media=latch+srtp",
    "sip:alice@example.com;Media=SRTP;transport=tls?X-Tenant=7",
    "sip:alice@example.com?X-Tenant=7&X-Reason=a%20call",
    "sip:alice@192.0.2.7:5061;transport=udp?X-Tenant=7",
    "sip:1001@[2001:db8::1]:5060",
    "sip:a%20b!'()*@x-y.example",
    "sip:alice@localhost",
  ])("%s", (uri) => expect(read(uri)).toStrictEqual(ok(uri)));
});

describe("calls may not be sent to", () => {
  test.each([
    ["", "not a number"],
    ["alice@example.com", "begins with sip:"],
    ["tel:+14155550190", "begins with sip:"],
    ["sips:alice@example.com", "transport=TLS"],
    ["sip:example.com", "not a SIP URI"],
    ["sip:@example.com", "before the @"],
    ["sip:alice@", "host"],
    ["sip:alice@exa mple.com", "host"],
    ["sip:alice:secret@example.com", "before the @"],
    ["sip:ali ce@example.com", "before the @"],
    ["sip:a%0d%0ab@example.com", "before the @"],
    ["sip:a%4@example.com", "before the @"],
    ["sip:alice@-example.com", "host"],
    ["sip:alice@example..com", "host"],
    ["sip:alice@300.1.1.1", "host"],
    ["sip:alice@1.2.3", "host"],
    ["sip:alice@[::g]", "host"],
    ["sip:alice@[:::]", "host"],
    ["sip:alice@example.com:0", "port"],
    ["sip:alice@example.com:65536", "port"],
    ["sip:alice@example.com;transport=sctp", "transport"],
    ["sip:alice@example.com;transport=tcp;transport=tls", "transport"],
    ["sip:alice@example.com;maddr=10.0.0.1", "transport"],
    ["sip:alice@example.com;transport=tls;media=video", "media"],
    ["sip:alice@example.com;transport=tls;media=srtp;media=srtp", "media"],
    ["sip:alice@example.com;media=latch+srtp", "media=srtp needs transport=TLS"],
    ["sip:alice@example.com;media=latch+latch", "media"],
    ["sip:alice@example.com;media=srtp", "media=srtp needs transport=TLS"],
    ["sip:alice@example.com;transport=tcp;media=srtp", "media=srtp needs transport=TLS"],
    ["sip:alice@example.com;;transport=tls", "transport"],
    ["sip:alice@example.com;transport=tls;", "transport"],
    ["sip:alice@example.com?", "Headers"],
    ["sip:alice@example.com?X=1=2", "Headers"],
    ["sip:alice@example.com?X", "Headers"],
    ["sip:alice@example.com?X-A=b%0d%0aVia: x", "Headers"],
    ["sip:alice@example.com?X-A=b%0a", "Headers"],
    ["sip:alice@example.com?%46rom=x", "Headers"],
    ["sip:alice@example.com?from=bob", "header from"],
    ["sip:alice@example.com?X-A=1&Route=x", "header Route"],
    ["sip:alice@example.com?p-asserted-identity=x", "header p-asserted-identity"],
    ["sip:alice@example.com?Content-Disposition=x", "header Content-Disposition"],
    ["sip:alice@example.com?Replaces=x", "header Replaces"],
    ["sip:alice@example.com?K=timer", "header K"],
    [`sip:alice@example.com?${"a=b&".repeat(10)}a=b`, "10 headers"],
    [`sip:${"a".repeat(300)}@example.com`, "256"],
  ])("%j", (text, word) => {
    const result = read(text);
    expect(result).toMatchObject({ ok: false, refusal: expect.stringContaining(word) });
  });
});

test("any text is judged, and what is let through holds nothing that could break a request", () => {
  const piece = fc.constantFrom(
    "sip:",
    "a",
    "@",
    "x.example",
    ":",
    "5060",
    ";",
    "transport=",
    "tls",
    "?",
    "X=",
    "&",
    "%0d",
    "\r\n",
    "[",
    "::1",
    "]",
    "%",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.array(piece, { maxLength: 14 }).map((list) => list.join("")),
  );
  fc.assert(
    fc.property(text, (given) => {
      const result = read(given);
      if (result.ok) expect(result.value).toMatch(/^[\x21-\x7e]{1,256}$/);
      if (result.ok) expect(result.value).not.toMatch(/%(0[0-9a-f]|1[0-9a-f]|7f)/i);
    }),
    { numRuns: 2000 },
  );
});
