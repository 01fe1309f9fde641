// Addresses of MM4: TS 23.140 8.4.3 writes a phone number as `+15551234567/TYPE=PLMN@host`; short codes have the same form.

/** RFC 5321 4.5.3.1.3. */
const ADDRESS_MAX = 254;
const HOST = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$|^\[[0-9a-f.:]{2,45}\]$/i;

export function formatPhoneAddress(number: string, host: string): string {
  return `${number.replaceAll(/[^+\d]/g, "")}/TYPE=PLMN@${host}`;
}

/** Who answers for a host: where responses and reports are sent. */
export function systemAddress(host: string): string {
  return `system-user@${host}`;
}

/** The number of a phone address in E.164, a short code as it is; nothing for anything else. Numbers without a plus are met in the form
 *  of North America, with and without its country code. */
export function phoneOf(address: string): string | undefined {
  const [, written] = /^(\+?\d{3,15})(?:\/TYPE=PLMN)?(?:@[^@]*)?$/i.exec(address) ?? [];
  if (written === undefined) return undefined;
  if (written.startsWith("+")) return written;
  if (/^1[2-9]\d{9}$/.test(written)) return `+${written}`;
  return /^[2-9]\d{9}$/.test(written) ? `+1${written}` : written;
}

export function hostOf(address: string): string | undefined {
  const host = address.slice(address.lastIndexOf("@") + 1);
  return address.includes("@") && HOST.test(host) ? host.toLowerCase() : undefined;
}

/** Of a From, To or Cc field: the bare addresses, display names and groups left out. */
export function parseAddressList(text: string): readonly string[] {
  const found: string[] = [];
  // A quoted display name may hold commas and angles. One that does not end is the rest, lest every quote in it be tried as a beginning.
  const plain = text.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)/g, " ").replaceAll(/\([^()]*\)/g, " ");
  for (const entry of plain.split(/[,;]/)) {
    const address = (/<([^<>]*)>/.exec(entry)?.[1] ?? entry.replace(/^[^:/@]*:(?!\/)/, "")).trim();
    if (isAddress(address)) found.push(address);
  }
  return found;
}

/** Printable, without what would end it in a header field or an SMTP command. */
export function isAddress(text: string): boolean {
  return text.length > 0 && text.length <= ADDRESS_MAX && /^[!-~]+$/.test(text) && !/[<>(),;"\\]/.test(text);
}
