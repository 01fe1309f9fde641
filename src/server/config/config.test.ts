import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "tandem-config-"));
});
afterAll(() => rmSync(scratch, { recursive: true }));

const faultsOf = (environment: Record<string, string>) => {
  const read = readConfig(environment);
  return read.ok ? [] : read.refusal;
};

test("nothing needs to be set", () => {
  const read = readConfig({});
  expect(read).toMatchObject({
    ok: true,
    value: {
      settings: { TANDEM_PORT: 8080, TANDEM_HOST: "127.0.0.1", TANDEM_TRUST_PROXY: [] },
      sandbox: false,
      tls: undefined,
      dataDir: resolve("data"),
    },
  });
});

test("a setting that is empty is not set", () => {
  expect(readConfig({ TANDEM_PORT: "", TANDEM_PUBLIC_URL: "", TANDEM_CONFIG: "" })).toMatchObject({
    ok: true,
    value: { settings: { TANDEM_PORT: 8080 } },
  });
});

test("all faults are told at once, each by the name of its setting", () => {
  const faults = faultsOf({
    TANDEM_PORT: "x",
    TANDEM_LOG_LEVEL: "loud",
    TANDEM_NO_SUCH: "1",
    TANDEM_TLS_CERT: "/none",
  });
  expect(faults.map((fault) => fault.split(/[ :]/, 1)[0])).toStrictEqual([
    "TANDEM_PORT",
    "TANDEM_LOG_LEVEL",
    "TANDEM_NO_SUCH",
    "TANDEM_TLS_CERT",
  ]);
});

test.each([
  ["TANDEM_PORT", ["0", "65535"], ["-1", "65536", "80.5", "http"]],
  [
    "TANDEM_TRUST_PROXY",
    ["10.0.0.0/8", "127.0.0.1, ::1", "2001:db8::/32", "loopback"],
    ["10.0.0.0/33", "999.1.1.1", "abc", "10.0.0.0/", "10.0.0.1,", "::/129", "true", "10.0.0.0/8/8"],
  ],
  ["TANDEM_PUBLIC_URL", ["https://a.example", "http://localhost:1/"], ["a.example", "ftp://a.example", "http://"]],
  [
    "TANDEM_CORS_ORIGINS",
    ["https://a.example", "http://localhost:3000, https://a.example:8443"],
    ["*", "a.example", "https://a.example/", "https://a.example/x", "ftp://a.example", "https://A.example", "null"],
  ],
  ["TANDEM_DATABASE_URL", ["postgres://a/b", "postgresql://a/b"], ["mysql://a/b", "a/b"]],
  [
    "TANDEM_SECRET_KEY",
    ["ab".repeat(32), Buffer.alloc(32, 7).toString("base64")],
    ["ab", "ab".repeat(31), "ab".repeat(33)],
  ],
  ["TANDEM_OPERATOR_TOKEN", ["0123456789abcdef"], ["0123456789abcde"]],
  ["TANDEM_SANDBOX", ["on", "off", "force"], ["yes"]],
  ["TANDEM_DRAIN_SECONDS", ["0", "3600"], ["-1", "3601", "soon"]],
])("%s takes %j and not %j", (name, right, wrong) => {
  for (const value of right) expect(faultsOf({ [name]: value }), value).toStrictEqual([]);
  for (const value of wrong) expect(faultsOf({ [name]: value }), value).toStrictEqual([expect.stringContaining(name)]);
});

test("what npm start writes for clients is not taken for a wrong setting", () => {
  expect(
    faultsOf({ TANDEM_URL: "x", TANDEM_ACCOUNT_SID: "x", TANDEM_TOKEN: "x", TANDEM_NUMBER: "x", TANDEM_PROFILE: "x" }),
  ).toStrictEqual([]);
});

test("the sandbox listens to nobody else unless forced", () => {
  for (const host of ["127.0.0.1", "127.9.9.9", "::1", "localhost"]) {
    expect(faultsOf({ TANDEM_SANDBOX: "on", TANDEM_HOST: host }), host).toStrictEqual([]);
  }
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "127.example.com"]) {
    expect(faultsOf({ TANDEM_SANDBOX: "on", TANDEM_HOST: host }), host).toStrictEqual([expect.stringContaining(host)]);
    expect(faultsOf({ TANDEM_SANDBOX: "force", TANDEM_HOST: host }), host).toStrictEqual([]);
  }
});

