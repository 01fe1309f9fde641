import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCallDestination } from "../../rules/call-destination.ts";
import { CallScriptError, callScript, type DialOptions } from "../../sdk/src/index.ts";
import { parseNumber } from "../../src/domain/lookup/index.ts";
import { readScript } from "../../src/domain/voice/index.ts";

/** Reads a script as the server reads a webhook's response. */
function readByServer(script: string) {
  return readScript(new TextEncoder().encode(script), (text) =>
    readCallDestination(text, (number) => {
      const parsed = parseNumber(number);
      return parsed.ok ? { ok: true, value: parsed.value.e164 } : parsed;
    }),
  );
}

/** Undefined if the builder refuses. */
function built(build: () => string): string | undefined {
  try {
    return build();
  } catch (error) {
    if (error instanceof CallScriptError) return undefined;
    throw error;
  }
}

const RUNS = { numRuns: 2_000 };
const CODES = "1 1310 7 44 441624 49 61 290 2908 599 5993 672 800 881 979 999".split(" ");
const number = fc
  .tuple(fc.constantFrom(...CODES), fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 14 }))
  .map(([code, rest]) => `+${code}${rest}`);
const PIECES = `sip: sips: alice bob%20 %0d @ : ; ? = & example.com a..b 127.0.0.1 1.2.3.256 [::1] [1::2::3] 5060 99999
  transport=TLS ;transport=tls X-Order=7 From=x Content-Type=y Subject= < > " ' é`.split(/\s+/);
const uri = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 8 })
  .map((pieces) => `sip:alice@example.com${pieces.join("")}`);
const pieced = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(""));
const destination = fc.oneof(number, uri, pieced, fc.string(), fc.string({ unit: "binary" }));
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("&", "<", ">", "]]>", "<b>", "<!", "&amp;", " ", "\n", "\u0000", "\ud800", "👋", "a", '"'))
    .map((pieces) => pieces.join("")),
  fc.constantFrom("&".repeat(4_000), "👋".repeat(4_000), "a".repeat(4_001), "<".repeat(3_200)),
);

test("whatever is dialled, the server accepts the script as it was meant, or none is built", () => {
  const options = fc.constantFrom<DialOptions>({}, { record: true }, { record: false });
  fc.assert(
    fc.property(destination, options, (to, dial) => {
      const script = built(() => callScript.dial(to, dial));
      if (script === undefined) return;
      expect(readByServer(script)).toMatchObject({ ok: true, value: [{ kind: "dial", record: dial.record ?? null }] });
    }),
    RUNS,
  );
});

test("whatever is said, the server speaks just that, or no script is built", () => {
  fc.assert(
    fc.property(text, (said) => {
      const script = built(() => callScript.hangUp(said));
      if (script === undefined) return;
      const spoken = said.replace(/\s+/gu, " ").trim();
      const texts = spoken === "" ? [] : [{ kind: "say", text: spoken }];
      expect(readByServer(script)).toEqual({ ok: true, value: [...texts, { kind: "hangUp" }] });
    }),
    RUNS,
  );
});

describe("what the server accepts is built", () => {
  test("numbers of any country", () => {
    fc.assert(
      fc.property(number, (to) => {
        const parsed = parseNumber(to);
        // The server also accepts national prefixes (+44 0 20…), which are not E.164.
        fc.pre(parsed.ok && parsed.value.e164 === to && parsed.value.planType !== undefined);
        expect(callScript.dial(to)).toContain(to);
      }),
      { numRuns: 300, maxSkipsPerRun: 1_000 },
    );
  });

  test("SIP URIs with a port, a transport and headers", () => {
    for (const to of [
      "sip:alice@example.com",
      "sip:alice@127.0.0.1:5060;transport=TCP",
      "sip:alice@[2001:db8::1]?X-Order=7&Subject=Hi%20there",
    ]) {
      expect(readByServer(callScript.dial(to))).toEqual({ ok: true, value: [{ kind: "dial", to, record: null }] });
    }
  });

  test("texts of full length, and none", () => {
    expect(readByServer(callScript.hangUp("👋".repeat(4_000)))).toMatchObject({ ok: true });
    expect(readByServer(callScript.hangUp())).toEqual({ ok: true, value: [{ kind: "hangUp" }] });
  });
});

test("a refusal says why", () => {
  expect(() => callScript.dial("+1999")).toThrow("too short or too long");
  expect(() => callScript.dial("sip:a b@example.com")).toThrow(CallScriptError);
  expect(() => callScript.hangUp("<speak>Hi</speak>")).toThrow("markup");
  expect(() => callScript.hangUp("&".repeat(4_000))).toThrow("16384 bytes");
});
