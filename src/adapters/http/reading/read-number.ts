// Reads a phone number as callers write it into the form that is stored.

import { ok, type Result } from "../../../base/result.ts";
import { parseNumber } from "../../../domain/lookup/index.ts";
import { type InventoryStore, isShortCode, type PhoneStore } from "../../../domain/numbers/index.ts";
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

type ReadNumber = Result<string, { readonly reason: string }>;

/** A number of the account: its short code comes before a number of the same digits. */
export function readOwnNumber(phones: Pick<PhoneStore, "find">, accountSid: string, text: string): Promise<ReadNumber> {
  return readKnown(text, (code) => phones.find(accountSid, code));
}

/** A number of the inventory. */
export function readStockNumber(inventory: Pick<InventoryStore, "findLocked">, text: string): Promise<ReadNumber> {
  return readKnown(text, (code) => inventory.findLocked(code));
}

async function readKnown(text: string, find: (code: string) => Promise<unknown>): Promise<ReadNumber> {
  const code = text.trim();
  if (!isShortCode(code)) return readE164(text);
  if (await find(code)) return ok(code);
  const parsed = readE164(text);
  return parsed.ok ? parsed : ok(code);
}

/** The faults of what may be a short code. */
export function ownNumberFaults(numbers: Readonly<Record<string, string | null | undefined>>): FieldErrors {
  return numberFaults(
    Object.fromEntries(
      Object.entries(numbers).filter(([, text]) => typeof text !== "string" || !isShortCode(text.trim())),
    ),
  );
}
