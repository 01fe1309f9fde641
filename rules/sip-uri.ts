// SIP, SIPS and tel URIs (RFC 3261 19.1, RFC 3966). URIs of other schemes are kept as text. Total: any text is parsed
// or refused. The only parser of such URIs: for messages, destinations, scripts, portability answers, the SDK and the
// portal.

import { parseAddress } from "./ip-address.ts";

/** name, value, name, value … Names in lower case; a flag has the value "". Quoted values keep their quotes. */
export type Parameters = readonly string[];

export const NO_PARAMETERS: Parameters = [];

/** The value; "" for a flag; undefined when the parameter is not there. */
export function parameterOf(parameters: Parameters, name: string): string | undefined {
  for (let at = 0; at < parameters.length; at += 2) if (parameters[at] === name) return parameters[at + 1];
  return undefined;
}

export interface SipUri {
  /** In lower case. */
  readonly scheme: "sip" | "sips";
  /** As written, with its escapes; "" when there is none. */
  readonly user: string;
  /** A name in lower case, or an address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number | undefined;
  readonly parameters: Parameters;
  /** What follows the question mark, as written; "" when there is none. */
  readonly headers: string;
}

export interface TelUri {
  readonly scheme: "tel";
  /** As written, visual separators included. */
  readonly number: string;
  readonly parameters: Parameters;
}

/** A URI of a scheme that we cannot call. */
export interface OtherUri {
  readonly scheme: "other";
  readonly text: string;
}

export type Uri = SipUri | TelUri | OtherUri;

/** The part of a URI that is wrong; `shape`: the text cannot be divided into parts. */
export type UriFault = "shape" | "user" | "host" | "port" | "parameters" | "headers";

export const URI_LENGTH_MAX = 4096;

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
// RFC 3261 25.1: user, password, uri-parameter and header characters; each escape is two hex digits.
const USER =
  /^(?:[A-Za-z0-9\-_.!~*'()&=+$,;?/#]|%[0-9A-Fa-f]{2})+(?::(?:[A-Za-z0-9\-_.!~*'()&=+$,]|%[0-9A-Fa-f]{2})*)?$/;
const HOST =
  /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?)$/;
