// Where a call may be sent: a number, or a SIP URI of the forms
//   sip:user@host   sip:user@host:port   …;transport=TLS   …;media=latch   …?Header=value&Header=value
// Accepts or refuses any text in bounded time. An accepted text can be put into a SIP request unchanged: it has no
// control characters, no spaces and no header that an outsider must not set.

import { parseAddress } from "./ip-address.ts";
import type { Reading } from "./reading.ts";
import {
  isSipUri,
  MEDIA_PARAMETER,
  parameterOf,
  readUri,
  type SipUri,
  transportOf,
  type Uri,
  type UriFault,
} from "./sip-uri.ts";

const LENGTH_MAX = 256;
const HEADERS_MAX = 10;
const EXAMPLE = "sip:alice@example.com";

type ReadDestination = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly refusal: string };

/** Returns a number in E.164, and a SIP URI unchanged. */
export function readCallDestination(text: string, readNumber: (text: string) => Reading<string>): ReadDestination {
  if (!isSipUri(text)) {
    const read = readNumber(text);
    if (read.ok) return read;
    return {
      ok: false,
      refusal: /[@:]/.test(text) ? `A SIP URI begins with sip:, as in ${EXAMPLE}.` : read.refusal.reason,
    };
  }
  const fault = sipUriFault(text, readUri(text));
  return fault === undefined ? { ok: true, value: text } : { ok: false, refusal: fault };
}

const NO_URI = `This is not a SIP URI such as ${EXAMPLE}.`;
const HEADERS_WRONG = "Headers are written ?Name=value&Name=value, with anything unusual in a value as %XX.";
const FAULTS: Readonly<Record<UriFault, string>> = {
  shape: NO_URI,
  user: "The part before the @ contains what a SIP URI must not.",
  host: "The host is neither a name nor an address.",
  port: "A port is between 1 and 65535.",
  parameters: "The parameters allowed are transport (UDP, TCP or TLS) and media (latch, srtp or latch+srtp).",
  headers: HEADERS_WRONG,
};

const CONTROL = /%(?:[01][0-9a-f]|7f)/i;
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
// RFC 3261 19.1.5 lists headers that must not be honoured from a URI. The others here would break the request, claim a
// caller or a diversion, or interfere with what we negotiate. Short forms (RFC 3261 7.3.3) follow.
const FORBIDDEN_HEADERS: ReadonlySet<string> = new Set(
  `from to call-id cseq via record-route route contact max-forwards body authorization proxy-authorization
   p-asserted-identity p-preferred-identity remote-party-id privacy identity identity-info diversion history-info
   require proxy-require supported replaces refer-to referred-by session-expires min-se
   f t i v m l c e k r b x y n`.split(/\s+/),
);

/** Why a SIP URI cannot be called; `uri` is what `readUri` made of the text. */
export function sipUriFault(text: string, uri: Uri | UriFault): string | undefined {
  if (text.length > LENGTH_MAX) return `A SIP URI has ${LENGTH_MAX} characters at most.`;
  if (/^sips:/i.test(text)) return "Write sip:user@host;transport=TLS instead of sips:.";
  if (typeof uri === "string") return FAULTS[uri];
  if (uri.scheme !== "sip" || uri.user === "") return NO_URI;
  // No password: everyone with access may read this setting.
  if (/[:#]/.test(uri.user) || CONTROL.test(uri.user)) return FAULTS.user;
  if (!isHost(uri.host)) return FAULTS.host;
  if (!hasKnownParameters(uri) || /;(?:;|\?|$)/.test(text.slice(text.indexOf("@")))) return FAULTS.parameters;
  if (mediaWishesOf(uri).isSecure && transportOf(uri) !== "tls") {
    return "media=srtp needs transport=TLS: the keys are in the signalling.";
  }
  if (uri.headers === "") return text.endsWith("?") ? HEADERS_WRONG : undefined;
  return headersFault(uri.headers);
}

const PARAMETERS = new Map([
  ["transport", /^(?:udp|tcp|tls)$/i],
  [MEDIA_PARAMETER, /^(?:latch|srtp|latch\+srtp|srtp\+latch)$/i],
]);

function hasKnownParameters({ parameters }: SipUri): boolean {
  const names = parameters.filter((_, at) => at % 2 === 0);
  const isKnown = (name: string) => PARAMETERS.get(name)?.test(parameterOf(parameters, name) ?? "") ?? false;
  return new Set(names).size === names.length && names.every(isKnown);
}

/** What a SIP URI asks of the audio; for us alone, so that it leaves with no request. */
export interface MediaWishes {
  /** SRTP or no call. */
  readonly isSecure: boolean;
  /** It is sent to where the peer's comes from. */
  readonly isLatched: boolean;
}

export function mediaWishesOf({ parameters }: SipUri): MediaWishes {
  const wishes = (parameterOf(parameters, MEDIA_PARAMETER) ?? "").toLowerCase().split("+");
  return { isSecure: wishes.includes("srtp"), isLatched: wishes.includes("latch") };
}

function headersFault(text: string): string | undefined {
  const headers = text.split("&");
  if (headers.length > HEADERS_MAX) return `A SIP URI may carry ${HEADERS_MAX} headers at most.`;
  for (const header of headers) {
    const [name = "", value, ...rest] = header.split("=");
    if (name === "" || name.includes("%") || value === undefined || rest.length > 0 || CONTROL.test(value)) {
      return HEADERS_WRONG;
    }
    if (isForbidden(name.toLowerCase())) return `The header ${name} cannot be set by a SIP URI.`;
  }
  return undefined;
}

function isForbidden(name: string): boolean {
  return FORBIDDEN_HEADERS.has(name) || name.startsWith("content-");
}

function isHost(host: string): boolean {
  if (host.includes(":")) return true;
  const labels = host.split(".");
  // RFC 3261 25.1: the last label of a name begins with a letter; otherwise the host is an address.
  if (/^\d/.test(labels.at(-1) ?? "")) return parseAddress(host) !== undefined;
  return host.length <= 253 && labels.every((label) => HOST_LABEL.test(label));
}
