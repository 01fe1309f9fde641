// The audio of recordings, with the account's credentials or by a signed link; in whole or by range.

import { z } from "zod";
import { ok, refused } from "../../../../base/result.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import { type Problem, problem } from "../../../../domain/problems.ts";
import type { RecordingFiles, SegmentPlace, StoredSegment } from "../../../../domain/voice/index.ts";
import { accountOperation, type Outcome, type Reply, tagged } from "../../core/operation.ts";
import { text } from "../../core/schemas.ts";
import { readRange } from "../../reading/byte-range.ts";

export interface RecordingRouteDeps {
  readonly files: Pick<RecordingFiles, "read">;
  readonly findSegment: (callSid: string, place: SegmentPlace) => Promise<StoredSegment | undefined>;
  /** Whether the file of the account's segment is still to come, though its URL is known already. */
  readonly isAwaited: (accountSid: string, callSid: string, place: SegmentPlace) => Promise<boolean>;
  /** The account of the call, if the link to its segment is valid. */
  readonly linkedAccount: (
    callSid: string,
    place: SegmentPlace,
    link: { readonly expires: string; readonly signature: string },
  ) => Promise<Account | undefined>;
}

const CONTENT_TYPE = "audio/mpeg";
const INDEX_MAX = 100_000;
const PLACE = /^(?:\d{1,6}|RE[0-9a-f]{32})$/;

const AWAY: Problem = {
  ...problem("unavailable", "Where recordings are kept cannot be reached just now."),
  retryAfterSeconds: 10,
};

const AWAITED: Problem = {
  ...problem("not-found", "The file of this recording is not ready yet."),
  retryAfterSeconds: 2,
};

const placeOf = (text: string): SegmentPlace => (text.startsWith("RE") ? text : Number(text));

type Texts = Readonly<Record<string, unknown>>;

export const recordingOperations = tagged<RecordingRouteDeps>("Calls", [
  accountOperation({
    id: "getRecording",
    sdk: "calls.recording(sid, index)",
    command: "calls recordings download {sid} {index}",
    summary: "The audio of a recording",
    description:
      "One segment as MP3: the first leg on the left, the second on the right; of a recording that a program has made, by its sid, the first leg alone. Takes `Range` and `If-None-Match`. Needs no credentials with the signature of the link that the call and its event name, which is good for seven days.",
    route: "GET /Voice/Calls/{sid}/recordings/{index}",
    params: z.strictObject({
      sid: text(64),
      index: z
        .union([z.int().min(1).max(INDEX_MAX), z.string().regex(/^RE[0-9a-f]{32}$/)])
        .describe("The number of a segment, or the sid of a recording of the call's program."),
    }),
    query: z.strictObject({
      expires: text(16).optional().describe("Of a signed link."),
      signature: text(64).optional().describe("Of a signed link."),
    }),
    answers: {
      200: {
        description: "The file.",
        mediaType: CONTENT_TYPE,
        headers: { "Accept-Ranges": "`bytes`.", ETag: "The SHA-256 of the file." },
      },
      304: {
        description: "The file is the one that `If-None-Match` names.",
        headers: { ETag: "The SHA-256 of the file." },
      },
      206: {
        description: "The part of the file that was asked for.",
        mediaType: CONTENT_TYPE,
        headers: { "Content-Range": "Which part of how many octets." },
      },
    },
    refusals: ["not-found", "range-not-satisfiable"],
    async byLink({ params, query }, deps) {
      const { sid, index } = params as Texts;
      const { expires, signature } = query as Texts;
      if (typeof expires !== "string" || typeof signature !== "string") return undefined;
      return PLACE.test(String(index))
        ? deps.linkedAccount(String(sid), placeOf(String(index)), { expires, signature })
        : undefined;
    },
    handle: ({ account, params: { sid, index }, headers }, _unit, deps) =>
      segmentAudio(deps, account, { callSid: sid, place: index }, headers),
  }),
]);

/** The file of a segment, or the range of it that the headers request. */
export async function segmentAudio(
  deps: RecordingRouteDeps,
  account: Account,
  { callSid, place }: { readonly callSid: string; readonly place: SegmentPlace },
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Promise<Outcome> {
  const segment = await deps.findSegment(callSid, place);
  if (segment?.accountSid !== account.sid) {
    const isAwaited = await deps.isAwaited(account.sid, callSid, place);
    return refused(isAwaited ? AWAITED : problem("not-found", "There is no such recording."));
  }
  const size = segment.sizeBytes;
  const etag = `"${segment.sha256}"`;
  const common = { "Accept-Ranges": "bytes", ETag: etag };
  if (isKnown(headers["if-none-match"], etag)) return ok({ status: 304, headers: common });
  const range = isWhole(headers["if-range"], etag) ? undefined : readRange(oneOf(headers.range), size);
  if (range === "beyond") {
    return refused({ ...problem("range-not-satisfiable", `It has ${size} octets.`), sizeBytes: size });
  }
  const stream = await deps.files.read(segment.key, range).catch(() => "away" as const);
  if (stream === "away") return refused(AWAY);
  if (!stream) return refused(problem("not-found", "The file of this recording is not on this machine."));
  const name = `${callSid}-${place}.mp3`;
  const whole: Reply = {
    status: 200,
    headers: common,
    content: { name, contentType: CONTENT_TYPE, sizeBytes: size, stream },
  };
  if (!range) return ok(whole);
  const { first, last } = range;
  return ok({
    status: 206,
    headers: { ...common, "Content-Range": `bytes ${first}-${last}/${size}` },
    content: { name, contentType: CONTENT_TYPE, sizeBytes: last - first + 1, stream },
  });
}

/** RFC 9110 13.1.2: weak comparison, evaluated before any range. */
function isKnown(ifNoneMatch: string | readonly string[] | undefined, etag: string): boolean {
  const tags =
    oneOf(ifNoneMatch)
      ?.split(",")
      .map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}

function oneOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}

/** RFC 9110 13.1.5: if the client's validator is not ours, its range refers to other content. */
function isWhole(ifRange: string | readonly string[] | undefined, etag: string): boolean {
  return ifRange !== undefined && ifRange !== etag;
}
