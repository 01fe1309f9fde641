// RFC 3550 5.1: RTP packets. Reading is total; the packets that we write have no extension, sources or padding.

export interface RtpHeader {
  readonly hasMarker: boolean;
  readonly payload: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  /** Where the payload begins and ends: without sources, extension and padding. */
  readonly start: number;
  readonly end: number;
}

export const RTP_HEADER_LENGTH = 12;
/** The MTU of Ethernet; longer packets are not audio. */
export const RTP_LENGTH_MAX = 1500;

/** The start of the payload, which may be encrypted: after sources and extension. */
export function payloadStart(octets: Uint8Array): number | undefined {
  const { length } = octets;
  if (length < RTP_HEADER_LENGTH || length > RTP_LENGTH_MAX) return undefined;
  const first = at(octets, 0);
  if (first >> 6 !== 2) return undefined;
  const start = RTP_HEADER_LENGTH + (first & 0x0f) * 4;
  if ((first & 0x10) === 0) return start <= length ? start : undefined;
  if (start + 4 > length) return undefined;
  const after = start + 4 + readU16(octets, start + 2) * 4;
  return after <= length ? after : undefined;
}

export function readRtp(octets: Uint8Array): RtpHeader | undefined {
  const start = payloadStart(octets);
  if (start === undefined) return undefined;
  const { length } = octets;
  const padding = (at(octets, 0) & 0x20) === 0 ? 0 : at(octets, length - 1) || length;
  const end = length - padding;
  if (start > end) return undefined;
  const second = at(octets, 1);
  return {
    hasMarker: second > 127,
    payload: second & 0x7f,
    sequence: readU16(octets, 2),
    timestamp: readU32(octets, 4),
    ssrc: readU32(octets, 8),
    start,
    end,
  };
}

/** Writes twelve octets at `offset`. */
export function writeRtpHeader(
  octets: Uint8Array,
  offset: number,
  header: Pick<RtpHeader, "hasMarker" | "payload" | "sequence" | "timestamp" | "ssrc">,
): void {
  octets[offset] = 0x80;
  octets[offset + 1] = header.payload | (header.hasMarker ? 0x80 : 0);
  writeU16(octets, offset + 2, header.sequence);
  writeU32(octets, offset + 4, header.timestamp);
  writeU32(octets, offset + 8, header.ssrc);
}

/** RFC 5761 4: on a port for both, the types 64 to 95 (with the marker 192 to 223) are RTCP. */
export function isRtcp(octets: Uint8Array): boolean {
  const type = octets[1];
  return type !== undefined && type >= 192 && type <= 223;
}

function at(octets: Uint8Array, place: number): number {
  return octets[place] as number;
}

export function readU16(octets: Uint8Array, place: number): number {
  return (at(octets, place) << 8) | at(octets, place + 1);
}

export function readU32(octets: Uint8Array, place: number): number {
  return ((at(octets, place) << 24) | (at(octets, place + 1) << 16) | readU16(octets, place + 2)) >>> 0;
}

export function writeU16(octets: Uint8Array, place: number, value: number): void {
  octets[place] = value >>> 8;
  octets[place + 1] = value;
}

export function writeU32(octets: Uint8Array, place: number, value: number): void {
  octets[place] = value >>> 24;
  octets[place + 1] = value >>> 16;
  octets[place + 2] = value >>> 8;
  octets[place + 3] = value;
}
