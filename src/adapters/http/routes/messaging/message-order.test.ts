import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageOrderSchema, readMessageOrder } from "./message-order.ts";

const GOOD = { From: "+14155550150", To: "+14155550100", Text: "Hi" };
const read = (raw: unknown) => readMessageOrder(messageOrderSchema, raw);
const codesOf = (raw: unknown) => read(raw).faults.map(({ code }) => code);
const fieldsOf = (raw: unknown) => read(raw).faults.map(({ field }) => field);

const NAMES = [
  ...["From", "To", "Recipients", "Text", "MediaUrls", "Priority", "ExpiresOn", "SendAt", "CallbackUrlOverride"],
  ...["StatusCallback", "ConversationMetadata", "HoldUntilActive", "DryRun", "SmartEncoding", "MediaUrls[]", "Body"],
  ...["__proto__", "constructor", "toString", "x"],
];

describe("anything", () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: "binary" }), fc.constant(undefined));

  test("is an order without faults or has them named, and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(value, fc.dictionary(fc.constantFrom(...NAMES), value)), (raw) => {
        const { order, faults } = read(raw);
        for (const { field, message } of faults) {
          expect(field).toBe(field.toWellFormed());
          expect(typeof message).toBe("string");
        }
        if (faults.length > 0) return;
        expect(order.from).not.toBe("");
        expect(order.recipients.length).toBeGreaterThan(0);
        expect(order.text !== "" || order.mediaUrls.length > 0).toBe(true);
        expect(order.text.isWellFormed() && !order.text.includes("\0")).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test("is read as the same at any time", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...NAMES), value), (raw) => {
        expect(JSON.stringify(read(raw))).toBe(JSON.stringify(read(raw)));
      }),
    );
  });

  test.each([undefined, null, {}, [], "x", 17, true])("%j lacks all that is required", (raw) => {
    expect(codesOf(raw)).toEqual(expect.arrayContaining([1, 1001, 2001]));
  });

  test("a thousand unknown names are not all repeated", () => {
    const raw = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x${at}`, "1"]));
    expect(read({ ...GOOD, ...raw }).faults).toHaveLength(20);
  });
});

describe("lists", () => {
  const mediaOf = (MediaUrls: unknown) => read({ ...GOOD, MediaUrls }).order.mediaUrls;
  // Where another URL seems to begin within one, the list is ambiguous.
  const url = fc.webUrl({ withQueryParameters: true }).filter((text) => !/,[a-z][a-z0-9+.-]*:\/\//i.test(text));
  const urls = fc.array(url, { minLength: 1, maxLength: 10 });

  test("are the same in every notation", () => {
    fc.assert(
      fc.property(urls, (given) => {
        expect(mediaOf(given)).toEqual(given);
        expect(mediaOf(JSON.stringify(given))).toEqual(given);
        expect(mediaOf(`["${given.join('","')}"]`)).toEqual(given);
        expect(mediaOf(`[${given.join(",")}]`)).toEqual(given);
        expect(mediaOf(`[ ${given.join(" , ")} ]`)).toEqual(given);
        expect(mediaOf(given.join(","))).toEqual(given);
        expect(mediaOf(given.join(" , "))).toEqual(given);
      }),
    );
  });

  test("a comma inside a URL does not end it", () => {
    expect(mediaOf("[https://a.example/x,y,z.png,https://b.example/?q=1,2]")).toEqual([
      "https://a.example/x,y,z.png",
      "https://b.example/?q=1,2",
    ]);
  });

  test("of numbers are cut at numbers", () => {
    const { order } = read({
      From: GOOD.From,
      Recipients: "[+14155550100,14155550101]",
      MediaUrls: "https://a.example/",
    });
    expect(order.recipients).toEqual(["+14155550100", "14155550101"]);
    expect(read({ From: GOOD.From, Recipients: "+14155550100, 14155550101" }).order.recipients).toEqual([
      "+14155550100",
      "14155550101",
    ]);
  });

  test("without brackets are cut like those with, but not within a list", () => {
    expect(mediaOf("https://a.example/x,y.png,https://b.example/")).toEqual([
      "https://a.example/x,y.png",
      "https://b.example/",
    ]);
    expect(mediaOf(["https://a.example/?u=1,https://b.example/"])).toEqual([
      "https://a.example/?u=1,https://b.example/",
    ]);
  });

  test("keep the places of items that cannot be read", () => {
    const { order, faults } = read({ ...GOOD, MediaUrls: ["x".repeat(2049), "ftp://y"] });
    expect(order.mediaUrls).toEqual([undefined, "ftp://y"]);
    expect(faults.map(({ field }) => field)).toEqual(["MediaUrls[0]"]);
    expect(read({ From: GOOD.From, Recipients: "[,zzz]" }).order.recipients).toEqual([undefined, "zzz"]);
  });

  test("are split in every field of a repeated one", () => {
    expect(mediaOf(["[https://a.example/,https://b.example/]", "https://c.example/"])).toEqual([
      "https://a.example/",
      "https://b.example/",
      "https://c.example/",
    ]);
    expect(read({ From: GOOD.From, Recipients: ["[1,2]", "3"] }).order.recipients).toEqual(["1", "2", "3"]);
  });

  test("full of blanks are split as fast as others", () => {
    const blanks = " ".repeat(250_000);
    expect(mediaOf(`[x${blanks}x, y]`)).toEqual([undefined, "y"]);
    expect(mediaOf(`[https://a.example/${blanks},${blanks}https://b.example/]`)).toEqual([
      "https://a.example/",
      "https://b.example/",
    ]);
  });

  test("that are too long are cut to what is allowed", () => {
    const { order, faults } = read({ ...GOOD, MediaUrls: Array.from({ length: 80_000 }, () => 5) });
    expect(faults).toMatchObject([{ code: 2006, field: "MediaUrls", message: "10 are allowed; these are 80000." }]);
    expect(order.mediaUrls).toHaveLength(10);
  });

  test("that are empty hold nothing", () => {
    for (const empty of ["[]", "[ ]", "", " ", []]) expect(mediaOf(empty)).toEqual([]);
  });
});

