import fc from "fast-check";
import twilio from "twilio";
import { expect, test } from "vitest";
import { readCallDestination } from "../../../rules/call-destination.ts";
import { ok, refused } from "../../base/result.ts";
import { twimlReader } from "./read-twiml.ts";

const readTwiml = twimlReader({ name: "slt", language: "en" });
const read = (xml: string) =>
  readTwiml(new TextEncoder().encode(xml), (text) =>
    readCallDestination(text, (number) =>
      /^\+\d{8,15}$/.test(number) ? ok(number) : refused({ reason: `${number} is no number` }),
    ),
  );
const response = (inner: string) => `<Response>${inner}</Response>`;

const HANG_UP = { kind: "hangUp" };

test.each<[string, readonly object[]]>([
  [response("<Dial>+14155550100</Dial>"), [{ kind: "dial", to: "+14155550100", record: null }]],
  [response("<Dial><Number>+14155550100</Number></Dial>"), [{ kind: "dial", to: "+14155550100" }]],
  [response("<Dial><Sip>sip:alice@pbx.example</Sip></Dial>"), [{ kind: "dial", to: "sip:alice@pbx.example" }]],
  [response("<Dial>+14155550100</Dial><Hangup/>"), [{ kind: "dial", to: "+14155550100" }, HANG_UP]],
  [response('<Dial record="record-from-answer-dual">+14155550100</Dial>'), [{ record: true }]],
  [response('<Dial record="do-not-record" timeout="10">+14155550100</Dial>'), [{ record: false, ringSeconds: 10 }]],
  [response('<Dial timeLimit="60">+14155550100</Dial>'), [{ record: null, maxSeconds: 60 }]],
  [
    response('<Say voice="alice" language="en-GB">We are closed.</Say><Hangup/>'),
    [{ kind: "say", text: "We are closed.", voice: { asked: "alice", spokenBy: "slt" } }, HANG_UP],
  ],
  [response("<Say>One.</Say>\n<Say loop='1'>Two.</Say>"), [{ text: "One." }, { text: "Two." }]],
  [response("<Say loop='3'>Hello</Say>"), [{ kind: "say", text: "Hello", times: 3 }]],
  [response("<Say loop='0'>Hello</Say>"), [{ kind: "say", text: "Hello", times: 1_000 }]],
  [
    response("<Say/><Pause/><Pause length='5'/>"),
    [
      { kind: "pause", seconds: 1 },
      { kind: "pause", seconds: 5 },
    ],
  ],
  [
    response("<Say>Hello</Say><Dial>+14155550100</Dial><Say>Nobody is there.</Say>"),
    [{ kind: "say" }, { kind: "dial", to: "+14155550100" }, { kind: "say", text: "Nobody is there." }],
  ],
  [
    response('<Dial action="/next" method="GET">+14155550100</Dial>'),
    [{ to: "+14155550100", action: { url: "/next", method: "GET" } }],
  ],
  [
    response('<Gather input="dtmf" numDigits="4" action="/pin"><Say>Hi.</Say><Pause/></Gather><Redirect/>'),
    [
      {
        kind: "gather",
        prompts: [
          { kind: "say", text: "Hi." },
          { kind: "pause", seconds: 1 },
        ],
        action: { url: "/pin", method: "POST" },
        digitsMax: 4,
        finishKeys: "#",
        timeoutSeconds: 5,
        asksWithoutDigits: false,
      },
      { kind: "redirect", document: { url: "", method: "POST" } },
    ],
  ],
  [
    response('<Play loop="2">https://example.com/a.wav</Play>'),
    [{ kind: "play", url: "https://example.com/a.wav", times: 2 }],
  ],
  [response('<Play digits="ww12#"/>'), [{ kind: "press", keys: "ww12#" }]],
  [response('<Dial hangupOnStar="true">+14155550100</Dial>'), [{ endsOnStar: true }]],
  [
    response('<Dial callerId="+14155550150" answerOnBridge="true">+14155550100</Dial>'),
    [{ callerId: "+14155550150", answersOnBridge: true }],
  ],
  [
    response("<Dial><Number>+14155550100</Number><Sip>sip:alice@pbx.example</Sip></Dial>"),
    [{ to: "+14155550100", others: [{ to: "sip:alice@pbx.example" }] }],
  ],
  [
    response('<Dial><Number url="/hear" method="GET">+14155550100</Number></Dial>'),
    [{ to: "+14155550100", whisper: { url: "/hear", method: "GET" } }],
  ],
  [
    response("<Record/>"),
    [
      {
        kind: "record",
        action: { url: "", method: "POST" },
        maxSeconds: 3_600,
        silenceSeconds: 5,
        finishKeys: "1234567890*#",
        beeps: true,
      },
    ],
  ],
  [
    response(
      '<Record action="/a" method="GET" maxLength="60" timeout="0" finishOnKey="" playBeep="false" trim="do-not-trim" transcribe="false" recordingStatusCallback="/r" recordingStatusCallbackMethod="POST" recordingStatusCallbackEvent="completed"/>',
    ),
    [
      {
        kind: "record",
        action: { url: "/a", method: "GET" },
        maxSeconds: 60,
        silenceSeconds: 0,
        finishKeys: "",
        beeps: false,
        callbackUrl: "/r",
      },
    ],
  ],
  [
    response(
      '<Dial><Conference record="record-from-start" trim="do-not-trim" recordingStatusCallback="/r" recordingStatusCallbackMethod="POST" recordingStatusCallbackEvent="completed">a</Conference></Dial>',
    ),
    [{ kind: "confer", conference: { name: "a", recording: { callbackUrl: "/r" } } }],
  ],
  [
    response('<Dial><Conference record="record-from-start">a</Conference></Dial>'),
    [{ kind: "confer", conference: { name: "a", recording: {} } }],
  ],
  [response("<Hangup/>"), [HANG_UP]],
  [response('<Reject reason="busy"/>'), [{ kind: "hangUp", isBusy: true }]],
  [response('<Reject reason="rejected"/>'), [HANG_UP]],
  [
    response('<Say voice="Polly.Joanna-Neural">Hi.</Say>'),
    [{ voice: { asked: "Polly.Joanna-Neural", spokenBy: "slt" } }],
  ],
  ["<Response/>", []],
])("%s is a script", (xml, script) => {
  expect(read(xml)).toMatchObject({ ok: true, value: script });
});

