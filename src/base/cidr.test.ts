import { BlockList, isIP, SocketAddress } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isInNetwork, parseAddress, parseNetwork, subscriberOf, whyForbidden } from "./cidr.ts";

const kindOf = (text: string, ...allowed: readonly string[]) => {
  const address = parseAddress(text);
  if (!address) throw new Error(text);
  return whyForbidden(
    address,
    allowed.map((network) => parseNetwork(network) ?? expect.fail(network)),
  );
};

test("an address is read exactly when Node takes it for one", () => {
  const nearly = fc
    .array(fc.constantFrom("0", "1", "7f", "255", "256", "01", "ffff", ":", "::", ".", "127", "%lo", "/", "g"), {
      maxLength: 14,
    })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), nearly, fc.string()), (text) => {
      fc.pre(!text.includes("%"));
      expect(parseAddress(text)?.family ?? 0).toBe(isIP(text));
    }),
    { numRuns: 2000 },
  );
});

test("a network holds the addresses that Node's block list finds in it", () => {
  const side = (family: "ipv4" | "ipv6", address: fc.Arbitrary<string>, width: number) =>
    fc.tuple(fc.constant(family), address, address, fc.nat(width));
  fc.assert(
    fc.property(fc.oneof(side("ipv4", fc.ipV4(), 32), side("ipv6", fc.ipV6(), 128)), ([family, net, text, prefix]) => {
      const list = new BlockList();
      list.addSubnet(new SocketAddress({ address: net, family }), prefix);
      const network = parseNetwork(`${net}/${prefix}`);
      const address = parseAddress(text);
      if (!network || !address) throw new Error("unread");
      expect(isInNetwork(network, address)).toBe(list.check(text, family));
      expect(isInNetwork(network, network)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test("a subscriber has an IPv4 address or a /64, however it is written", () => {
  const subscriber = (text: string) => subscriberOf(parseAddress(text) ?? expect.fail(text));
  const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
  const textOf = (numbers: readonly number[]) => numbers.map((number) => number.toString(16)).join(":");
  fc.assert(
    fc.property(groups, groups, ([a, b, c, d, ...rest], others) => {
      const prefix = [a, b, c, d] as number[];
      const own = subscriber(textOf([...prefix, ...rest]));
      expect(subscriber(textOf([...prefix, ...others.slice(4)]))).toBe(own);
      expect(subscriber(`${textOf(prefix)}::1`)).toBe(own);
      expect(subscriber(textOf([...prefix.slice(0, 3), (d as number) ^ 1, ...rest]))).not.toBe(own);
    }),
  );
  expect(subscriber("2001:db8::1")).toBe(subscriber("2001:db8:0:0:ffff::"));
  expect(subscriber("::ffff:203.0.113.1")).toBe(subscriber("203.0.113.1"));
  expect(subscriber("::ffff:203.0.113.2")).not.toBe(subscriber("203.0.113.1"));
  expect(subscriber("::1")).not.toBe(subscriber("0.0.0.0"));
});

test.each([
  "",
  "10.0.0.0/33",
  "::/129",
  "10.0.0.0/",
  "10.0.0.0/-1",
  "10.0.0.0/8/8",
  "10/8",
  "loopback",
  "fe80::%lo/10",
])("%j is not a network", (text) => {
  expect(parseNetwork(text)).toBeUndefined();
});

test.each([
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["10.255.255.255", "private"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["100.127.255.255", "carrier-grade NAT"],
  ["127.255.255.254", "loopback"],
  ["168.63.129.16", "cloud platform"],
  ["169.254.169.254", "link-local"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.0.0.192", "protocol assignment"],
  ["192.0.2.1", "documentation"],
  ["192.88.99.1", "6to4 relay"],
  ["192.168.1.1", "private"],
  ["198.19.255.255", "benchmark"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.9", "documentation"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.255", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::127.0.0.1", "IPv4-compatible"],
  ["::8.8.8.8", "IPv4-compatible"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:7f00:1", "loopback"],
  ["::ffff:0:10.0.0.1", "private"],
  ["64:ff9b::127.0.0.1", "loopback"],
  ["64:ff9b::a9fe:a9fe", "link-local"],
  ["64:ff9b:1::1", "local NAT64"],
  ["100::1", "discard"],
  ["2001:0:7f00:1::", "loopback"],
  ["2001:0:808:808:0:0:f5ff:fffe", "private"],
  ["2001:2::1", "protocol assignment"],
  ["2001:10::1", "protocol assignment"],
  ["2001:db8::1", "documentation"],
  ["2002:7f00:1::", "loopback"],
  ["2002:a00:1::1", "private"],
  ["2a00::5efe:10.0.0.1", "private"],
  ["2a00::200:5efe:192.168.0.1", "private"],
  ["3fff::1", "documentation"],
  ["5f00::1", "segment routing"],
  ["4000::1", "reserved"],
  ["fc00::1", "unique local"],
  ["fd00:ec2::254", "unique local"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local"],
  ["fec0::1", "site-local"],
  ["ff02::1", "multicast"],
])("%s is %s", (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "223.255.255.255",
  "2606:4700::1111",
  "2a00:1450::1",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "2002:808:808::1",
  "2a00::5efe:8.8.8.8",
])("%s is public", (text) => {
  expect(kindOf(text)).toBeUndefined();
});

test("an allowed network opens itself and the IPv6 forms that lead into it, and nothing else", () => {
  expect(kindOf("10.1.2.3", "10.0.0.0/8")).toBeUndefined();
  expect(kindOf("::ffff:10.1.2.3", "10.0.0.0/8")).toBeUndefined();
  expect(kindOf("64:ff9b::10.1.2.3", "10.0.0.0/8")).toBeUndefined();
  expect(kindOf("::ffff:10.1.2.3", "::ffff:10.0.0.0/104")).toBeUndefined();
  expect(kindOf("fd00::1", "fd00::/16")).toBeUndefined();
  expect(kindOf("11.0.0.1", "10.0.0.0/8")).toBeUndefined();
  expect(kindOf("192.168.0.1", "10.0.0.0/8")).toBe("private");
  expect(kindOf("::1", "127.0.0.0/8")).toBe("loopback");
  expect(kindOf("fd01::1", "fd00::/16")).toBe("unique local");
});