const PARAMETER = /^(?:[A-Za-z0-9\-_.!~*'()[\]/:&+$]|%[0-9A-Fa-f]{2})+$/;
const HEADERS = /^(?:[A-Za-z0-9\-_.!~*'()[\]/?:+$&=]|%[0-9A-Fa-f]{2})*$/;
// RFC 3261 25.1: token.
const TOKEN = /^[A-Za-z0-9\-.!%*_+`'~]+$/;
const TEL_NUMBER = /^\+?[0-9A-Fa-f*#().-]+$/;

/** Whether the text is meant as a SIP URI. */
export function isSipUri(text: string): boolean {
  return /^sips?:/i.test(text);
}

export function parseUri(text: string): Uri | undefined {
  const read = readUri(text);
  return typeof read === "string" ? undefined : read;
}

/** Like `parseUri`, but returns the fault. */
export function readUri(text: string): Uri | UriFault {
  if (text.length > URI_LENGTH_MAX) return "shape";
  if (text.startsWith("sip:")) return readSip(text, 4, "sip");
  const scheme = SCHEME.exec(text)?.[1];
  if (scheme === undefined) return "shape";
  switch (scheme.toLowerCase()) {
    case "sip":
      return readSip(text, 4, "sip");
    case "sips":
      return readSip(text, 5, "sips");
    case "tel":
      return readTel(text);
    default:
      return /[\p{Cc}\s<>"]/u.test(text) ? "shape" : { scheme: "other", text };
  }
}

function readSip(text: string, start: number, scheme: "sip" | "sips"): SipUri | UriFault {
  // RFC 3261 25.1: an unescaped @ can stand only between user and host, or inside headers.
  const question = text.indexOf("?", start);
  let at = text.indexOf("@", start);
  if (at !== -1 && question !== -1 && question < at && !USER.test(text.slice(start, at))) at = -1;
  const user = at === -1 ? "" : text.slice(start, at);
  if (at !== -1 && !USER.test(user)) return "user";
  const hostStart = at === -1 ? start : at + 1;
  const headersAt = text.indexOf("?", hostStart);
  const headers = headersAt === -1 ? "" : text.slice(headersAt + 1);
  if (headers !== "" && !HEADERS.test(headers)) return "headers";
  const end = headersAt === -1 ? text.length : headersAt;
  let parametersAt = text.indexOf(";", hostStart);
  if (parametersAt === -1 || parametersAt > end) parametersAt = end;
  const place = readHostPort(text.slice(hostStart, parametersAt));
  if (typeof place === "string") return place;
  const parameters = parseUriParameters(text.slice(parametersAt, end));
  if (!parameters) return "parameters";
  return { scheme, user, host: place.host, port: place.port, parameters, headers };
}

interface HostPort {
  readonly host: string;
  readonly port: number | undefined;
}

/** `host`, `host:port` or `[v6]:port`. */
export function parseHostPort(text: string): HostPort | undefined {
  const read = readHostPort(text);
  return typeof read === "string" ? undefined : read;
}

function readHostPort(text: string): HostPort | "host" | "port" {
  const colon = text.charCodeAt(0) === 91 ? text.indexOf(":", text.indexOf("]")) : text.indexOf(":");
  const name = colon === -1 ? text : text.slice(0, colon);
  if (name.length > 255 || !HOST.test(name)) return "host";
  const port = colon === -1 ? undefined : readPort(text.slice(colon + 1));
  if (port === 0) return "port";
  if (name.charCodeAt(0) !== 91) return { host: name.toLowerCase(), port };
  const address = name.slice(1, -1);
  return parseAddress(address)?.family === 6 ? { host: address.toLowerCase(), port } : "host";
}

/** 0 when the text is not a port. */
function readPort(text: string): number {
  const port = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return port <= 65_535 ? port : 0;
}

/** `;name=value;flag`; undefined when it is not a list of parameters. */
export function parseUriParameters(text: string): Parameters | undefined {
  if (text === "") return NO_PARAMETERS;
  const found: string[] = [];
  for (const piece of text.slice(1).split(";")) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const name = equals === -1 ? piece : piece.slice(0, equals);
    const value = equals === -1 ? "" : piece.slice(equals + 1);
    if (!PARAMETER.test(name) || (value !== "" && !PARAMETER.test(value))) return undefined;
    found.push(name.toLowerCase(), value);
  }
  return found;
}

function readTel(text: string): TelUri | UriFault {
  const semicolon = text.indexOf(";");
  const number = text.slice(4, semicolon === -1 ? undefined : semicolon);
  if (!TEL_NUMBER.test(number)) return "user";
  const parameters = parseUriParameters(semicolon === -1 ? "" : text.slice(semicolon));
  return parameters ? { scheme: "tel", number, parameters } : "parameters";
}

export function hostText(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Ours, for the audio of a call; never sent to a peer. */
export const MEDIA_PARAMETER = "media";

/** The URI for a Request-URI: without headers and `method`, which RFC 3261 19.1.1 forbids there. */
export function requestUriOf({ scheme, user, host, port, parameters }: SipUri): string {
  let text = `${scheme}:${user === "" ? "" : `${user}@`}${hostText(host)}${port === undefined ? "" : `:${port}`}`;
  for (let at = 0; at < parameters.length; at += 2) {
    if (parameters[at] === "method" || parameters[at] === MEDIA_PARAMETER) continue;
    text += parameters[at + 1] === "" ? `;${parameters[at]}` : `;${parameters[at]}=${parameters[at + 1]}`;
  }
  return text;
}

export function transportOf(uri: SipUri): string | undefined {
  return parameterOf(uri.parameters, "transport")?.toLowerCase();
}

/** The host and port of a URI; the transport's default port unless the URI has one. */
export function placeOf(uri: SipUri): { readonly host: string; readonly port: number } {
  const isTls = uri.scheme === "sips" || transportOf(uri) === "tls";
  return { host: uri.host, port: uri.port ?? (isTls ? 5061 : 5060) };
}

/** The headers of a URI, decoded; undefined when one of them is not allowed in a message. */
export function uriHeadersOf(headers: string): readonly (readonly [name: string, value: string])[] | undefined {
  const found: [string, string][] = [];
  for (const piece of headers === "" ? [] : headers.split("&")) {
    const equals = piece.indexOf("=");
    const name = unescaped(equals === -1 ? piece : piece.slice(0, equals));
    const value = unescaped(equals === -1 ? "" : piece.slice(equals + 1));
    if (!TOKEN.test(name) || /[\r\n\0]/.test(value)) return undefined;
    found.push([name, value]);
  }
  return found;
}

/** Replaces each escape by its octet. */
export function unescaped(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
