// TwiML as a language of programs, as far as a program can do what the TwiML requests.
//
//   <Response><Dial record="true"><Number>+14155550100</Number></Dial></Response>   also <Sip>, and plain text
//   <Response><Say voice="alice">We are closed.</Say><Hangup/></Response>
//   <Response><Hangup/></Response>, <Response><Reject/></Response>, <Response/>
//
// Any voice becomes the one that this server has, which the call's `why` reports.

import { tableOf } from "../../base/table.ts";
import { ATTRIBUTES, type Attribute, programReader, type ScriptReader } from "../../domain/voice/index.ts";

/** The voice that speaks the text of `Say`. */
export interface Speaker {
  readonly name: string;
  /** Such as `en` or `pt-BR`; null where it is not configured. */
  readonly language: string | null;
}

export function twimlReader(speaker: Speaker): ScriptReader {
  return programReader({
    elements: { ...TWIML_ATTRIBUTES, Say: { ...TWIML_ATTRIBUTES.Say, ...voiceAttributes(speaker) } },
    hangsUpWithText: false,
    refuseElement: (name, parent, allowed) =>
      allowed.length === 0
        ? `${parent} holds text alone here.`
        : `${name} is not carried out here: what stands in ${parent || "the document"} is ${allowed.join(", ")}.`,
    refuseAttribute(element, attribute, value, why) {
      const told = `${attribute}="${value.slice(0, 40)}" of ${element} is not carried out here`;
      return why === "" ? `${told}.` : `${told}: ${why}.`;
    },
  });
}

const RECORD = tableOf<boolean>({
  true: true,
  false: false,
  "do-not-record": false,
  "record-from-answer": true,
  "record-from-answer-dual": true,
  "record-from-ringing": true,
  "record-from-ringing-dual": true,
});

const RECORDS_CONFERENCE = tableOf<boolean>({ "do-not-record": false, "record-from-start": true });

/** Twilio's names of voices. */
const VOICE = /^(?:alice|man|woman|(?:Polly|Google)\.[\w-]{1,60})$/i;
const LANGUAGE = /^[a-z]{2,3}(?:-[\w-]{1,20})?$/i;

const record: Attribute = (wishes, value) => {
  const isRecorded = RECORD.get(value);
  if (isRecorded === undefined) return `${[...RECORD.keys()].join(", ")} are allowed`;
  wishes.record = isRecorded;
  return undefined;
};

const { recordConference, conferenceRecordingCallback } = ATTRIBUTES;

const recordFromStart: Attribute = (wishes, value) => {
  const isRecorded = RECORDS_CONFERENCE.get(value);
  if (isRecorded === undefined) return `${[...RECORDS_CONFERENCE.keys()].join(", ")} are allowed`;
  return recordConference(wishes, String(isRecorded));
};

const { timeout, timeLimit, loop, length, reason, action, method } = ATTRIBUTES;
const { input, numDigits, finishOnKey, keyTimeout, actionOnEmptyResult, digits } = ATTRIBUTES;
const { url, callerId, hangupOnStar, answerOnBridge } = ATTRIBUTES;
const { streamUrl, streamName, streamTrack, streamCallback, parameterValue } = ATTRIBUTES;
const { muted, beep, startConferenceOnEnter, endConferenceOnExit } = ATTRIBUTES;
const { maxParticipants, waitUrl, participantLabel, statusCallback, statusCallbackEvent } = ATTRIBUTES;
const { maxLength, silenceTimeout, finishOnKeys, playBeep, recordingStatusCallback } = ATTRIBUTES;

/** One value is carried out; with the others something else would have to be done. */
function only(allowed: string): Attribute {
  return (_wishes, value) => (value === allowed ? undefined : `${allowed} is allowed`);
}

/** Any voice becomes the one that there is. */
function voiceAttributes({ name, language }: Speaker) {
  return {
    voice(wishes, value) {
      if (!VOICE.test(value)) return "alice, man, woman, Polly.… and Google.… are allowed";
      wishes.voice = { asked: value, spokenBy: name };
      return undefined;
    },
    language(_wishes, value) {
      if (!LANGUAGE.test(value)) return "a language is written en or en-US";
      const isSpoken = language === null || primaryOf(language) === primaryOf(value);
      if (isSpoken) return undefined;
      return {
        why: `the voice here is ${name}, which speaks ${language}`,
        advice: `Leave language out and write the text in ${language}. The operator can set up a voice of another language (speech in tandem.config.json).`,
      };
    },
  } satisfies Readonly<Record<string, Attribute>>;
}

const primaryOf = (language: string) => language.split("-", 1)[0]?.toLowerCase();

/** The supported verbs and nouns with their attributes; all others are refused. */
export const TWIML_ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, Attribute>>>> = {
  Dial: { action, method, record, timeout, timeLimit, callerId, hangupOnStar, answerOnBridge },
  Number: { url, method },
  Sip: { url, method },
  Conference: {
    muted,
    beep,
    startConferenceOnEnter,
    endConferenceOnExit,
    maxParticipants,
    waitUrl,
    // A sound is fetched, and not a document.
    waitMethod: only("GET"),
    participantLabel,
    record: recordFromStart,
    trim: only("do-not-trim"),
    recordingStatusCallback: conferenceRecordingCallback,
    recordingStatusCallbackMethod: only("POST"),
    recordingStatusCallbackEvent: only("completed"),
    statusCallback,
    statusCallbackEvent,
    statusCallbackMethod: only("POST"),
  },
  Say: { ...voiceAttributes({ name: "", language: null }), loop },
  Play: { digits, loop },
  Pause: { length },
  Gather: { input, action, method, numDigits, finishOnKey, timeout: keyTimeout, actionOnEmptyResult },
  Connect: { action, method },
  Start: {},
  Stop: {},
  Stream: {
    url: streamUrl,
    name: streamName,
    track: streamTrack,
    statusCallback: streamCallback,
    statusCallbackMethod: only("POST"),
  },
  Parameter: { name: streamName, value: parameterValue },
  Record: {
    action,
    method,
    maxLength,
    timeout: silenceTimeout,
    finishOnKey: finishOnKeys,
    playBeep,
    recordingStatusCallback,
    recordingStatusCallbackMethod: only("POST"),
    recordingStatusCallbackEvent: only("completed"),
    trim: only("do-not-trim"),
    transcribe: only("false"),
  },
  Redirect: { method },
  Hangup: {},
  Reject: { reason },
};