describe("the configuration file", () => {
  const withFile = (text: string, more: Record<string, string> = {}) => {
    const path = join(scratch, "tandem.config.json");
    writeFileSync(path, text);
    return { TANDEM_CONFIG: path, ...more };
  };
  const provider = {
    kind: "http",
    name: "service",
    url: "https://lookup.example/{digits}",
    auth: { kind: "bearer", token: "env:LOOKUP_TOKEN" },
    answer: { carrierName: "carrier" },
  };

  test("is read, and its secrets come from the environment", () => {
    const environment = withFile(JSON.stringify({ lookup: { providers: [provider] } }), { LOOKUP_TOKEN: "hush" });
    const read = readConfig(environment);
    expect(read).toMatchObject({ ok: true, value: { file: { lookup: { providers: [{ name: "service" }] } } } });
    expect(read.ok && read.value.secret("LOOKUP_TOKEN")).toBe("hush");
  });

  test("asks for the secrets that are missing by name", () => {
    const faults = faultsOf(withFile(JSON.stringify({ lookup: { providers: [provider] } })));
    expect(faults).toStrictEqual([expect.stringMatching(/^LOOKUP_TOKEN: /)]);
  });

  test("asks for those of links, the registry and the clearing house too, for each once", () => {
    const smpp = [{ name: "a", host: "a.example", systemId: "a", password: "env:SMSC" }];
    const hosts = { host: "m.example", ourHost: "o.example", peerHost: "p.example" };
    const listen = { port: 2525, allowedNetworks: ["192.0.2.0/24"] };
    const mm4 = [{ name: "m", user: "m", password: "env:MMSC", ...hosts, listen }];
    const file = {
      lookup: { providers: [provider] },
      carriers: [{ name: "a", smpp, mm4 }],
      registry: { upstreamCnpId: "STANDEM", apiKey: "env:REGISTRY", secret: "env:REGISTRY" },
      porting: { kind: "http", baseUrl: "https://house.example", token: "env:HOUSE", webhookSecret: "env:NEWS" },
    };
    const faults = faultsOf(withFile(JSON.stringify(file), { LOOKUP_TOKEN: "hush" }));
    expect(faults.map((fault) => fault.split(":")[0])).toEqual(["SMSC", "MMSC", "REGISTRY", "HOUSE", "NEWS"]);
  });

  test("refuses a password from the environment that the link cannot send", () => {
    const link = { name: "a", host: "a.example", systemId: "a", password: "env:SMSC" };
    const faults = (SMSC: string, more: object = {}) =>
      faultsOf(withFile(JSON.stringify({ carriers: [{ name: "a", smpp: [{ ...link, ...more }] }] }), { SMSC }));
    expect(faults("12345678")).toEqual([]);
    expect(faults("123456789")).toEqual([expect.stringMatching(/link a: .*more than the 8 characters.*longPassword/)]);
    expect(faults("123456789", { longPassword: true })).toEqual([]);
    expect(faults("x".repeat(65), { longPassword: true })).toEqual([expect.stringContaining("64 characters")]);
    expect(faults("pässwörd")).toEqual([expect.stringContaining("printable ASCII")]);
  });

  test.each([
    ["no JSON", "{", "not valid JSON"],
    ["a member twice", '{"lookup":{},"lookup":{}}', "twice"],
    ["an unknown member", '{"colour":"red"}', "colour"],
    ["three SIP addresses", '{"sip":{"sourceAddresses":["10.0.0.1","10.0.0.2","10.0.0.3"]}}', "sip.sourceAddresses"],
    [
      "a redirect server without SIP",
      '{"lookup":{"providers":[{"kind":"sip","name":"lrn","servers":["192.0.2.1"]}]}}',
      "lookup.providers.0: a provider of the kind sip asks from sip.sourceAddresses",
    ],
  ])("with %s is refused", (_what, text, told) => {
    expect(faultsOf(withFile(text))).toStrictEqual([expect.stringContaining(told)]);
  });

  test("is told with the line of each fault", () => {
    const place = `TANDEM_CONFIG: ${join(scratch, "tandem.config.json")}, line`;
    expect(faultsOf(withFile('{\n  "carriers": [],\n}\n'))).toStrictEqual([expect.stringContaining(`${place} 3: `)]);
    const text = '{\n  "carriers": [\n    {\n      "name": "A B"\n    }\n  ],\n  "colour": "red"\n}';
    expect(faultsOf(withFile(text))).toStrictEqual([
      expect.stringContaining(`${place} 4: carriers.0.name: `),
      expect.stringContaining(`${place} 7: file: `),
    ]);
  });

  test("may have routes for everything", () => {
    const carriers = [{ name: "a" }];
    const routes = [{ senders: ["+"], destinations: ["+"], to: [{ carrier: "a" }] }];
    expect(readConfig(withFile(JSON.stringify({ carriers, routes })))).toMatchObject({
      value: { file: { routes: [{ destinations: ["+"] }] } },
    });
    const empty = JSON.stringify({ carriers, routes: [{ destinations: [""], to: [{ carrier: "a" }] }] });
    expect(faultsOf(withFile(empty))).toStrictEqual([expect.stringContaining("routes.0.destinations.0")]);
  });

  test("that is not there, or a directory, is told with what to do", () => {
    const path = join(scratch, "none.json");
    expect(faultsOf({ TANDEM_CONFIG: path })).toStrictEqual([
      `TANDEM_CONFIG: ${path} cannot be read (ENOENT): there is no such file; correct the path, or leave the setting out.`,
    ]);
    expect(faultsOf({ TANDEM_CONFIG: scratch })).toStrictEqual([expect.stringMatching(/EISDIR.*name the file in it/)]);
  });
});

test("all roles can be asked for by one word, and ports of parts that are elsewhere are nobody's fault", () => {
  const config = readConfig({ TANDEM_ROLES: "all", TANDEM_SMSC_PORT: "0", TANDEM_SIP_PORT: "0" });
  expect(config.ok && config.value.settings.TANDEM_ROLES).toEqual(["api", "worker"]);
});
