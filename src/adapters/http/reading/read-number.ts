// Reads a phone number as callers write it and returns the form that is stored. `country` is the account's: numbers
// without a plus in bodies, forms and list filters are read in it. Numbers in paths are read without a country.

import { ok, type Result } from "../../../base/result.ts";
import { parseNumber } from "../../../domain/lookup/index.ts";
import { type InventoryStore, isShortCode, type PhoneStore } from "../../../domain/numbers/index.ts";
import type { FieldErrors } from "../../../domain/problems.ts";

type ReadNumber = Result<string, { readonly reason: string }>;
type GivenNumbers = Readonly<Record<string, string | null | undefined>>;

/** Returns the number in E.164, or why it is invalid. */
export function readE164(text: string, country?: string | null): ReadNumber {
  const parsed = parseNumber(text, country);
  return parsed.ok ? ok(parsed.value.e164) : parsed;
}

/** The faults of numbers by field. A field that is not given has no fault. */
export function numberFaults(numbers: GivenNumbers, country?: string | null): FieldErrors {
  const faults: Record<string, readonly string[]> = {};
  for (const [field, text] of Object.entries(numbers)) {
    const parsed = typeof text === "string" ? readE164(text, country) : undefined;
    if (parsed && !parsed.ok) faults[field] = [parsed.refusal.reason];
  }
  return faults;
}

/** The same for a list, each number under its index. */
export function numberListFaults(field: string, numbers: readonly (string | undefined)[] | undefined): FieldErrors {
  return numberFaults(Object.fromEntries((numbers ?? []).map((text, at) => [`${field}[${at}]`, text])));
}

/** A number to filter by, in E.164; any other text is compared as it is. */
export function numberFilter(text: string, country: string | null): string;
export function numberFilter(text: string | undefined, country: string | null): string | undefined;
export function numberFilter(text: string | undefined, country: string | null): string | undefined {
  const read = text === undefined ? undefined : readE164(text, country);
  return read?.ok ? read.value : text;
}

/** A number of the account: its short code has priority over a number with the same digits. */
export function readOwnNumber(
  phones: Pick<PhoneStore, "find">,
  accountSid: string,
  text: string,
  country?: string | null,
): Promise<ReadNumber> {
  return readKnown(text, country, (code) => phones.find(accountSid, code));
}

/** A number of the inventory. */
export function readStockNumber(
  inventory: Pick<InventoryStore, "findLocked">,
  text: string,
  country?: string | null,
): Promise<ReadNumber> {
  return readKnown(text, country, (code) => inventory.findLocked(code));
}

async function readKnown(
  text: string,
  country: string | null | undefined,
  find: (code: string) => Promise<unknown>,
): Promise<ReadNumber> {
  const code = text.trim();
  if (!isShortCode(code)) return readE164(text, country);
  if (await find(code)) return ok(code);
  const parsed = readE164(text, country);
  return parsed.ok ? parsed : ok(code);
}

/** The faults of numbers that may be short codes. */
export function ownNumberFaults(numbers: GivenNumbers, country?: string | null): FieldErrors {
  return numberFaults(
    Object.fromEntries(
      Object.entries(numbers).filter(([, text]) => typeof text !== "string" || !isShortCode(text.trim())),
    ),
    country,
  );
}
