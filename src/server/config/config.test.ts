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

test("a setting that is misspelt is reported with the one that was probably meant", () => {
  expect(faultsOf({ TANDEM_PROT: "80" })).toStrictEqual([
    "TANDEM_PROT: there is no such setting; is TANDEM_PORT meant?",
  ]);
});

test("a setting out of its bounds is reported with them", () => {
  expect(faultsOf({ TANDEM_DRAIN_SECONDS: "soon", TANDEM_SIP_PORT: "-1" })).toStrictEqual([
    expect.stringMatching(/^TANDEM_SIP_PORT: a whole number from 0 to 65535 is wanted/),
    expect.stringMatching(/^TANDEM_DRAIN_SECONDS: a whole number from 0 to 3600 is wanted/),
  ]);
});

test("all faults are reported at once, each by the name of its setting", () => {
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
  [
    "TANDEM_DATABASE_URL",
    [
      "postgres://a/b",
      "postgresql://a/b",
      "postgres://u:p@a:5432,b:5433/c?target_session_attrs=read-write",
      "postgres://a,b/c?target_session_attrs=primary",
    ],
    ["mysql://a/b", "a/b", "postgres://a:x,b/c", "postgres://a,b:70000/c", "postgres://a,b/c?target_session_attrs=any"],
  ],
  [
    "TANDEM_SECRET_KEY",
    ["ab".repeat(32), Buffer.alloc(32, 7).toString("base64"), `${"ab".repeat(32)},${"cd".repeat(32)}`],
    ["ab", "ab".repeat(31), "ab".repeat(33), `${"ab".repeat(32)},cd`],
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

test("the sandbox listens to no one else unless forced", () => {
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
    ["no JSON", "{", "line 1, column 2: the file is not valid JSON: it ends too early."],
    ["a member twice", '{"lookup":{},"lookup":{}}', "line 1: lookup: it is given twice"],
    ["an unknown member", '{"colour":"red"}', "line 1: colour: there is no such setting; there are $schema, lookup, "],
    ["a member misspelt", '{"carrier":[]}', "line 1: carrier: there is no such setting; is carriers meant?"],
    [
      "no SIP address",
      '{"sip":{"sourceAddresses":[]}}',
      "sip.sourceAddresses: a list of 1 to 2 items is wanted, not a list of 0",
    ],
    ["three SIP addresses", '{"sip":{"sourceAddresses":["10.0.0.1","10.0.0.2","10.0.0.3"]}}', "sip.sourceAddresses"],
    [
      "a redirect server without SIP",
      '{"lookup":{"providers":[{"kind":"sip","name":"lrn","servers":["192.0.2.1"]}]}}',
      "lookup.providers.0: a provider of the kind sip asks from sip.sourceAddresses",
    ],
  ])("with %s is refused", (_what, text, told) => {
    expect(faultsOf(withFile(text))).toStrictEqual([expect.stringContaining(told)]);
  });

  test("may name one SIP address or two", () => {
    for (const sourceAddresses of [["10.0.0.1"], ["10.0.0.1", "10.0.0.2"]]) {
      expect(faultsOf(withFile(JSON.stringify({ sip: { sourceAddresses } })))).toStrictEqual([]);
    }
  });

  test("is reported with the line and column where it is no JSON", () => {
    const faults = faultsOf(withFile('{\n  "carriers": [],\n}\n'));
    const path = join(scratch, "tandem.config.json");
    expect(faults).toStrictEqual([
      `TANDEM_CONFIG: ${path}, line 3, column 1: the file is not valid JSON: "}" cannot stand here.`,
    ]);
  });

  test("is reported with all its faults at once: line, path, and what may stand there", () => {
    const text = `{
  "lookup": { "providers": [{ "kind": "pigeon" }, { "kind": "sip", "name": "lrn", "servers": ["192.0.2.1"] }] },
  "carriers": [
    { "name": "A B", "smp": [] },
    { "name": "b", "mm4": "no", "mm4": [],
      "smpp": [{
        "name": "x", "hots": "h", "port": "27", "systemId": "${"s".repeat(20)}",
        "windowSize": 0, "password": "env:SMSC", "tls": { "cert": 5 }, "bind": "both"
      }] },
    7
  ],
  "routes": [{ "to": [{ "carrier": "zz", "weight": -1 }, { "carrier": "b" }] }],
  "sip": {
    "sourceAddresses": ["10.0.0.256", { "adress": "10.0.0.1" }],
    "trunks": [
      { "name": "t", "host": "h", "srtp": true, "priority": 1.5, "credentials": { "username": "u", "password": "env:T" } }
    ],
    "emergencyTrunk": "nobody"
  },
  "speech": { "engine": "http", "url": "ftp://x", "voice": null },
  "recordings": { "lame": "lame" }
}`;
    const start = `TANDEM_CONFIG: ${join(scratch, "tandem.config.json")}, line `;
    const faults = faultsOf(withFile(text, { SMSC: "much-too-long" }));
    expect(faults.map((fault) => fault.replace(start, "").replace(scratch, ""))).toMatchInlineSnapshot(`
      [
        "2: lookup.providers.0.kind: one of enum, http, sip is wanted, not pigeon",
        "4: carriers.0.name: up to 40 small letters, digits and dashes are wanted (Names the carrier in routes and logs.)",
        "4: carriers.0.smp: there is no such setting; is smpp meant?",
        "5: carriers.1.mm4: it is given twice",
        "6: carriers.1.smpp.0.host: it is missing; text of 1 to 253 characters is wanted (The SMSC's name or address.)",
        "7: carriers.1.smpp.0.port: a whole number from 1 to 65535 is wanted, not text of 2 characters (The SMSC's port.)",
        "7: carriers.1.smpp.0.systemId: text of at most 15 characters is wanted, not text of 20 characters (Who we are to the SMSC.)",
        "7: carriers.1.smpp.0.hots: there is no such setting; is host meant?",
        "8: carriers.1.smpp.0.tls.cert: text of at least 1 character is wanted, not 5 (Our own certificate. PEM text or a path.)",
        "8: carriers.1.smpp.0.tls: cert and key belong together (TLS, or false.)",
        "8: carriers.1.smpp.0.bind: one of transceiver, transmitter-receiver is wanted, not both (One connection for both directions, or one for each; the link is up when all are.)",
        "8: carriers.1.smpp.0.windowSize: a whole number from 1 to 1000 is wanted, not 0 (Submits that may wait for their answers at once.)",
        "8: carriers.1.smpp.0.password: link x: the password has more than the 8 characters of SMPP 3.4; set "longPassword": true if the carrier has issued it so",
        "10: carriers.2: an object is wanted, not 7 (A carrier that takes and brings messages.)",
        "12: routes.0.to.0.weight: a number above 0 and up to 1000000 is wanted, not -1",
        "12: routes.0.to.0.carrier: there is no carrier zz",
        "14: sip.sourceAddresses.0: an IP address is wanted, or an object with address and publicAddress (An address, or one with the public address that a NAT gives it.)",
        "14: sip.sourceAddresses.1.address: an IP address is wanted (Of this machine.)",
        "14: sip.sourceAddresses.1.adress: there is no such setting; is address meant?",
        "16: sip.trunks.0.priority: a whole number from 0 to 1000 is wanted, not 1.5 (Trunks of a lower number are tried first.)",
        "16: sip.trunks.0: srtp needs the transport tls (A SIP trunk.)",
        "18: sip.emergencyTrunk: there is no trunk nobody (The trunk by which emergency calls go out. By default they are refused.)",
        "20: speech.url: must be https, or http on this machine, without a query",
        "20: speech.voice: text of 1 to 200 characters is wanted, not null (Passed on.)",
        "21: recordings.lame: must be the full path of a program (The program lame of the machine, such as /usr/bin/lame. By default the built-in encoder is used.)",
        "T: /tandem.config.json refers to it, but it is not set.",
      ]
    `);
  });

  test("is reported where a trunk has no way to be reached, or two ways, and where two register as the same user", () => {
    const registrar = { username: "pbx", password: "secret" };
    const trunks = [
      { name: "none" },
      { name: "both", host: "192.0.2.1", registrar },
      { name: "port", port: 5060, registrar: { ...registrar, username: "port" } },
      { name: "same", registrar },
    ];
    const faults = faultsOf(withFile(JSON.stringify({ sip: { sourceAddresses: ["192.0.2.10"], trunks } })));
    expect(faults.map((fault) => fault.replace(/^.*line \d+: /, ""))).toEqual([
      expect.stringMatching(/^sip.trunks.0: either host or registrar is wanted/),
      expect.stringMatching(/^sip.trunks.1: either host or registrar is wanted/),
      expect.stringMatching(/^sip.trunks.2: port, tls, register and sources need a host/),
      expect.stringMatching(/^sip.trunks: two trunks register as pbx/),
    ]);
  });

  test("is reported with every secret that is missing, beside other faults", () => {
    const faults = faultsOf(withFile(JSON.stringify({ colour: 1, lookup: { providers: [provider] } })));
    expect(faults).toStrictEqual([expect.stringContaining("colour"), expect.stringMatching(/^LOOKUP_TOKEN: /)]);
  });

  test("is reported without what it holds, which may be a secret", () => {
    const link = { name: "a", host: "a.example", systemId: "hush-hush-hush-hush", password: "hush-hush-hush" };
    const registry = { upstreamCnpId: "hush-hush", apiKey: ["hush"], secret: { hush: "hush" } };
    const faults = faultsOf(withFile(JSON.stringify({ carriers: [{ name: "a", smpp: [link] }], registry })));
    expect(faults).toHaveLength(5);
    expect(faults.join("\n")).not.toContain("hush");
  });

  test.each(["null", "[]", "7", '"x"', '{"carriers":{}}', '{"sip":null}', '{"routes":[null],"carriers":[null]}'])(
    "of another shape (%s) is refused in words",
    (text) => {
      const faults = faultsOf(withFile(text));
      expect(faults).not.toStrictEqual([]);
      for (const fault of faults) expect(fault).toMatch(/ is wanted/);
    },
  );

  test("may have routes for everything", () => {
    const carriers = [{ name: "a" }];
    const routes = [{ senders: ["+"], destinations: ["+"], to: [{ carrier: "a" }] }];
    expect(readConfig(withFile(JSON.stringify({ carriers, routes })))).toMatchObject({
      value: { file: { routes: [{ destinations: ["+"] }] } },
    });
    const empty = JSON.stringify({ carriers, routes: [{ destinations: [""], to: [{ carrier: "a" }] }] });
    expect(faultsOf(withFile(empty))).toStrictEqual([expect.stringContaining("routes.0.destinations.0")]);
  });

  test("that is not there, or a directory, is reported with what to do", () => {
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
