// Short codes: numbers of 3 to 8 digits that are valid in one country only. They are written without a plus, are unique
// in the whole service, and are added to the inventory by the operator. A short code sends and receives messages, and
// is never a recipient.

import { NUMBER_FEATURES, type NumberFeature } from "./inventory.ts";

const SHORT_CODE = /^\d{3,8}$/;
const LENGTH_MAX = 8;

/** Checks the form only: the digits of a number without its plus may look the same. */
export function isShortCode(number: string): boolean {
  return number.length <= LENGTH_MAX && SHORT_CODE.test(number);
}

/** The default; the operator may choose others. */
export const SHORT_CODE_FEATURES: readonly NumberFeature[] = NUMBER_FEATURES.filter((feature) => feature !== "VOICE");
