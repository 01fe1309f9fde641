// Reads bodies of JSON and of forms without files.

import { ok, type Result, refused } from "../../../base/result.ts";
import { parseStrictJson } from "../../../base/strict-json.ts";
import { invalid, type Problem } from "../../../domain/problems.ts";
import { type FormFields, parseForm } from "./form-fields.ts";

export const JSON_TYPE = /^(application|text)\/([\w.-]+\+)?json\b/i;
export const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/** Returns undefined for an empty body. */
export function readJson(bytes: Uint8Array): Result<unknown, Problem> {
  if (bytes.length === 0) return ok(undefined);
  const parsed = parseStrictJson(bytes);
  return parsed.ok ? parsed : refused(invalid({ $: [parsed.refusal] }));
}

export function readForm(bytes: Uint8Array): Result<FormFields, Problem> {
  const fields = parseForm(bytes);
  return fields.ok ? fields : refused(invalid({ $: [fields.refusal] }));
}
