// The faults of call destinations, to be reported with other faults of a request.

import type { FieldErrors } from "../../../domain/problems.ts";
import { type DialRules, hostFault, type MayConnect, readDestination } from "../../../domain/voice/index.ts";

/** By field. A field that is not given has no fault. */
export function destinationFaults(
  destinations: Readonly<Record<string, string | null | undefined>>,
  deps: { readonly rules: DialRules; readonly mayConnect: MayConnect },
  country: string | null,
): FieldErrors {
  const faults: Record<string, readonly string[]> = {};
  for (const [field, text] of Object.entries(destinations)) {
    const read = typeof text === "string" ? readDestination(text, deps.rules, country) : undefined;
    const fault = read?.ok ? hostFault(deps, read.value) : read?.refusal.reason;
    if (fault !== undefined) faults[field] = [fault];
  }
  return faults;
}
