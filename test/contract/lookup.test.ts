// The specification's lookup by plain HTTP, and what the contract adds to it.

import { beforeAll, describe, expect, test } from "vitest";
import { knownAnswers } from "../../src/adapters/store/lookup/known-answers.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { limitOf, newAccount } from "./account.ts";
import { problemOf } from "./problem.ts";

const WIRELESS = { number: "+14074740200", status: "Active", type: "Wireless", carrierName: "AT&T Mobility" };
const LANDLINE = { number: "+12024561414", status: "Inactive", type: "Landline", carrierName: "Verizon" };
const LOOKUP = "/carrierLookup/v1/Numbers";

const tandem = useTandem();
beforeAll(async () => {
  const wide = { requests: 1_000_000, windowSeconds: 10 };
  const body = { limits: { lookup: wide, lookupBatch: wide } };
  const changed = await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", body));
  expect(changed.status).toBe(200);
});

const limitHeaders = (response: Response) => ({
  limit: response.headers.get("ratelimit-limit"),
  remaining: response.headers.get("ratelimit-remaining"),
  policy: response.headers.get("ratelimit-policy"),
});

describe("one number", () => {
  test("a lookup answers exactly the four fields of the specification", async () => {
    const response = await tandem.get(`${LOOKUP}/+14074740200`);
    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual(WIRELESS);
  });

  test.each([
    ["with a plus", "+12024561414"],
    ["with an encoded plus", "%2B12024561414"],
    ["without the plus", "12024561414"],
    ["as people write it", "+1%20(202)%20456-1414"],
  ])("a number may be written %s", async (_how, written) => {
    expect(await (await tandem.get(`${LOOKUP}/${written}`)).json()).toStrictEqual(LANDLINE);
  });

  test.each(["/carrierlookup/V1/numbers", "/CARRIERLOOKUP/v1/NUMBERS"])(
    "the address may be written %s",
    async (path) => {
      expect((await tandem.get(`${path}/+12024561414`)).status).toBe(200);
    },
  );

  test("its details are the same four fields, and where it belongs, how it is written and how sure that is", async () => {
    const response = await tandem.get(`${LOOKUP}/+14074740200/details`);
    expect(response.status).toBe(200);
    expect(limitHeaders(response).limit).toBe("1000000");
    const details = (await response.json()) as { asOf: string; ageSeconds: number };
    expect(details).toStrictEqual({
      ...WIRELESS,
      country: "US",
      callingCode: "1",
      nationalFormat: "(407) 474-0200",
      internationalFormat: "+1 407 474 0200",
      location: expect.stringMatching(/FL|Florida/),
      mobileCountryCode: "310",
      mobileNetworkCode: "410",
      ported: null,
      source: "table",
      asOf: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00.000Z$/),
      ageSeconds: expect.any(Number),
      confidence: expect.stringMatching(/^(Medium|Low)$/),
    });
    const age = Date.now() - new Date(details.asOf).getTime();
    expect(Math.abs(age / 1000 - details.ageSeconds)).toBeLessThan(3600);
  });

  test.each([
    ["a landline of London", "+442079460000", { country: "GB", location: "London", mobileNetworkCode: null }],
    ["a toll-free number", "+18005551234", { country: "US", location: null, type: "Unknown" }],
    ["a satellite telephone", "+881612345678", { country: null, callingCode: "881", location: null }],
  ])("%s has the details that there are", async (_what, number, expected) => {
    expect(await (await tandem.get(`${LOOKUP}/${number}/details`)).json()).toMatchObject({ number, ...expected });
  });

  test("an override is reported with its date, and trusted", async () => {
    const path = "/operator/v1/LookupOverrides/+14074740201";
    const set = { type: "VoIP", status: "Active", carrierName: "Example" };
    expect((await tandem.operator(path, json("PUT", set))).status).toBe(200);
    const details = await (await tandem.get(`${LOOKUP}/+14074740201/details`)).json();
    expect(details).toMatchObject({ ...set, source: "override", confidence: "High", ported: null });
    await tandem.operator(path, { method: "DELETE" });
  });

  test.each([true, false, undefined])("what a live source said of its being ported is kept: %s", async (ported) => {
    const order = { ownCarrierName: "Tandem", mayKnow: () => true, hasProviders: true };
    const known = knownAnswers(tandem.database, order);
    const [asOf, expiresAt] = [new Date("2026-01-31T12:00:00Z"), new Date("2026-01-31T13:00:00Z")];
    const info = { ...WIRELESS, number: "+14074740299", status: "Active", type: "Wireless" } as const;
    const answer = { info, source: "enum", asOf, ...(ported === undefined ? {} : { ported }) } as const;
    await known.remember(answer, expiresAt);
    expect(await known.find(info.number)).toStrictEqual({ kind: "cached", answer, expiresAt });
  });

  test("details of what is no number are refused as a lookup is", async () => {
    const refusal = await problemOf(await tandem.get(`${LOOKUP}/+1415PIZZA00/details`), 400);
    expect(refusal.errors).toEqual({ Number: [expect.stringContaining("letters")] });
  });

  test("a possible number in no known range is Unknown and Inactive, not an error", async () => {
    const response = await tandem.get(`${LOOKUP}/+19995550100`);
    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual({
      number: "+19995550100",
      status: "Inactive",
      type: "Unknown",
      carrierName: null,
    });
  });

  test.each([
    ["letters", "+1415PIZZA00"],
    ["too few digits", "+1415"],
    ["too many digits", "+1415474020012345"],
    ["a leading zero", "0123456789"],
    ["no known country", "+21012345678"],
    ["nothing but a plus", "+"],
    ["a blank", "%20"],
    ["a NUL", "%00"],
    ["a script", "%3Cscript%3E"],
    ["3,000 digits", "1".repeat(3000)],
  ])("a number with %s is refused with the validation problem of the specification", async (_what, written) => {
    const body = await problemOf(await tandem.get(`${LOOKUP}/${written}`), 400);
    expect(body.type).toBe("https://tools.ietf.org/html/rfc9110#section-15.5.1");
    expect(body.title).toBe("One or more validation errors occurred.");
    expect(body.code).toBe("validation");
    expect(Object.keys(body.errors ?? {})).toStrictEqual(["Number"]);
    expect(body.errors?.Number).toStrictEqual([expect.stringMatching(/\w+\.$/)]);
  });

  test("a parameter that does not exist is refused by name", async () => {
    const { errors } = await problemOf(await tandem.get(`${LOOKUP}/+12024561414?Format=xml`), 400);
    expect(errors).toStrictEqual({ Format: ["This is not known here."] });
  });

  test("the source and its date stand in headers, not in the body", async () => {
    const { headers } = await tandem.get(`${LOOKUP}/+14074740200`);
    expect(headers.get("x-lookup-source")).toBe("table");
    const asOf = headers.get("x-lookup-as-of") ?? "";
    expect(new Date(asOf).toISOString()).toBe(asOf);
  });

  test.each(["+12024561414", "nonsense"])(
    "%s is answered in each of the three media types with the same text",
    async (written) => {
      const texts = new Set<string>();
      for (const type of ["text/plain", "application/json", "text/json"]) {
        const response = await tandem.get(`${LOOKUP}/${written}`, { headers: { Accept: type } });
        expect(response.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
        texts.add((await response.text()).replace(/00-[0-9a-f]{32}-[0-9a-f]{16}-/, ""));
      }
      expect(texts.size).toBe(1);
    },
  );

  test("a sane X-Request-Id comes back, on refusals too", async () => {
    for (const id of ["a", "My.request_id-1", "x".repeat(128)]) {
      for (const written of ["+12024561414", "nonsense"]) {
        const response = await tandem.get(`${LOOKUP}/${written}`, { headers: { "X-Request-Id": id } });
        expect(response.headers.get("x-request-id")).toBe(id);
      }
    }
  });

  test.each(["x".repeat(129), "a b", "a,b", "ü", "<script>", ""])("the X-Request-Id %j is replaced", async (id) => {
    const response = await tandem.get(`${LOOKUP}/+12024561414`, { headers: { "X-Request-Id": id } });
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe("rate limits", () => {
  test("lookups tell what is left, refused numbers included, and the one beyond the limit is 429", async () => {
    const account = await newAccount(tandem, { limits: { lookup: limitOf(3) } });
    const policy = `3;w=${limitOf(3).windowSeconds}`;
    const first = await account.call(`${LOOKUP}/+12024561414`);
    expect(first.status).toBe(200);
    expect(limitHeaders(first)).toStrictEqual({ limit: "3", remaining: "2", policy });
    const refused = await account.call(`${LOOKUP}/nonsense`);
    expect(refused.status).toBe(400);
    expect(limitHeaders(refused)).toStrictEqual({ limit: "3", remaining: "1", policy });
    expect((await account.call(`${LOOKUP}/+12024561414`)).headers.get("ratelimit-remaining")).toBe("0");
    const beyond = await account.call(`${LOOKUP}/+12024561414`);
    expect(limitHeaders(beyond)).toStrictEqual({ limit: "3", remaining: "0", policy });
    expect((await problemOf(beyond, 429)).code).toBe("rate-limited");
    const reset = Number(beyond.headers.get("ratelimit-reset"));
    expect(reset).toBeGreaterThanOrEqual(1);
    expect(reset).toBeLessThanOrEqual(limitOf(3).windowSeconds);
    expect(beyond.headers.get("retry-after")).toBe(String(reset));
  });

  test("of a hundred lookups at once exactly as many are served as the limit allows", async () => {
    const account = await newAccount(tandem, { limits: { lookup: limitOf(37) } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => account.call(`${LOOKUP}/+12024561414`)));
    const served = answers.filter(({ status }) => status === 200);
    expect(served).toHaveLength(37);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(63);
    const left = served.map(({ headers }) => Number(headers.get("ratelimit-remaining"))).sort((a, b) => a - b);
    expect(left).toStrictEqual(Array.from({ length: 37 }, (_, index) => index));
  });

  test("a batch costs its size, and one that does not fit takes nothing", async () => {
    const account = await newAccount(tandem, { limits: { lookupBatch: limitOf(10) } });
    const batch = (size: number) =>
      account.call(LOOKUP, json("POST", { numbers: Array.from({ length: size }, () => "+12024561414") }));
    expect((await batch(6)).headers.get("ratelimit-remaining")).toBe("4");
    for (let again = 0; again < 3; again++) {
      const tooMany = await batch(5);
      expect(tooMany.status).toBe(429);
      expect(tooMany.headers.get("ratelimit-remaining")).toBe("4");
    }
    const rest = await batch(4);
    expect(rest.status).toBe(200);
    expect(rest.headers.get("ratelimit-remaining")).toBe("0");
    expect((await batch(1)).status).toBe(429);
  });

  test("a batch that is refused for its form costs nothing, and single lookups are counted apart from batches", async () => {
    const account = await newAccount(tandem, { limits: { lookup: limitOf(2), lookupBatch: limitOf(2) } });
    const malformed = await account.call(LOOKUP, json("POST", { numbers: [] }));
    expect(malformed.status).toBe(400);
    expect(malformed.headers.get("ratelimit-remaining")).toBe("2");
    expect((await account.call(`${LOOKUP}/+12024561414`)).headers.get("ratelimit-remaining")).toBe("1");
    expect((await account.call(LOOKUP, json("POST", { numbers: ["1", "2"] }))).status).toBe(200);
  });

  test("one account's limit is not another's, and the operator's change counts at once", async () => {
    const small = await newAccount(tandem, { limits: { lookup: limitOf(1) } });
    const other = await newAccount(tandem, { limits: { lookup: limitOf(1) } });
    expect((await small.call(`${LOOKUP}/+12024561414`)).status).toBe(200);
    expect((await small.call(`${LOOKUP}/+12024561414`)).status).toBe(429);
    expect((await other.call(`${LOOKUP}/+12024561414`)).status).toBe(200);
    await small.change({ limits: { lookup: limitOf(2) } });
    expect((await small.call(`${LOOKUP}/+12024561414`)).status).toBe(200);
    expect((await small.call(`${LOOKUP}/+12024561414`)).status).toBe(429);
    await small.change({ limits: { lookup: limitOf(1) } });
    const lowered = await small.call(`${LOOKUP}/+12024561414`);
    expect(lowered.status).toBe(429);
    expect(limitHeaders(lowered)).toMatchObject({ limit: "1", remaining: "0" });
  });
});

describe("what the operator says of a number", () => {
  const override = (number: string) => `/operator/v1/LookupOverrides/${number}`;

  test("an override wins at once and is gone at once", async () => {
    const before = await tandem.get(`${LOOKUP}/+17206361234`);
    expect(before.headers.get("x-lookup-source")).toBe("table");
    const put = { type: "VoIP", status: "Inactive", carrierName: "Ours" };
    expect((await tandem.operator(override("+17206361234"), json("PUT", put))).status).toBe(200);
    const during = await tandem.get(`${LOOKUP}/+17206361234`);
    expect(during.headers.get("x-lookup-source")).toBe("override");
    expect(await during.json()).toStrictEqual({ number: "+17206361234", ...put });
    expect((await tandem.operator(override("+17206361234"), { method: "DELETE" })).status).toBe(204);
    const after = await tandem.get(`${LOOKUP}/+17206361234`);
    expect(await after.json()).toStrictEqual(await before.json());
  });

  test("a number of our own inventory is ours, until an override says otherwise", async () => {
    const number = "+17637951234";
    const add = await tandem.operator("/operator/v1/Numbers", json("POST", { numbers: [number] }));
    expect(add.status).toBe(201);
    const own = await tandem.get(`${LOOKUP}/${number}`);
    expect(own.headers.get("x-lookup-source")).toBe("own");
    expect(await own.json()).toStrictEqual({ number, status: "Inactive", type: "VoIP", carrierName: "Tandem" });
    await tandem.operator(override(number), json("PUT", { type: "Landline", status: "Active" }));
    const overridden = await tandem.get(`${LOOKUP}/${number}`);
    expect(await overridden.json()).toStrictEqual({ number, status: "Active", type: "Landline", carrierName: null });
    await tandem.operator(override(number), { method: "DELETE" });
    await tandem.operator(`/operator/v1/Numbers/${number}`, { method: "DELETE" });
    expect((await tandem.get(`${LOOKUP}/${number}`)).headers.get("x-lookup-source")).toBe("table");
  });

  test("a batch sees overrides and our own numbers too", async () => {
    await tandem.operator(override("+12154531234"), json("PUT", { type: "VoIP", status: "Active", carrierName: "X" }));
    const answer = await tandem.get(LOOKUP, json("POST", { numbers: ["+12154531234"] }));
    expect(await answer.json()).toStrictEqual({
      items: [{ number: "+12154531234", status: "Active", type: "VoIP", carrierName: "X" }],
    });
  });
});

describe("many numbers", () => {
  const batch = (body: unknown) => tandem.get(LOOKUP, json("POST", body));

  test("a batch is answered in order, a bad number in its place", async () => {
    const answer = await batch({ numbers: ["+12024561414", "pizza", "14074740200", "+12024561414", ""] });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toStrictEqual({
      items: [
        LANDLINE,
        { number: "pizza", error: expect.stringMatching(/letters/) },
        WIRELESS,
        LANDLINE,
        { number: "", error: expect.stringMatching(/empty/) },
      ],
    });
  });

  test("a thousand numbers are answered, one more or none is refused", async () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => `+1202456${String(index).padStart(4, "0")}`);
    const { items } = (await (await batch({ numbers })).json()) as { items: { number: string }[] };
    expect(items.map(({ number }) => number)).toStrictEqual(numbers);
    for (const wrong of [[], [...numbers, "+12024561414"]]) {
      expect((await problemOf(await batch({ numbers: wrong }), 400)).errors).toHaveProperty("numbers");
    }
  });

  test("member names are matched without regard to case", async () => {
    expect((await batch({ NUMBERS: ["+12024561414"] })).status).toBe(200);
  });

  test.each([
    ["an unknown member", { numbers: ["+12024561414"], phones: [] }, "phones"],
    ["a member twice in other case", { numbers: ["+12024561414"], Numbers: [] }, "numbers"],
    ["no numbers", {}, "numbers"],
    ["a number that is a number", { numbers: [12024561414] }, "numbers[0]"],
    ["text instead of a list", { numbers: "+12024561414" }, "numbers"],
    ["a list instead of an object", ["+12024561414"], "$"],
    ["null", null, "$"],
    ["one of 257 characters", { numbers: ["1".repeat(257)] }, "numbers[0]"],
    ["a member named __proto__", JSON.parse('{"numbers":["+12024561414"],"__proto__":1}'), "__proto__"],
  ])("a batch with %s is refused by name", async (_what, body, field) => {
    const { errors } = await problemOf(await batch(body), 400);
    expect(Object.keys(errors ?? {})).toContain(field);
  });

  test("all faults of a batch are told together", async () => {
    const { errors } = await problemOf(await batch({ numbers: [1, "+12024561414", null], wrong: 1 }), 400);
    expect(Object.keys(errors ?? {}).sort()).toStrictEqual(["numbers[0]", "numbers[2]", "wrong"]);
  });

  test("a member given twice is refused, not silently dropped", async () => {
    const response = await tandem.get(LOOKUP, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"numbers":["+12024561414"],"numbers":["+14074740200"]}',
    });
    expect((await problemOf(response, 400)).errors?.$).toStrictEqual([expect.stringContaining('"numbers"')]);
  });
});
