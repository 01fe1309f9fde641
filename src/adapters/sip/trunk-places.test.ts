import { expect, test } from "vitest";
import { trunkOf } from "../../../test/fakes/sip-signalling.ts";
import { TrunkPlaces } from "./trunk-places.ts";

const CARRIER = new TrunkPlaces(
  trunkOf({
    host: "trunk.test",
    domain: "carrier.example:5080",
    sources: ["93.184.216.0/24", "192.0.2.7:5080", "2606:2800:220:1::/64", "127.0.0.0/8", "127.0.0.9:5090"],
  }),
);

test.each([
  ["trunk.test", 5060],
  ["TRUNK.test.", 5099],
  ["carrier.example", 5060],
  ["93.184.216.35", 5060],
  ["93.184.216.35", 5099],
  ["192.0.2.7", 5060],
  ["::ffff:93.184.216.35", 5060],
  ["64:ff9b::5db8:d823", 5060],
  ["2002:5db8:d823::1", 5060],
  ["2606:2800:0220:0001::35", 5060],
  ["127.0.0.9", 5090],
])("%s:%i is the trunk's", (host, port) => expect(CARRIER.has({ host, port })).toBe(true));

test.each([
  ["other.test", 5060],
  ["93.184.217.35", 5060],
  ["2606:2800:220:2::35", 5060],
  ["127.0.0.1", 5060],
  ["127.0.0.9", 5060],
  ["localhost", 5060],
])("%s:%i is another user's", (host, port) => expect(CARRIER.has({ host, port })).toBe(false));

test("on loopback, address and port of the host decide, by whichever name", () => {
  const own = new TrunkPlaces(trunkOf({ host: "localhost", port: 5070, sources: ["127.0.0.1"] }));
  const is = (host: string, port: number) => own.has({ host, port });
  expect([is("127.0.0.1", 5070), is("localhost", 5070), is("::1", 5070), is("::ffff:127.0.0.1", 5070)]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([is("127.0.0.1", 5060), is("localhost", 5060), is("127.0.0.4", 5070)]).toEqual([false, false, false]);
});

test("an address that the host once had stays the trunk's", () => {
  const places = new TrunkPlaces(trunkOf({ host: "trunk.test" }));
  const hop = { transport: "UDP", family: 4, port: 5060, servername: "trunk.test", server: "sbc.test" } as const;
  places.learn([{ ...hop, address: "93.184.216.34" }]);
  places.learn([{ ...hop, address: "93.184.216.36" }]);
  expect(["93.184.216.34", "93.184.216.36", "93.184.216.38"].map((host) => places.has({ host, port: 5061 }))).toEqual([
    true,
    true,
    false,
  ]);
  const other = { ...hop, servername: "alias.test", address: "93.184.218.1" };
  expect([places.holds({ ...other, server: "trunk.test" }), places.holds(other)]).toEqual([true, false]);
});