describe("dates", () => {
  const dateOf = (text: string) => read({ ...GOOD, SendAt: text }).order.sendAt?.toISOString();

  test.each([
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31t12:00:00.123456z", "2026-01-31T12:00:00.123Z"],
    ["2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T12:00:00-0530", "2026-01-31T17:30:00.000Z"],
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ])("%s is read", (text, iso) => {
    expect(dateOf(text)).toBe(iso);
  });

  test.each(["2026-02-29T00:00:00Z", "2026-00-10T00:00:00Z", "2026-1-1T00:00:00Z", "now", "2026-01-31 12:00:00Z"])(
    "%s is none",
    (text) => {
      expect(codesOf({ ...GOOD, SendAt: text })).toEqual([2005]);
    },
  );
});

test("what those who come from elsewhere write is explained", () => {
  const { faults } = read({ ...GOOD, Body: "Hi", StatusCallbackMethod: "POST" });
  expect(faults.map(({ message }) => message)).toEqual([
    "`Body` is called `Text` here.",
    "Status callbacks are always posted.",
  ]);
});

test("names that every object has are unknown names like any other", () => {
  for (const name of ["constructor", "__proto__", "valueOf", "hasOwnProperty"]) {
    const raw = JSON.parse(`{"From":"${GOOD.From}","To":"${GOOD.To}","Text":"Hi","${name}":"1"}`);
    expect(read(raw).faults).toMatchObject([{ field: name, message: expect.stringContaining("not known") }]);
  }
});

test("a text that is too long and ill-formed is told both", () => {
  expect(codesOf({ ...GOOD, Text: `\ud800${"x".repeat(1600)}` })).toEqual([2_147_483_647, 2002]);
});

test("metadata is given back as it was given, blank or not", () => {
  const metadataOf = (text: string) => read({ ...GOOD, ConversationMetadata: text }).order.conversationMetadata;
  expect([metadataOf(" "), metadataOf(" a "), metadataOf("")]).toEqual([" ", " a ", null]);
});

test("flags are true and false, written in any way", () => {
  for (const yes of [true, "true", "TRUE", "1", " true "]) {
    expect(read({ ...GOOD, DryRun: yes })).toMatchObject({ order: { dryRun: true }, faults: [] });
  }
  for (const no of [false, "false", "0", null, undefined]) {
    expect(read({ ...GOOD, DryRun: no })).toMatchObject({ order: { dryRun: false }, faults: [] });
  }
  expect(fieldsOf({ ...GOOD, DryRun: "maybe", HoldUntilActive: 1 })).toEqual(["HoldUntilActive", "DryRun"]);
});
