// Decides whether fetched content may be sent to a phone, and with which type. The bytes decide; the Content-Type must
// agree with them.

import { ok, type Result, refused } from "../../base/result.ts";
import { tableOf } from "../../base/table.ts";
import { type MediaType, sniffType } from "./sniff-type.ts";

export interface JudgeRefusal {
  readonly reason: "not-media" | "lies-about-type";
  readonly detail: string;
}

/** Declared types that carry no information. */
const SILENT = new Set(["", "application/octet-stream", "binary/octet-stream", "application/x-download", "*/*"]);
/** The family of types that are neither image, audio nor video. */
const FAMILIES = tableOf<string>({
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "text/vcard": "card",
  "text/x-vcard": "card",
  "text/directory": "card",
  "text/calendar": "calendar",
  "text/plain": "text",
  "text/csv": "text",
  "application/ogg": "sound or film",
});

export function judgeMedia(bytes: Uint8Array, declaredHeader: string | undefined): Result<MediaType, JudgeRefusal> {
  const declared = (declaredHeader ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const family = familyOf(declared);
  const sniffed = sniffType(bytes);
  if (sniffed.kind === "media") {
    if (SILENT.has(declared) || family === familyOf(sniffed.contentType))
      return ok(asDeclared(sniffed.contentType, declared));
    // A vCard or calendar may be declared as plain text.
    if (family === "text" && sniffed.contentType.startsWith("text/")) return ok(sniffed.contentType);
    return lies(declared, `is ${sniffed.contentType}`);
  }
  if (sniffed.kind === "text" && family === "text") return ok("text/plain");
  const found = { text: "is plain text", markup: "is a page", unknown: "is no kind of media known here" }[sniffed.kind];
  if (family !== undefined) return lies(declared, found);
  return refused({ reason: "not-media", detail: `The content ${found}.` });
}

function lies(declared: string, found: string): Result<never, JudgeRefusal> {
  return refused({
    reason: "lies-about-type",
    detail: `The server calls it ${declared.slice(0, 100)}, but the content ${found}.`,
  });
}

/** Audio and video share container formats, so they are one family. */
function familyOf(type: string): string | undefined {
  const [kind] = type.split("/");
  if (kind === "image") return "image";
  if (kind === "audio" || kind === "video") return "sound or film";
  return FAMILIES.get(type);
}

/** An MP4 container may hold audio or video; the declared type decides. */
function asDeclared(found: MediaType, declared: string): MediaType {
  return found === "video/mp4" && declared.startsWith("audio/") ? "audio/mp4" : found;
}
