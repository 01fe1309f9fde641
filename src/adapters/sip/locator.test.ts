import { expect, test } from "vitest";
import { parseUri } from "../../../rules/sip-uri.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { Locator } from "./locator.ts";
import type { SipNames } from "./names.ts";

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  "gw1.test": ["192.0.2.1", "2001:db8::1"],
  "gw2.test": ["192.0.2.2"],
  "carrier.test": ["192.0.2.9"],
};

function locatorOf(records: Partial<SipNames> = {}, families: readonly (4 | 6)[] = [4]) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const names: SipNames = {
    naptr: async () => [],
    srv: async () => [],
    addresses: async (name) => {
      asked.push(name);
      return (ADDRESSES[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
    ...records,
  };
  const locator = new Locator({ clock, random: () => 0.5, names, families });
  const locate = async (text: string) => {
    const uri = parseUri(text);
    if (!uri || !("host" in uri)) throw new Error(text);
    const hops = await locator.locate(uri);
    return hops.map(({ transport, address, port }) => `${transport} ${address} ${port}`);
  };
  return { locate, clock, asked };
}

test.each([
  ["sip:192.0.2.5", ["UDP 192.0.2.5 5060"]],
  ["sip:192.0.2.5:5080;transport=tcp", ["TCP 192.0.2.5 5080"]],
  ["sips:192.0.2.5", ["TLS 192.0.2.5 5061"]],
  ["sip:192.0.2.5;transport=TLS", ["TLS 192.0.2.5 5061"]],
  ["sip:[2001:db8::5]", []],
  ["sip:carrier.test", ["UDP 192.0.2.9 5060"]],
  ["sip:carrier.test:5070", ["UDP 192.0.2.9 5070"]],
  ["sip:carrier.test;transport=tls", ["TLS 192.0.2.9 5061"]],
  ["sip:nowhere.test", []],
  ["sip:x@localhost:5099", ["UDP 127.0.0.1 5099"]],
])("%s goes to %j", async (uri, hops) => {
  expect(await locatorOf().locate(uri)).toEqual(hops);
});

test("NAPTR names the transport, SRV the hosts in order of priority, and every address is tried", async () => {
  const { locate } = locatorOf(
    {
      naptr: async () => [
        { flags: "s", service: "SIP+D2U", regexp: "", replacement: "_sip._udp.carrier.test", order: 20, preference: 1 },
        { flags: "S", service: "SIPS+D2T", regexp: "", replacement: "_sips._tcp.other.test", order: 10, preference: 1 },
        { flags: "u", service: "E2U+sip", regexp: "", replacement: "", order: 1, preference: 1 },
      ],
      srv: async (name) =>
        name === "_sips._tcp.other.test"
          ? [
              { name: "gw2.test", port: 5062, priority: 2, weight: 1 },
              { name: "gw1.test", port: 5061, priority: 1, weight: 1 },
            ]
          : [],
    },
    [6, 4],
  );
  expect(await locate("sip:carrier.test")).toEqual([
    "TLS 2001:db8::1 5061",
    "TLS 192.0.2.1 5061",
    "TLS 192.0.2.2 5062",
  ]);
});

test("an answer is kept for half a minute", async () => {
  const { locate, clock, asked } = locatorOf();
  await locate("sip:carrier.test");
  await locate("sip:carrier.test");
  expect(asked).toEqual(["carrier.test"]);
  await clock.advance(30_001);
  await locate("sip:carrier.test");
  expect(asked).toHaveLength(2);
});

/** Gives no answer before the signal aborts. */
const silent = (_name: string, signal: AbortSignal) =>
  new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined));
  });

test("name servers that are silent on NAPTR and SRV leave time for the address, which is kept for seconds", async () => {
  const { locate, clock, asked } = locatorOf({ naptr: silent, srv: silent });
  const hops = locate("sip:carrier.test");
  await clock.advance(2000);
  expect(await hops).toEqual(["UDP 192.0.2.9 5060"]);
  expect(await locate("sip:carrier.test")).toEqual(["UDP 192.0.2.9 5060"]);
  await clock.advance(5001);
  const again = locate("sip:carrier.test");
  await clock.advance(2000);
  await again;
  expect(asked).toEqual(["carrier.test", "carrier.test"]);
});

test("a name without an address is looked up again after seconds", async () => {
  const { locate, clock, asked } = locatorOf();
  await Promise.all([locate("sip:nowhere.test"), locate("sip:nowhere.test")]);
  await locate("sip:nowhere.test");
  expect(asked).toEqual(["nowhere.test"]);
  await clock.advance(5001);
  await locate("sip:nowhere.test");
  expect(asked).toHaveLength(2);
});