test("what the official builder writes is read", () => {
  const { VoiceResponse } = twilio.twiml;
  const dialling = new VoiceResponse();
  dialling.dial({ record: "record-from-answer" }).number("+14155550100");
  expect(read(dialling.toString())).toMatchObject({ value: [{ kind: "dial", to: "+14155550100", record: true }] });
  const speaking = new VoiceResponse();
  speaking.say({ voice: "alice" }, "Tom & Ann are out.");
  speaking.hangup();
  expect(read(speaking.toString())).toMatchObject({ value: [{ kind: "say", text: "Tom & Ann are out." }, HANG_UP] });
});

test.each<[string, string]>([
  [response("<Play/>"), "Play names neither digits nor a URL."],
  [response('<Play digits="1">https://example.com/a.wav</Play>'), "Play has digits or a URL, not both."],
  [response("<Enqueue/>"), "Enqueue is not carried out"],
  [response('<Record transcribe="true"/>'), 'transcribe="true" of Record is not carried out here: false is allowed.'],
  [response('<Record transcribeCallback="/t"/>'), 'transcribeCallback="/t" of Record is not carried out here.'],
  [response('<Record trim="trim-silence"/>'), "do-not-trim is allowed"],
  [response('<Record recordingStatusCallbackMethod="GET"/>'), "POST is allowed"],
  [response('<Record recordingStatusCallbackEvent="in-progress completed"/>'), "completed is allowed"],
  [response('<Record recordingStatusCallback=""/>'), "a URL is allowed"],
  [response('<Gather input="speech"/>'), 'input="speech" of Gather is not carried out here: dtmf is allowed'],
  [response('<Gather><Play digits="1"/></Gather>'), "Keys are not sent here."],
  [response('<Redirect method="PUT">/a</Redirect>'), 'method="PUT" of Redirect is not carried out'],
  [response('<Dial callerId="">+14155550100</Dial>'), "callerId"],
  [response('<Dial record="yes">+14155550100</Dial>'), "record"],
  [
    response('<Dial><Number sendDigits="1">+14155550100</Number></Dial>'),
    'sendDigits="1" of Number is not carried out',
  ],
  [response("<Dial><Queue>support</Queue></Dial>"), "Queue is not carried out"],
  [response("<Dial><Conference> </Conference></Dial>"), "Conference holds the name of the conference"],
  [response("<Dial><Conference>a</Conference><Number>+14155550100</Number></Dial>"), "alone in its Dial"],
  [
    response('<Dial record="true"><Conference>a</Conference></Dial>'),
    "A Dial with a Conference is not recorded: record of the Conference is.",
  ],
  ...[
    ["record", "true"],
    ["trim", "trim-silence"],
    ["recordingStatusCallback", ""],
    ["recordingStatusCallbackMethod", "GET"],
    ["recordingStatusCallbackEvent", "in-progress"],
    ["coach", "CA1"],
    ["statusCallback", ""],
    ["statusCallbackEvent", "start speaker"],
    ["statusCallbackMethod", "GET"],
    ["maxParticipants", "51"],
    ["maxParticipants", "1"],
    ["beep", "onentry"],
    ["muted", "yes"],
    ["waitMethod", "POST"],
    ["participantLabel", ""],
    ["jitterBufferSize", "small"],
  ].map(([name, value]): [string, string] => [
    response(`<Dial><Conference ${name}="${value}">a</Conference></Dial>`),
    `${name}="${value}" of Conference is not carried out here`,
  ]),
  [response("<Dial>+14155550100<Number>+14155550101</Number></Dial>"), "a destination of its own, or Number and Sip"],
  [response("<Dial/>"), "no destination"],
  [response('<Dial><Number method="GET">+14155550100</Number></Dial>'), "Number has a method, and no URL."],
  [response("<Dial>soon</Dial>"), "soon is no number"],
  ...["sequential", "recordingTrack", "ringTone", "trim", "newThing"].map((name): [string, string] => [
    response(`<Dial ${name}="x">+14155550100</Dial>`),
    `${name}="x" of Dial is not carried out`,
  ]),
  [response('<Dial timeout="601">+14155550100</Dial>'), 'timeout="601" of Dial is not carried out here: 5 to 600'],
  [response('<Dial timeLimit="0">+14155550100</Dial>'), 'timeLimit="0" of Dial is not carried out here: 1 to 14400'],
  [response('<Say language="fr-FR">Bonjour</Say>'), "the voice here is slt, which speaks en"],
  [response('<Say voice="Bob">Hello</Say>'), 'voice="Bob" of Say is not carried out'],
  [response('<Reject reason="tired"/>'), 'reason="tired" of Reject is not carried out'],
  [response('<Hangup reason="x"/>'), 'reason="x" of Hangup is not carried out'],
  [response('<Say loop="-1">Hello</Say>'), "0 to 1000 times"],
  [response('<Pause length="601"/>'), 'length="601" of Pause is not carried out here: 1 to 600'],
  [response("<Say>One <break/> two</Say>"), "Say holds text alone"],
  [response(`<Say>${"a".repeat(4_001)}</Say>`), "4000 characters"],
  ["<hello/>", "hello"],
  ["", "empty"],
])("%s is none: %s", (xml, reason) => {
  expect(read(xml)).toMatchObject({ ok: false, refusal: { reason: expect.stringContaining(reason) } });
});

test("a language that the voice does not speak is refused with what to do", () => {
  expect(read(response('<Say language="fr-FR">Bonjour</Say>'))).toMatchObject({
    refusal: { advice: expect.stringMatching(/^Leave language out and write the text in en\. The operator can /) },
  });
});

test("any bytes give a script or a fault", () => {
  const piece = fc.constantFrom("<Response>", "</Response>", "<Dial>", "</Dial>", "<Say>", "</Say>", "<Hangup/>", "+1");
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), (parts) => void read(parts.join(""))),
  );
});
