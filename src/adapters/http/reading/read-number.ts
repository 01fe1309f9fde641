// Reads a phone number as callers write it into the form that is stored.

import { ok, type Result } from "../../../base/result.ts";
import { parseNumber } from "../../../domain/lookup/index.ts";

/** Answers the number in E.164, or why it is invalid. */
export function readE164(text: string): Result<string, { readonly reason: string }> {
  const parsed = parseNumber(text);
  return parsed.ok ? ok(parsed.value.e164) : parsed;
}
