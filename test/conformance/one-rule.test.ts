// Server, SDK and portal read texts, SIP URIs and numbers by one rule. The tests compare results: the PDUs that are
// sent, the script that is built and read, the number that is stored, looked up or shown.

import fc from "fast-check";
import { type CountryCode, getCountries, getExampleNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { SegmentedMessage } from "sms-segments-calculator";
import { expect, test } from "vitest";
import { countSegments as countInComposer } from "../../rules/sms/segment.ts";
import { CallScriptError, callScript, countSegments, parseNumber } from "../../sdk/src/index.ts";
import { readE164 } from "../../src/adapters/http/reading/read-number.ts";
import { linkSettings } from "../../src/adapters/smpp/link-settings.ts";
import { submitsOf } from "../../src/adapters/smpp/outgoing.ts";
import { newMessage } from "../../src/domain/messaging/message.ts";
import { readDestination, readScript } from "../../src/domain/voice/index.ts";
import { DIAL_RULES } from "../fakes/dial-rules.ts";
import { outgoing } from "../fakes/outgoing.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "../faults/form.ts";

const RUNS = { numRuns: roundsOf({ quick: 5_000, long: 100_000 }) };
const LINK = linkSettings.parse({ name: "a", host: "b", systemId: "c", password: "d" });
const NOW_MS = Date.UTC(2026, 10, 15, 12);

/** The number of PDUs that are sent. */
function pdusOf(text: string): number {
  const message = outgoing({ text, expiresOn: new Date(NOW_MS + 1000) });
  const submits = submitsOf(message, LINK, 1, NOW_MS);
  return submits.ok ? submits.value.length : expect.fail(`refused with ${submits.refusal}`);
}

/** The segment count in a message's record. */
function countOfRecord(text: string): number {
  return newMessage({ ...outgoing({ text }), text } as unknown as Parameters<typeof newMessage>[0]).segmentCount;
}

test("152 letters, a euro and 152 letters are three segments: an escape pair is not torn", () => {
  const text = `${"a".repeat(152)}€${"a".repeat(152)}`;
  expect(countInComposer(text)).toEqual({ encoding: "GSM7", count: 3, units: 306, unitsMax: 459 });
  expect([countSegments(text).count, countOfRecord(text), pdusOf(text)]).toEqual([3, 3, 3]);
  expect(new SegmentedMessage(text).segmentsCount).toBe(3);
});

const letters = fc.constantFrom(..."a€[é\nж", "\r\n", "😀", "👨‍👩‍👧‍👦", "🇮🇹", "e\u0301", "\ud83d", "한", "\u200d");
const text = fc
  .tuple(fc.nat(330), fc.constantFrom("a", "ж", "€"), fc.array(letters, { maxLength: 40 }), fc.nat(170))
  .map(([lead, filler, pieces, tail]) => filler.repeat(lead) + pieces.join("") + "a".repeat(tail));

test(
  "composer, SDK and server agree on the segments of any text",
  () => {
    fc.assert(
      fc.property(text, (given) => {
        const { count } = countInComposer(given);
        expect([countSegments(given).count, countOfRecord(given), pdusOf(given)]).toEqual([count, count, count]);
      }),
      RUNS,
    );
  },
  LONG_TIMEOUT_MS,
);

/** What the SDK builds, and how the server reads it. */
function dialled(
  to: string,
  country: string | null,
): { readonly sdk: string | undefined; readonly server: string | undefined } {
  const read = readDestination(to, DIAL_RULES, country);
  const server = read.ok && !read.value.isEmergency ? read.value.text : undefined;
  try {
    const script = callScript.dial(to, country === null ? {} : { country });
    const dial = readScript(new TextEncoder().encode(script), (text) => ({ ok: true, value: text }));
    const [only] = dial.ok ? dial.value : [];
    return { sdk: only?.kind === "dial" ? only.to : "unreadable", server };
  } catch (error) {
    if (error instanceof CallScriptError) return { sdk: undefined, server };
    throw error;
  }
}

const PIECES =
  `sip: SIP: sips: tel: alice bob%20 %0d %41 @ : ; ;; ? = & # _ . - example.com a..b x_y.example 127.0.0.1 1.2.3.256 1.2.3
  [::1] [1::2::3] [ ] 0 05060 5060 99999 65536 transport=TLS ;transport=tls ;transport=sctp ;lr X-Order=7 ?X-Order=7 &Y=%20 From=x
  Content-Type=y Subject= < > " ' é 中 +14155550100`.split(/\s+/);
const loose = fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }).map((pieces) => pieces.join(""));
const uri = fc.oneof(
  loose.map((rest) => `sip:alice@example.com${rest}`),
  loose.map((rest) => `sip:${rest}`),
  loose,
);

