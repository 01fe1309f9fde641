// Port orders in their written form, read by the schema and checked by the domain: the outcome of both together.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ok, refused } from "../../../../base/result.ts";
import { checkPortAnswer } from "../../../../domain/porting/check-order.ts";
import { checkPortOrder, type NumberReader, PORT_PHONES_MAX } from "../../../../domain/porting/index.ts";
import { newPortOrder } from "../../../../domain/porting/port-order.ts";
import { errorsOf, readWithFaults } from "../../reading/read-input.ts";
import { portAnswerData, portInData } from "./port-schemas.ts";

const readNumber: NumberReader = (text) => {
  const digits = text.replace(/[ ()-]/g, "");
  return /^\+1\d{10}$/.test(digits) ? ok({ e164: digits }) : refused({ reason: "No number." });
};
const deps = { readNumber, country: null, now: new Date("2026-01-05T12:00:00Z") };

function checkOrder(data: unknown) {
  const { value, faults } = readWithFaults(portInData, data, "json");
  return checkPortOrder(deps, { value: value ?? {}, errors: errorsOf(faults) });
}

const good = {
  messagingConfigSid: `MC${"0".repeat(32)}`,
  phones: [{ number: "+14155550100", pin: "1234" }, { number: "+1 415 555 0101" }],
  losingCarrier: "Other Telecom",
  accountNumber: "A-123",
  billingTelephoneNumber: "+14155550100",
  subscriber: { type: "Business", name: "Example Inc.", authorizedPerson: "Ann Example" },
  serviceAddress: { street: "1 Main St", city: "San Francisco", state: "CA", postalCode: "94105", country: "US" },
  requestedOn: "2026-01-20",
  customerReference: "mine",
};

function faultsOf(change: Readonly<Record<string, unknown>>) {
  const checked = checkOrder({ ...good, ...change });
  return checked.ok ? {} : checked.refusal.errors;
}

