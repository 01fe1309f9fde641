// Phone numbers as text ⇄ SMPP addresses (SMPP 3.4, 5.2.5 and 5.2.6).

import type { SmppAddress } from "../../wire/smpp/pdu.ts";

const TON_INTERNATIONAL = 1;
const TON_ALPHANUMERIC = 5;
const NPI_E164 = 1;

/** The same for all spellings of a number. */
export function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, "");
}

/** Starts with a plus if the type of number is international. */
export function numberOf({ ton, address }: SmppAddress): string {
  return ton === TON_INTERNATIONAL && /^\d+$/.test(address) ? `+${address}` : address;
}

export function addressOf(number: string): SmppAddress {
  if (number.startsWith("+")) return { ton: TON_INTERNATIONAL, npi: NPI_E164, address: number.slice(1) };
  if (/^\d+$/.test(number)) return { ton: 0, npi: NPI_E164, address: number };
  return { ton: TON_ALPHANUMERIC, npi: 0, address: number };
}
