// Distinct numbers over all countries: the example of each country and type with its last digits varied, as far as they
// stay valid.

import { getCountries, getExampleNumber, isValidPhoneNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";

const VARIED_DIGITS = 5;

export function numbersOfAllCountries(count: number): readonly string[] {
  const countries = getCountries();
  const numbers = new Set<string>();
  for (let round = 0; numbers.size < count; round++) {
    for (const country of countries) {
      const example = getExampleNumber(country, examples)?.number;
      if (!example || numbers.size >= count) continue;
      const varied = Math.min(VARIED_DIGITS, example.length - 6);
      const tail = String((round * 7919) % 10 ** varied).padStart(varied, "0");
      const number = example.slice(0, -varied) + tail;
      if (isValidPhoneNumber(number)) numbers.add(number);
    }
  }
  return [...numbers];
}
