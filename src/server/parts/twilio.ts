// The API in Twilio's shape, for Twilio's own clients: the same verbs on the same records as the other parts. It is in
// no OpenAPI document; docs/twilio-api.md lists what it covers.

import { acceptMessage, cancelMessage } from "../../adapters/http/routes/messaging/messages.ts";
import { callBarrier, callDeps, hangUpCall } from "../../adapters/http/routes/voice/calls.ts";
import { segmentAudio } from "../../adapters/http/routes/voice/recordings.ts";
import { speakerOf } from "../../adapters/speech/speech-settings.ts";
import { twilioAvailableOperations } from "../../adapters/twilio/available-numbers.ts";
import { type TwilioCallDeps, twilioCallOperations } from "../../adapters/twilio/calls.ts";
import { type TwilioConferenceDeps, twilioConferenceOperations } from "../../adapters/twilio/conferences.ts";
import { type TwilioLookupDeps, twilioLookupOperations } from "../../adapters/twilio/lookups.ts";
import { type TwilioMediaDeps, twilioMediaOperations } from "../../adapters/twilio/media.ts";
import { type TwilioMessageDeps, twilioMessageOperations } from "../../adapters/twilio/messages.ts";
import { mountTwilioRefusals } from "../../adapters/twilio/not-served.ts";
import type { TwilioOperation } from "../../adapters/twilio/operation.ts";
import { type TwilioPhoneDeps, twilioPhoneOperations } from "../../adapters/twilio/phone-numbers.ts";
import { twimlReader } from "../../adapters/twilio/read-twiml.ts";
import { type TwilioRecordingDeps, twilioRecordingOperations } from "../../adapters/twilio/recordings.ts";
import { newWebhookSecret } from "../../adapters/webhook-signer.ts";
import { hangUpParty, redirectCall } from "../../domain/voice/index.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import type { LookupPart } from "./lookup.ts";
import type { MessagingPart } from "./messaging.ts";
import type { VoicePart } from "./voice.ts";

type Deps = TwilioMessageDeps &
  TwilioCallDeps &
  TwilioConferenceDeps &
  TwilioLookupDeps &
  TwilioMediaDeps &
  TwilioPhoneDeps &
  TwilioRecordingDeps;

const twilioApi = {
  twilio: [
    ...twilioMessageOperations,
    ...twilioMediaOperations,
    ...twilioCallOperations,
    ...twilioConferenceOperations,
    ...twilioRecordingOperations,
    ...twilioPhoneOperations,
    ...twilioAvailableOperations,
  ],
  twilioLookups: twilioLookupOperations,
} satisfies Api<Deps>;

/** What is served, as docs/twilio-api.md lists it. */
export function twilioMethods(): readonly TwilioOperation<never>[] {
  return [...twilioApi.twilio, ...twilioApi.twilioLookups];
}

interface Parts {
  readonly lookup: LookupPart;
  readonly messaging: MessagingPart;
  readonly voice: VoicePart;
}

export function openTwilio(context: Context, { lookup, messaging, voice }: Parts): Part {
  const { config, store, ids, checkUrl, publicUrl } = context;
  return {
    name: "twilio",
    operations: servedApi<Deps>(twilioApi, {
      ...{ ids, checkUrl, publicUrl, newSecret: newWebhookSecret, findMedia: messaging.findMedia },
      acceptMessage: (...order) => acceptMessage(messaging.routeDeps, ...order),
      cancelMessage,
      callBarrier: (account) => callBarrier(voice.routeDeps, account),
      rules: voice.routeDeps.rules,
      orderDeps: (input) => callDeps(voice.routeDeps, input),
      hangUpCall: (...call) => hangUpCall(voice.routeDeps, ...call),
      hangUpParty: ({ calls }, ...party) => hangUpParty({ calls, until: voice.routeDeps.until }, ...party),
      redirectCall: ({ calls }, ...call) => redirectCall({ calls, until: voice.routeDeps.until }, ...call),
      until: voice.routeDeps.until,
      segmentAudio: async (...segment) => segmentAudio(voice.routeDeps, ...segment),
      lookUp: (number) => lookup.lookups.one(number),
      readTwiml: twimlReader(speakerOf(config.file.speech)),
      readyCallbacks: messaging.routeDeps.readyCallbacks,
      transaction: (work) => store.transaction(work),
    }),
    routes: mountTwilioRefusals,
  };
}
