import { expect, test } from "vitest";
import { autoLink } from "./auto-link.ts";

const link = (...names: string[]) =>
  autoLink(
    "CABC123",
    names.map((name, index) => ({ sid: `MC${index + 1}`, name })),
  );

test.each(["CABC123", "Marketing cabc123", "[CAbc123]", "a_CABC123_b", "CABC123/2", "été·CABC123·"])(
  "the campaign is told by %j",
  (name) => expect(link("Support", name)).toStrictEqual({ outcome: "Linked", messagingConfigSid: "MC2" }),
);

test.each([
  "",
  "CABC12",
  "CABC1234",
  "XCABC123",
  "éCABC123",
  "CABC123é",
  "CABC123\u0301",
  "C-ABC123",
  "ÇABC123",
  "cabc１23",
])("the campaign is not told by %j", (name) => expect(link(name)).toStrictEqual({ outcome: "NoMatch" }));

test("letters that only become the id in capitals are others", () => {
  expect(autoLink("CISS123", [{ sid: "MC1", name: "cıss123 ciß123 cisſ123" }])).toStrictEqual({ outcome: "NoMatch" });
});

test("two configs of that name are one too many", () => {
  expect(link("CABC123 a", "b CABC123")).toStrictEqual({ outcome: "SeveralMatches" });
});

test("without configs there is no match", () => expect(link()).toStrictEqual({ outcome: "NoMatch" }));
