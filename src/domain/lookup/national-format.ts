// Writes a number as people of its country do.

import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** Returns any text that is not an E.164 number unchanged. */
export function nationalFormat(number: string): string {
  if (!/^\+\d{1,15}$/.test(number)) return number;
  return parsePhoneNumberFromString(number, { extract: false })?.formatNational() ?? number;
}
