import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ClosableProvider, lookupProvidersSchema, makeProvider } from "./provider-config.ts";

const ENUM = { kind: "enum", name: "dip", suffix: "enum.example", servers: ["192.0.2.1:5353"] };
const HTTP = {
  kind: "http",
  name: "service",
  url: "https://lookup.example/v2/{number}?type=carrier",
  answer: { carrierName: "data.carrier.name" },
};
const SIP = { kind: "sip", name: "redirects", servers: ["192.0.2.1", "lrn.example:5070", "[2001:db8::1]"] };

const made: ClosableProvider[] = [];
afterEach(async () => {
  await Promise.all(made.splice(0).map((provider) => provider.close()));
});

function make(config: unknown, secrets: Readonly<Record<string, string>> = {}): ClosableProvider {
  const [parsed] = lookupProvidersSchema.parse([config]);
  if (!parsed) throw new Error("nothing parsed");
  const provider = makeProvider(parsed, {
    secret: (name) => secrets[name],
    redirects: { ask: () => Promise.reject(new Error("nobody is asked")) },
  });
  made.push(provider);
  return provider;
}

describe("the providers of the configuration", () => {
  test("are none when nothing is said", () => {
    expect(lookupProvidersSchema.parse(undefined)).toEqual([]);
  });

  test.each([
    [ENUM, "enum"],
    [HTTP, "http"],
    [SIP, "sip"],
  ])("have terms of their own, with defaults", (config, source) => {
    expect(make(config)).toMatchObject({
      name: config.name,
      source,
      deadlineMs: 500,
      concurrencyMax: 50,
      cacheSeconds: 86_400,
      negativeCacheSeconds: 600,
      callingCodes: [],
    });
    expect(make({ ...config, callingCodes: ["1"], deadlineMs: 200 })).toMatchObject({
      callingCodes: ["1"],
      deadlineMs: 200,
    });
  });

  test.each([
    ["servers by name", { ...ENUM, servers: ["ns.example"] }],
    ["a port that is none", { ...ENUM, servers: ["192.0.2.1:99999"] }],
    ["an address that is none", { ...ENUM, servers: ["[192.0.2.1]:53"] }],
    ["a suffix that is no domain", { ...ENUM, suffix: "a..b" }],
    ["no redirect server", { ...SIP, servers: [] }],
    ["a redirect server that is none", { ...SIP, servers: ["sip:192.0.2.1"] }],
    ["a user part without a number", { ...SIP, user: "123" }],
    ["a user part that could be more than one", { ...SIP, user: "{number}@elsewhere" }],
    ["a line break in a user part", { ...SIP, user: "{number}\r\n" }],
    ["an unknown name in a user part", { ...SIP, user: "{number}{msisdn}" }],
    ["an unknown kind", { ...ENUM, kind: "fax" }],
    ["an unknown key", { ...ENUM, server: "192.0.2.1" }],
    ["an unknown key inside", { ...HTTP, answer: { carrier: "x" } }],
    ["no path at all", { ...HTTP, answer: {} }],
    ["a path that is none", { ...HTTP, answer: { type: "a..b" } }],
    ["an unknown name in braces", { ...HTTP, url: "https://lookup.example/{msisdn}" }],
    ["the number in the host", { ...HTTP, url: "https://{digits}.lookup.example/" }],
    ["another scheme", { ...HTTP, url: "file:///{digits}" }],
    ["a password in the URL", { ...HTTP, url: "https://me:you@lookup.example/{digits}" }],
    ["a body for GET", { ...HTTP, body: { template: "{}" } }],
    ["a header of ours", { ...HTTP, headers: { "Accept-Encoding": "gzip" } }],
    ["a header that is none", { ...HTTP, headers: { "a b": "c" } }],
    ["a secret without a name", { ...HTTP, auth: { kind: "bearer", token: "env:" } }],
    ["a type that is none", { ...HTTP, typeWords: { cell: "Mobile" } }],
    ["no deadline", { ...HTTP, deadlineMs: 0 }],
    ["a calling code with a plus", { ...HTTP, callingCodes: ["+1"] }],
  ])("do not take %s", (_, config) => {
    expect(lookupProvidersSchema.safeParse([config]).success).toBe(false);
  });

  test("need names of their own", () => {
    expect(lookupProvidersSchema.safeParse([ENUM, { ...HTTP, name: ENUM.name }]).success).toBe(false);
  });

  test("take servers with and without a port, of both families", () => {
    expect(make({ ...ENUM, servers: ["192.0.2.1", "192.0.2.1:53", "2001:db8::1", "[2001:db8::1]:5353"] }).name).toBe(
      "dip",
    );
  });

  test("are not made without their secrets, or with secrets no header can carry", () => {
    const config = { ...HTTP, auth: { kind: "bearer", token: "env:TOKEN" } };
    expect(() => make(config)).toThrow("environment variable TOKEN is not set");
    expect(() => make(config, { TOKEN: "two\r\nlines" })).toThrow("characters that cannot be sent");
  });

  test("are described for people and machines, key by key", () => {
    const schema = z.toJSONSchema(lookupProvidersSchema, { io: "input" });
    const undescribed: string[] = [];
    const walk = (node: unknown, path: string) => {
      if (typeof node !== "object" || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === "properties") {
          for (const [name, property] of Object.entries(value as Record<string, { description?: string }>)) {
            if (!property.description) undescribed.push(`${path}.${name}`);
          }
        }
        walk(value, `${path}.${key}`);
      }
    };
    walk(schema, "");
    expect(undescribed).toEqual([]);
  });
});
