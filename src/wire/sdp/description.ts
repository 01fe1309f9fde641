// RFC 8866: the parts of a session description that a phone call needs. The parser drops every other line. The values
// here are checked, so that a parsed description can be written again.

export const DIRECTIONS = ["sendrecv", "sendonly", "recvonly", "inactive"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** `c=IN IP4 192.0.2.1`: an IP address in text, never a host name. */
export interface ConnectionAddress {
  readonly family: 4 | 6;
  readonly address: string;
}

export interface Origin {
  readonly sessionId: string;
  readonly version: string;
  readonly connection: ConnectionAddress;
}

/** `a=rtpmap:101 telephone-event/8000` with the parameters of its `a=fmtp`. Names keep their spelling. */
export interface PayloadFormat {
  readonly payload: number;
  readonly name: string;
  readonly clockRate: number;
  readonly channels: number;
  readonly parameters?: string;
}

/** RFC 4568: `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:…`. The key with its salt stays base64. */
export interface CryptoLine {
  readonly tag: number;
  readonly suite: string;
  readonly keyAndSalt: string;
  /** Key identifier and session parameters are parsed; a line that we cannot honour is not chosen. */
  readonly hasMki: boolean;
  readonly sessionParameters: readonly string[];
}

export interface MediaDescription {
  readonly media: string;
  /** 0: refused, or not used. */
  readonly port: number;
  readonly protocol: string;
  readonly formats: readonly string[];
  /** The line's own, or the session's. Missing only if neither exists and the port is 0. */
  readonly connection?: ConnectionAddress;
  readonly direction: Direction;
  readonly payloads: readonly PayloadFormat[];
  readonly ptimeMs?: number;
  readonly rtcpPort?: number;
  readonly rtcpConnection?: ConnectionAddress;
  readonly hasRtcpMux: boolean;
  readonly crypto: readonly CryptoLine[];
}

export interface SessionDescription {
  readonly origin: Origin;
  readonly media: readonly MediaDescription[];
}

export const DESCRIPTION_LENGTH_MAX = 16_384;
export const LINES_MAX = 512;
export const MEDIA_MAX = 16;
export const FORMATS_MAX = 64;

/** The refusal of a media line: same media, protocol and formats, port 0 (RFC 3264 6). */
export function refusedLine({ media, protocol, formats }: MediaDescription): MediaDescription {
  return { media, port: 0, protocol, formats, direction: "inactive", payloads: [], hasRtcpMux: false, crypto: [] };
}

/** RFC 3264 8.4 and RFC 2543: an address of zeros puts the stream on hold. */
export function isUnspecified({ family, address }: ConnectionAddress): boolean {
  return family === 4 ? address === "0.0.0.0" : /^[0:]+(\.?0){0,4}$/.test(address);
}
