// Parses a session description: tolerant of line ends, order and unknown lines, strict about what is used.
//
// Guarantees: total (every text gives a description or a sentence that explains the fault) and bounded (length, lines,
// media lines and formats have limits, each line is read once).

import { parseAddress } from "../../base/cidr.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import {
  type ConnectionAddress,
  type CryptoLine,
  DESCRIPTION_LENGTH_MAX,
  DIRECTIONS,
  type Direction,
  FORMATS_MAX,
  LINES_MAX,
  MEDIA_MAX,
  type MediaDescription,
  type Origin,
  type PayloadFormat,
  type SessionDescription,
} from "./description.ts";

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

interface ReadLevel {
  connection?: ConnectionAddress;
  direction?: Direction;
}

interface ReadMedia extends ReadLevel {
  readonly media: string;
  readonly port: number;
  readonly protocol: string;
  readonly formats: readonly string[];
  readonly maps: Map<number, Omit<PayloadFormat, "payload" | "parameters">>;
  readonly parameters: Map<number, string>;
  readonly crypto: CryptoLine[];
  ptimeMs?: number;
  rtcpPort?: number;
  rtcpConnection?: ConnectionAddress;
  hasRtcpMux: boolean;
}

/** RFC 3551 6: payload numbers that need no `a=rtpmap`. */
const STATIC_PAYLOADS: ReadonlyMap<number, Omit<PayloadFormat, "payload" | "parameters">> = new Map([
  [0, { name: "PCMU", clockRate: 8000, channels: 1 }],
  [3, { name: "GSM", clockRate: 8000, channels: 1 }],
  [4, { name: "G723", clockRate: 8000, channels: 1 }],
  [8, { name: "PCMA", clockRate: 8000, channels: 1 }],
  [9, { name: "G722", clockRate: 8000, channels: 1 }],
  [13, { name: "CN", clockRate: 8000, channels: 1 }],
  [18, { name: "G729", clockRate: 8000, channels: 1 }],
]);

class Unreadable extends Error {}

export function parseSdp(text: string): Result<SessionDescription, string> {
  if (text.length > DESCRIPTION_LENGTH_MAX) return refused(`longer than ${DESCRIPTION_LENGTH_MAX} characters`);
  const lines = text.split(/\r\n|\n|\r/, LINES_MAX + 1);
  if (lines.length > LINES_MAX) return refused(`more than ${LINES_MAX} lines`);
  try {
    return ok(readLines(lines));
  } catch (error) {
    if (error instanceof Unreadable) return refused(error.message);
    throw error;
  }
}

function readLines(lines: readonly string[]): SessionDescription {
  if (lines[0]?.trimEnd() !== "v=0") throw new Unreadable("does not begin with v=0");
  const session: ReadLevel = {};
  const media: ReadMedia[] = [];
  let origin: Origin | undefined;
  for (const line of lines) {
    if (line[1] !== "=") continue;
    const value = line.slice(2).trim();
    const level = media.at(-1) ?? session;
    if (line[0] === "o") origin ??= readOrigin(value);
    else if (line[0] === "c") level.connection ??= readConnection(value);
    else if (line[0] === "m") {
      if (media.length === MEDIA_MAX) throw new Unreadable(`more than ${MEDIA_MAX} media lines`);
      media.push(readMediaLine(value));
    } else if (line[0] === "a") readAttribute(value, session, media.at(-1));
  }
  if (!origin) throw new Unreadable("has no o= line");
  if (media.length === 0) throw new Unreadable("has no media line");
  return { origin, media: media.map((line) => finish(line, session)) };
}

function readOrigin(value: string): Origin {
  const [, sessionId = "", version = "", ...connection] = value.split(/\s+/);
  const isNumber = (text: string) => /^\d{1,20}$/.test(text);
  if (!isNumber(sessionId) || !isNumber(version)) throw new Unreadable("its o= line has no session id and version");
  // Phones behind NAT write a host name here; it is never used for a connection.
  const read = tryConnection(connection.join(" ")) ?? { family: 4, address: "0.0.0.0" };
  return { sessionId, version, connection: read };
}

function readConnection(value: string): ConnectionAddress {
  const read = tryConnection(value);
  if (!read) throw new Unreadable("a c= line does not name an IP address");
  return read;
}

function tryConnection(value: string): ConnectionAddress | undefined {
  const match = /^IN\s+IP([46])\s+([0-9A-Fa-f.:]{2,45})(?:\/\d{1,3}){0,2}$/i.exec(value);
  const address = match?.[2] === undefined ? undefined : parseAddress(match[2]);
  if (!match?.[2] || !address || String(address.family) !== match[1]) return undefined;
  return { family: address.family, address: match[2] };
}

