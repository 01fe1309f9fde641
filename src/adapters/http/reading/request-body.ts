// Reads the body of a request: as much as its route permits, in a form that the route takes.

import type { IncomingMessage } from "node:http";
import { ok, type Result, refused } from "../../../base/result.ts";
import { invalid, type Problem, problem } from "../../../domain/problems.ts";
import { parseMultipart } from "./multipart.ts";
import { FORM_TYPE, JSON_TYPE, readForm, readJson } from "./read-body.ts";

/** `fields`: JSON or a form. `files`: a form with files too. `bytes`: any body, unchanged. */
export type BodyForm = "fields" | "files" | "bytes";

export interface BodyRules {
  readonly form: BodyForm;
  readonly bytesMax: number;
}

/** `isUnread`: the rest of the body has not been read. */
export interface BodyRefusal {
  readonly problem: Problem;
  readonly isUnread: boolean;
}

/** For JSON and forms without files, even where a form with files may be larger. */
export const FIELDS_BYTES_MAX = 256 * 1024;

const FILES_TYPE = /^multipart\/form-data\b/i;
const UNREAD_TYPE = problem("unsupported-media-type", "Send JSON as application/json, or a message as a form.");
const BROKEN_OFF = invalid({ $: ["The body is not as long as Content-Length says."] });

/** Returns undefined where there is no body. */
export async function readRequestBody(
  request: IncomingMessage,
  { form, bytesMax }: BodyRules,
): Promise<Result<unknown, BodyRefusal>> {
  const { "content-type": type, "content-length": length, "transfer-encoding": encoding } = request.headers;
  const isEmpty = encoding === undefined && (length === undefined || length === "0");
  if (type === undefined && isEmpty) return ok(undefined);
  const read = form === "bytes" ? ok : readerFor(type ?? "", form);
  if (!read) return refused({ problem: UNREAD_TYPE, isUnread: false });
  const bytes = await readBytes(request, bytesMax);
  if (bytes === "too-large") return refused({ problem: tooLarge(bytesMax), isUnread: true });
  if (bytes === "broken-off") return refused({ problem: BROKEN_OFF, isUnread: false });
  const body = read(bytes);
  return body.ok ? body : refused({ problem: body.refusal, isUnread: false });
}

function readerFor(type: string, form: BodyForm): ((bytes: Buffer) => Result<unknown, Problem>) | undefined {
  if (JSON_TYPE.test(type)) return (bytes) => (bytes.length > FIELDS_BYTES_MAX ? TOO_MANY_FIELDS : readJson(bytes));
  if (FORM_TYPE.test(type)) return readForm;
  if (!FILES_TYPE.test(type) || form !== "files") return undefined;
  return (bytes) => {
    const files = parseMultipart(type, bytes);
    return files.ok ? files : refused(invalid({ $: [files.refusal] }));
  };
}

const tooLarge = (bytesMax: number) => problem("body-too-large", `${bytesMax} bytes are read at most.`);

const TOO_MANY_FIELDS = refused(tooLarge(FIELDS_BYTES_MAX));

function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer | "too-large" | "broken-off"> {
  if (Number(request.headers["content-length"]) > bytesMax) return Promise.resolve("too-large");
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const end = (outcome: Buffer | "too-large" | "broken-off") => {
      request.off("data", take).off("end", whole).off("error", broken).off("close", broken);
      resolve(outcome);
    };
    const take = (piece: Buffer) => {
      length += piece.length;
      if (length > bytesMax) end("too-large");
      else pieces.push(piece);
    };
    const whole = () => end(Buffer.concat(pieces, length));
    const broken = () => end("broken-off");
    request.on("data", take).on("end", whole).on("error", broken).on("close", broken);
  });
}
