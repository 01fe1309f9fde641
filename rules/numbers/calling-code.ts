// The calling code of an E.164 number, without the table of numbering plans.

// ITU-T E.164, list of assigned country codes: +1 and +7 have one digit, these two, all others three.
const CODES_OF_TWO_DIGITS = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Without the plus. */
export function callingCodeIn(e164: string): string {
  const digits = e164.replace(/^\+/, "");
  if (/^[17]/.test(digits)) return digits.slice(0, 1);
  return digits.slice(0, CODES_OF_TWO_DIGITS.test(digits) ? 2 : 3);
}
