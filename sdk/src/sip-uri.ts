// Which SIP URIs the server calls: sip:user@host, with a port, a transport and headers where they are wanted.

const LENGTH_MAX = 256;
const HEADERS_MAX = 10;
const EXAMPLE = "sip:alice@example.com";
// RFC 3261 25.1: user, host, port, uri-parameters, headers; each part is checked by itself afterwards.
const SIP_URI = /^sip:([^@]+)@(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(\d{1,5}))?((?:;[^;?]*)*)(?:\?(.*))?$/i;
// RFC 3261 25.1: unreserved, escaped and user-unreserved.
const USER = /^(?:[A-Za-z0-9\-_.!~*'()&=+$,;?/]|%[0-9A-Fa-f]{2})+$/;
const HOST_LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const TRANSPORT = /^;transport=(?:udp|tcp|tls)$/i;
// RFC 3261 25.1: hname and hvalue.
const HEADER = /^([A-Za-z0-9\-_.!~*'()[\]/?:+$]+)=(?:[A-Za-z0-9\-_.!~*'()[\]/?:+$]|%[0-9A-Fa-f]{2})*$/;
const CONTROL = /%(?:[01][0-9a-f]|7f)/i;
// RFC 3261 19.1.5: headers that a URI must not set, and those that say who calls or what is negotiated.
const FORBIDDEN_HEADERS: ReadonlySet<string> = new Set(
  `from to call-id cseq via record-route route contact max-forwards body authorization proxy-authorization
   p-asserted-identity p-preferred-identity remote-party-id privacy identity identity-info diversion history-info
   require proxy-require supported replaces refer-to referred-by session-expires min-se
   f t i v m l c e k r b x y n`.split(/\s+/),
);

/** Why it is none that is called. */
export function sipUriFault(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return `A SIP URI has ${LENGTH_MAX} characters at most.`;
  if (/^sips:/i.test(text)) return "Write sip:user@host;transport=TLS instead of sips:.";
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
    const name = HEADER.exec(header)?.[1]?.toLowerCase();
    if (name === undefined || CONTROL.test(header)) {
      return "Headers are written ?Name=value&Name=value, with anything unusual in a value as %XX.";
    }
    if (FORBIDDEN_HEADERS.has(name) || name.startsWith("content-")) {
      return `The header ${name} cannot be set by a SIP URI.`;
    }
  }
  return undefined;
}

function isHost(host: string): boolean {
  // The parser of URLs knows addresses of IPv6.
  if (host.startsWith("[")) return URL.canParse(`http://${host}/`);
  const labels = host.split(".");
  // RFC 3261 25.1: the last label of a name begins with a letter; otherwise the host is an address.
  if (/^\d/.test(labels.at(-1) ?? "")) return IPV4.test(host);
  return host.length <= 253 && labels.every((label) => HOST_LABEL.test(label));
}