describe("an order", () => {
  test("that is whole is kept, its PINs apart from it", () => {
    const checked = checkOrder(good);
    expect(checked).toEqual({
      ok: true,
      value: {
        messagingConfigSid: good.messagingConfigSid,
        numbers: ["+14155550100", "+14155550101"],
        pins: new Map([["+14155550100", "1234"]]),
        details: {
          losingCarrier: "Other Telecom",
          accountNumber: "A-123",
          billingTelephoneNumber: "+14155550100",
          subscriber: good.subscriber,
          serviceAddress: { ...good.serviceAddress, street2: null },
          requestedOn: new Date("2026-01-20T00:00:00Z"),
          customerReference: "mine",
        },
      },
    });
  });

  test("may leave out what is optional, by absence or null, and spell names and words in any case", () => {
    const { losingCarrier: _, customerReference: __, requestedOn: ___, subscriber: ____, ...bare } = good;
    const small = checkOrder({
      ...bare,
      billingTelephoneNumber: null,
      Subscriber: { TYPE: "individual", name: " Ann ", AuthorizedPerson: "Ann" },
      serviceAddress: { ...good.serviceAddress, state: "ca", country: "us" },
    });
    expect(small).toMatchObject({
      ok: true,
      value: {
        details: {
          losingCarrier: null,
          billingTelephoneNumber: null,
          requestedOn: null,
          customerReference: null,
          subscriber: { type: "Individual", name: "Ann" },
          serviceAddress: { state: "CA", country: "US" },
        },
      },
    });
  });

  test("with many faults tells them all, each by its path", () => {
    const faults = checkOrder({
      messagingConfigSid: "MC1",
      phones: [
        { number: "12" },
        { number: "+14155550100", pin: "1" },
        { number: "+1 (415) 555-0100" },
        { pin: "1234" },
        7,
      ],
      billingTelephoneNumber: 4155550100,
      subscriber: { type: "Robot", authorizedPerson: "\u0000" },
      serviceAddress: { street: "P.O. Box 12", city: "", state: "ZZ", postalCode: "1", country: "US", floor: 3 },
      requestedOn: "2026-02-30",
      colour: "red",
    });
    expect(faults).toEqual({
      ok: false,
      refusal: {
        errors: {
          colour: [expect.stringContaining("not known here")],
          messagingConfigSid: [expect.stringContaining("sid")],
          "phones[0].number": ["No number."],
          "phones[1].pin": [expect.stringContaining("4 to 32")],
          "phones[2].number": ["This is the same number as phones[1]."],
          "phones[3].number": ["This is required."],
          "phones[4]": ["An object is expected."],
          accountNumber: ["This is required."],
          billingTelephoneNumber: ["Text is expected."],
          "subscriber.type": ["One of these is allowed: Business, Individual."],
          "subscriber.name": ["This is required."],
          "subscriber.authorizedPerson": ["Control characters are not allowed."],
          "serviceAddress.floor": [expect.stringContaining("not known here")],
          "serviceAddress.street": [expect.stringContaining("post box")],
          "serviceAddress.city": ["This is empty."],
          "serviceAddress.state": [expect.stringContaining("two letters")],
          "serviceAddress.postalCode": [expect.stringContaining("94105")],
          requestedOn: [expect.stringContaining("A date such as")],
        },
        messagingConfigSid: null,
        numbers: [null, "+14155550100", "+14155550100", null, null],
      },
    });
  });

  test.each([[undefined], [null], ["text"], [[]], [5]])("is not %j, which is told of the whole", (data) => {
    expect(checkOrder(data)).toMatchObject({ refusal: { errors: { $: ["An object is expected."] } } });
  });

  test("has each of its members once, whatever the case", () => {
    expect(faultsOf({ AccountNumber: "A-123" })).toEqual({ accountNumber: ["This is given more than once."] });
  });

  test("has 1 to 100 phones", () => {
    const phones = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ number: `+1415555${String(at).padStart(4, "0")}` }));
    expect(faultsOf({ phones: phones(PORT_PHONES_MAX) })).toEqual({});
    for (const unfit of [[], phones(PORT_PHONES_MAX + 1), "+14155550100", {}]) {
      expect(faultsOf({ phones: unfit })).toEqual({ phones: ["A list of 1 to 100 phones is expected."] });
    }
  });

  test.each<[string, string, string | undefined]>([
    ["today", "2026-01-05", undefined],
    ["a moment to come", "2026-01-05T15:00:00+02:00", undefined],
    ["yesterday", "2026-01-04", "past"],
    ["a moment ago", "2026-01-05T11:59:59Z", "past"],
    ["next year", "2027-01-05", "180 days"],
    ["a month that is none", "2026-13-01", "A date such as"],
    ["an hour that is none", "2026-01-20T25:00:00Z", "A date such as"],
    ["a time of no zone", "2026-01-20T10:00:00", "A date such as"],
    ["words", "tomorrow", "A date such as"],
  ])("may be asked for %s or not", (_, requestedOn, fault) => {
    const expected = fault === undefined ? {} : { requestedOn: [expect.stringContaining(fault)] };
    expect(faultsOf({ requestedOn })).toEqual(expected);
  });

  test.each([
    [{ state: "ON", postalCode: "k1a 0b1", country: "CA" }, {}],
    [{ state: "ON", postalCode: "94105", country: "CA" }, { "serviceAddress.postalCode": [expect.anything()] }],
    [{ state: "Greater London", postalCode: "SW1A 1AA", country: "GB" }, {}],
    [{ country: "USA" }, { "serviceAddress.country": [expect.anything()] }],
    [{ country: "__" }, { "serviceAddress.country": [expect.anything()] }],
  ])("has an address as its country writes them: %j", (change, faults) => {
    expect(faultsOf({ serviceAddress: { ...good.serviceAddress, ...change } })).toEqual(faults);
  });

  test("never shows a PIN in a fault", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 60 }), (pin) => {
        const faults = faultsOf({ phones: [{ number: "+14155550100", pin }] });
        expect(JSON.stringify(faults)).not.toContain(JSON.stringify(pin).slice(1, -1));
      }),
    );
  });

  test("may be anything at all: the answer is an order or a list of faults", () => {
    const anything = fc.oneof(
      fc.anything(),
      fc.record(Object.fromEntries(Object.keys(good).map((name) => [name, fc.anything()])), { requiredKeys: [] }),
      fc.record({
        subscriber: fc.record({ type: fc.anything() }),
        phones: fc.array(fc.record({ pin: fc.anything() })),
      }),
    );
    fc.assert(
      fc.property(anything, (data) => {
        const checked = checkOrder(data);
        if (!checked.ok) expect(Object.keys(checked.refusal.errors).length).toBeGreaterThan(0);
      }),
    );
  });

  test("with too many phones is told that alone, and none of them is looked at", () => {
    let looked = 0;
    const counting: NumberReader = (text) => {
      looked++;
      return readNumber(text, null);
    };
    const phones = Array.from({ length: 17_000 }, () => ({ number: "1" }));
    const { value, faults } = readWithFaults(portInData, { ...good, billingTelephoneNumber: null, phones }, "json");
    const checked = checkPortOrder({ ...deps, readNumber: counting }, { value, errors: errorsOf(faults) });
    expect(checked).toMatchObject({ ok: false, refusal: { numbers: [] } });
    expect(faultsOf({ phones })).toEqual({ phones: ["A list of 1 to 100 phones is expected."] });
    expect(looked).toBe(0);
  });

  test("may have blanks around its config", () => {
    const checked = checkOrder({ ...good, messagingConfigSid: ` ${good.messagingConfigSid} ` });
    expect(checked).toMatchObject({ ok: true, value: { messagingConfigSid: good.messagingConfigSid } });
  });

  test("with very many unknown members names a few of them", () => {
    const noise = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`x${at}`, 1]));
    expect(Object.keys(faultsOf(noise))).toHaveLength(20);
  });
});

