// The operator's view of recordings that had an error, and the retry of those that were given up.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import { problem } from "../../../../domain/problems.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import { answerPage } from "../../core/outcomes.ts";
import { listOf, listQuery, pageRequestOf, sidParams } from "../../core/schemas.ts";

const troubledSchema = z
  .strictObject({
    sid: z.string(),
    callSid: z.string(),
    accountSid: z.string(),
    status: z.string().describe("`Failed` when it was given up."),
    fault: z.string().describe("What went wrong."),
    segments: z.array(
      z.strictObject({
        index: z.int(),
        state: z.string().describe("`Recording`, `Waiting`, `Encoding`, `Done` or `Failed`."),
        attempts: z.int().describe("How often its encoding failed."),
        fault: z.string().nullable(),
        rawFile: z
          .string()
          .nullable()
          .describe("In `recordings/raw` of the data directory, kept until its MP3 is verified; null: removed."),
      }),
    ),
  })
  .meta({ id: "TroubledRecording" });

export const operatorRecordingOperations = tagged<unknown>("Operator: recordings", [
  operatorOperation({
    id: "listTroubledRecordings",
    sdk: "recordings.list",
    command: {
      name: "operator recordings list",
      about: "List recordings with which something went wrong.",
      shows: [
        {
          table: { ...members("sid, accountSid, callSid, status, fault"), Segments: "{segments|states}" },
        },
      ],
    },
    summary: "Recordings with which something went wrong",
    route: "GET /Recordings",
    query: listQuery({}),
    answers: { 200: { description: "A page of them.", body: listOf("TroubledRecordingList", troubledSchema) } },
    handle: async ({ query }, unit) => answerPage(await unit.troubledRecordings.list(pageRequestOf(query))),
  }),
  operatorOperation({
    id: "retryRecording",
    sdk: "recordings.retry",
    command: {
      name: "operator recordings retry",
      about: "Make the files of a failed recording after all.",
      arguments: { "<sid>": "the recording" },
      done: "retried",
      shows: [{ say: "{<sid>} is tried again." }],
    },
    summary: "Make the files of a failed recording after all",
    description: "Encodes the segments again that were given up; their raw audio was kept.",
    route: "POST /Recordings/{sid}/retry",
    params: sidParams,
    answers: { 204: { description: "They wait to be encoded." } },
    refusals: ["not-found", "conflict"],
    async handle({ params: { sid }, now }, unit) {
      if (!(await unit.troubledRecordings.find(sid))) return refused(problem("not-found"));
      if (await unit.troubledRecordings.retry(sid, now)) return ok({ status: 204 });
      return refused(problem("conflict", "None of its segments was given up."));
    },
  }),
]);
