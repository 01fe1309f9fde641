// Where a call may be sent: a number, or a SIP URI of the forms
//   sip:user@host   sip:user@host:port   …;transport=TLS   …?Header=value&Header=value
// Accepts or refuses any text in bounded time. An accepted text can be put into a SIP request unchanged: it has no
// control characters, no spaces and no header that an outsider must not set.

import { parseAddress } from "../../base/cidr.ts";
import { ok, type Result, refused } from "../../base/result.ts";

const LENGTH_MAX = 256;
const HEADERS_MAX = 10;

/** Answers a number in E.164, and a SIP URI unchanged. */
export function readCallDestination(
  text: string,
  parseNumber: (text: string) => Result<string, { readonly reason: string }>,
): Result<string, string> {
  if (!/^sips?:/i.test(text)) {
    const parsed = parseNumber(text);
    if (parsed.ok) return parsed;
    return refused(/[@:]/.test(text) ? `A SIP URI begins with sip:, as in ${EXAMPLE}.` : parsed.refusal.reason);
  }
  const fault = sipUriFault(text);
  return fault === undefined ? ok(text) : refused(fault);
}

const EXAMPLE = "sip:alice@example.com";
// RFC 3261 25.1: user, host, port, uri-parameters, headers; each part is checked by itself afterwards.
const SIP_URI = /^sip:([^@]+)@(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(\d{1,5}))?((?:;[^;?]*)*)(?:\?(.*))?$/i;
// RFC 3261 25.1: unreserved, escaped and user-unreserved. No password: everybody with access may read this setting.
const USER = /^(?:[A-Za-z0-9\-_.!~*'()&=+$,;?/]|%[0-9A-Fa-f]{2})+$/;
const HOST_LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const TRANSPORT = /^;transport=(udp|tcp|tls)$/i;
// RFC 3261 25.1: hname and hvalue.
const HEADER =
  /^((?:[A-Za-z0-9\-_.!~*'()[\]/?:+$]|%[0-9A-Fa-f]{2})+)=((?:[A-Za-z0-9\-_.!~*'()[\]/?:+$]|%[0-9A-Fa-f]{2})*)$/;
const CONTROL = /%(?:[01][0-9a-f]|7f)/i;
// RFC 3261 19.1.5 lists headers that must not be honoured from a URI; the others here would break the request, claim
// who calls or how the call came, or ask for what is negotiated here. Short forms (RFC 3261 7.3.3) follow.
const FORBIDDEN_HEADERS = new Set(
  `from to call-id cseq via record-route route contact max-forwards body authorization proxy-authorization
   p-asserted-identity p-preferred-identity remote-party-id privacy identity identity-info diversion history-info
   require proxy-require supported replaces refer-to referred-by session-expires min-se
   f t i v m l c e k r b x y n`.split(/\s+/),
);

function isForbidden(header: string): boolean {
  const name = header.toLowerCase();
  return FORBIDDEN_HEADERS.has(name) || name.startsWith("content-");
}

function sipUriFault(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return `A SIP URI has ${LENGTH_MAX} characters at most.`;
  if (/^sips:/i.test(text)) return `Write sip:user@host;transport=TLS instead of sips:.`;
  const [, user, host, port, parameters, headers] = SIP_URI.exec(text) ?? [];
  if (user === undefined || host === undefined) return `This is not a SIP URI such as ${EXAMPLE}.`;
  if (!USER.test(user) || CONTROL.test(user)) return "The part before the @ contains what a SIP URI must not.";
  if (!isHost(host)) return "The host is neither a name nor an address.";
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return "A port is between 1 and 65535.";
  if (parameters && !TRANSPORT.test(parameters)) {
    return "The one parameter allowed is transport, and it is UDP, TCP or TLS.";
  }
  return headers === undefined ? undefined : headersFault(headers);
}

function headersFault(text: string): string | undefined {
  const headers = text.split("&");
  if (headers.length > HEADERS_MAX) return `A SIP URI may carry ${HEADERS_MAX} headers at most.`;
  for (const header of headers) {
    const [, name] = HEADER.exec(header) ?? [];
    if (name === undefined || name.includes("%") || CONTROL.test(header)) {
      return "Headers are written ?Name=value&Name=value, with anything unusual in a value as %XX.";
    }
    if (isForbidden(name)) return `The header ${name} cannot be set by a SIP URI.`;
  }
  return undefined;
}

function isHost(host: string): boolean {
  if (host.startsWith("[")) return parseAddress(host.slice(1, -1))?.family === 6;
  const labels = host.split(".");
  // RFC 3261 25.1: the last label of a name begins with a letter; otherwise the host is an address.
  if (/^\d/.test(labels.at(-1) ?? "")) return parseAddress(host) !== undefined;
  return host.length <= 253 && labels.every((label) => HOST_LABEL.test(label));
}
