// Numbers ⇄ SMPP addresses (SMPP 3.4, 5.2.5-6).

import { ok, type Result, refused } from "../../base/result.ts";
import { isShortCode } from "../../domain/numbers/index.ts";
import type { SmppAddress } from "../../wire/smpp/pdu.ts";

interface Numbering {
  readonly ton: number;
  readonly npi: number;
}

const INTERNATIONAL: Numbering = { ton: 1, npi: 1 };
const NETWORK_SPECIFIC: Numbering = { ton: 3, npi: 0 };
const ALPHANUMERIC: Numbering = { ton: 5, npi: 0 };
// 4.4.1: 21 octets with the NUL.
const ADDRESS = /^[\x20-\x7e]{1,20}$/;

/** Refuses an address that does not fit the field. The plus is not sent: the type of number means "international". */
export function smppAddress(number: string, numbering: Numbering | undefined): Result<SmppAddress, string> {
  const isInternational = number.charCodeAt(0) === 0x2b;
  const address = isInternational ? number.slice(1) : number;
  if (!ADDRESS.test(address)) return refused("an address has 1 to 20 printable ASCII characters");
  const { ton, npi } = numbering ?? (isInternational ? INTERNATIONAL : numberingOf(address));
  return ok({ ton, npi, address });
}

function numberingOf(address: string): Numbering {
  return /^\d+$/.test(address) ? NETWORK_SPECIFIC : ALPHANUMERIC;
}

interface Addressing {
  readonly source?: Numbering | undefined;
  readonly shortCode?: Numbering | undefined;
}

/** The address of one of our numbers, as the carrier of the link wants it. */
export function sourceAddress(number: string, { source, shortCode }: Addressing): Result<SmppAddress, string> {
  return smppAddress(number, isShortCode(number) ? shortCode : source);
}

/** Some carriers mark short codes as international too, but no international number is that short. */
export function numberOf({ ton, address }: SmppAddress): string {
  return ton === INTERNATIONAL.ton && /^\d{7,}$/.test(address) ? `+${address}` : address;
}
