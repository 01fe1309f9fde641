// What components of the portal decide, rendered once without a browser: what is folded, what is tried again by itself,
// and of what a share is.

import { TandemError, TandemNetworkError } from "@tandem/sdk";
import { expect, test } from "vitest";

type Render = (name: string, component: string, props: object) => Promise<string>;

/** Components need the types of a page, which tests do not have. Answers the words that are shown, with one space. */
const wordsOf: Render = async (name, component, props) => {
  const url = new URL(`../../portal/src/${name}`, import.meta.url).href;
  const load = <Module>(id: string) => import(/* @vite-ignore */ id) as Promise<Module>;
  const module = await load<Readonly<Record<string, unknown>>>(url);
  const { createElement } = await load<{ createElement(type: unknown, props: object): unknown }>("react");
  const { renderToStaticMarkup } = await load<{ renderToStaticMarkup(element: unknown): string }>("react-dom/server");
  const markup = renderToStaticMarkup(createElement(module[component], props));
  return markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ")
    .trim();
};

const finding = (id: number) => ({
  id: `SubscriptionOff:${id}`,
  cause: "SubscriptionOff",
  severity: "Error",
  what: `Subscription ${id} is off.`,
  why: "Gone.",
  advice: "Mend it.",
  count: 1,
  resource: null,
});
const findings = (count: number) => ({
  findings: Array.from({ length: count }, (_, at) => finding(at + 1)),
  pageOf: () => undefined,
});

test("findings fold after five, and say how many more there are", async () => {
  const five = await wordsOf("components/findings.tsx", "Findings", findings(5));
  expect(five).toContain("Subscription 5 is off.");
  expect(five).not.toContain("more");
  const seven = await wordsOf("components/findings.tsx", "Findings", findings(7));
  expect(seven).toContain("Show 2 more");
  expect(seven).not.toContain("Subscription 6");
  expect(await wordsOf("components/findings.tsx", "Findings", findings(0))).toContain("Nothing. All is well.");
});

test("findings give no advice where their button is enough", async () => {
  const given = { ...findings(1), isAdvised: () => false };
  expect(await wordsOf("components/findings.tsx", "Findings", findings(1))).toContain("Mend it.");
  expect(await wordsOf("components/findings.tsx", "Findings", given)).not.toContain("Mend it.");
});

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  new TandemError(status, new Headers(headers), { title: "No.", status, code: "limit" });

test.each([
  ["over the limit, for as long as the server says", refusal(429, { "Retry-After": "60" }), /itself in (60|5\d) s\./],
  ["unavailable", refusal(503), /itself in [1-5] s\./],
  ["without a server", new TandemNetworkError("unreachable", "There is nobody."), /itself in [1-5] s\./],
])("what did not load is asked for again by itself: %s", async (_, error, words) => {
  const shown = await wordsOf("components/not-loaded.tsx", "NotLoaded", {
    query: { error, refetch: () => undefined },
    what: "The calls did not load",
  });
  expect(shown).toContain("The calls did not load");
  expect(shown).toMatch(words);
  expect(shown).toContain("Try again");
});

test("what is refused for good is not asked for again by itself", async () => {
  const query = { error: refusal(403), refetch: () => undefined };
  const shown = await wordsOf("components/not-loaded.tsx", "NotLoaded", { query, what: "The calls did not load" });
  expect(shown).toContain("Try again");
  expect(shown).not.toContain("by itself");
});

test("what loads shows bars, and no words that are not so", async () => {
  const query = { error: null, refetch: () => undefined };
  expect(await wordsOf("components/not-loaded.tsx", "NotLoaded", { query, what: "The calls did not load" })).toBe(
    "Loading",
  );
});

const HOUR = { at: "2026-01-01T12:00:00.000Z", sent: 0, delivered: 0, failed: 0, received: 0 };
const call = (createdOn: string, isAnswered: boolean) => ({ createdOn, answeredOn: isAnswered ? createdOn : null });
const OLD = call("2026-01-01T11:00:00.000Z", false);
const NEW = ["2026-01-01T12:10:00.000Z", "2026-01-01T12:20:00.000Z"] as const;

test("the share of answered calls is of those of the hour, not of all that were loaded", async () => {
  const calls = [call(NEW[0], true), call(NEW[1], false), OLD, OLD];
  const shown = await wordsOf("screens/home/CallsChart.tsx", "CallsChart", {
    minutes: [{ ...HOUR, calls: 2 }],
    calls,
    now: 1,
  });
  expect(shown).toMatch(/Now 1 Begun 2 Answered 50 %/);
});

test("the share of answered calls says of how many it is where not all of the hour were loaded", async () => {
  const calls = [call(NEW[0], true), call(NEW[1], true)];
  const shown = await wordsOf("screens/home/CallsChart.tsx", "CallsChart", {
    minutes: [{ ...HOUR, calls: 90 }],
    calls,
    now: 0,
  });
  expect(shown).toMatch(/Begun 90 Answered of the last 2 100 %/);
});

test("a call of this hour that nobody placed has no share", async () => {
  const shown = await wordsOf("screens/home/CallsChart.tsx", "CallsChart", {
    minutes: [{ ...HOUR, calls: 0 }],
    calls: [OLD],
    now: 0,
  });
  expect(shown).toMatch(/Begun 0 Answered –/);
});

test("a call that its script has ended ended well", async () => {
  const end = { kind: "call", value: "ScriptHangup" };
  expect(await wordsOf("components/status.tsx", "Status", end)).toBe("Ended by its script");
});

test("arrows move around the ends of a list of tabs", async () => {
  const url = new URL("../../portal/src/components/tab-list.tsx", import.meta.url).href;
  const { placeAfter } = (await import(url)) as { placeAfter(key: string, at: number, count: number): unknown };
  const keys = ["ArrowRight", "ArrowLeft", "Home", "End", "Tab"];
  expect(keys.map((key) => placeAfter(key, 0, 3))).toEqual([1, 2, 0, 2, undefined]);
  expect(keys.map((key) => placeAfter(key, 2, 3))).toEqual([0, 1, 0, 2, undefined]);
});
