// Reads a phone number as callers write it into the form that is stored.

import { ok, type Result } from "../../../base/result.ts";
import { parseNumber } from "../../../domain/lookup/index.ts";
import type { FieldErrors } from "../../../domain/problems.ts";

/** Answers the number in E.164, or why it is invalid. */
export function readE164(text: string): Result<string, { readonly reason: string }> {
  const parsed = parseNumber(text);
  return parsed.ok ? ok(parsed.value.e164) : parsed;
}

/** The faults of numbers by field. What is not given has none. */
export function numberFaults(numbers: Readonly<Record<string, string | null | undefined>>): FieldErrors {
  const faults: Record<string, readonly string[]> = {};
  for (const [field, text] of Object.entries(numbers)) {
    const parsed = typeof text === "string" ? readE164(text) : undefined;
    if (parsed && !parsed.ok) faults[field] = [parsed.refusal.reason];
  }
  return faults;
}

/** The same for a list, each number under its place. */
export function numberListFaults(field: string, numbers: readonly (string | undefined)[] | undefined): FieldErrors {
  return numberFaults(Object.fromEntries((numbers ?? []).map((text, at) => [`${field}[${at}]`, text])));
}
