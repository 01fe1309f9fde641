// The voice settings of a number.

import { z } from "zod";
import type { Part } from "../../../../base/plain-command.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import { changeVoice, DEFAULT_VOICE, findServing, type VoiceChange } from "../../../../domain/numbers/index.ts";
import { type Problem, problem } from "../../../../domain/problems.ts";
import { type DialRules, judgeForwarding, type MayConnect } from "../../../../domain/voice/index.ts";
import { accountOperation, type Outcome, tagged } from "../../core/operation.ts";
import { answerWith } from "../../core/outcomes.ts";
import type { Unit } from "../../core/ports.ts";
import { anyText } from "../../core/schemas.ts";
import { destinationFaults } from "../../reading/read-destination.ts";
import { phoneFaults, phoneParams, withPhone } from "./phones.ts";

export interface PhoneVoiceRouteDeps {
  readonly supportContact: string;
  readonly rules: DialRules;
  readonly mayConnect: MayConnect;
}

const callsForwardedTo = anyText(512)
  .nullable()
  .describe(
    "A number, or a SIP URI such as `sip:alice@example.com:5060;transport=TLS?X-Tenant=7`. Null: the inbound-call webhook decides.",
  );
const recordInboundCalls = z.boolean().describe("Unless a call script says otherwise.");

const settings = z.strictObject({ callsForwardedTo, recordInboundCalls }).meta({ id: "VoiceSettings" });

const VOICE: readonly Part[] = [
  {
    fields: {
      "Calls go to": ["{callsForwardedTo}", "what the inbound-call webhook says"],
      Recorded: ["{recordInboundCalls?yes, unless a script says otherwise}", "no, unless a script says otherwise"],
    },
  },
];

const change = async (
  deps: PhoneVoiceRouteDeps,
  account: Account,
  phone: string,
  given: VoiceChange,
  unit: Unit,
  now: Date,
): Promise<Outcome> => {
  if (!account.features.includes("voice")) {
    return refused(problem("feature-off", `voice is off for this account: ask ${deps.supportContact} for it.`));
  }
  return answerWith(
    await withPhone(unit, account, phone, async (number) => {
      const judged = await judgeChange(deps, account, number, given, unit);
      return judged.ok ? changeVoice(unit.phones, account.sid, number, judged.value, now) : judged;
    }),
  );
};

export const phoneVoiceOperations = tagged<PhoneVoiceRouteDeps>("Phones", [
  accountOperation({
    id: "getPhoneVoice",
    sdk: "phones.voice",
    command: {
      name: "numbers voice show",
      about: "Show where the calls of a number go, and whether they are recorded.",
      arguments: { "<number>": ["phone", "the number"] },
      shows: VOICE,
    },
    summary: "Where a number's calls go",
    route: "GET /Phones/{phone}/voice",
    isSeenByOperators: true,
    params: phoneParams,
    answers: { 200: { description: "The settings.", body: settings } },
    refusals: ["not-found"],
    furtherFaults: ({ params }) => phoneFaults(params),
    handle: async ({ account, params }, unit) =>
      answerWith(
        await withPhone(unit, account, params.phone, (number) => findServing(unit.phones, account.sid, number)),
        (value) => value.voice,
      ),
  }),
  accountOperation({
    id: "putPhoneVoice",
    sdk: "phones.replaceVoice",
    command: "numbers voice set {phone} [--forward-to callsForwardedTo]",
    summary: "Say where a number's calls go",
    description: "Replaces the settings: what is not given is as at the beginning. 409 while the number has no VOICE.",
    route: "PUT /Phones/{phone}/voice",
    params: phoneParams,
    body: z
      .strictObject({
        callsForwardedTo: callsForwardedTo.default(DEFAULT_VOICE.callsForwardedTo),
        recordInboundCalls: recordInboundCalls.default(DEFAULT_VOICE.recordInboundCalls),
      })
      .meta({ id: "VoiceSettingsOrder" }),
    answers: { 200: { description: "The settings as they are now.", body: settings } },
    refusals: ["not-found", "feature-off", "conflict", "emergency-number", "premium-number", "country-not-allowed"],
    furtherFaults: ({ params, body, country }, deps) => ({
      ...phoneFaults(params),
      ...destinationFaults({ callsForwardedTo: body.callsForwardedTo }, deps, country),
    }),
    handle: ({ account, params, body, now }, unit, deps) => change(deps, account, params.phone, body, unit, now),
  }),
  accountOperation({
    id: "changePhoneVoice",
    sdk: "phones.changeVoice",
    command: {
      name: "numbers voice set",
      about: "Say where the calls of a number go, and whether they are recorded: only what is given changes.",
      arguments: { "<number>": ["phone", "the number"] },
      options: {
        "--forward-to <party>": [
          "callsForwardedTo",
          "a number or a SIP URI; none leaves it to the inbound-call webhook",
          { kind: "textOrNone" },
        ],
        "--record <answer>": ["recordInboundCalls", "yes or no: record calls to it, unless a script says otherwise"],
      },
      needs: "Say what to change: --forward-to or --record.",
      shows: VOICE,
    },
    summary: "Change where a number's calls go",
    description: "Only the members given are changed. 409 while the number has no VOICE.",
    route: "PATCH /Phones/{phone}/voice",
    params: phoneParams,
    body: z
      .strictObject({
        callsForwardedTo: callsForwardedTo.optional(),
        recordInboundCalls: recordInboundCalls.optional(),
      })
      .meta({ id: "VoiceSettingsChange" }),
    answers: { 200: { description: "The settings as they are now.", body: settings } },
    refusals: ["not-found", "feature-off", "conflict", "emergency-number", "premium-number", "country-not-allowed"],
    furtherFaults: ({ params, body, country }, deps) => ({
      ...phoneFaults(params),
      ...destinationFaults({ callsForwardedTo: body.callsForwardedTo }, deps, country),
    }),
    handle: ({ account, params, body, now }, unit, deps) => change(deps, account, params.phone, body, unit, now),
  }),
]);

async function judgeChange(
  deps: PhoneVoiceRouteDeps,
  account: Account,
  number: string,
  given: VoiceChange,
  { calls }: Unit,
): Promise<Result<VoiceChange, Problem>> {
  if (typeof given.callsForwardedTo !== "string") return ok(given);
  const judged = await judgeForwarding({ ...deps, calls }, account, number, given.callsForwardedTo);
  if (judged.ok) return ok({ ...given, callsForwardedTo: judged.value });
  const { code, reason } = judged.refusal;
  const refusal = code === "validation" ? problem(code) : problem(code, reason);
  return refused({ ...refusal, errors: { callsForwardedTo: [reason] } });
}
