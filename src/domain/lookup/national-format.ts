// Writes a number as people of its country do.

import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** What is no number in E.164 stays as it is. */
export function nationalFormat(number: string): string {
  if (!/^\+\d{1,15}$/.test(number)) return number;
  return parsePhoneNumberFromString(number, { extract: false })?.formatNational() ?? number;
}
