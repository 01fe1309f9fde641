// Addresses of MM4: TS 23.140 8.4.3 writes a phone number or short code as `+15551234567/TYPE=PLMN@host`.

/** RFC 5321 4.5.3.1.3. */
const ADDRESS_MAX = 254;
const HOST = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$|^\[[0-9a-f.:]{2,45}\]$/i;

export function formatPhoneAddress(number: string, host: string): string {
  return `${number.replaceAll(/[^+\d]/g, "")}/TYPE=PLMN@${host}`;
}

/** The address of a host's MMSC, to which responses and reports are sent. */
export function systemAddress(host: string): string {
  return `system-user@${host}`;
}

/**
 * The number of a phone address in E.164, or a short code unchanged; undefined for anything else. Peers write North
 * American numbers without a plus, with and without the country code.
 */
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

/** The bare addresses of a From, To or Cc field, without display names and groups. */
export function parseAddressList(text: string): readonly string[] {
  const found: string[] = [];
  // A quoted display name may contain commas and angle brackets. An unterminated one extends to the end of the text;
  // otherwise the expression would retry at every quote in it.
  const plain = text.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)/g, " ").replaceAll(/\([^()]*\)/g, " ");
  for (const entry of plain.split(/[,;]/)) {
    const address = (/<([^<>]*)>/.exec(entry)?.[1] ?? entry.replace(/^[^:/@]*:(?!\/)/, "")).trim();
    if (isAddress(address)) found.push(address);
  }
  return found;
}

/** Printable, without characters that would end the address in a header field or an SMTP command. */
export function isAddress(text: string): boolean {
  return text.length > 0 && text.length <= ADDRESS_MAX && /^[!-~]+$/.test(text) && !/[<>(),;"\\]/.test(text);
}
