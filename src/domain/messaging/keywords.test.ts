import { expect, test } from "vitest";
import { type FurtherKeywords, keywordOf } from "./keywords.ts";

const NONE: FurtherKeywords = { optOut: [], optIn: [], help: [] };

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
  "arret",
  "Arrêt !",
  "arre\u0302t",
  "¡alto!",
  "parar",
  "Baja",
])("%s opts out", (text) => expect(keywordOf(text, false, NONE)?.kind).toBe("optOut"));

test.each(["START", "unstop", "Start!"])("%s opts in", (text) =>
  expect(keywordOf(text, false, NONE)?.kind).toBe("optIn"),
);

test("YES opts in only who is out", () => {
  expect(keywordOf("Yes", true, NONE)).toEqual({ kind: "optIn", word: "YES" });
  expect(keywordOf("Yes", false, NONE)).toBeUndefined();
});

test.each(["HELP", "info?", "aide", "¿Ayuda?"])("%s asks for help", (text) =>
  expect(keywordOf(text, false, NONE)?.kind).toBe("help"),
);

test.each(["please stop", "STOP it", "stopp", "the end", "", "   ", "!", "STOP ".repeat(100), "can't help"])(
  "%j is an ordinary message",
  (text) => expect(keywordOf(text, true, NONE)).toBeUndefined(),
);

test("a config's own keywords count beside the usual ones, and change none of them", () => {
  const own: FurtherKeywords = { optOut: ["NO MORE"], optIn: ["JOIN"], help: ["QUESTION", "STOP", "NO MORE"] };
  expect(keywordOf("no  more!", false, own)).toEqual({ kind: "optOut", word: "NO MORE" });
  expect(keywordOf("Join", false, own)).toEqual({ kind: "optIn", word: "JOIN" });
  expect(keywordOf("question?", false, own)).toEqual({ kind: "help", word: "QUESTION" });
  expect(keywordOf("stop", false, own)).toEqual({ kind: "optOut", word: "STOP" });
  expect(keywordOf("Join us", false, own)).toBeUndefined();
});
