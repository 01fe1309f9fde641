// RFC 3550 6: RTCP. We report to each peer what we received from it, and read the round-trip time from its reports.
// Reading is total: anything that is not an RTCP packet gives undefined.

import { readU32, writeU16, writeU32 } from "./packet.ts";

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const SOURCE_DESCRIPTION = 202;
const BLOCKS_MAX = 31;

/** The fields of a compound packet that we use. */
export interface HeardReport {
  readonly ssrc: number;
  /** The middle 32 bits of the sender's clock; absent in a receiver report. */
  readonly senderClock?: number;
  readonly blocks: readonly { readonly ssrc: number; readonly lastReport: number; readonly delay: number }[];
}

/** The first report of the packet; `undefined` if it does not begin with one, as every compound packet must. */
export function readReport(octets: Uint8Array): HeardReport | undefined {
  if (octets.length < 8 || octets.length > 1500) return undefined;
  const first = octets[0] as number;
  const type = octets[1];
  if (first >> 6 !== 2 || (type !== SENDER_REPORT && type !== RECEIVER_REPORT)) return undefined;
  const end = (((octets[2] as number) << 8) | (octets[3] as number)) * 4 + 4;
  const blocksAt = type === SENDER_REPORT ? 28 : 8;
  const count = Math.min(first & 0x1f, BLOCKS_MAX);
  if (end > octets.length || blocksAt + count * 24 > end) return undefined;
  const blocks = Array.from({ length: count }, (_, index) => {
    const at = blocksAt + index * 24;
    return { ssrc: readU32(octets, at), lastReport: readU32(octets, at + 16), delay: readU32(octets, at + 20) };
  });
  const senderClock = type === SENDER_REPORT ? readU32(octets, 10) : undefined;
  return { ssrc: readU32(octets, 4), ...(senderClock !== undefined && { senderClock }), blocks };
}

export interface OwnReport {
  readonly ssrc: number;
  /** The machine's time. */
  readonly now: Date;
  readonly timestamp: number;
  readonly packetsSent: number;
  readonly octetsSent: number;
  readonly canonicalName: string;
  /** About the peer's source, if there is one. */
  readonly heard?: {
    readonly ssrc: number;
    readonly fractionLost: number;
    readonly lost: number;
    readonly highestSequence: number;
    readonly jitter: number;
    readonly lastReport: number;
    readonly delay: number;
  };
}

/** A compound packet: sender report (receiver report if nothing was sent) and source description. */
export function writeReport(report: OwnReport): Uint8Array {
  const { heard } = report;
  const hasSent = report.packetsSent > 0;
  const reportLength = (hasSent ? 28 : 8) + (heard ? 24 : 0);
  const name = new TextEncoder().encode(report.canonicalName).subarray(0, 255);
  const descriptionLength = Math.ceil((8 + 2 + name.length + 1) / 4) * 4;
  const octets = new Uint8Array(reportLength + descriptionLength);
  octets[0] = 0x80 | (heard ? 1 : 0);
  octets[1] = hasSent ? SENDER_REPORT : RECEIVER_REPORT;
  writeU16(octets, 2, reportLength / 4 - 1);
  writeU32(octets, 4, report.ssrc);
  if (hasSent) {
    const { seconds, fraction } = ntpTime(report.now);
    writeU32(octets, 8, seconds);
    writeU32(octets, 12, fraction);
    writeU32(octets, 16, report.timestamp);
    writeU32(octets, 20, report.packetsSent);
    writeU32(octets, 24, report.octetsSent);
  }
  if (heard) {
    const at = hasSent ? 28 : 8;
    writeU32(octets, at, heard.ssrc);
    writeU32(octets, at + 4, (heard.fractionLost << 24) | (Math.min(heard.lost, 0x7fffff) & 0xffffff));
    writeU32(octets, at + 8, heard.highestSequence);
    writeU32(octets, at + 12, heard.jitter);
    writeU32(octets, at + 16, heard.lastReport);
    writeU32(octets, at + 20, heard.delay);
  }
  octets[reportLength] = 0x81;
  octets[reportLength + 1] = SOURCE_DESCRIPTION;
  writeU16(octets, reportLength + 2, descriptionLength / 4 - 1);
  writeU32(octets, reportLength + 4, report.ssrc);
  octets[reportLength + 8] = 1;
  octets[reportLength + 9] = name.length;
  octets.set(name, reportLength + 10);
  return octets;
}

/** RFC 3550 4: seconds since 1900 and their fraction. */
function ntpTime(now: Date): { readonly seconds: number; readonly fraction: number } {
  const ms = now.getTime();
  return {
    seconds: (Math.floor(ms / 1000) + 2_208_988_800) >>> 0,
    fraction: Math.floor(((ms % 1000) / 1000) * 2 ** 32),
  };
}

/** The middle 32 bits of the NTP time, which reports contain, in 65536ths of a second. */
export function middleOfNtp(now: Date): number {
  const { seconds, fraction } = ntpTime(now);
  return (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0;
}

/** RFC 3550 6.4.1: the round-trip time of our report; `undefined` when the peer has received none of ours. */
export function roundTripMs(
  block: { readonly lastReport: number; readonly delay: number },
  now: Date,
): number | undefined {
  if (block.lastReport === 0) return undefined;
  const ticks = (middleOfNtp(now) - block.lastReport - block.delay) | 0;
  return ticks < 0 || ticks > 65_536 * 10 ? undefined : (ticks * 1000) / 65_536;
}
