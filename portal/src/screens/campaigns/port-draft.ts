// The typed fields of a port order, and the order made from them. Pure.

import type { PortLetterData } from "@tandem/sdk";

export const EMPTY_PORT = {
  /** One a line: a number, followed by its PIN if it has one. */
  numbers: "",
  losingCarrier: "",
  accountNumber: "",
  subscriberType: "Business" as "Business" | "Individual",
  name: "",
  authorizedPerson: "",
  street: "",
  city: "",
  state: "",
  postalCode: "",
  requestedOn: "",
  files: [] as readonly File[],
};

export type PortDraft = Readonly<typeof EMPTY_PORT>;

/** A number as users write it, and a PIN: `(303) 555-0123 4471` is read by its digits. */
const LINE = /^(\+?1?[\s.-]*\(?\d{3}\)?[\s.-]*\d{3}[\s.-]*\d{4})(?:[\s,;]+(\S+))?$/;

/** A line that is not a number is kept as typed: the server reports what is wrong with it. */
function phoneOf(line: string) {
  const [, number, pin] = LINE.exec(line) ?? [];
  if (number === undefined) return { number: line };
  const digits = number.replace(/\D/g, "");
  return { number: `+${digits.length === 10 ? "1" : ""}${digits}`, ...(pin !== undefined && { pin }) };
}

export function portOf(draft: PortDraft): PortLetterData {
  const lines = draft.numbers.split("\n").map((line) => line.trim());
  return {
    phones: lines.filter((line) => line !== "").map(phoneOf),
    losingCarrier: draft.losingCarrier.trim() || null,
    accountNumber: draft.accountNumber.trim(),
    subscriber: {
      type: draft.subscriberType,
      name: draft.name.trim(),
      authorizedPerson: draft.authorizedPerson.trim(),
    },
    serviceAddress: {
      street: draft.street.trim(),
      city: draft.city.trim(),
      state: draft.state.trim().toUpperCase(),
      postalCode: draft.postalCode.trim(),
      country: "US",
    },
    requestedOn: draft.requestedOn || null,
  };
}
