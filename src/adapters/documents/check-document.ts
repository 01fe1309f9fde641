// Checks that an uploaded letter of authorization is a PDF, JPEG, PNG or TIFF that can be opened, by its content and
// never by its name.

import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { ok, type Result, refused } from "../../base/result.ts";
import { checkJpeg, checkPng, checkTiff } from "./check-images.ts";
import { checkPdf } from "./check-pdf.ts";
import { type DocumentFault, tooComplex } from "./document-fault.ts";
import { TooMuchWork } from "./work-budget.ts";

export const DOCUMENT_BYTES_MAX = 10 * 1024 * 1024;

const DIGEST_BYTES_PER_SLICE = 512 * 1024;

export const DOCUMENT_TYPES = ["application/pdf", "image/jpeg", "image/png", "image/tiff"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export interface CheckedDocument {
  /** Safe to display and to save under; its extension matches the content. */
  readonly name: string;
  readonly contentType: DocumentType;
  readonly pageCount: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

interface Kind {
  readonly contentType: DocumentType;
  readonly ending: string;
  readonly isSigned: (bytes: Buffer) => boolean;
  /** Returns the number of pages; throws `TooMuchWork` for a document that exceeds the budget. */
  readonly check: (bytes: Buffer) => Promise<Result<number, DocumentFault>>;
}

const startsWith = (...signatures: readonly string[]) => {
  const wanted = signatures.map((signature) => Buffer.from(signature, "latin1"));
  return (bytes: Buffer) => wanted.some((signature) => bytes.subarray(0, signature.length).equals(signature));
};

const KINDS: readonly Kind[] = [
  { contentType: "image/jpeg", ending: "jpg", isSigned: startsWith("\xff\xd8\xff"), check: checkJpeg },
  { contentType: "image/png", ending: "png", isSigned: startsWith("\x89PNG\r\n\x1a\n"), check: checkPng },
  { contentType: "image/tiff", ending: "tif", isSigned: startsWith("II*\0", "MM\0*"), check: checkTiff },
  { contentType: "application/pdf", ending: "pdf", isSigned: isPdf, check: checkPdf },
];

/** Files that people often send by mistake, named in the refusal. */
const UNSUPPORTED: readonly (readonly [says: string, is: (bytes: Buffer) => boolean])[] = [
  ["a web page or XML", (bytes) => /^[\s\ufeff]*</.test(bytes.toString("utf8", 0, 64))],
  ["an Office document or archive", startsWith("PK\x03\x04", "\xd0\xcf\x11\xe0")],
  ["a HEIC photo", (bytes) => /^ftyp(?:hei|hev|mif1|msf1|avif)/.test(bytes.toString("latin1", 4, 12))],
  ["a BigTIFF", startsWith("II+\0", "MM\0+")],
  ["a GIF", startsWith("GIF8")],
  ["a WebP picture", (bytes) => bytes.toString("latin1", 8, 12) === "WEBP"],
  ["a bitmap", startsWith("BM")],
];

const ALLOWED = "a PDF, JPEG, PNG or TIFF is expected";

export async function checkDocument(
  content: Uint8Array,
  name: string,
): Promise<Result<CheckedDocument, DocumentFault>> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.length === 0) return refused({ code: "empty", says: `The file is empty: ${ALLOWED}.` });
  if (bytes.length > DOCUMENT_BYTES_MAX) return refused({ code: "too-large", says: "The file is larger than 10 MiB." });
  const kind = KINDS.find(({ isSigned }) => isSigned(bytes));
  if (!kind) {
    const [what] = UNSUPPORTED.find(([, is]) => is(bytes)) ?? ["something else"];
    return refused({ code: "not-a-document", says: `The file is ${what}: ${ALLOWED}.` });
  }
  const pages = await countPages(kind, bytes);
  if (!pages.ok) return pages;
  const { contentType, ending } = kind;
  const sha256 = await sha256Of(bytes);
  return ok({ name: safeName(name, ending), contentType, pageCount: pages.value, sha256, bytes: content });
}

async function countPages(kind: Kind, bytes: Buffer): Promise<Result<number, DocumentFault>> {
  try {
    return await kind.check(bytes);
  } catch (error) {
    if (error instanceof TooMuchWork) return refused(tooComplex("it has too many parts"));
    throw error;
  }
}

async function sha256Of(bytes: Buffer): Promise<string> {
  const digest = createHash("sha256");
  for (let at = 0; at < bytes.length; at += DIGEST_BYTES_PER_SLICE) {
    digest.update(bytes.subarray(at, at + DIGEST_BYTES_PER_SLICE));
    await setImmediate();
  }
  return digest.digest("hex");
}

/** ISO 32000-1, annex H: readers look for the header in the first 1024 bytes. A web page may mention it too. */
function isPdf(bytes: Buffer): boolean {
  const head = bytes.toString("latin1", 0, 1024);
  return /%PDF-[12]\.\d/.test(head) && !/^[\s\u00ef\u00bb\u00bf]*</.test(head);
}

const NAME_LENGTH_MAX = 80;

/** Keeps letters, digits and a few signs of the last path component. */
function safeName(given: string, ending: string): string {
  const last = given.slice(-1000).split(/[/\\]/).at(-1) ?? "";
  const stem = last.replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N} ._()-]+/gu, "_");
  const bare = stem
    .replace(/^[ ._]+|[ ._]+$/g, "")
    .slice(0, NAME_LENGTH_MAX)
    .toWellFormed();
  return `${bare === "" ? "document" : bare}.${ending}`;
}
