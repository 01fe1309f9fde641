// The topmost Via: where a response goes, and the branch that identifies the transaction (RFC 3261 20.42, RFC 3581).

import { parseHostPort } from "../../../rules/sip-uri.ts";
import { skipBlanks } from "./octets.ts";
import { type Parameters, parameterOf, parseParameters } from "./parameters.ts";

export interface Via {
  /** In upper case. */
  readonly transport: string;
  readonly host: string;
  readonly port: number | undefined;
  readonly branch: string;
  readonly parameters: Parameters;
}

/** RFC 3261 8.1.1.7: the prefix of every branch of a client that follows this standard. */
export const MAGIC_COOKIE = "z9hG4bK";

const USUAL = /^SIP\/2\.0\/(UDP|TCP|TLS|WS|WSS) ([^ \t;,]+)(?=[;,]|$)/;
const ANY = /^SIP[ \t]*\/[ \t]*2\.0[ \t]*\/[ \t]*([A-Za-z0-9\-.!%*_+`'~]+)[ \t]+([^ \t;,]+(?:[ \t]*:[ \t]*\d+)?)/i;

/** Parses the first value of the header; undefined when it cannot be parsed. */
export function parseVia(value: string): Via | undefined {
  const match = USUAL.exec(value) ?? ANY.exec(value);
  if (!match) return undefined;
  const [all, transport = "", sentBy = ""] = match;
  const place = parseHostPort(sentBy.replace(/[ \t]/g, ""));
  const comma = value.indexOf(",", all.length);
  const rest = comma === -1 ? value : firstValue(value, all.length);
  const parameters = parseParameters(rest, skipBlanks(rest, all.length));
  if (!place || !parameters) return undefined;
  const branch = parameterOf(parameters, "branch") ?? "";
  return { transport: transport.toUpperCase(), host: place.host, port: place.port, branch, parameters };
}

/** The text up to the first comma outside of quotes. */
export function firstValue(value: string, start: number): string {
  let isQuoted = false;
  for (let at = start; at < value.length; at++) {
    const character = value[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\" && isQuoted) at++;
    else if (character === "," && !isQuoted) return value.slice(0, at).trimEnd();
  }
  return value;
}

/** The value with the receiver's additions (RFC 3261 18.2.1, RFC 3581 4): the source address and port. */
export function viaWithReceived(value: string, via: Via, address: string, port: number): string {
  const wantsPort = parameterOf(via.parameters, "rport") !== undefined;
  if (!wantsPort && via.host === address) return value;
  const end = firstValue(value, 0).length;
  const head = value.slice(0, end).replace(/;[ \t]*(?:received|rport)(?:[ \t]*=[^;]*)?(?=;|$)/gi, "");
  return `${head};received=${address}${wantsPort ? `;rport=${port}` : ""}${value.slice(end)}`;
}