describe("an answer to an exception", () => {
  const order = newPortOrder({
    sid: `PO${"0".repeat(32)}`,
    accountSid: `AC${"0".repeat(32)}`,
    messagingConfigSid: good.messagingConfigSid,
    numbers: ["+14155550100"],
    createdOn: deps.now,
    details: {
      losingCarrier: null,
      accountNumber: "1",
      billingTelephoneNumber: null,
      subscriber: { type: "Business", name: "Example", authorizedPerson: "Ann" },
      serviceAddress: { ...good.serviceAddress, street2: null },
      requestedOn: null,
      customerReference: null,
    },
  });

  function checkAnswer(data: unknown) {
    const { value, faults } = readWithFaults(portAnswerData, data, "json");
    return checkPortAnswer(deps, order, { value, errors: errorsOf(faults) });
  }

  test("names only what changes", () => {
    expect(checkAnswer({})).toEqual({ ok: true, value: { details: {}, pins: new Map() } });
    const answer = { accountNumber: "2", phones: [{ number: "+14155550100", pin: "9876" }] };
    expect(checkAnswer(answer)).toEqual({
      ok: true,
      value: { details: { accountNumber: "2" }, pins: new Map([["+14155550100", "9876"]]) },
    });
  });

  test("is held to the same rules, and to the numbers of the order", () => {
    const answer = {
      messagingConfigSid: good.messagingConfigSid,
      phones: [{ number: "+14155550199" }, { number: "no" }],
      subscriber: { type: "Business", name: "" },
    };
    expect(checkAnswer(answer)).toEqual({
      ok: false,
      refusal: {
        messagingConfigSid: [expect.stringContaining("not known here")],
        "phones[0].number": ["This is not a number of the order."],
        "phones[1].number": ["No number."],
        "subscriber.name": ["This is empty."],
        "subscriber.authorizedPerson": ["This is required."],
      },
    });
  });
});
