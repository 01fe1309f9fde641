// Encodes a handset's message as the deliver_sm PDUs that carry it.

import { encodeGsm7 } from "../../../rules/sms/gsm7.ts";
import { segmentText } from "../../../rules/sms/segment.ts";
import { concatenate, wholeBody } from "../../wire/smpp/concatenation.ts";
import { type DeliverSm, deliverSm, type Unnumbered } from "../../wire/smpp/pdu.ts";
import { DATA_CODING, encodeUcs2 } from "../../wire/smpp/text.ts";
import { addressOf } from "./address.ts";

export type Coding = "GSM7" | "UCS2" | "Latin1";

export interface HandsetMessage {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** Default: GSM-7 if the text fits it, else UCS-2. */
  readonly coding?: Coding;
  /** Class 0: the handset shows it immediately. */
  readonly flash?: boolean;
  /** How a text too long for one PDU is carried. Default: an 8-bit user data header. */
  readonly carriedBy?: "udh8" | "udh16" | "sar" | "payload";
}

const CLASS_ZERO = 0x10;
const OCTETS_MAX = 140;
const HEADER_OCTETS = { udh8: 6, udh16: 7, sar: 6, payload: 0 } as const;

/** Throws when the text does not fit the coding or 255 parts, or when the coding has no flash messages. */
export function deliverSmsOf(message: HandsetMessage, reference: number): readonly Unnumbered<DeliverSm>[] {
  const { from, to, text, flash = false, carriedBy = "udh8" } = message;
  const coding = message.coding ?? segmentText(text).encoding;
  if (flash && coding === "Latin1") throw new RangeError("a flash message is in GSM-7 or UCS-2");
  const pieces = carriedBy === "payload" ? [text] : cut(text, coding, HEADER_OCTETS[carriedBy]);
  const parts = pieces.map((piece) => encode(piece, coding));
  const bodies = carriedBy === "payload" ? parts.map(wholeBody) : concatenate(parts, { kind: carriedBy, reference });
  const dataCoding = dataCodingOf(coding) | (flash ? CLASS_ZERO : 0);
  return bodies.map((body) => deliverSm({ source: addressOf(from), destination: addressOf(to), dataCoding, ...body }));
}

/** Splits as handsets do: between graphemes in the text's own coding, between code points in a forced one. */
function cut(text: string, coding: Coding, headerOctets: number): readonly string[] {
  const { encoding, segments } = segmentText(text, { referenceBits: headerOctets === 7 ? 16 : 8 });
  if (coding === encoding) return segments;
  const unitsOf = (octets: number) => (coding === "UCS2" ? octets >> 1 : octets);
  if (text.length <= unitsOf(OCTETS_MAX)) return [text];
  const unitsMax = unitsOf(OCTETS_MAX - headerOctets);
  const pieces: string[] = [];
  let piece = "";
  for (const character of text) {
    if (piece.length + character.length > unitsMax) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, piece];
}

function encode(text: string, coding: Coding): Uint8Array {
  if (coding === "UCS2") return encodeUcs2(text);
  const octets = coding === "GSM7" ? encodeGsm7(text) : encodeLatin1(text);
  if (!octets) throw new RangeError(`the text does not go into ${coding}`);
  return octets;
}

function encodeLatin1(text: string): Uint8Array | undefined {
  const octets = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return /^[\0-\xff]*$/.test(text) ? octets : undefined;
}

function dataCodingOf(coding: Coding): number {
  if (coding === "UCS2") return DATA_CODING.ucs2;
  return coding === "GSM7" ? DATA_CODING.default : DATA_CODING.latin1;
}
