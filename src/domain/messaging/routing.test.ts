import { describe, expect, test } from "vitest";
import { outgoing } from "../../../test/fakes/outgoing.ts";
import type { CarrierLink, Outgoing } from "./ports.ts";
import {
  describeRoutes,
  linksOfShards,
  makePlacer,
  makeRoutes,
  type Route,
  type RouteRule,
  SHARDS,
} from "./routing.ts";

const link = (name: string, carrier: string, kind: CarrierLink["kind"] = "sms"): CarrierLink => ({
  name,
  carrier,
  kind,
  capacity: () => 1,
  submit: () => undefined,
});
const LINKS = [link("a1", "a"), link("a2", "a"), link("b1", "b"), link("b-mms", "b", "mms")];
const message = (more: Partial<Outgoing> = {}): Outgoing =>
  outgoing({ from: "+14155550150", recipients: ["+12125550100"], carrier: "T-Mobile USA", ...more });
const rule = (more: Partial<RouteRule>): RouteRule => ({
  senders: [],
  destinations: [],
  carriers: [],
  to: [{ carrier: "a", weight: 1 }],
  ...more,
});
const routeOf = (rules: readonly RouteRule[], more: Partial<Outgoing> = {}) =>
  makeRoutes(rules, LINKS).get(makePlacer(rules).placeOf(message(more)).route) as Route;
const linksOf = (rules: readonly RouteRule[], more: Partial<Outgoing> = {}) =>
  routeOf(rules, more).links.map(({ link, weight }) => `${link.name} ${weight}`);

describe("routes", () => {
  test("without rules every link of the kind takes every message, carriers in equal shares", () => {
    expect(linksOf([])).toEqual(["a1 0.5", "a2 0.5", "b1 1"]);
    expect(linksOf([], { mediaUrls: ["https://a.example/"] })).toEqual(["b-mms 1"]);
    expect(linksOf([], { recipients: ["+12125550100", "+12125550101"] })).toEqual(["b-mms 1"]);
  });

  test("the first rule that fits decides, by sender, recipient and recipient's carrier", () => {
    const rules = [
      rule({ senders: ["+1888"], to: [{ carrier: "b", weight: 3 }] }),
      rule({ destinations: ["+44", "+1212"], carriers: ["verizon"] }),
      rule({ destinations: ["+1212"], carriers: ["t-mobile usa"], to: [{ carrier: "a", weight: 4 }] }),
    ];
    expect(linksOf(rules, { from: "+18885550100" })).toEqual(["b1 3"]);
    expect(linksOf(rules)).toEqual(["a1 2", "a2 2"]);
    expect(linksOf(rules, { carrier: "Verizon" })).toEqual(["a1 0.5", "a2 0.5"]);
    expect(linksOf(rules, { carrier: null })).toEqual(["a1 0.5", "a2 0.5", "b1 1"]);
    expect(linksOf(rules, { recipients: ["+33612345678"] })).toEqual(["a1 0.5", "a2 0.5", "b1 1"]);
  });

  test("a rule to a carrier without a link of the kind has none to offer", () => {
    expect(linksOf([rule({})], { mediaUrls: ["https://a.example/"] })).toEqual([]);
  });
});

describe("the key of a route", () => {
  const RULES = [rule({ destinations: ["+44"] }), rule({ senders: ["+1888"] })];

  test("is one of the placer's, and finds the route", () => {
    const { routes } = makePlacer(RULES);
    expect(new Set(routes).size).toBe(6);
    expect([...makeRoutes(RULES, LINKS).keys()].sort()).toEqual([...routes].sort());
    expect(makeRoutes(RULES, LINKS).get(makePlacer(RULES).placeOf(message({ recipients: ["+447"] })).route)?.name).toBe(
      "route 1, sms",
    );
    expect(routeOf(RULES).name).toBe("any, sms");
  });

  test("is another after any change of the rules", () => {
    const { routes } = makePlacer(RULES);
    for (const changed of [[], RULES.toReversed(), [...RULES, rule({})], [rule({ destinations: ["+33"] }), RULES[1]]])
      expect(makePlacer(changed as RouteRule[]).routes.filter((route) => routes.includes(route))).toEqual([]);
  });
});

describe("the shard", () => {
  const shardOf = (more: Partial<Outgoing>) => makePlacer([]).placeOf(message(more)).shard;

  test("is the same for the same sender and recipient, and another one for most others", () => {
    expect(shardOf({ text: "one", accountSid: "AC2" })).toBe(shardOf({ text: "two" }));
    const recipients = Array.from({ length: 1_000 }, (_, at) => shardOf({ recipients: [`+1212555${1000 + at}`] }));
    const senders = Array.from({ length: 1_000 }, (_, at) => shardOf({ from: `+1415555${1000 + at}` }));
    for (const shards of [recipients, senders]) {
      expect(new Set(shards).size).toBe(SHARDS);
      expect(shards.every((shard) => shard >= 0 && shard < SHARDS)).toBe(true);
    }
  });
});

describe("the links of the shards", () => {
  const many = Array.from({ length: 5 }, (_, at) => ({ link: { name: `link ${at}` }, weight: 1 }));
  const count = (links: readonly ({ readonly name: string } | undefined)[], name: string) =>
    links.filter((link) => link?.name === name).length;

  test("have shares by weight", () => {
    const links = linksOfShards([
      { link: { name: "a" }, weight: 7 },
      { link: { name: "b" }, weight: 1 },
    ]);
    expect(links).toHaveLength(SHARDS);
    expect(count(links, "a") + count(links, "b")).toBe(SHARDS);
    expect(count(links, "b")).toBeGreaterThan(2);
    expect(count(links, "b")).toBeLessThan(16);
  });

  test("stay when another link goes: only its own shards move, to all others", () => {
    const [before, after] = [linksOfShards(many), linksOfShards(many.slice(1))];
    const moved = before.flatMap((link, shard) => (link === after[shard] ? [] : { link, to: after[shard]?.name }));
    expect(moved.every(({ link }) => link?.name === "link 0")).toBe(true);
    expect(moved).toHaveLength(count(before, "link 0"));
    expect(new Set(moved.map(({ to }) => to)).size).toBeGreaterThan(1);
  });

  test("are none where there is no link", () => {
    expect(new Set(linksOfShards([]))).toEqual(new Set([undefined]));
  });
});

describe("routes as operators see them", () => {
  const described = (rules: readonly RouteRule[]) =>
    describeRoutes(rules, LINKS).map(
      ({ name, kind, links }) =>
        `${name} ${kind}: ${links.map(({ link, weight }) => `${link.name} ${weight}`).join(" ")}`,
    );

  test("are those by which messages go, the rest last", () => {
    expect(described([rule({ destinations: ["+44"], to: [{ carrier: "b", weight: 3 }] })])).toEqual([
      "route 1 sms: b1 3",
      "route 1 mms: b-mms 3",
      "any sms: a1 0.5 a2 0.5 b1 1",
      "any mms: b-mms 1",
    ]);
  });

  test("end with the first that fits everything", () => {
    const rules = [rule({ senders: ["+1"] }), rule({}), rule({ destinations: ["+44"] })];
    expect(described(rules)).toEqual([
      "route 1 sms: a1 0.5 a2 0.5",
      "route 1 mms: ",
      "route 2 sms: a1 0.5 a2 0.5",
      "route 2 mms: ",
    ]);
  });

  test("are none of a kind that no link carries", () => {
    expect(describeRoutes([], LINKS.slice(0, 3)).map(({ kind }) => kind)).toEqual(["sms"]);
    expect(describeRoutes([rule({})], [])).toEqual([]);
  });
});
