import { expect, test } from "vitest";
import { autoLink, campaignIdsIn, hasWord } from "./auto-link.ts";

const link = (...names: string[]) =>
  autoLink(
    "CABC123",
    names.map((name, index) => ({ sid: `MC${index + 1}`, name })),
  );

test.each([
  "CABC123",
  "Marketing CABC123",
  "a_CABC123_b",
  "CABC123/2",
  "été·CABC123·",
  "CABC1234",
  "XCABC123",
  "éCABC123",
  "CABC123é",
  "CABC123\u0301",
])("the campaign is found by %j", (name) =>
  expect(link("Support", name)).toStrictEqual({ outcome: "Linked", messagingConfigSid: "MC2" }),
);

test.each(["", "CABC12", "C-ABC123", "ÇABC123", "CABC１23"])("the campaign is not told by %j", (name) =>
  expect(link(name)).toStrictEqual({ outcome: "NoMatch", otherCase: [] }),
);

test.each(["Marketing cabc123", "[CAbc123]", "xCaBC1234"])("%j is no match, but a likely slip", (name) =>
  expect(link("Support", name)).toStrictEqual({ outcome: "NoMatch", otherCase: ["MC2"] }),
);

test("a name in another case does not stand in the way of the exact one", () => {
  expect(link("cabc123", "CABC123")).toStrictEqual({ outcome: "Linked", messagingConfigSid: "MC2" });
});

test("letters that only become the id in capitals are others", () => {
  const name = "cıss123 ciß123 cisſ123";
  expect(autoLink("CISS123", [{ sid: "MC1", name }])).toStrictEqual({ outcome: "NoMatch", otherCase: [] });
});

test("two configs of that name are one too many", () => {
  expect(link("CABC123 a", "bCABC1234")).toStrictEqual({ outcome: "SeveralMatches" });
});

test("without configs there is no match", () => {
  expect(link()).toStrictEqual({ outcome: "NoMatch", otherCase: [] });
});

test.each([
  ["Shop CABC123", true],
  ["[CABC123]", true],
  ["cabc123", false],
  ["CABC1234", false],
  ["éCABC123", false],
  ["CABC123\u0301", false],
])("whether %j has the id as a word: %j", (name, has) => expect(hasWord(name, "CABC123")).toBe(has));

test("every part of a name that may be an id is found", () => {
  expect(campaignIdsIn("xCABC1234 cabc123, CABC1234")).toStrictEqual(["CABC123", "CABC1234"]);
  expect(campaignIdsIn("CCCCCCCC C-ABC123")).toStrictEqual(["CCCCCCC", "CCCCCCCC"]);
  expect(campaignIdsIn("Customer")).toStrictEqual([]);
});
