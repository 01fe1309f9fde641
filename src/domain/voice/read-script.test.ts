import fc from "fast-check";
import { expect, test } from "vitest";
import { readCallDestination } from "../../../rules/call-destination.ts";
import { ok, refused } from "../../base/result.ts";
import { SCRIPT_BYTES_MAX } from "../../base/script-xml.ts";
import { readScript } from "./read-script.ts";

const read = (xml: string) =>
  readScript(new TextEncoder().encode(xml), (text) =>
    readCallDestination(text, (number) =>
      /^\+\d{8,15}$/.test(number) ? ok(number) : refused({ reason: `${number} is no number` }),
    ),
  );
const response = (inner: string) => `<Response>${inner}</Response>`;

const HANG_UP = { kind: "hangUp" };

test.each<[string, readonly object[]]>([
  [response("<Dial>+14155550100</Dial>"), [{ kind: "dial", to: "+14155550100", record: null }]],
  [response('<Dial Record="true">+14155550100</Dial>'), [{ kind: "dial", to: "+14155550100", record: true }]],
  [response('<Dial Record="FALSE">+14155550100</Dial>'), [{ kind: "dial", to: "+14155550100", record: false }]],
  [response('<Dial Timeout="5" TimeLimit="60">+14155550100</Dial>'), [{ ringSeconds: 5, maxSeconds: 60 }]],
  [response("\n <Dial>\n <Number> +14155550100 </Number>\n</Dial>\n"), [{ to: "+14155550100" }]],
  [
    response("<Dial><Sip>sip:alice@pbx.example;transport=TLS</Sip></Dial>"),
    [{ to: "sip:alice@pbx.example;transport=TLS" }],
  ],
  [response("<Dial>sip:a@pbx.example?X-A=1&amp;X-B=2</Dial>"), [{ to: "sip:a@pbx.example?X-A=1&X-B=2" }]],
  [response("<Dial><![CDATA[sip:a@pbx.example?X-A=1&X-B=2]]></Dial>"), [{ to: "sip:a@pbx.example?X-A=1&X-B=2" }]],
  [response("<!-- night --><Hangup/>"), [HANG_UP]],
  [
    response("<Hangup>  We are closed. Tom &amp; Ann </Hangup>"),
    [{ kind: "say", text: "We are closed. Tom & Ann" }, HANG_UP],
  ],
  [`<?xml version="1.0" encoding="UTF-8"?>\n${response("<Hangup></Hangup>")}\n`, [HANG_UP]],
  [`\uFEFF${response("<Hangup></Hangup>")}`, [HANG_UP]],
  [
    response("<Dial Timeout='9'><Number>+14155550100</Number><Sip>sip:alice@pbx.example</Sip></Dial>"),
    [{ kind: "dial", to: "+14155550100", others: [{ to: "sip:alice@pbx.example" }], ringSeconds: 9 }],
  ],
  [
    response("<Dial><Number Url=' hear '>+14155550100</Number><Sip Url='b'>sip:alice@pbx.example</Sip></Dial>"),
    [
      {
        whisper: { url: "hear", method: "POST" },
        others: [{ to: "sip:alice@pbx.example", whisper: { url: "b", method: "POST" } }],
      },
    ],
  ],
  [response(`<Dial>${"<Number>+14155550100</Number>".repeat(10)}</Dial>`), [{ to: "+14155550100" }]],
  [response('<Reject Reason="busy"/>'), [{ kind: "hangUp", isBusy: true }]],
  [
    response("<Dial Action='after'>+14155550100</Dial>"),
    [{ to: "+14155550100", action: { url: "after", method: "POST" } }],
  ],
  [
    response("<Play> a.wav </Play><Play Loop='0'>b.wav</Play>"),
    [
      { kind: "play", url: "a.wav" },
      { url: "b.wav", times: 1_000 },
    ],
  ],
  [response("<Gather><Play>a.wav</Play></Gather>"), [{ kind: "gather", prompts: [{ kind: "play", url: "a.wav" }] }]],
  [response("<Play Digits='wW1#'/>"), [{ kind: "press", keys: "wW1#" }]],
  [response("<Dial HangupOnStar='true'>+14155550100</Dial>"), [{ to: "+14155550100", endsOnStar: true }]],
  [
    response("<Dial CallerId=' +14155550150 ' AnswerOnBridge='true'>+14155550100</Dial>"),
    [{ to: "+14155550100", callerId: "+14155550150", answersOnBridge: true }],
  ],
  [
    response("<Dial Action='a' TimeLimit='60'><Conference> team </Conference></Dial>"),
    [
      {
        kind: "confer",
        conference: {
          ...{ name: "team", label: null, muted: false, beeps: { enter: true, exit: true } },
          ...{ startsOnEnter: true, endsOnExit: false, participantsMax: 50 },
        },
        maxSeconds: 60,
        action: { url: "a", method: "POST" },
      },
    ],
  ],
  [
    response(
      "<Dial HangupOnStar='true'><Conference Muted='true' Beep='onExit' StartConferenceOnEnter='false' EndConferenceOnExit='true' MaxParticipants='2' WaitUrl='' ParticipantLabel='Ann'>a</Conference></Dial>",
    ),
    [
      {
        kind: "confer",
        endsOnStar: true,
        conference: {
          ...{ name: "a", label: "Ann", muted: true, beeps: { enter: false, exit: true } },
          ...{ startsOnEnter: false, endsOnExit: true, participantsMax: 2, waitUrl: null },
        },
      },
    ],
  ],
  [
    response("<Dial><Conference Record='TRUE' RecordingStatusCallback='r'>a</Conference></Dial>"),
    [{ kind: "confer", conference: { name: "a", recording: { callbackUrl: "r" } } }],
  ],
  [
    response("<Dial><Conference WaitUrl='wait.wav'>a</Conference></Dial>"),
    [{ kind: "confer", conference: { waitUrl: "wait.wav" } }],
  ],
  [response("<Redirect> next </Redirect>"), [{ kind: "redirect", document: { url: "next", method: "POST" } }]],
  [
    response(
      "<Gather NumDigits='1' FinishOnKey='' Timeout='9' ActionOnEmptyResult='true' Action='menu'><Say>Hi.</Say></Gather>",
    ),
    [
      {
        kind: "gather",
        prompts: [{ kind: "say", text: "Hi." }],
        action: { url: "menu", method: "POST" },
        digitsMax: 1,
        finishKeys: "",
        timeoutSeconds: 9,
        asksWithoutDigits: true,
      },
    ],
  ],
  [
    response('<Say Loop="2">Hello.</Say><Pause Length="3"/><Dial>+14155550100</Dial><Say>Nobody is there.</Say>'),
    [
      { kind: "say", text: "Hello.", times: 2 },
      { kind: "pause", seconds: 3 },
      { kind: "dial", to: "+14155550100", record: null },
      { kind: "say", text: "Nobody is there." },
    ],
  ],
  [
    response('<Record MaxLength="60" Timeout="3" FinishOnKey="#*" PlayBeep="true" RecordingStatusCallback=" told "/>'),
    [
      {
        kind: "record",
        action: { url: "", method: "POST" },
        maxSeconds: 60,
        silenceSeconds: 3,
        finishKeys: "#*",
        beeps: true,
        callbackUrl: "told",
      },
    ],
  ],
])("%s is a script", (xml, script) => {
  expect(read(xml)).toMatchObject({ ok: true, value: script });
});

