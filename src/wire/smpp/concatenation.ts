// Builds and reads long messages: split over several PDUs by a user data header (3GPP TS 23.040, 9.2.3.24) or by the
// sar_ TLVs (SMPP 3.4, 5.3.2.22-24), or whole in message_payload when short_message is too small.

import { SHORT_MESSAGE_MAX } from "./encode.ts";
import { allocateOctets } from "./octet-pool.ts";
import { NO_TLVS, type Tlvs } from "./tlv.ts";

/** 5.2.12: the short message begins with a user data header. */
export const ESM_UDHI = 0x40;

const IE_CONCATENATION_8 = 0x00;
const IE_CONCATENATION_16 = 0x08;
const PARTS_MAX = 255;

export interface PartOf {
  readonly reference: number;
  /** An 8-bit and a 16-bit reference with the same value are different references. */
  readonly kind: "udh8" | "udh16" | "sar";
  readonly total: number;
  /** From 1. */
  readonly part: number;
}

/** The members of a submit_sm or deliver_sm that carry a message's octets. */
export interface MessageBody {
  readonly esmClass: number;
  readonly shortMessage: Uint8Array;
  readonly tlvs: Tlvs;
}

/** One body for each part, or one without a header when there is one part. At most 255 parts fit. */
export function concatenate(
  parts: readonly Uint8Array[],
  { kind, reference }: Pick<PartOf, "kind" | "reference">,
): readonly MessageBody[] {
  if (parts.length > PARTS_MAX) throw new RangeError("more than 255 parts");
  if (parts.length === 1) return parts.map(wholeBody);
  return parts.map((octets, index) => {
    const tlvs = { sarMsgRefNum: reference & 0xffff, sarTotalSegments: parts.length, sarSegmentSeqnum: index + 1 };
    if (kind === "sar") return { ...wholeBody(octets), tlvs };
    const header =
      kind === "udh8"
        ? [5, IE_CONCATENATION_8, 3, reference & 0xff, parts.length, index + 1]
        : [6, IE_CONCATENATION_16, 4, (reference >> 8) & 0xff, reference & 0xff, parts.length, index + 1];
    const shortMessage = allocateOctets(header.length + octets.length);
    shortMessage.set(header);
    shortMessage.set(octets, header.length);
    return { esmClass: ESM_UDHI, shortMessage, tlvs: NO_TLVS };
  });
}

/** A message in one PDU: in short_message when it fits there, else in message_payload. */
export function wholeBody(octets: Uint8Array): MessageBody {
  return octets.length <= SHORT_MESSAGE_MAX
    ? { esmClass: 0, shortMessage: octets, tlvs: NO_TLVS }
    : payloadBody(octets);
}

/** A message of any length in message_payload; the SMSC splits it. */
export function payloadBody(octets: Uint8Array): MessageBody {
  return { esmClass: 0, shortMessage: new Uint8Array(0), tlvs: { messagePayload: octets } };
}

export interface ReadBody {
  /** Without the user data header. */
  readonly octets: Uint8Array;
  /** Set when this is one part of several. */
  readonly partOf?: PartOf;
}

/** Never fails: ignores a malformed header, and a part number outside its total (TS 23.040, 9.2.3.24.1). */
export function readBody({ esmClass, shortMessage, tlvs }: MessageBody): ReadBody {
  const whole = shortMessage.length === 0 && tlvs.messagePayload ? tlvs.messagePayload : shortMessage;
  const header = esmClass & ESM_UDHI ? readHeader(whole) : undefined;
  const octets = header ? whole.subarray(header.length) : whole;
  const partOf = header?.partOf ?? sarPartOf(tlvs);
  return { octets, ...(partOf && { partOf }) };
}

function readHeader(octets: Uint8Array) {
  const end = (octets[0] ?? 0) + 1;
  if (octets.length === 0 || end > octets.length) return undefined;
  let partOf: PartOf | undefined;
  for (let at = 1; at < end; ) {
    const length = octets[at + 1];
    const value = at + 2;
    if (length === undefined || value + length > end) return undefined;
    const octet = (index: number) => octets[value + index] as number;
    const element = octets[at];
    if (element === IE_CONCATENATION_8 && length === 3) {
      partOf = makePart("udh8", octet(0), octet(1), octet(2));
    } else if (element === IE_CONCATENATION_16 && length === 4) {
      partOf = makePart("udh16", (octet(0) << 8) | octet(1), octet(2), octet(3));
    }
    at = value + length;
  }
  return { length: end, partOf };
}

function sarPartOf({ sarMsgRefNum, sarTotalSegments, sarSegmentSeqnum }: Tlvs): PartOf | undefined {
  if (sarMsgRefNum === undefined || sarTotalSegments === undefined || sarSegmentSeqnum === undefined) return undefined;
  return makePart("sar", sarMsgRefNum, sarTotalSegments, sarSegmentSeqnum);
}

function makePart(kind: PartOf["kind"], reference: number, total: number, part: number): PartOf | undefined {
  return part >= 1 && part <= total ? { kind, reference, total, part } : undefined;
}
