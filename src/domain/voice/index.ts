// The front door of voice.

export * from "./call.ts";
export * from "./call-desk.ts";
export { changeParticipant, endConference, removeParticipant } from "./change-conference.ts";
export * from "./conference.ts";
export { ConferenceDesk } from "./conference-desk.ts";
export { conferenceEvent } from "./conference-events.ts";
export * from "./document-facts.ts";
export * from "./finish-segments.ts";
export { hangUpParty } from "./hang-up-party.ts";
export * from "./judge-destination.ts";
export * from "./judge-forwarding.ts";
export * from "./order-call.ts";
export * from "./ordered-program.ts";
export * from "./ports.ts";
export * from "./program.ts";
export * from "./read-program.ts";
export * from "./read-script.ts";
export * from "./recording.ts";
export { type RedirectCallDeps, redirectCall } from "./redirect-call.ts";
export * from "./remove-segments.ts";
export * from "./script.ts";
export { KEY_PROMPT, KEY_PROMPT_MAX } from "./spoken-text.ts";
export type * from "./stream.ts";
export * from "./summarise-call.ts";
export { switchRecording } from "./switch-recording.ts";
export * from "./trunk-health.ts";
export { until, untilCall } from "./until-call.ts";