test.each<[string, string]>([
  ["", "empty"],
  ["hello", "."],
  ["<Response/>", "Response is empty"],
  [response("<Enqueue/>"), "or Hangup or Reject, not Enqueue"],
  [response("<Record MaxLength='0'/>"), "MaxLength of Record: 1 to 14400 seconds are allowed."],
  [response("<Record Timeout='601'/>"), "Timeout of Record: 0 to 600 seconds are allowed."],
  [response("<Record FinishOnKey='A'/>"), "FinishOnKey of Record: keys of 0 to 9, * and # are allowed, or none."],
  [response("<Record PlayBeep='no'/>"), "PlayBeep of Record: true and false are allowed."],
  [response("<Record Transcribe='true'/>"), "Record has no attribute Transcribe."],
  [response("<Record>Hello</Record>"), "Record holds no text of its own."],
  [response("<Gather><Record/></Gather>"), "What is inside Gather is Say or Play or Pause, not Record."],
  [response("<Play/>"), "Play names neither digits nor a URL."],
  [response("<Play Digits='1'>a.wav</Play>"), "Play has digits or a URL, not both."],
  [response("<Play Digits='1' Loop='2'/>"), "loop counts with a URL"],
  [response("<Gather><Play Digits='1'/></Gather>"), "Keys are not sent here."],
  [response("<Play Digits='x'/>"), "Digits of Play: 1 to 100 of"],
  [response('<Say Loop="1001">Hello</Say>'), "Loop of Say: 0 to 1000 times are allowed."],
  [response('<Pause Length="0"/>'), "Length of Pause: 1 to 600 seconds are allowed."],
  [response("<Pause>1</Pause>"), "Pause holds no text of its own."],
  ["<response><Hangup/></response>", "The root of a script is Response, not response."],
  [
    response("<Dial><Conference RecordingStatusCallback='r'>a</Conference></Dial>"),
    "has a recordingStatusCallback, and is not recorded",
  ],
  [response("<Dial><Client>a</Client></Dial>"), "What is inside Dial is Number or Sip or Conference, not Client."],
  ['<Response Record="true"><Hangup/></Response>', "Response has no attribute Record."],
  [response('<Dial><Number Record="true">+14155550100</Number></Dial>'), "Number has no attribute Record."],
  [response('<Hangup Record="true"/>'), "Hangup has no attribute Record."],
  [response("<Dial><Number>+14155550100</Number>1</Dial>"), "a destination of its own, or Number and Sip"],
  [response("<Dial><Number/></Dial>"), "no destination"],
  [`${response("<Hangup/>")}${response("<Hangup/>")}`, "."],
  [response("<Dial/>"), "no destination"],
  [response("<Dial><Number Url=' '>+14155550100</Number></Dial>"), "Url of Number: a URL is allowed."],
  [response("<Dial Url='hear'>+14155550100</Dial>"), "Dial has no attribute Url."],
  [response("<Dial>soon</Dial>"), "soon is no number"],
  [response(`<Dial>${"<Number>+14155550100</Number>".repeat(11)}</Dial>`), "10 parties at once"],
  [response("<Dial><Number>+14155550100</Number><Sip/></Dial>"), "Sip names no destination."],
  [response("<Dial>+1<Number>+14155550100</Number></Dial>"), "a destination of its own, or Number and Sip"],
  [response("<Dial>sip:a@pbx.example?Via=evil</Dial>"), "Via"],
  [response('<Dial Method="GET">+14155550100</Dial>'), "no attribute Method"],
  [response("<Gather><Dial>+14155550100</Dial></Gather>"), "What is inside Gather is Say or Play or Pause, not Dial."],
  [response("<Gather NumDigits='0'/>"), "NumDigits of Gather: 1 to 250 keys are allowed."],
  [response("<Gather FinishOnKey='##'/>"), "FinishOnKey of Gather"],
  [response("<Dial><Number><b/>+14155550100</Number></Dial>"), "Number holds text alone."],
  [response("<Dial CallerId=' '>+14155550100</Dial>"), "CallerId of Dial: a number of the account is allowed."],
  [response("<Dial AnswerOnBridge='1'>+14155550100</Dial>"), "AnswerOnBridge of Dial: true and false are allowed."],
  [response('<Dial Record="yes">+14155550100</Dial>'), "Record"],
  [response("<Hangup><b>Bye</b></Hangup>"), "text alone"],
  [response("Hello <Hangup/>"), "no text of its own"],
  [response(`<Hangup>${"a".repeat(4_001)}</Hangup>`), "4000 characters"],
  ['<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Response><Hangup>&b;</Hangup></Response>', "."],
  [response("<Hangup>&nbsp;</Hangup>"), "."],
  [response("<Dial>+14155550100"), "."],
  [response("<?php exit ?><Hangup/>"), "processing instructions"],
])("%s is none: %s", (xml, reason) => {
  const script = read(xml);
  expect(script).toMatchObject({ ok: false, refusal: { reason: expect.stringContaining(reason) } });
});

test("a fault is reported with its place", () => {
  expect(read("<Response>\n  <Record>x</Record>\n</Response>")).toMatchObject({ refusal: { line: 2 } });
});

test("a destination that cannot be read is reported at its place among several", () => {
  const several = "<Response>\n<Dial>\n<Number>+14155550100</Number>\n<Number>soon</Number>\n</Dial></Response>";
  expect(read(several)).toMatchObject({ refusal: { line: 4 } });
  expect(read("<Response>\n<Dial>\n<Number>soon</Number>\n</Dial></Response>")).toMatchObject({ refusal: { line: 2 } });
});

test("a script beyond the bound is refused unread", () => {
  expect(read(response(`<!--${"x".repeat(SCRIPT_BYTES_MAX)}--><Hangup/>`)).ok).toBe(false);
});

test("any bytes give a script or a fault", () => {
  const piece = fc.constantFrom(
    "<Response>",
    "</Response>",
    "<Dial>",
    "</Dial>",
    "<Hangup/>",
    "&#0;",
    "<!DOCTYPE",
    "]]>",
    "<!--",
    "+14155550100",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), (parts) => void read(parts.join(""))),
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void readScript(bytes, () => refused(""))));
});
