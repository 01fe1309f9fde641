import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { TrustedProxies } from "./trusted-proxies.ts";

const proxies = new TrustedProxies(["10.0.0.0/8", "fd00::/8"]);
const asked = (remoteAddress: string, headers: Readonly<Record<string, string>>) =>
  ({ headers: { host: "phone.example", ...headers }, socket: { remoteAddress } }) as unknown as IncomingMessage;

test.each([
  ["nobody forwards", "203.0.113.7", {}, "203.0.113.7"],
  ["a stranger claims to forward", "203.0.113.7", { "x-forwarded-for": "192.0.2.1" }, "203.0.113.7"],
  ["a proxy forwards", "10.0.0.1", { "x-forwarded-for": "192.0.2.1" }, "192.0.2.1"],
  ["a proxy is shown as IPv6", "::ffff:10.0.0.1", { "x-forwarded-for": "192.0.2.1" }, "192.0.2.1"],
  ["two proxies forward", "fd00::1", { "x-forwarded-for": "192.0.2.1, 10.2.3.4" }, "192.0.2.1"],
  ["the caller adds an address", "10.0.0.1", { "x-forwarded-for": "198.51.100.9, 192.0.2.1" }, "192.0.2.1"],
  ["all are proxies", "10.0.0.1", { "x-forwarded-for": "10.0.0.9, 10.0.0.8" }, "10.0.0.9"],
  ["a proxy says nothing", "10.0.0.1", { "x-forwarded-for": " , " }, "10.0.0.1"],
  ["a proxy forwards no address", "10.0.0.1", { "x-forwarded-for": "unknown" }, "unknown"],
])("when %s, the caller is known", (_case, remote, headers, ip) => {
  expect(proxies.callerOf(asked(remote, headers)).ip).toBe(ip);
});

test("the name that was asked for is believed from proxies alone", () => {
  const headers = { "x-forwarded-host": "a.example, b.example" };
  expect(proxies.callerOf(asked("10.0.0.1", headers)).host).toBe("b.example");
  expect(proxies.callerOf(asked("203.0.113.7", headers)).host).toBe("phone.example");
});
