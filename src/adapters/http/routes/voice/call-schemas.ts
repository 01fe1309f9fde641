// Calls as the API shows and accepts them.

import { z } from "zod";
import { members, type Part } from "../../../../base/plain-command.ts";
import { SCRIPT_BYTES_MAX } from "../../../../base/script-xml.ts";
import {
  CALL_DIRECTIONS,
  CALL_SECONDS_MAX,
  CALL_STATUSES,
  type Call,
  durationSeconds,
  END_REASONS,
  ENDED_BY,
  KEY_PROMPT,
  KEY_PROMPT_MAX,
  LEG_NAMES,
  type RecordingUrl,
  RING_SECONDS,
} from "../../../../domain/voice/index.ts";
import { anyText, shownBy, text, timestamp } from "../../core/schemas.ts";
import { programRecordingSchema, recordingSchema, showProgramRecording, showRecording } from "./recording-schemas.ts";

const direction = z.enum(CALL_DIRECTIONS).meta({ id: "CallDirection" });
const status = z.enum(CALL_STATUSES).meta({ id: "CallStatus" });
const endReason = z.enum(END_REASONS).meta({ id: "CallEndReason" });
const leg = z.enum(LEG_NAMES).meta({ id: "LegName" });

const legSchema = z
  .strictObject({
    sid: z.string(),
    leg,
    direction,
    from: z.string(),
    to: z.string(),
    status,
    rangOn: timestamp.nullable(),
    answeredOn: timestamp.nullable(),
    completedOn: timestamp.nullable(),
    durationSeconds: z.int().nullable().describe("From its answer to its end; null before that."),
    endReason: endReason.nullable(),
    sipCode: z.int().nullable().describe("The response that refused it."),
    media: z
      .strictObject({
        codec: z.string(),
        secure: z.boolean().describe("Whether it was SRTP."),
        packetsReceived: z.int(),
        packetsLost: z.int(),
        jitterMs: z.number(),
        mos: z.number().describe("Estimated quality, 1 to 4.5."),
      })
      .nullable(),
  })
  .meta({ id: "CallLeg" });

export const callSchema = z
  .strictObject({
    sid: z.string(),
    direction,
    from: z.string(),
    to: z.string(),
    callerId: z.string(),
    status: status.describe("Answered when both parties are connected."),
    endReason: endReason.nullable(),
    endedBy: z.enum(ENDED_BY).meta({ id: "CallEndedBy" }).nullable(),
    createdOn: timestamp,
    answeredOn: timestamp.nullable(),
    completedOn: timestamp.nullable(),
    durationSeconds: z.int().nullable().describe("For how long the parties were connected; null before the end."),
    legs: z.array(legSchema),
    recordings: recordingSchema.optional().describe("Only where recording was asked for."),
    programRecordings: z
      .array(programRecordingSchema)
      .optional()
      .describe("Only where instructions of its program have recorded."),
  })
  .meta({ id: "Call" });

const party = text(512).describe("A number, or a SIP URI such as `sip:alice@example.com`.");

const programText = anyText(SCRIPT_BYTES_MAX)
  .optional()
  .describe("A call script that is run for the party. URLs in it are whole ones.");
const programUrl = text(2_048)
  .optional()
  .describe("Asked for a call script, by POST, when the party is there; signed with the account's secret.");

/** Exactly one of these members is given. */
function oneOf(...members: readonly string[]) {
  return {
    check({ value, issues }: z.core.ParsePayload<object>) {
      const given = members.filter((member) => member in value);
      if (given.length === 1) return;
      const [path = ""] = given.length === 0 ? members : given.slice(1);
      const message =
        given.length === 0
          ? `One of these is required: ${members.join(", ")}.`
          : `Give one of these: ${members.join(", ")}.`;
      issues.push({ code: "custom", input: null, path: [path], message });
    },
    meta: { oneOf: members.map((member) => ({ required: [member], properties: { [member]: { type: "string" } } })) },
  };
}

const FIRST_PARTY = oneOf("from", "script", "scriptUrl");

export const callOrderSchema = z
  .strictObject({
    from: party.optional().describe("The internal party, called first: a number or a SIP URI."),
    to: party.describe(
      "The external party, called when the first has answered: a number or a SIP URI. With a program the only one.",
    ),
    script: programText,
    scriptUrl: programUrl,
    callerId: text(64)
      .optional()
      .describe("What both parties see: a number of the account. By default the account's, else its oldest."),
    record: z.boolean().optional().describe("Whether the call is recorded; not by default."),
    requireKeyPress: z
      .boolean()
      .optional()
      .describe("`to` is called only when the first party, asked for it, has pressed any key within 20 seconds."),
    keyPressPrompt: text(KEY_PROMPT_MAX)
      .optional()
      .describe(`What the first party hears, three times at most; “${KEY_PROMPT}” by default. No markup.`),
    ringSeconds: z
      .int()
      .min(RING_SECONDS.min)
      .max(RING_SECONDS.max)
      .optional()
      .describe(`How long each party is rung; ${RING_SECONDS.usual} by default.`),
    maxSeconds: z.int().min(1).max(CALL_SECONDS_MAX).optional().describe("The most that the call may last."),
  })
  .check(FIRST_PARTY.check)
  .meta({ id: "CallOrder", ...FIRST_PARTY.meta });

const PROGRAM = oneOf("script", "scriptUrl");

export const redirectSchema = z
  .strictObject({ script: programText, scriptUrl: programUrl })
  .check(PROGRAM.check)
  .meta({ id: "CallRedirection", ...PROGRAM.meta });

export const sipMessageSchema = z
  .strictObject({
    at: timestamp,
    leg,
    direction: z.enum(["Sent", "Received"]),
    peer: z.string(),
    transport: z.enum(["UDP", "TCP", "TLS"]),
    startLine: z.string(),
    text: z.string().describe("Credentials and keys are masked."),
  })
  .meta({ id: "SipMessage" });

const showFacts = shownBy(callSchema.omit({ recordings: true, programRecordings: true }));
const showLeg = shownBy(legSchema);

export function showCall(call: Call, urlOf: RecordingUrl): object {
  const legs = call.legs.map((shown) => showLeg({ ...shown, durationSeconds: durationSeconds(shown) }));
  return {
    ...showFacts({ ...call, durationSeconds: durationSeconds(call), legs }),
    ...(call.recording && { recordings: showRecording(call.sid, call.recording, urlOf) }),
    ...(call.programRecordings.length > 0 && {
      programRecordings: call.programRecordings.map((one) => showProgramRecording(call.sid, one, urlOf)),
    }),
  };
}

export const CALLS: readonly Part[] = [
  {
    table: members("createdOn, sid, direction, from, to, status, End = endReason, Seconds = durationSeconds"),
  },
];
