// Whether a text can be a telephone number in E.164: a known calling code, and as many digits as it may have.

import { NUMBER_LENGTHS } from "./number-lengths.generated.ts";

const BEGINNING_MAX = 8;

export function isPossibleNumber(text: string): boolean {
  if (!/^\+[1-9]\d{1,14}$/.test(text)) return false;
  const digits = text.slice(1);
  for (let length = Math.min(BEGINNING_MAX, digits.length); length > 0; length--) {
    const lengths = NUMBER_LENGTHS[digits.slice(0, length)];
    if (lengths !== undefined) return (lengths & (1 << digits.length)) !== 0;
  }
  return false;
}
