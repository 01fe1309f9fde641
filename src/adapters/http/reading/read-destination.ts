// The faults of call destinations, to be reported with other faults of a request.

import type { FieldErrors } from "../../../domain/problems.ts";
import { type DialRules, readDestination } from "../../../domain/voice/index.ts";

/** By field. A field that is not given has no fault. */
export function destinationFaults(
  destinations: Readonly<Record<string, string | null | undefined>>,
  rules: DialRules,
  country: string | null,
): FieldErrors {
  const faults: Record<string, readonly string[]> = {};
  for (const [field, text] of Object.entries(destinations)) {
    const read = typeof text === "string" ? readDestination(text, rules, country) : undefined;
    if (read && !read.ok) faults[field] = [read.refusal.reason];
  }
  return faults;
}