function readMediaLine(value: string): ReadMedia {
  const [media = "", portText = "", protocol = "", ...formats] = value.split(/\s+/);
  const port = /^(\d{1,5})(?:\/\d{1,3})?$/.exec(portText)?.[1];
  const isToken = (text: string) => /^[\w!#$%&'*+.^`{|}~/-]{1,40}$/.test(text);
  if (!isToken(media) || port === undefined || Number(port) > 65_535 || !isToken(protocol)) {
    throw new Unreadable("a media line is no media, port and protocol");
  }
  if (formats.length === 0 || formats.length > FORMATS_MAX || !formats.every(isToken)) {
    throw new Unreadable(`a media line has no formats, or more than ${FORMATS_MAX}, or one that is none`);
  }
  const read = { maps: new Map(), parameters: new Map(), crypto: [], hasRtcpMux: false };
  return { media: media.toLowerCase(), port: Number(port), protocol: protocol.toUpperCase(), formats, ...read };
}

function readAttribute(value: string, session: ReadLevel, media: ReadMedia | undefined): void {
  const colon = value.indexOf(":");
  const name = (colon === -1 ? value : value.slice(0, colon)).toLowerCase();
  const rest = colon === -1 ? "" : value.slice(colon + 1).trim();
  const direction = DIRECTIONS.find((known) => known === name);
  if (direction) (media ?? session).direction = direction;
  if (!media) return;
  if (name === "rtpmap") readMap(rest, media);
  else if (name === "fmtp") readParameters(rest, media);
  else if (name === "ptime") readPtime(rest, media);
  else if (name === "rtcp") readRtcp(rest, media);
  else if (name === "rtcp-mux") media.hasRtcpMux = true;
  else if (name === "crypto") readCrypto(rest, media);
}

function readMap(value: string, media: ReadMedia): void {
  const match = /^(\d{1,3})\s+([\w.+-]{1,40})\/(\d{1,6})(?:\/(\d{1,2}))?$/.exec(value);
  if (!match?.[2] || Number(match[1]) > 127 || media.maps.size >= FORMATS_MAX) return;
  const map = { name: match[2], clockRate: Number(match[3]), channels: Number(match[4] ?? 1) };
  media.maps.set(Number(match[1]), map);
}

function readParameters(value: string, media: ReadMedia): void {
  const match = /^(\d{1,3})\s+([\x20-\x7e]{1,200})$/.exec(value);
  if (!match?.[2] || Number(match[1]) > 127 || media.parameters.size >= FORMATS_MAX) return;
  media.parameters.set(Number(match[1]), match[2].trim());
}

function readPtime(value: string, media: ReadMedia): void {
  // Some phones write 20.0.
  const match = /^(\d{1,3})(?:\.0+)?$/.exec(value);
  if (match?.[1] && Number(match[1]) > 0) media.ptimeMs = Number(match[1]);
}

/** RFC 3605: `a=rtcp:53020 IN IP4 126.16.64.4`, the address optional. */
function readRtcp(value: string, media: ReadMedia): void {
  const match = /^(\d{1,5})(?:\s+(.+))?$/.exec(value);
  if (!match?.[1] || Number(match[1]) < 1 || Number(match[1]) > 65_535) return;
  media.rtcpPort = Number(match[1]);
  const connection = match[2] === undefined ? undefined : tryConnection(match[2]);
  if (connection) media.rtcpConnection = connection;
}

/** RFC 4568 9.2. A line of any other form is ignored. */
function readCrypto(value: string, media: ReadMedia): void {
  const match =
    /^(\d{1,9})\s+(\w{1,60})\s+inline:([A-Za-z0-9+/=]{1,100})((?:\|[\w^:]{1,20}){0,2})((?:\s+\S{1,60}){0,8})$/.exec(
      value,
    );
  if (!match?.[2] || !match[3] || media.crypto.length >= FORMATS_MAX) return;
  media.crypto.push({
    tag: Number(match[1]),
    suite: match[2],
    keyAndSalt: match[3],
    hasMki: match[4]?.includes(":") ?? false,
    sessionParameters: match[5]?.split(/\s+/).filter(Boolean) ?? [],
  });
}

function finish(read: ReadMedia, session: ReadLevel): MediaDescription {
  const { maps, parameters, connection: own, direction: ownDirection, ...line } = read;
  const connection = own ?? session.connection;
  if (!connection && line.port !== 0) throw new Unreadable("a media line has no c= line, and neither has the session");
  const payloads: PayloadFormat[] = [];
  for (const format of new Set(line.formats)) {
    const payload = /^\d{1,3}$/.test(format) ? Number(format) : 128;
    const map = maps.get(payload) ?? STATIC_PAYLOADS.get(payload);
    if (payload > 127 || !map) continue;
    const described: Mutable<PayloadFormat> = { payload, ...map };
    const more = parameters.get(payload);
    payloads.push(more === undefined ? described : { ...described, parameters: more });
  }
  const direction = ownDirection ?? session.direction ?? "sendrecv";
  return { ...line, ...(connection && { connection }), direction, payloads };
}
