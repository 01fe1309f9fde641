// The sid of a number in Twilio's shape. Our numbers have no sid of their own, so this one holds the digits: `PN`, `e`
// for a number or `c` for a short code, the count of digits, and the digits after leading zeros.

const DIGITS_PLACE = 30;

/** Null for anything that is not a number, such as a SIP URI. */
export function twilioPhoneSid(number: string): string | null {
  const [, plus, digits] = /^(\+?)(\d{1,15})$/.exec(number) ?? [];
  if (digits === undefined) return null;
  return `PN${plus === "+" ? "e" : "c"}${digits.length.toString(16)}${digits.padStart(DIGITS_PLACE, "0")}`;
}

export function phoneOfSid(sid: string): string | undefined {
  const [, kind, length, digits = ""] = /^PN([ec])([1-9a-f])(\d{30})$/.exec(sid) ?? [];
  if (kind === undefined || length === undefined) return undefined;
  return `${kind === "e" ? "+" : ""}${digits.slice(-Number.parseInt(length, 16))}`;
}
