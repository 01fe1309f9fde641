import { expect, test } from "vitest";
import { keywordOf } from "./keywords.ts";

test.each([
  "STOP",
  "stop",
  " Stop. ",
  "STOP!!",
  "“stop”",
  "opt out",
  "OPT-OUT",
  "OptOut",
  "stopall",
  "revoke",
  "quit",
  "end",
  "Cancel",
  "unsubscribe",
])("%s opts out", (text) => expect(keywordOf(text, false)?.kind).toBe("optOut"));

test.each(["START", "unstop", "Start!"])("%s opts in", (text) => expect(keywordOf(text, false)?.kind).toBe("optIn"));

test("YES opts in only who is out", () => {
  expect(keywordOf("Yes", true)).toEqual({ kind: "optIn", word: "YES" });
  expect(keywordOf("Yes", false)).toBeUndefined();
});

test.each(["HELP", "info?"])("%s asks for help", (text) => expect(keywordOf(text, false)?.kind).toBe("help"));

test.each(["please stop", "STOP it", "stopp", "the end", "", "   ", "!", "STOP ".repeat(100), "can't help"])(
  "%j is an ordinary message",
  (text) => expect(keywordOf(text, true)).toBeUndefined(),
);
