import { expect, test } from "vitest";
import { linkSettings } from "./link-settings.ts";

const LEAST = { name: "carrier-a", host: "smsc.example.com", systemId: "alice", password: "secret" };
const faultsOf = (settings: object) =>
  linkSettings.safeParse({ ...LEAST, ...settings }).error?.issues.map(({ path }) => path.join("."));

test("name, host, system id and password are enough", () => {
  expect(linkSettings.parse(LEAST)).toEqual({
    ...LEAST,
    longPassword: false,
    port: 2775,
    tls: false,
    systemType: "",
    bind: "transceiver",
    windowSize: 10,
    enquireLinkSeconds: 30,
    responseSeconds: 30,
    addressing: {},
    longMessages: "udh",
    serviceType: "",
    validity: "relative",
    receiptIds: "same",
    sendReference: true,
  });
});

test("TLS checks the SMSC's certificate unless asked otherwise", () => {
  expect(linkSettings.parse({ ...LEAST, tls: {} }).tls).toEqual({ rejectUnauthorized: true });
});

test.each([
  [{ windowSize: 1001 }, "windowSize"],
  [{ windowSize: 0 }, "windowSize"],
  [{ systemId: "sixteen octets!!" }, "systemId"],
  [{ password: "nine char" }, "password"],
  [{ password: "env:" }, "password"],
  [{ password: "é" }, "password"],
  [{ password: "x".repeat(65), longPassword: true }, "password"],
  [{ systemType: "thirteen octe" }, "systemType"],
  [{ serviceType: "sixsix" }, "serviceType"],
  [{ systemId: "é" }, "systemId"],
  [{ maxPerSecond: 0 }, "maxPerSecond"],
  [{ tls: { cert: "cert.pem" } }, "tls"],
  [{ tls: true }, "tls"],
  [{ addressing: { source: { ton: 256, npi: 0 } } }, "addressing.source.ton"],
  [{ smartEncoding: true }, ""],
])("%j is refused", (settings, path) => {
  expect(faultsOf(settings)).toEqual([path]);
});

test.each(["env:SMSC_PASSWORD", "plain", ""])("%j is a password", (password) => {
  expect(faultsOf({ password })).toBeUndefined();
});

test("a longer password is taken where the link says so", () => {
  expect(faultsOf({ password: "nine char", longPassword: true })).toBeUndefined();
  expect(faultsOf({ password: "x".repeat(64), longPassword: true })).toBeUndefined();
});