test(
  "SDK and server accept the same SIP URIs, as they stand",
  () => {
    fc.assert(
      fc.property(uri, (to) => {
        const { sdk, server } = dialled(to, null);
        expect(sdk, to).toBe(server);
        if (sdk?.startsWith("sip:")) expect(sdk).toBe(to);
      }),
      RUNS,
    );
  },
  LONG_TIMEOUT_MS,
);

const COUNTRIES = getCountries();
const country = fc.option(fc.constantFrom(...COUNTRIES), { nil: null });
const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 3, maxLength: 15 });

/** Close to a number that exists, in one of the spellings of its country. */
const spelled = fc
  .tuple(fc.constantFrom(...COUNTRIES), fc.nat(3), fc.array(fc.tuple(fc.nat(14), digits), { maxLength: 2 }))
  .map(([of, form, changes]) => {
    const example = getExampleNumber(of, examples);
    if (!example) return "0";
    const spellings = [example.number, example.number.slice(1), example.nationalNumber, example.formatNational()];
    return changes.reduce(
      (number, [at, [digit = "0"]]) => number.slice(0, at) + digit + number.slice(at + 1),
      spellings[form] ?? "",
    );
  });
const number = fc.oneof(
  spelled,
  digits,
  digits.map((given) => `+${given}`),
  fc.string({ unit: "binary", maxLength: 20 }),
);

test(
  "SDK, portal and server read the same number, whatever its spelling and the country",
  () => {
    fc.assert(
      fc.property(number, country, (given, home) => {
        const read = parseNumber(given, home);
        const e164 = read.ok ? read.value.e164 : undefined;
        const server = readE164(given, home);
        expect(server.ok ? server.value : undefined).toBe(e164);
        // A premium or an emergency number is refused when it is called, not when it is parsed.
        const called = readDestination(given, DIAL_RULES, home);
        if (called.ok && !called.value.isEmergency) expect(called.value.text).toBe(e164);
        if (!/[@:]/.test(given)) expect(dialled(given, home).sdk).toBe(e164);
      }),
      RUNS,
    );
  },
  LONG_TIMEOUT_MS,
);

test("in every country, its numbers are read as people there write them", () => {
  const wrong = COUNTRIES.flatMap((home) => {
    const example = getExampleNumber(home, examples);
    if (!example?.isValid()) return [];
    const spellings = [example.formatNational(), example.nationalNumber, example.number.slice(1), example.number];
    return spellings
      .map((given) => parseNumber(given, home))
      .filter((read) => !read.ok || read.value.e164 !== example.number)
      .map((read) => [home, example.number, read]);
  });
  expect(wrong).toEqual([]);
});

test("what is valid in the country is read as libphonenumber reads it there", () => {
  fc.assert(
    fc.property(spelled, fc.constantFrom(...COUNTRIES), (given, home) => {
      const theirs = parsePhoneNumberFromString(given, { defaultCountry: home as CountryCode, extract: false });
      const plain = given.replace(/\D/g, "");
      const code = theirs?.countryCallingCode ?? "";
      // The library also accepts international dialling prefixes, before the country's own calling code too.
      const before = plain.slice(0, -(theirs?.nationalNumber.length ?? 0));
      const isDialledAbroad = before.endsWith(code) && before !== code;
      const isOfCountry = theirs?.isValid() === true && code === callingCodeOf(home);
      fc.pre(isOfCountry && !isDialledAbroad && !given.startsWith("+"));
      const ours = parseNumber(given, home);
      const whole = parsePhoneNumberFromString(`+${plain}`, { extract: false });
      const isWhole = plain.startsWith(code) && whole?.isValid() === true;
      expect(ours.ok && ours.value.e164, `${given} in ${home}`).toBe(isWhole ? whole?.number : theirs?.number);
    }),
    { numRuns: 500, maxSkipsPerRun: 1_000 },
  );
});

function callingCodeOf(home: string): string | undefined {
  return getExampleNumber(home as CountryCode, examples)?.countryCallingCode;
}

test("a number that is not valid in the country is E.164 digits", () => {
  expect(parseNumber("442079460958", "US")).toMatchObject({ ok: true, value: { e164: "+442079460958" } });
  expect(parseNumber("4721234567", "US")).toMatchObject({ ok: true, value: { e164: "+4721234567", country: "NO" } });
});

test("without a country all digits are E.164, and a plus is E.164 everywhere", () => {
  expect(parseNumber("2025550143")).toMatchObject({ ok: true, value: { e164: "+2025550143", country: "EG" } });
  expect(parseNumber("2025550143", "US")).toMatchObject({ ok: true, value: { e164: "+12025550143" } });
  expect(parseNumber("+2025550143", "US")).toMatchObject({ ok: true, value: { e164: "+2025550143", country: "EG" } });
});
