import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rewriteNumber } from "./enum-rewrite.ts";

const NUMBER = "+12155550123";

describe("the substitution of a NAPTR record", () => {
  test.each([
    ["!^.*$!tel:+1!", "tel:+1"],
    ["!^(.*)$!tel:\\1!", `tel:${NUMBER}`],
    ["!^\\+?(.*)$!tel:+\\1!", `tel:${NUMBER}`],
    ["!^\\+1(...)(\\d{3})([0-9]+)$!\\3-\\2-\\1!", "0123-555-215"],
    ["!^(\\+1(215))([[:digit:]]*)$!\\1,\\2,\\3!", "+1215,215,5550123"],
    ["!^\\+12155550123$!exact!", "exact"],
    ["!5{4}!inside!", "inside"],
    ["!^[^2-9]+(.)!\\1!", "2"],
    ["!^.{12}$!twelve!i", "twelve"],
    ["!^.{2,}$!some!", "some"],
    ["!^[+][]1].*$!bracket!", "bracket"],
    ["/^.*$/a\\/b/", "a/b"],
    ["#^.*$#a!b#", "a!b"],
    ["!^.*$!a\\\\b!", "a\\b"],
    ["!!empty matches anything!", "empty matches anything"],
  ])("%s gives %s", (rule, text) => {
    expect(rewriteNumber(rule, NUMBER)).toBe(text);
  });

  test.each([
    "",
    "!",
    "!^.*$!tel:+1",
    "!^.*$!tel:+1!x",
    "!^.*$!tel:+1!i!",
    "1^.*$1tel:+11",
    "\\^.*$\\a\\",
    "!^\\+44.*$!other plan!",
    "!^(.*$!open!",
    "!^.*)$!closed!",
    "!^*$!nothing to repeat!",
    "!^.**$!repeated twice!",
    "!^(.)*$!group repeated!",
    "!^(a|.*)$!either!",
    "!^[1!open bracket!",
    "!^[[:alpha:]]*$!class!",
    "!^.{1,2!open interval!",
    "!^.{3,1}!backwards!",
    "!^\\w*$!not ours!",
    "!^.*$!no such group \\1!",
    "!^(.*)$!no whole match \\0!",
    `!${"()".repeat(10)}!ten groups!`,
    `!^.*$!${"9".repeat(255)}!`,
  ])("%s is not used", (rule) => {
    expect(rewriteNumber(rule, NUMBER)).toBeUndefined();
  });

  test("rules made to backtrack for ever come to an end", () => {
    expect(rewriteNumber(`!^${".*".repeat(120)}x$!hang!`, "+123456789012345")).toBeUndefined();
    expect(rewriteNumber(`!^${"(.*)".repeat(9)}${".?".repeat(90)}x$!hang!`, "+123456789012345")).toBeUndefined();
    expect(rewriteNumber("!^((.+)+)+$!hang!", "+123456789012345")).toBeUndefined();
  });

  test("any rule gives a text or nothing", () => {
    const piece = fc.constantFrom(..."!^$.*+?{}()[]\\|-:019,d", "[:digit:]", "{1,3}", "\\1", ".*");
    const rule = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 60 }).map((pieces) => `!${pieces.join("")}`),
    );
    fc.assert(
      fc.property(rule, (text) => ["string", "undefined"].includes(typeof rewriteNumber(text, NUMBER))),
      { numRuns: 2000 },
    );
  });

  test("agrees with the language's own expressions on simple rules", () => {
    const atom = fc.constantFrom(".", "\\d", "[0-5]", "[^5]", "1", "5", "\\+");
    const times = fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}");
    const item = fc.tuple(atom, times, fc.boolean()).map(([a, t, grouped]) => (grouped ? `(${a}${t})` : a + t));
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), (items) => {
        const ere = items.join("");
        const groups = items.filter((text) => text.startsWith("(")).map((_, i) => `\\${i + 1}`);
        const expected = new RegExp(ere).exec(NUMBER);
        expect(rewriteNumber(`!${ere}!<${groups.join("|")}>!`, NUMBER)).toBe(
          expected ? `<${expected.slice(1).join("|")}>` : undefined,
        );
      }),
    );
  });
});
