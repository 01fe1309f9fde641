// A delivery's sid is that of its batch, which ends in 00, with its place in it as the last two digits.

export interface PlacedDelivery {
  readonly batchSid: string;
  readonly place: number;
}

/** Undefined when no delivery has such a sid. */
export function placedOf(sid: string): PlacedDelivery | undefined {
  const digits = sid.slice(-2);
  if (!/^[0-9a-f]{2}$/.test(digits)) return undefined;
  return { batchSid: `${sid.slice(0, -2)}00`, place: Number.parseInt(digits, 16) };
}

const DIGITS = Array.from({ length: 256 }, (_, place) => place.toString(16).padStart(2, "0"));

export function sidOf({ batchSid, place }: PlacedDelivery): string {
  return batchSid.slice(0, -2) + DIGITS[place];
}
