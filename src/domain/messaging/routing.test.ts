import { describe, expect, test } from "vitest";
import type { CarrierLink, Outgoing } from "./ports.ts";
import { describeRoutes, makeRouter, pickLink, type RouteRule } from "./routing.ts";

const link = (name: string, carrier: string, kind: CarrierLink["kind"] = "sms"): CarrierLink => ({
  name,
  carrier,
  kind,
  capacity: () => 1,
  submit: () => undefined,
});
const LINKS = [link("a1", "a"), link("a2", "a"), link("b1", "b"), link("b-mms", "b", "mms")];
const message = (more: Partial<Outgoing> = {}): Outgoing => ({
  sid: "OM1",
  accountSid: "AC1",
  from: "+14155550150",
  recipients: ["+12125550100"],
  text: "Hi",
  mediaUrls: [],
  priority: 2,
  carrier: "T-Mobile USA",
  expiresOn: new Date(0),
  isReply: false,
  deferrals: 0,
  checkedOn: new Date(0),
  ...more,
});
const rule = (more: Partial<RouteRule>): RouteRule => ({
  senders: [],
  destinations: [],
  carriers: [],
  to: [{ carrier: "a", weight: 1 }],
  ...more,
});
const linksOf = (rules: readonly RouteRule[], more: Partial<Outgoing> = {}) =>
  makeRouter(rules, LINKS)(message(more)).links.map(({ link, weight }) => `${link.name} ${weight}`);

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

describe("the link", () => {
  const route = makeRouter([], LINKS)(message());
  const anyLink = () => true;

  test("is drawn by weight", () => {
    const drawn = [0, 0.24, 0.26, 0.49, 0.51, 0.99].map((chance) => pickLink(route, anyLink, () => chance)?.name);
    expect(drawn).toEqual(["a1", "a1", "a2", "a2", "b1", "b1"]);
  });

  test("that has no capacity leaves its share to the others", () => {
    const withCapacity =
      (...names: string[]) =>
      (candidate: CarrierLink) =>
        names.includes(candidate.name);
    for (const chance of [0, 0.5, 0.999]) {
      expect(pickLink(route, withCapacity("a2"), () => chance)?.name).toBe("a2");
      expect(pickLink(route, withCapacity(), () => chance)).toBeUndefined();
    }
    expect(pickLink(route, withCapacity("a1", "b1"), () => 0.3)?.name).toBe("a1");
    expect(pickLink(route, withCapacity("a1", "b1"), () => 0.34)?.name).toBe("b1");
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
