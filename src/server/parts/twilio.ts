// The API in Twilio's shape, for that provider's own clients: the same verbs on the same records as the other parts.
// It stands in no OpenAPI document; docs/twilio-api.md says what it covers.

import { type TwilioCallDeps, twilioCallOperations } from "../../adapters/http/routes/twilio/twilio-calls.ts";
import { type TwilioLookupDeps, twilioLookupOperations } from "../../adapters/http/routes/twilio/twilio-lookups.ts";
import { type TwilioMediaDeps, twilioMediaOperations } from "../../adapters/http/routes/twilio/twilio-media.ts";
import { twilioMessageOperations } from "../../adapters/http/routes/twilio/twilio-messages.ts";
import { type TwilioPhoneDeps, twilioPhoneOperations } from "../../adapters/http/routes/twilio/twilio-phone-numbers.ts";
import { showTwilioProblem } from "../../adapters/http/routes/twilio/twilio-problem.ts";
import {
  type TwilioRecordingDeps,
  twilioRecordingOperations,
} from "../../adapters/http/routes/twilio/twilio-recordings.ts";
import { newWebhookSecret } from "../../adapters/webhook-signer.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import type { LookupPart } from "./lookup.ts";
import type { MessagingPart } from "./messaging.ts";
import type { VoicePart } from "./voice.ts";
import type { WebhooksPart } from "./webhooks.ts";

type Deps = MessagingPart["routeDeps"] &
  TwilioCallDeps &
  TwilioLookupDeps &
  TwilioMediaDeps &
  TwilioPhoneDeps &
  TwilioRecordingDeps;

const twilioApi: Api<Deps> = {
  twilio: [
    ...twilioMessageOperations(),
    ...twilioMediaOperations(),
    ...twilioCallOperations(),
    ...twilioRecordingOperations(),
    ...twilioPhoneOperations(),
  ],
  twilioLookups: twilioLookupOperations(),
};

interface Parts {
  readonly lookup: LookupPart;
  readonly messaging: MessagingPart;
  readonly voice: VoicePart;
  readonly webhooks: WebhooksPart;
}

export function openTwilio({ store, publicUrl }: Context, { lookup, messaging, voice, webhooks }: Parts): Part {
  return {
    name: "twilio",
    operations: servedApi(twilioApi, {
      ...messaging.routeDeps,
      ...voice.routeDeps,
      findMedia: messaging.findMedia,
      lookups: lookup.lookups,
      publicUrl,
      newSecret: newWebhookSecret,
      transaction: (work) => store.transaction(work),
      askForTwiml: (accountSid, urls, parameters) => webhooks.askUrl({ accountSid, urls, parameters }),
    }),
    routes(http) {
      http.problemShapes.set("/2010-04-01/", showTwilioProblem);
      http.problemShapes.set("/v2/phonenumbers/", showTwilioProblem);
    },
  };
}
