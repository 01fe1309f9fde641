import { describe, expect, test } from "vitest";
import { ok, refused } from "../../base/result.ts";
import { readScript } from "./read-script.ts";

const readUrl = (text: string) =>
  text.startsWith("http://10.") ? refused("It is private.") : ok(new URL(text, "https://here.example/a/").href);
const read = (inner: string) =>
  readScript(new TextEncoder().encode(`<Response>${inner}</Response>`), (to) => ok(to), { readUrl });

const AGENT = { url: "wss://agent.example/", name: "", tracks: "inbound", parameters: [] };

describe("a script", () => {
  test("connects with a program, named in full, with its parameters and what is asked then", () => {
    const parameters = '<Parameter Name="a" Value="1"/><Parameter Name="b"/>';
    const stream = `<Stream Url=" wss://agent.example:443 " Name="x">${parameters}</Stream>`;
    expect(read(`<Connect Action="after">${stream}</Connect>`)).toEqual(
      ok([
        {
          kind: "connect",
          stream: {
            ...AGENT,
            name: "x",
            parameters: [
              ["a", "1"],
              ["b", ""],
            ],
          },
          action: { url: "https://here.example/a/after", method: "POST" },
        },
      ]),
    );
    expect(read('<Connect><Stream Url="ws://127.0.0.1:8080/a"/></Connect>')).toEqual(
      ok([{ kind: "connect", stream: { ...AGENT, url: "ws://127.0.0.1:8080/a" } }]),
    );
  });

  test("starts streams of one track or both, and stops them by their names", () => {
    const start = '<Start><Stream Url="wss://agent.example/" Track="both_tracks" Name="x"/></Start>';
    expect(read(`${start}<Stop><Stream Name="x"/></Stop>`)).toEqual(
      ok([
        { kind: "startStream", stream: { ...AGENT, name: "x", tracks: "both" } },
        { kind: "stopStream", name: "x" },
      ]),
    );
  });

  test("wants linear sound, and at which rate", () => {
    const stream = (attributes: string) =>
      read(`<Connect><Stream Url="wss://agent.example/" ${attributes}/></Connect>`);
    expect(stream('Format="pcm16"')).toEqual(ok([{ kind: "connect", stream: { ...AGENT, linearRate: 8_000 } }]));
    expect(stream('Format="pcm16" Rate="16000"')).toEqual(
      ok([{ kind: "connect", stream: { ...AGENT, linearRate: 16_000 } }]),
    );
  });

  test("names who is told of a stream", () => {
    expect(read('<Start><Stream Url="wss://agent.example/" StatusCallback=" told "/></Start>')).toEqual(
      ok([{ kind: "startStream", stream: { ...AGENT, callbackUrl: "https://here.example/a/told" } }]),
    );
  });

  const STREAM = '<Stream Url="wss://agent.example/"/>';
  const withParameters = (parameters: string) =>
    `<Connect><Stream Url="wss://agent.example/">${parameters}</Stream></Connect>`;
  test.each([
    ["<Connect/>", "Connect holds one Stream."],
    [`<Connect>${STREAM}${STREAM}</Connect>`, "Connect holds one Stream."],
    ["<Connect><Stream/></Connect>", "begins with wss://"],
    ['<Connect><Stream Url="https://agent.example/"/></Connect>', "begins with wss://"],
    ['<Connect><Stream Url="wss://agent.example/?a=1"/></Connect>', "has no query"],
    ['<Connect><Stream Url="ws://10.0.0.1/"/></Connect>', "It is private."],
    ['<Connect><Stream Url="wss://agent.example/" Track="both_tracks"/></Connect>', "inbound track alone"],
    ['<Start><Stream Url="wss://agent.example/" Track="all"/></Start>', "Track of Stream: inbound_track"],
    ["<Start/>", "Start holds one Stream."],
    ["<Stop><Stream/></Stop>", "has its name, and nothing else"],
    ['<Stop><Stream Name="x" Url="wss://agent.example/"/></Stop>', "has its name, and nothing else"],
    [withParameters('<Parameter Value="1"/>'), "Parameter has no name."],
    [withParameters('<Parameter Name="a"/><Parameter Name="a"/>'), "The parameter a is given twice."],
    [withParameters(`<Parameter Name="ab" Value="${"x".repeat(499)}"/>`), "more than 500 characters"],
    [withParameters(Array.from({ length: 51 }, (_, at) => `<Parameter Name="n${at}"/>`).join("")), "50 parameters"],
    [STREAM, "not Stream"],
    ['<Connect><Stream Url="wss://agent.example/" StatusCallback=" "/></Connect>', "names no URL"],
    ['<Connect><Stream Url="wss://agent.example/" StatusCallback="http://10.0.0.1/"/></Connect>', "It is private."],
    ['<Connect><Stream Url="wss://agent.example/" Format="opus"/></Connect>', "pcm16 is allowed"],
    ['<Connect><Stream Url="wss://agent.example/" Format="pcm16" Rate="44100"/></Connect>', "8000 and 16000"],
    ['<Connect><Stream Url="wss://agent.example/" Rate="8000"/></Connect>', "is that of pcm16"],
    ['<Start><Stream Url="wss://agent.example/" Format="pcm16" Track="both_tracks"/></Start>', "has one track"],
    ['<Connect><Stream Url="wss://agent.example/" Volume="11"/></Connect>', "no attribute Volume"],
  ])("is refused: %s", (inner, reason) => {
    expect(read(inner)).toMatchObject({ ok: false, refusal: { reason: expect.stringContaining(reason) } });
  });
});
