import { describe, expect, test } from "vitest";
import { ok, refused } from "../../base/result.ts";
import type { DestinationReader } from "../../base/script-xml.ts";
import { type CheckUrl, programAt, programOfText } from "./ordered-program.ts";
import { readScript } from "./read-script.ts";

const checkUrl: CheckUrl = (url) => (url.startsWith("https:") ? ok(undefined) : refused(`${url} may not be asked.`));
const readDestination: DestinationReader = (text) =>
  text === "nobody" ? refused("Nobody cannot be called.") : ok(text);
const read = (text: string) => programOfText({ text, shape: "A", read: readScript, readDestination, checkUrl });

describe("a program that comes as a text", () => {
  test("is read as it stands, without a URL of its own", () => {
    expect(read("<Response><Dial>somebody</Dial></Response>")).toEqual(
      ok({
        script: [{ kind: "dial", to: "somebody", record: null }],
        source: { document: { url: "", method: "POST" }, shape: "A" },
      }),
    );
  });

  test("names whole URLs, whose fragments are dropped", () => {
    expect(read("<Response><Redirect>https://example.com/next#now</Redirect></Response>")).toMatchObject(
      ok({ script: [{ kind: "redirect", document: { url: "https://example.com/next", method: "POST" } }] }),
    );
  });

  test.each([
    ["<Response><Redirect>next</Redirect></Response>", "name the whole URL to ask."],
    ["<Response><Gather/></Response>", "name the whole URL to ask."],
    ["<Response><Redirect>http://example.com/</Redirect></Response>", "http://example.com/ may not be asked."],
    ["<Response><Dial>nobody</Dial></Response>", "Nobody cannot be called."],
    ["<Response>\n<Sing/></Response>", "Line 2, column "],
  ])("is refused where it is wrong: %s", (text, reason) => {
    const program = read(text);
    expect(program.ok ? "" : program.refusal).toContain(reason);
  });
});

test("a program at a URL begins by asking it, and its fallback when that fails", () => {
  const [document, fallback] = ["a", "b"].map((name) => ({
    url: `https://example.com/${name}`,
    method: "GET" as const,
  }));
  const marked = (one = document) => ({ url: `${one?.url}#part`, method: "GET" as const });
  expect(programAt(marked(), "Twilio", marked(fallback))).toEqual({
    script: [{ kind: "redirect", document }],
    source: { document, fallback, shape: "Twilio" },
  });
  expect(programAt(marked(), "A").source).toEqual({ document, shape: "A" });
});
