// Our language of call scripts: the XML that answers an inbound-call webhook.
//
//   <Response><Dial Record="true">+14155550100</Dial></Response>     also <Dial><Number>…, <Dial><Sip>…
//   <Response><Hangup>Goodbye.</Hangup></Response>                   without text: at once
//   <Response><Say>One moment.</Say><Dial Timeout="20">+14155550100</Dial><Say>Goodbye.</Say></Response>

import { ATTRIBUTES, type Attribute, programReader, type ScriptReader } from "./read-program.ts";

const record: Attribute = (wishes, value) => {
  if (!/^(?:true|false)$/i.test(value)) return '"true" and "false" are allowed';
  wishes.record = value.toLowerCase() === "true";
  return undefined;
};

export const readScript: ScriptReader = programReader({
  elements: {
    Dial: {
      Record: record,
      Timeout: ATTRIBUTES.timeout,
      TimeLimit: ATTRIBUTES.timeLimit,
      Action: ATTRIBUTES.action,
      HangupOnStar: ATTRIBUTES.hangupOnStar,
      CallerId: ATTRIBUTES.callerId,
      AnswerOnBridge: ATTRIBUTES.answerOnBridge,
    },
    Number: { Url: ATTRIBUTES.url },
    Sip: { Url: ATTRIBUTES.url },
    Conference: {
      Muted: ATTRIBUTES.muted,
      Beep: ATTRIBUTES.beep,
      StartConferenceOnEnter: ATTRIBUTES.startConferenceOnEnter,
      EndConferenceOnExit: ATTRIBUTES.endConferenceOnExit,
      MaxParticipants: ATTRIBUTES.maxParticipants,
      WaitUrl: ATTRIBUTES.waitUrl,
      ParticipantLabel: ATTRIBUTES.participantLabel,
      StatusCallback: ATTRIBUTES.statusCallback,
      StatusCallbackEvent: ATTRIBUTES.statusCallbackEvent,
      Record: ATTRIBUTES.recordConference,
      RecordingStatusCallback: ATTRIBUTES.conferenceRecordingCallback,
    },
    Say: { Loop: ATTRIBUTES.loop },
    Play: { Digits: ATTRIBUTES.digits, Loop: ATTRIBUTES.loop },
    Pause: { Length: ATTRIBUTES.length },
    Gather: {
      Action: ATTRIBUTES.action,
      NumDigits: ATTRIBUTES.numDigits,
      FinishOnKey: ATTRIBUTES.finishOnKey,
      Timeout: ATTRIBUTES.keyTimeout,
      ActionOnEmptyResult: ATTRIBUTES.actionOnEmptyResult,
    },
    Connect: { Action: ATTRIBUTES.action },
    Start: {},
    Stop: {},
    Stream: {
      Url: ATTRIBUTES.streamUrl,
      Name: ATTRIBUTES.streamName,
      Track: ATTRIBUTES.streamTrack,
      StatusCallback: ATTRIBUTES.streamCallback,
      Format: ATTRIBUTES.streamFormat,
      Rate: ATTRIBUTES.streamRate,
    },
    Parameter: { Name: ATTRIBUTES.streamName, Value: ATTRIBUTES.parameterValue },
    Record: {
      Action: ATTRIBUTES.action,
      MaxLength: ATTRIBUTES.maxLength,
      Timeout: ATTRIBUTES.silenceTimeout,
      FinishOnKey: ATTRIBUTES.finishOnKeys,
      PlayBeep: ATTRIBUTES.playBeep,
      RecordingStatusCallback: ATTRIBUTES.recordingStatusCallback,
    },
    Redirect: {},
    Hangup: {},
    Reject: { Reason: ATTRIBUTES.reason },
  },
  hangsUpWithText: true,
  emptyRefusal: "Response is empty: it holds Dial, Hangup or other instructions.",
  refuseElement(name, parent, allowed) {
    if (allowed.length === 0) return `${parent} holds text alone.`;
    const what = parent === "" ? "The root of a script" : `What is inside ${parent}`;
    return `${what} is ${allowed.join(" or ")}, not ${name}.`;
  },
  refuseAttribute: (element, attribute, _value, why) =>
    why === "" ? `${element} has no attribute ${attribute}.` : `${attribute} of ${element}: ${why}.`,
});
