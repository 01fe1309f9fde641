// The numbers that a person may mean who looks for one: pasted from a mail, dictated, or copied from a telephone. Only
// for searches, where a second candidate costs nothing; what is stored or called is read by `parseNumber` alone.

import { parseNumber } from "./parse-number.ts";

const SCHEME = /^\s*(?:tel|sms|sips?):/i;
/** The prefixes with which most countries, and those of North America, dial abroad. */
const ABROAD = /^(?:00|011)[ .-]?(?=[1-9])/;

/** In E.164, read without a country and in each of these; the likeliest first. Empty where it is no number. */
export function numbersMeant(text: string, countries: Iterable<string> = []): readonly string[] {
  const plain = (text.replace(SCHEME, "").split(/[@;]/)[0] ?? "").replace(/\s/g, " ").replace(/[‐-―]/g, "-").trim();
  const written = [plain, plain.replace(ABROAD, "+")];
  const read = [...countries, null].flatMap((country) => written.map((each) => parseNumber(each, country)));
  return [...new Set(read.flatMap((number) => (number.ok ? [number.value.e164] : [])))];
}
