// The operator's view of recordings that had an error, and the retry of those that were given up.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import { problem } from "../../../../domain/problems.ts";
import { type Operation, operatorOperation } from "../../core/operation.ts";
import { listBody, listOf, listQuery, pageRequestOf, text } from "../../core/schemas.ts";

const TAG = "Operator: recordings";

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

export function operatorRecordingOperations(): readonly Operation<unknown>[] {
  return [
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
      tag: TAG,
      summary: "Recordings with which something went wrong",
      method: "GET",
      path: "/Recordings",
      writes: false,
      query: listQuery({}),
      answers: { 200: { description: "A page of them.", body: listOf("TroubledRecordingList", troubledSchema) } },
      refusals: [],
      async handle({ query }, unit) {
        const page = await unit.troubledRecordings.list(pageRequestOf(query));
        return ok({ status: 200, body: listBody(page, (recording) => recording) });
      },
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
      tag: TAG,
      summary: "Make the files of a failed recording after all",
      description: "Encodes the segments again that were given up; their raw audio was kept.",
      method: "POST",
      path: "/Recordings/{sid}/retry",
      writes: true,
      params: z.strictObject({ sid: text(64) }),
      answers: { 204: { description: "They wait to be encoded." } },
      refusals: ["not-found", "conflict"],
      async handle({ params: { sid }, now }, unit) {
        if (!(await unit.troubledRecordings.find(sid))) return refused(problem("not-found"));
        if (await unit.troubledRecordings.retry(sid, now)) return ok({ status: 204 });
        return refused(problem("conflict", "None of its segments was given up."));
      },
    }),
  ];
}
