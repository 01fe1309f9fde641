// Reads the form of a port order, or of the answer to an exception: `data` with JSON, read by its schema, and `files`.
// Files are checked here, before any transaction. Faults are returned with what could be read, so that the handler can
// report them with its own.

import { hash } from "node:crypto";
import type { z } from "zod";
import { ok, type Result, refused } from "../../../base/result.ts";
import { parseStrictJson } from "../../../base/strict-json.ts";
import type { NewDocument, ReadPort } from "../../../domain/porting/index.ts";
import type { FieldErrors } from "../../../domain/problems.ts";
import { type FormPart, Multipart } from "./multipart.ts";
import { errorsOf, readWithFaults } from "./read-input.ts";

export interface PortForm<Data> {
  readonly data: ReadPort<Data>;
  readonly documents: Result<readonly NewDocument[], FieldErrors>;
}

/** Checks by its content that a file is a document. */
export type DocumentCheck = (
  bytes: Uint8Array,
  name: string,
) => Promise<Result<NewDocument, { readonly says: string }>>;

export const PORT_FORM_BYTES_MAX = 25 * 1024 * 1024;
const DATA_BYTES_MAX = 256 * 1024;
const FILES_MAX = 10;

/** Plain JSON has no files. `absent` is read when there is no data. */
export async function readPortForm<Schema extends z.ZodType>(
  { check, absent }: { readonly check: DocumentCheck; readonly absent: unknown },
  schema: Schema,
  raw: unknown,
): Promise<PortForm<z.output<Schema>>> {
  const read = (json: Result<unknown, FieldErrors>): ReadPort<z.output<Schema>> => {
    const given = json.ok && json.value !== undefined ? json.value : absent;
    const { value, faults } = readWithFaults(schema, given, "json");
    return { value: value ?? ({} as typeof value), errors: json.ok ? errorsOf(faults) : json.refusal };
  };
  if (!(raw instanceof Multipart)) return { data: read(ok(raw)), documents: ok([]) };
  const named = (name: string) => raw.parts.filter((part) => part.name.toLowerCase() === name);
  const files = [...named("files"), ...named("files[]")];
  const form = {
    data: read(readData(raw.parts, named("data"))),
    documents: await readFiles(check, files),
  };
  // Requests under one Idempotency-Key are compared by this.
  const toJSON = () => [form.data, files.map(({ fileName, bytes }) => [fileName, hash("sha256", bytes, "hex")])];
  return { ...form, ...{ toJSON } };
}

function readData(parts: readonly FormPart[], data: readonly FormPart[]): Result<unknown, FieldErrors> {
  const unknown = parts.filter(({ name }) => !/^(?:data|files(?:\[\])?)$/i.test(name));
  if (unknown.length > 0) {
    const advice = ["This is not known here. Known are: data, files."];
    return refused(Object.fromEntries(unknown.map(({ name }) => [name, advice])));
  }
  const [only, ...more] = data;
  if (more.length > 0) return refused({ data: ["This is given more than once."] });
  if (!only) return ok(undefined);
  if (only.bytes.length > DATA_BYTES_MAX) return refused({ data: [`${DATA_BYTES_MAX} bytes are read at most.`] });
  const parsed = parseStrictJson(only.bytes);
  return parsed.ok ? parsed : refused({ data: [parsed.refusal.replace("The body", "This")] });
}

async function readFiles(
  check: DocumentCheck,
  files: readonly FormPart[],
): Promise<Result<readonly NewDocument[], FieldErrors>> {
  if (files.length > FILES_MAX) return refused({ files: [`${FILES_MAX} files are taken at a time.`] });
  const documents: NewDocument[] = [];
  const faults: [string, string[]][] = [];
  for (const [at, { bytes, fileName }] of files.entries()) {
    const checked = await check(bytes, fileName ?? "");
    if (checked.ok) documents.push(checked.value);
    else faults.push([`files[${at}]`, [checked.refusal.says]]);
  }
  return faults.length === 0 ? ok(documents) : refused(Object.fromEntries(faults));
}
